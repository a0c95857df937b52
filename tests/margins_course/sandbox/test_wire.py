"""The wire codec: what may cross comes back the same; whatever else arrives is refused by its own error."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from margins_course.grading.reference import round_trip
from margins_course.sandbox import wire

scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20)
arrays = st.sampled_from(sorted(wire.DTYPES)).flatmap(
    lambda name: hnp.arrays(name, hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4))
)
keys = st.text(max_size=5) | st.integers() | st.tuples(st.integers(), st.text(max_size=3))
kinds = st.sampled_from(["array", "scalar", "list", "tuple", "dict", "complex", "other"])


def nested(leaves, keys, most, *others):
    """Lists and dicts of the leaves, and what `others` make of lists."""

    def more(inner):
        lists = st.lists(inner, max_size=4)
        return st.one_of(lists, st.dictionaries(keys, inner, max_size=3), *map(lists.map, others))

    return st.recursive(leaves, more, max_leaves=most)


values = nested(scalars | arrays | st.complex_numbers(), keys, 12, tuple)
descriptions = nested(scalars, kinds, 15)


def same(a, b):
    """Equality in type, shape, dtype and every bit, NaN included."""
    if type(a) is not type(b):
        return False
    if isinstance(a, np.ndarray | np.generic):
        return a.dtype == b.dtype and np.shape(a) == np.shape(b) and a.tobytes() == b.tobytes()
    if isinstance(a, dict):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a.items(), b.items(), strict=True))
    if isinstance(a, list | tuple):
        return len(a) == len(b) and all(map(same, a, b))
    return a == b or (a != a and b != b)


@given(values)
@settings(max_examples=2 * settings.default.max_examples)
def test_what_may_cross_comes_back_the_same(value):
    assert same(round_trip(value), value)


def only_wire_errors(text, arrays):
    try:
        value = wire.unpack(text, arrays)
    except wire.WireError:
        return
    round_trip(value)  # what was accepted is a value that may cross


@given(st.binary(max_size=200) | descriptions, st.binary(max_size=60))
@settings(max_examples=4 * settings.default.max_examples)
def test_random_bytes_and_malformed_descriptions_are_refused_or_mean_a_value(description, arrays):
    is_text = isinstance(description, bytes)
    only_wire_errors(description if is_text else json.dumps(description).encode(), arrays)


@given(values, st.data())
@settings(max_examples=2 * settings.default.max_examples)
def test_damaged_frames_are_refused_or_mean_a_value(value, data):
    frame = bytearray(wire.pack(value))
    place = data.draw(st.integers(0, len(frame) - 1))
    frame[place] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, len(frame)))
    try:
        text, _ = wire.lengths(bytes(frame[: wire.HEADER.size]))
    except wire.WireError:
        return
    body = bytes(frame[wire.HEADER.size :])[:cut]
    only_wire_errors(body[:text], body[text:])


MALICE = """\
{"array": ["object", 1]}
{"array": ["float64", -1]}
{"list": [{"array": ["float64", -1]}, {"array": ["float64", 1]}]}
{"array": ["float64", 1.0]}
{"array": ["float64", true]}
{"array": ["float64", 4611686018427387904, 4]}
{"array": ["float64", 0, 33554432, 33554432, 33554432]}
{"array": ["O8,f4", 1]}
{"array": []}
{"scalar": {"list": []}}
{"dict": [[{"list": []}, 1]]}
{"dict": [[1]]}
{"complex": [1.0, "x"]}
{"list": 3}
[1, 2]
"""


ONE_HASH = ",".join(f"[{number * (2**61 - 1)}, 1]" for number in range(1001))
LONG = ["[" * 100_000, "9" * 5000, f'{{"dict": [{ONE_HASH}]}}']


@pytest.mark.parametrize("text", [*MALICE.split("\n"), *LONG], ids=lambda text: text[:30])
def test_known_malice_is_refused(text):
    with pytest.raises(wire.WireError):
        wire.unpack(text.encode(), bytes(64))


@pytest.mark.parametrize(
    ("header", "said"), [(b"\xff" * 8, "at most 4194304 outside"), (b"\0" * 3, "begins with 8 bytes")]
)
def test_headers_that_are_short_or_announce_too_much_are_refused(header, said):
    with pytest.raises(wire.WireError, match=said):
        wire.lengths(header)


NAMED = {
    "builtin_function_or_method": len,
    "dtype object": np.array([None]),
    "dtype str": np.array(["a"]),
    "type set": {1, 2},
    "more than 1000 keys": dict.fromkeys(range(1001)),
    "type Sly": type("Sly", (float,), {"__eq__": lambda *_: True})(),
}


@pytest.mark.parametrize("said", NAMED)
def test_what_cannot_cross_is_named(said):
    with pytest.raises(wire.WireError, match=said):
        wire.pack(NAMED[said])


def test_text_that_cannot_be_written_comes_out_as_some_that_can():
    assert round_trip({"said": "\ud800!"}) == {"said": "?!"}


def test_a_million_numbers_cross_as_a_copy_of_their_own():
    value = np.random.default_rng(0).normal(size=(1000, 1000))
    got = round_trip([value, value.T])
    assert np.array_equal(got[0], value)
    assert np.array_equal(got[1], value.T)
    got[0][0, 0] = 5  # writable, and not the other's memory
    assert np.array_equal(got[1], value.T)


def test_what_is_nested_too_deep_is_refused_on_both_sides():
    def text(depth):
        return ('{"list":[' * depth + "1" + "]}" * depth).encode()

    endless = []
    endless.append(endless)
    deepest = wire.unpack(text(wire.DEEPEST + 1), b"")
    assert round_trip(deepest[0]) == deepest[0]
    for value in (deepest, endless):
        with pytest.raises(wire.WireError, match="nested more than 30 deep"):
            wire.pack(value)
    with pytest.raises(wire.WireError, match="describes no value"):
        wire.unpack(text(wire.DEEPEST + 2), b"")
