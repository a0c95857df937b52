"""False versions of small checks: what is changed, what is not, and what sharp and blunt checks refuse."""

import pytest

from margins_course.assignments.check_cells import Piece
from tests.check_cells.false_versions import false_versions
from tests.check_cells.trials import tried

HEAD = "import math\nimport numpy as np\nfrom numpy.linalg import norm\n"
DATA = "rng = np.random.default_rng(0)\nx = 1 + rng.uniform(size=20)\n"


def changes(check, before=""):
    """What is made of a page of one check, `first || second` where one of two must be refused."""
    found = false_versions([Piece(HEAD + DATA + before), Piece(check, "a-1")])
    return {" || ".join(change.partition(" -> ")[2] for change, _ in version.sources) for version in found}


def outcomes(check, before=""):
    """What becomes of the false versions of one check, by what is changed."""
    trials = tried([Piece(HEAD + DATA + before), Piece(check, "a-1")])
    return {trial.change: (trial.outcome, trial.said) for trial in trials}


@pytest.mark.parametrize(
    ("statement", "versions"),
    [
        ("y <= 2 * x", {"y <= 3.0 * x || y <= 1.33333 * x", "y <= 2 * x / 1.5 || y <= 2 * x * 1.5"}),
        ("y <= x ** 2", {"y <= x ** 2.5 || y <= x ** 1.5"}),
        ("y <= x - z", {"y <= x + z", "y <= x", "y >= x - z"}),
        ("y <= -x", {"y <= x"}),
        ("y <= math.sqrt(x)", {"y <= x"}),
        ("y <= np.cosh(x)", {"y <= np.sinh(x)"}),
        ("y <= x * z", {"y <= x", "y <= z"}),
        ("y == 7", {"y == 8 || y == 6", "y * 1.5 == 7"}),
        ("(x.T @ y).max() <= z", {"(x @ y).max() <= z"}),
        ("y < x[x > z].max()", {"y < x[x < z].max()", "y > x[x > z].max()"}),
    ],
)
def test_each_kind_of_false_version_is_made(statement, versions):
    wanted = {f"assert {version}".replace("|| ", "|| assert ") for version in versions}
    assert wanted <= changes(f"assert {statement}")


@pytest.mark.parametrize(
    ("check", "before"),
    [
        ("assert norm(x) < 1e-12", ""),
        ("assert abs(y) < 1e-9 * z", ""),
        ("print(2 * x)\nassert norm(y, 2) < 1e-9", ""),
        ("y = rng.normal(size=2 * 8) / 3\nassert abs(y) < 1e-9", ""),
        ("grid = 2 * np.linspace(0, 3, 40)\nassert abs(grid) < 1e-9", ""),
        ("for d in (2, 8): assert f(d, size=3) < 1e-9", ""),
        ("assert abs(y) < 1e-9", "def two_clouds(n):\n    return 2 * rng.normal(size=n)\ny = two_clouds(8)"),
        ("shown = 2 * x - 1\nassert abs(y) < 1e-9", ""),
    ],
)
def test_data_sizes_tolerances_and_what_is_printed_are_left_alone(check, before):
    """Where nothing else could be wrong, the assertion itself is denied."""
    (version,) = changes(check, before)
    assert "not " in version


def test_formulas_in_functions_and_cells_before_the_check_are_changed():
    before = "def area(r):\n    return math.pi * r**2\nunused = 3 * x\nbound = 4 * x"
    found = changes("for r in (1.0, 2.0):\n    assert area(r) <= bound.max()", before)
    assert any("r ** 2.5 || " in change and change.endswith("r ** 1.5") for change in found)
    assert "bound = 6.0 * x || bound = 2.66667 * x" in found
    assert not any("unused" in change for change in found)


def test_a_sharp_check_refuses_all_its_false_versions():
    """The bound is reached, so it can be neither smaller nor of another form."""
    found = outcomes("square = 2 * x**2 - x**2\nassert np.allclose(square, x * x, rtol=1e-12)")
    assert len(found) >= 6
    assert {outcome for outcome, _ in found.values()} == {"refused"}
    assert "np.allclose(square, x * x, rtol=1e-12)" in {said for _, said in found.values()}


def test_a_blunt_check_lets_a_smaller_bound_pass_and_a_larger_one_is_no_false_version():
    found = outcomes("bound = 25 * x\nassert (x <= bound).all()")
    survivors = {change for change, (outcome, _) in found.items() if outcome == "survived"}
    assert "bound = 25 * x -> bound = 16.6667 * x" in survivors
    assert not any("37.5" in change for change in survivors)


def test_a_version_that_only_states_less_does_not_count():
    found = outcomes("assert (x - 1 <= x + 1).all()")
    assert found["assert (x - 1 <= x + 1).all() -> assert (x - 1 <= x).all()"][0] == "survived"
    assert found["assert (x - 1 <= x + 1).all() -> assert (x - 1 >= x + 1).all()"][0] == "refused"
    less = outcomes("bound = x**2 - x / 2\nassert (x / 4 <= bound).all()")
    assert less["bound = x ** 2 - x / 2 -> bound = x ** 2"][0] == "weaker"


def test_a_check_says_which_part_failed_with_its_numbers():
    found = outcomes("y = 3 * 2.0 * x[0] / x[0]\nassert x.min() > 0 and abs(y - 6) < 1e-12")
    assert found["y = 3 * 2.0 * x[0] / x[0] -> y = 3 * 2.0 * x[0]"][1].startswith("abs(y - 6) < 1e-12: ")


def test_what_a_later_check_refuses_is_refused():
    first = Piece("def half(r):\n    return r / 2\nassert half(0.0) == 0", "a-1")
    trials = list(tried([Piece(HEAD), first, Piece("assert half(4) == 2", "b-1")]))
    (trial,) = (trial for trial in trials if "r / 3.0" in trial.change)
    assert (trial.outcome, trial.version.check) == ("refused", "a-1")


def test_code_that_computes_nothing_is_no_version():
    """Without its second factor `y` has no second axis."""
    found = outcomes("y = x * x[:, None]\nassert (y[0] * 2).sum() > 0 and len(y[0]) == 20")
    assert found
    assert not any("Error" in said for _, said in found.values())


def test_a_version_without_end_is_stopped(monkeypatch):
    monkeypatch.setattr("tests.check_cells.trials.SECONDS", 1)
    found = outcomes("def up(y, s):\n    while y < 8: y += s\n    return y\nassert up(0, 2) == 8")
    assert found["y += s -> y -= s"] == ("stopped", "")
