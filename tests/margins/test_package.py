"""The package as its users meet it: modules by their names, readable signatures, short representations."""

import dataclasses
import importlib
import inspect
import pkgutil
import subprocess
import sys

import numpy as np
import pytest

import margins
from margins._records import summary

SOLVERS = ("margins.svm.", "margins.least_distance.", "margins.estimators.svm.")
DATA = margins.attention_svm.random_token_data(6, 8, 10, rng=0)


def run(program):
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)


def modules():
    """Every module of the library that can be imported here."""
    found = pkgutil.walk_packages(margins.__path__, "margins.")
    return [importlib.import_module(module.name) for module in found]


def defined(kind):
    """The classes or functions that the library's modules define, by their qualified names."""
    own = ((module, vars(module).values()) for module in modules())
    return {
        f"{module.__name__}.{one.__qualname__}": one
        for module, values in own
        for one in values
        if kind(one) and one.__module__ == module.__name__
    }


def methods():
    """Pairs of name and method, of all classes."""
    for name, one in defined(inspect.isclass).items():
        yield from ((f"{name}.{key}", value) for key, value in vars(one).items() if inspect.isfunction(value))


def public_functions():
    """Pairs of name and function, of all that packages, and modules with a list, have as public."""
    for module in modules():
        if hasattr(module, "__all__") or hasattr(module, "__path__"):
            yield from public_functions_of(module)


def public_functions_of(module):
    """Pairs of name and function of one."""
    names = getattr(module, "__all__", vars(module))
    yield from ((name, getattr(module, name)) for name in names if inspect.isfunction(getattr(module, name)))


def test_importing_the_package_alone_loads_nothing():
    answer = run("import sys; before = set(sys.modules); import margins; print(set(sys.modules) - before)")
    loaded = {name for name in eval(answer.stdout) if name.startswith(("margins.", "numpy"))}
    assert loaded == set()


def test_modules_are_found_by_their_names():
    answer = run("import margins; print(margins.svm.smo.__name__, margins.kernels.gaussian([[0.0]]))")
    assert answer.stdout == "smo [[1.]]\n", answer.stderr
    public = {name for _, name, _ in pkgutil.iter_modules(margins.__path__) if not name.startswith("_")}
    assert set(dir(margins)) == public | {"__version__"}


def test_an_unknown_module_is_answered_by_the_known_ones():
    with pytest.raises(AttributeError, match=r"no attribute 'svms'; its modules are attention, .*svm"):
        margins.svms  # noqa: B018


def test_public_functions_and_methods_have_types():
    """Where a name begins with an underscore they are optional; the solvers have types of their own."""
    functions = [*defined(inspect.isfunction).items(), *methods()]
    for name, function in functions:
        if "._" not in name and not name.startswith(SOLVERS):
            arguments = [one for one in inspect.signature(function).parameters.values() if one.name != "self"]
            untyped = [one.name for one in arguments if one.annotation is one.empty]
            assert not untyped, f"{name}: {untyped}"
            assert inspect.signature(function).return_annotation is not inspect.Signature.empty, name


def test_a_misspelt_choice_is_named_with_the_function_that_was_called():
    W = np.zeros((10, 10))
    for function in (margins.attention_svm.training_loss, margins.attention_svm.loss_gradient):
        with pytest.raises(TypeError, match=rf"^{function.__name__}\(\) got an unexpected .* 'lss'"):
            function(DATA, W, lss=margins.attention_svm.LOGISTIC)
        assert {"head", "loss", "normaliser"} <= set(inspect.signature(function).parameters)


def holds_arrays(record):
    return any("Array" in str(f.type) or "ndarray" in str(f.type) for f in dataclasses.fields(record))


def test_records_that_hold_arrays_summarise_them():
    records = {name: one for name, one in defined(dataclasses.is_dataclass).items() if holds_arrays(one)}
    assert len(records) > 20
    dumping = {name for name, one in records.items() if one.__repr__.__name__ != "_short_repr"}
    assert {
        name for name in dumping if not name.startswith(("margins.svm", "margins.least_distance"))
    } == set()


def test_representations_name_shapes_and_a_few_facts():
    words = repr(margins.attention_svm.frobenius_svm(DATA, DATA.optimal_tokens))
    assert words.startswith("AttentionSVM(norm='frobenius', status='optimal', W=array(shape=(10, 10), from -")
    assert "margins=array(shape=(6, 8), from 1 to inf)" in words
    assert "certificate=None" in words
    assert "\n" not in words


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (np.array([1.0, 2.5]), "[1. , 2.5]"),
        (np.zeros((2, 3)), "array(shape=(2, 3), from 0 to 0)"),
        (np.eye(3, dtype=bool), "array(shape=(3, 3), 3 True)"),
        (np.full((2, 2), np.nan), "array(shape=(2, 2), all NaN)"),
        (np.array([[np.nan, 1.0], [2.0, 3.0]]), "array(shape=(2, 2), from 1 to 3, some NaN)"),
        (np.zeros((0, 2)), "array(shape=(0, 2), dtype=float64)"),
        ([np.zeros((2, 3)), np.ones(1)], "[2 arrays, first array(shape=(2, 3), from 0 to 0)]"),
        (np.float64(0.5), "0.5"),
        (1 / 3, "0.333333"),
        ("optimal", "'optimal'"),
        (np.tanh, "tanh"),
        (None, "None"),
    ],
)
def test_values_in_a_few_words(value, words):
    assert summary(value) == words


def test_choices_have_names():
    att = margins.attention_svm
    named = {
        "relu_head(array(shape=(2, 2), from 0 to 1))": att.relu_head(np.eye(2)),
        "concave_head(0.5)": att.concave_head(0.5),
        "softplus_power(2)": att.softplus_power(2),
        "increasing_head(tanh, cosh)": att.increasing_head(np.tanh, np.cosh),
        "mlp_head(array(shape=(2, 2), from 0 to 1), [1., 1.], tanh)": att.mlp_head(
            np.eye(2), np.ones(2), np.tanh, slope=np.cosh
        ),
    }
    for words, choice in named.items():
        assert repr(choice) == words


DRAWN = {  # for each public function with an argument `rng`, a call
    "embed_patches": lambda rng: margins.data.embed_patches(DATA.X[:, :4], 6, rng=rng),
    "projections": lambda rng: margins.random_features.projections(5, 3, rng=rng, orthogonal=True),
    "cauchy_projections": lambda rng: margins.random_features.cauchy_projections(5, 3, rng=rng),
    "random_token_data": lambda rng: margins.attention_svm.random_token_data(2, 3, 4, rng=rng).X,
    "random_start": lambda rng: margins.attention_svm.random_start(DATA, rng=rng, width=1)[1],
    "regularisation_path": lambda rng: (
        margins.attention_svm.regularisation_path(SMALL, [1.0], rng=rng, width=1, starts=1).K
    ),
}
SMALL = margins.attention_svm.random_token_data(2, 4, 3, rng=0)


def test_every_function_that_draws_is_tried():
    drawing = {name for name, one in public_functions() if "rng" in inspect.signature(one).parameters}
    assert drawing == set(DRAWN)


@pytest.mark.parametrize("name", DRAWN)
def test_whatever_draws_takes_a_generator_or_a_seed(name):
    draw = DRAWN[name]
    np.testing.assert_array_equal(draw(7), draw(np.random.default_rng(7)))
    np.testing.assert_array_equal(draw(7), draw(np.int64(7)))
    for wrong in (None, np.random.RandomState(7), 0.5):
        with pytest.raises(ValueError, match="rng must be a NumPy generator or a seed"):
            draw(wrong)
