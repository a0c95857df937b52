"""Values across the wall between checks and students' code: plain data and arrays, never code.

A frame is two lengths, JSON, and the bytes of the arrays in the order in which the JSON names them. Decoding
trusts nothing: every type, shape and length is compared with a list of what is allowed, and the rest refused.
(book: Teaching with this book, How marking works)
"""

import json
import math
import struct

import numpy as np

HEADER = struct.Struct("!II")
LARGEST_TEXT, LARGEST_ARRAYS = 4 << 20, 32 << 20  # bytes; JSON takes twenty times its size when it is read
DEEPEST, MOST_KEYS = 30, 1000  # keys that collide take time that grows with their square
DTYPES = {np.dtype(kind).name: np.dtype(kind).newbyteorder("<") for kind in "?bBhHiIqQefdFD"}


class WireError(Exception):
    """A value that cannot cross, or a frame that is not one."""


def pack(value):
    """The frame of a value, or a WireError that says what in it cannot cross."""
    arrays = []
    text = json.dumps(_encode(value, arrays, 0)).encode()
    sizes = len(text), sum(map(len, arrays))
    if sizes[0] > LARGEST_TEXT or sizes[1] > LARGEST_ARRAYS:
        raise WireError(
            f"{sizes[0] + sizes[1]} bytes are too many; expected at most {LARGEST_ARRAYS} in arrays"
        )
    return b"".join([HEADER.pack(*sizes), text, *arrays])


def lengths(header):
    """The two lengths that a frame's first eight bytes announce, if they are allowed."""
    if len(header) != HEADER.size:
        raise WireError(f"a frame begins with {HEADER.size} bytes, but {len(header)} came")
    text, arrays = HEADER.unpack(header)
    if text > LARGEST_TEXT or arrays > LARGEST_ARRAYS:
        raise WireError(f"a frame of {text} + {arrays} bytes is too large")
    return text, arrays


def unpack(text, arrays):
    """The value in the two parts of a frame, or a WireError."""
    try:
        parsed = json.loads(text.decode())
    except (ValueError, RecursionError) as reason:
        raise WireError(f"a frame's text is not JSON: {reason}") from None
    try:
        value, rest = _decode(parsed, memoryview(arrays), 0)
    except (ValueError, MemoryError) as reason:  # such as numpy's of a shape that is too large
        raise WireError(f"a frame describes what cannot be made: {reason}") from None
    if len(rest):
        raise WireError(f"{len(rest)} bytes of a frame belong to no array")
    return value


def _encode(value, arrays, depth):
    """A value as JSON can hold it; the bytes of its arrays are added to `arrays`."""
    if depth > DEEPEST:
        raise WireError(f"a value is nested more than {DEEPEST} deep")
    if value is None or type(value) in (bool, int, float, str):
        return value
    if isinstance(value, np.ndarray | np.generic):
        return _encode_array(np.asarray(value), arrays, scalar=isinstance(value, np.generic))
    if type(value) is complex:
        return {"complex": [value.real, value.imag]}
    if type(value) in (list, tuple):
        return {type(value).__name__: [_encode(item, arrays, depth + 1) for item in value]}
    if type(value) is dict and len(value) > MOST_KEYS:
        raise WireError(f"a dict of {len(value)} keys cannot cross; expected at most {MOST_KEYS}")
    if type(value) is dict:
        return {"dict": [[_encode(part, arrays, depth + 1) for part in pair] for pair in value.items()]}
    expected = "expected numbers, text, arrays of numbers, lists, tuples, dicts or None"
    raise WireError(f"a value of type {type(value).__name__} cannot cross; {expected}")


def _encode_array(array, arrays, *, scalar):
    name = array.dtype.name
    if name not in DTYPES:
        raise WireError(f"an array of dtype {name} cannot cross; expected one of {', '.join(DTYPES)}")
    arrays.append(np.ascontiguousarray(array, DTYPES[name]).tobytes())
    return {"scalar": name} if scalar else {"array": [name, *array.shape]}


def _decode(parsed, buffer, depth):
    """The value that `parsed` describes, and the bytes of `buffer` that are left."""
    if type(parsed) is str:
        return parsed.encode("utf-8", "replace").decode(), buffer  # a lone surrogate could not be written
    if parsed is None or type(parsed) in (bool, int, float):
        return parsed, buffer
    if depth > DEEPEST or type(parsed) is not dict or len(parsed) != 1:
        raise WireError("a frame's text describes no value")
    ((kind, content),) = parsed.items()
    if kind == "scalar":
        array, buffer = _decode_array([content], buffer)
        return array[()], buffer
    if kind == "array":
        return _decode_array(content, buffer)
    if kind == "complex" and _is_list(content, 2) and all(type(part) is float for part in content):
        return complex(*content), buffer
    if kind in ("list", "tuple", "dict") and type(content) is list:
        return _decode_collection(kind, content, buffer, depth)
    raise WireError("a frame's text describes no value")


def _decode_collection(kind, content, buffer, depth):
    if kind == "dict" and (len(content) > MOST_KEYS or not all(_is_list(pair, 2) for pair in content)):
        raise WireError(f"a dict in a frame is not made of at most {MOST_KEYS} pairs")
    parts = [part for pair in content for part in pair] if kind == "dict" else content
    values = []
    for part in parts:
        value, buffer = _decode(part, buffer, depth + 1)
        values.append(value)
    if kind != "dict":
        return (tuple(values) if kind == "tuple" else values), buffer
    try:
        return dict(zip(values[::2], values[1::2], strict=True)), buffer
    except TypeError as reason:
        raise WireError(f"a dict in a frame has a key that cannot be one: {reason}") from None


def _decode_array(content, buffer):
    """An array of its own memory from the front of `buffer`, and the rest."""
    if type(content) is not list or not content or type(content[0]) is not str or content[0] not in DTYPES:
        raise WireError("an array in a frame has no allowed dtype")
    dtype, shape = DTYPES[content[0]], content[1:]
    if len(shape) > 32 or not all(type(size) is int and 0 <= size <= LARGEST_ARRAYS for size in shape):
        raise WireError("an array in a frame has no allowed shape")
    size = math.prod(shape) * dtype.itemsize
    if size > len(buffer):
        raise WireError(f"an array of {size} bytes was announced, but {len(buffer)} bytes came")
    array = np.frombuffer(buffer[:size], dtype).reshape(shape).astype(content[0])
    return array, buffer[size:]


def _is_list(content, length):
    return type(content) is list and len(content) == length
