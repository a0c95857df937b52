"""The package as its users meet it: modules by their names, readable signatures, short representations."""

import dataclasses
import importlib
import inspect
import pkgutil
import re
import subprocess
import sys

import numpy as np
import pytest

import margins
from margins import attention_svm as att
from margins._records import summary

SOLVERS = ("margins.svm.", "margins.least_distance.", "margins.estimators.svm.")


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


def test_the_package_alone_loads_nothing_and_finds_modules_by_their_names():
    program = "import sys; before = set(sys.modules); import margins; print(set(sys.modules) - before); "
    program += "print(margins.svm.smo.__name__, margins.kernels.gaussian([[0.0]]))"
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    loaded, found = answer.stdout.splitlines()
    assert not [name for name in eval(loaded) if name.startswith(("margins.", "numpy"))]
    assert found == "smo [[1.]]"
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


ARRAYS = re.compile(r"(<class ')?(Array|(np|numpy)\.ndarray)")


def test_records_that_hold_arrays_compare_by_identity_and_summarise_them():
    """Comparing arrays entry by entry would raise that their truth value is ambiguous."""
    records = {
        name: one
        for name, one in defined(dataclasses.is_dataclass).items()
        if any(ARRAYS.match(str(field.type)) for field in dataclasses.fields(one))
    }
    assert {"Solution", "AttentionSVM", "Choice", "Trajectory"} <= {one.__name__ for one in records.values()}
    assert [name for name, one in records.items() if one.__eq__ is not object.__eq__] == []
    dumping = [name for name, one in records.items() if one.__repr__.__name__ != "_short_repr"]
    assert [name for name in dumping if not name.startswith("margins.svm")] == []


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
        (att.relu_head(np.eye(2)), "relu_head(array(shape=(2, 2), from 0 to 1))"),
        (att.concave_head(0.5), "concave_head(0.5)"),
        (att.softplus_power(2), "softplus_power(2)"),
        (att.increasing_head(np.tanh, np.cosh), "increasing_head(tanh, cosh)"),
        (
            att.mlp_head(np.eye(2), np.ones(2), np.tanh, slope=np.cosh),
            "mlp_head(array(shape=(2, 2), from 0 to 1), [1., 1.], tanh)",
        ),
    ],
)
def test_values_in_a_few_words(value, words):
    assert summary(value) == words
