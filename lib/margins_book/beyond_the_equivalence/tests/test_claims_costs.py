"""Chapter 10, beyond the equivalence: the multiplications of a network and of the selection of a token."""

import numpy as np
import pytest

from margins.prompt_network import PromptNetwork, read_prompts


class Counted:
    """A number that counts the multiplications of which it is made."""

    made = 0

    def __init__(self, value):
        self.value = float(value)

    def __mul__(self, other):
        Counted.made += 1
        return Counted(self.value * getattr(other, "value", other))

    __rmul__ = __mul__

    def __add__(self, other):
        return Counted(self.value + getattr(other, "value", other))

    __radd__ = __add__

    def __sub__(self, other):
        return Counted(self.value - getattr(other, "value", other))

    def __truediv__(self, other):
        return Counted(self.value / getattr(other, "value", other))

    def __gt__(self, other):
        return self.value > getattr(other, "value", other)

    def __lt__(self, other):
        return self.value < getattr(other, "value", other)

    def __ge__(self, other):
        return not self < other

    def __le__(self, other):
        return not self > other

    def exp(self):
        return Counted(np.exp(self.value))


def multiplications(d, n, heads, inner):
    """How often numbers are multiplied while a network answers one prompt."""
    rng, e, w = np.random.default_rng(0), d + 2, (heads + 1) * (d + 2)

    def counted(*shape):
        values = [Counted(x) for x in rng.normal(size=int(np.prod(shape)))]
        return np.array(values, dtype=object).reshape(shape)

    network = PromptNetwork(counted(heads, e, e), counted(w), counted(w, inner), counted(inner))
    prompt = counted(1, n, d), counted(1, n), counted(1, d)
    Counted.made = 0
    read_prompts(network, *prompt)
    return Counted.made


@pytest.mark.parametrize(("d", "n", "heads", "inner"), [(2, 3, 1, 0), (4, 8, 2, 5), (9, 4, 3, 7)])
def test_c10_14_the_number_of_multiplications_is_that_of_the_formula(d, n, heads, inner):
    def formula(d):
        e = d + 2
        w = (heads + 1) * e
        return heads * (e**2 + 2 * n * e) + w * (inner + 1) + inner

    assert multiplications(d, n, heads, inner) == formula(d)
    assert formula(2e6) / formula(1e6) == pytest.approx(4, rel=1e-4)


def test_c10_14_selecting_a_token_costs_what_the_logits_cost():
    rng, T, d = np.random.default_rng(0), 6, 4
    X, W, z = (
        np.array([Counted(x) for x in rng.normal(size=int(np.prod(shape)))], dtype=object).reshape(shape)
        for shape in ((T, d), (d, d), (d,))
    )
    Counted.made = 0
    logits = X @ (W @ z)
    assert 0 <= max(range(T), key=lambda t: logits[t].value) < T
    assert Counted.made == d**2 + T * d
