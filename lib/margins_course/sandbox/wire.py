"""Values that cross between checks and the sandbox, as bytes: plain data and arrays, never code.

A frame is two lengths, JSON, and the bytes of the arrays in the order in which the JSON names them. Decoding
trusts nothing: every type, shape and length is compared with a list of what is allowed, and the rest refused.
"""

import json
import math
import struct

import numpy as np

HEADER = struct.Struct("!II")
LARGEST_TEXT, LARGEST_ARRAYS = 4 << 20, 32 << 20  # bytes; JSON takes twenty times its size when it is read
DEEPEST, MOST_KEYS = 30, 1000  # of all dicts: keys that collide take time that grows with their square
LONGEST_KEY = 10  # parts of a tuple that is a key
KEYS = (str, int, float, bool, complex, type(None))
DTYPES = {np.dtype(kind).name: np.dtype(kind).newbyteorder("<") for kind in "?bBhHiIqQefdFD"}


class WireError(Exception):
    """A value that cannot cross, or a frame that is not one."""


def pack(value: object) -> bytes:
    """The frame of a value, or a WireError that says what in it cannot cross."""
    writer = _Writer()
    encoded = writer.encoded(value, 0)
    size = sum(array.nbytes for array in writer.arrays)
    if size > LARGEST_ARRAYS:
        raise WireError(f"the answer has {size} bytes of numbers in arrays; at most {LARGEST_ARRAYS}")
    text = json.dumps(encoded).encode()
    if len(text) > LARGEST_TEXT:
        problem = f"the answer has {len(text)} bytes outside of arrays; at most {LARGEST_TEXT}"
        raise WireError(f"{problem}: return long lists of numbers as arrays")
    header = HEADER.pack(len(text), size)
    return b"".join([header, text, *(array.tobytes() for array in writer.arrays)])


def lengths(header: bytes) -> tuple[int, int]:
    """The two lengths that a frame's first eight bytes announce, if they are allowed."""
    if len(header) != HEADER.size:
        raise WireError(f"a frame begins with {HEADER.size} bytes, but got {len(header)}")
    text, arrays = HEADER.unpack(header)
    if text > LARGEST_TEXT or arrays > LARGEST_ARRAYS:
        problem = f"the answer has {text} + {arrays} bytes; at most {LARGEST_TEXT} outside of arrays"
        raise WireError(f"{problem} and {LARGEST_ARRAYS} in them")
    return text, arrays


def unpack(text: bytes, arrays: bytes) -> object:
    """The value in the two parts of a frame, or a WireError."""
    try:
        parsed = json.loads(text.decode())
    except (ValueError, RecursionError) as reason:
        raise WireError(f"a frame's text is not JSON: {reason}") from None
    reader = _Reader(arrays)
    try:
        value = reader.value(parsed, 0)
    except (ValueError, MemoryError) as reason:  # such as numpy's of a shape that is too large
        raise WireError(f"a frame describes what cannot be made: {reason}") from None
    if len(reader.buffer):
        raise WireError(f"{len(reader.buffer)} bytes of a frame belong to no array")
    return value


class _Writer:
    """The arrays of a value that is being encoded, and the keys that its dicts may still have."""

    def __init__(self):
        self.arrays, self.keys = [], MOST_KEYS

    def encoded(self, value, depth):
        """A value as JSON can hold it; its arrays are kept."""
        if depth > DEEPEST:
            raise WireError(f"a value is nested more than {DEEPEST} deep")
        if value is None or type(value) in (bool, int, float, str):
            return value
        if isinstance(value, np.ndarray | np.generic):
            return self._array(np.asarray(value), scalar=isinstance(value, np.generic))
        if type(value) is complex:
            return {"complex": [value.real, value.imag]}
        if type(value) in (list, tuple):
            return {type(value).__name__: [self.encoded(item, depth + 1) for item in value]}
        if type(value) is dict:
            return self._dict(value, depth)
        expected = "expected numbers, text, arrays of numbers, lists, tuples, dicts or None"
        raise WireError(f"a value of type {type(value).__name__} cannot be checked; {expected}")

    def _dict(self, value, depth):
        self.keys -= len(value)
        if self.keys < 0:
            raise WireError(f"dicts of more than {MOST_KEYS} keys together cannot be checked")
        for key in value:
            _require_key(key)
        return {"dict": [[self.encoded(part, depth + 1) for part in pair] for pair in value.items()]}

    def _array(self, array, *, scalar):
        name = array.dtype.name
        if name not in DTYPES:
            raise WireError(f"an array of dtype {name} cannot be checked; expected: {', '.join(DTYPES)}")
        self.arrays.append(array.astype(DTYPES[name], copy=False))
        return {"scalar": name} if scalar else {"array": [name, *array.shape]}


class _Reader:
    """What is left of a frame while its value is made: bytes of arrays, keys that dicts may still have."""

    def __init__(self, arrays):
        self.buffer, self.keys = memoryview(arrays), MOST_KEYS

    def value(self, parsed, depth):
        if type(parsed) is str:
            return parsed.encode("utf-8", "replace").decode()  # a lone surrogate could not be written
        if parsed is None or type(parsed) in (bool, int, float):
            return parsed
        if depth > DEEPEST or type(parsed) is not dict or len(parsed) != 1:
            raise WireError("a frame's text describes no value")
        ((kind, content),) = parsed.items()
        if kind == "scalar":
            return self._array([content])[()]
        if kind == "array":
            return self._array(content)
        if kind == "complex" and _is_list(content, 2) and all(type(part) is float for part in content):
            return complex(*content)
        if kind in ("list", "tuple") and type(content) is list:
            values = [self.value(part, depth + 1) for part in content]
            return tuple(values) if kind == "tuple" else values
        if kind == "dict" and type(content) is list:
            return self._dict(content, depth)
        raise WireError("a frame's text describes no value")

    def _dict(self, content, depth):
        self.keys -= len(content)
        if self.keys < 0 or not all(_is_list(pair, 2) for pair in content):
            raise WireError(f"the dicts in a frame are not made of at most {MOST_KEYS} pairs")
        pairs = [[self.value(part, depth + 1) for part in pair] for pair in content]
        for key, _ in pairs:
            _require_key(key)
        return dict(pairs)

    def _array(self, content):
        """An array of its own memory from the front of the buffer."""
        name = content[0] if type(content) is list and content else None
        if type(name) is not str or name not in DTYPES:
            raise WireError("an array in a frame has no allowed dtype")
        dtype, shape = DTYPES[name], content[1:]
        if len(shape) > 32 or not all(type(size) is int and 0 <= size <= LARGEST_ARRAYS for size in shape):
            raise WireError("an array in a frame has no allowed shape")
        size = math.prod(shape) * dtype.itemsize
        if size > len(self.buffer):
            raise WireError(f"an array of {size} bytes was announced, but got {len(self.buffer)} bytes")
        array = np.frombuffer(self.buffer[:size], dtype).reshape(shape).astype(name)
        self.buffer = self.buffer[size:]
        return array


def _require_key(key):
    """Nothing for a key that is quick to compare with others; else a WireError."""
    parts = key if type(key) is tuple else [key]
    known = all(type(part) in KEYS or isinstance(part, np.generic) for part in parts)
    if len(parts) > LONGEST_KEY or not known:
        expected = "expected text, numbers or short tuples of them"
        raise WireError(f"a dict has a key that cannot be checked; {expected}")


def _is_list(content, length):
    return type(content) is list and len(content) == length
