"""Other random numbers for the same code: all seeds that it names are moved, whoever makes the generator.

A page hands its seeds to `default_rng`, to functions of `margins` (`rng=3`) and to scikit-learn
(`random_state=3`). All of them call NumPy's constructors, which are replaced here. What is made from a
generator or a SeedSequence (`spawn`) has moved with it.
"""

import contextlib
from collections.abc import Callable, Iterator
from numbers import Integral
from typing import Any
from unittest import mock

import numpy as np

STEP = 1000  # between two draws: pages count their seeds from a number on, but never that far
FUNCTIONS = ("default_rng", "seed")
CLASSES = ("RandomState", "SeedSequence", "PCG64", "PCG64DXSM", "MT19937", "Philox", "SFC64")
NAMES_OF_SEEDS = ("seed", "entropy")  # of NumPy's arguments


@contextlib.contextmanager
def moved_seeds(draw: int) -> Iterator[None]:
    """Within this block each seed is another one, the same for the same `draw`; draw 0 changes nothing."""
    with contextlib.ExitStack() as stack:
        for name in (*FUNCTIONS, *CLASSES) if draw else ():
            original = getattr(np.random, name)
            caller = _caller(original, draw)
            new = (
                Constructor(name, (), {"original": original, "caller": caller}) if name in CLASSES else caller
            )
            stack.enter_context(mock.patch.object(np.random, name, new))
        yield


def moved(seed: Any, draw: int) -> Any:
    """The seed that stands for `seed` in a draw: a number or a sequence of numbers; the rest as it is."""
    if isinstance(seed, Integral) and not isinstance(seed, bool):
        return int(seed) + STEP * draw
    if isinstance(seed, list | tuple | np.ndarray):
        return [draw, *np.ravel(seed).tolist()]
    return seed


class Constructor(type):
    """Makes what NumPy's own class makes; libraries ask whether something is an instance of it."""

    original: type
    caller: Callable

    def __call__(cls, *given, **named):
        return cls.caller(*given, **named)

    def __instancecheck__(cls, instance):
        return isinstance(instance, cls.original)


def _caller(original, draw):
    def call(*given, **named):
        named |= {name: moved(named[name], draw) for name in NAMES_OF_SEEDS if name in named}
        return original(*(moved(seed, draw) for seed in given[:1]), *given[1:], **named)

    return staticmethod(call)
