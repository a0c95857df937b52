"""The package as its users meet it: imports, modules by their names, signatures, short representations."""

import dataclasses
import importlib
import inspect
import pkgutil
import re
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import margins
from margins import attention_svm as att
from margins._extras import extra
from margins._records import summary
from margins_book.chapters import chapters

UNWANTED = ("scipy", "sklearn", "cvxpy", "matplotlib")
PROGRAM = """
    import importlib, importlib.abc, sys

    class Refuse(importlib.abc.MetaPathFinder):
        def find_spec(self, name, path=None, target=None):
            if name.partition(".")[0] in {unwanted}:
                raise ImportError("made unimportable by the test: " + name)

    sys.meta_path.insert(0, Refuse())
    for module in {modules}:
        importlib.import_module(module)
    loaded = sorted(set(sys.modules) & set({unwanted}))
    assert not loaded, loaded
"""


CORE = [
    module.name
    for module in pkgutil.walk_packages(margins.__path__, "margins.")
    if not module.name.startswith("margins.estimators")  # the faces for scikit-learn
]
CHECKS = [f"margins_book.{chapter.topic}.checks" for chapter in chapters()]


@pytest.mark.parametrize("modules", [CORE, CHECKS], ids=["library", "checks"])
def test_modules_need_numpy_alone(modules):
    """Each box in which a submission is marked imports its chapter's checks, and most answers no more."""
    program = textwrap.dedent(PROGRAM).format(modules=modules, unwanted=UNWANTED)
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stderr


def test_a_missing_package_is_named_with_the_extra_that_brings_it():
    words = r"^margins\.svm\.dual_qp needs nowhere_to_be_found: pip install 'margins\[solvers\]'$"
    with pytest.raises(ModuleNotFoundError, match=words), extra("solvers", "margins.svm.dual_qp"):
        import nowhere_to_be_found.inside  # noqa: F401


def test_an_error_of_the_library_itself_passes():
    with pytest.raises(ModuleNotFoundError, match="No module named"), extra("a", "b"):
        import margins.nothing  # noqa: F401


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
