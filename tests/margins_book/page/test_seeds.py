"""Every way in which a page names a seed leads to other numbers in another draw."""

import numpy as np
import pytest
from sklearn.datasets import make_moons
from sklearn.kernel_approximation import RBFSampler
from sklearn.utils import check_random_state

from margins import random_features as rf
from margins.estimators.random_features import FourierFeatures
from margins_book.page.seeds import moved_seeds

POINTS = np.eye(3)


def legacy():
    np.random.seed(3)
    return np.random.normal(size=2)


WAYS = {
    "a number": lambda: np.random.default_rng(3).normal(size=2),
    "a number of NumPy's": lambda: np.random.default_rng(np.int64(3)).normal(size=2),
    "by name": lambda: np.random.default_rng(seed=3).normal(size=2),
    "a list": lambda: np.random.default_rng([3, 4]).normal(size=2),
    "spawned": lambda: np.random.default_rng(3).spawn(2)[1].normal(size=2),
    "a sequence of seeds": lambda: np.random.default_rng(np.random.SeedSequence(3).spawn(2)[1]).normal(
        size=2
    ),
    "a sequence by name": lambda: np.random.default_rng(np.random.SeedSequence(entropy=3)).normal(size=2),
    "a bit generator": lambda: np.random.Generator(np.random.PCG64(3)).normal(size=2),
    "handed to the library": lambda: rf.projections(4, 3, rng=3),
    "random_state": lambda: make_moons(8, noise=0.1, random_state=3)[0],
    "RandomState": lambda: np.random.RandomState(3).normal(size=2),
    "checked by scikit-learn": lambda: check_random_state(3).normal(size=2),
    "an estimator of scikit-learn's": lambda: RBFSampler(random_state=3).fit_transform(POINTS),
    "an estimator of ours": lambda: FourierFeatures(8, random_state=3).fit_transform(POINTS),
    "the old global generator": legacy,
}


@pytest.mark.parametrize("way", WAYS)
def test_a_seed_moves_with_the_draw_and_back(way):
    own, drawn = WAYS[way](), []
    for draw in (0, 1, 2, 1):
        with moved_seeds(draw):
            drawn.append(WAYS[way]())
    assert np.array_equal(own, drawn[0])
    assert np.array_equal(drawn[1], drawn[3])
    assert len({values.tobytes() for values in drawn}) == 3
    assert np.array_equal(own, WAYS[way]())


def test_what_scikit_learn_takes_for_a_generator_it_still_takes():
    generator = np.random.RandomState(3)
    with moved_seeds(1):
        assert check_random_state(generator) is generator
        assert check_random_state(check_random_state(None)) is check_random_state(None)
        assert check_random_state(np.random.RandomState(3)) is not generator


def test_generators_made_before_are_left_alone():
    expected = np.random.default_rng(3).normal(size=4)[2:]
    generator = np.random.default_rng(3)
    generator.normal(size=2)
    with moved_seeds(1):
        assert np.array_equal(np.random.default_rng(generator).normal(size=2), expected)
