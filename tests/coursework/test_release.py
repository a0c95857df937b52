"""Release: chapters become assignments, nothing secret leaves, what cannot be marked is refused."""

import ast
import json
from pathlib import Path

import nbformat
import pytest

from margins_course import command
from margins_course.assignments.chapter import read_chapter
from margins_course.assignments.new import write_new
from margins_course.assignments.notebooks import as_bytes, assignment, nbgrader_source, student_notebook
from margins_course.assignments.otter import otter_source
from margins_course.assignments.overlay import read_private_checks
from margins_course.assignments.proof import fresh, prove, set_up, verdicts
from margins_course.assignments.release import prepare, release
from margins_course.assignments.settings import read_settings
from margins_course.assignments.sheet import read_sheet
from margins_course.assignments.slices import free_names, needed
from margins_course.assignments.solution import stubbed
from margins_course.book import find_chapter, requirement
from margins_course.folder import CourseFolder
from margins_course.problems import CourseProblem
from tests.coursework import exercises

ROOT = Path(__file__).parents[2]
CHAPTERS = sorted((ROOT / "chapters").glob("[0-9]*.md"))
SMALL = """\
---
kernelspec:
  display_name: Python 3
  name: python3
---
# Doubling

```{code-cell} ipython3
import numpy as np
import decimal  # no exercise needs it

def helper(x):
    return np.add(x, x)
unused = helper(3)
kept = []
kept.append(helper)
```

:::{exercise-start} Twice · code
:label: twice
:::
Write `twice(x)`, see {prf:ref}`a-theorem` and {numref}`ex-lines`.

:::{admonition} Hint
:class: dropdown
Add it to itself.
:::

:::{exercise-end}
:::

```{code-cell} ipython3
:tags: [solution]
:exercise: twice

def twice(x):
    ### BEGIN SOLUTION
    return x + x
    ### END SOLUTION
```

```{code-cell} ipython3
:tags: [check]
:exercise: twice
:points: 2

assert twice(2) == 4, "twice two"
```

```{code-cell} ipython3
:tags: [hidden-check, remove-cell]
:exercise: twice
:points: 1

assert twice(5) == kept[0](5), "twice five"
```
"""


@pytest.fixture(params=CHAPTERS, ids=lambda path: path.stem, scope="module")
def assigned(request):
    return exercises.assigned(request.param)


@pytest.fixture
def small(tmp_path):
    path = tmp_path / "small.md"

    def written(text=SMALL):
        path.write_text(text, encoding="utf-8")
        return path

    return written


def prepared(path, more=""):
    """The assignment of a chapter's file with the settings that it gets at first, and some more."""
    course = CourseFolder(path.parent / "course")
    if not course.settings(path.stem).exists():
        write_new(course, path.stem, [str(path)])
    with course.settings(path.stem).open("a", encoding="utf-8") as file:
        file.write(more)
    return prepare(course, read_settings(course, path.stem))


def nbgrader_release(notebook):
    """What nbgrader itself would give to students of an instructor's notebook."""
    from nbgrader.preprocessors import ClearHiddenTests, ClearSolutions  # dear, and wanted here alone

    for step in (ClearSolutions, ClearHiddenTests):
        notebook, _ = step().preprocess(notebook, {"metadata": {}})
    return notebook


def test_every_chapter_is_proved(assigned):
    prove(assigned)


def test_students_get_no_solution_and_no_hidden_check(assigned):
    text = as_bytes(student_notebook(assigned)).decode()
    assert "SOLUTION" not in text
    assert "HIDDEN" not in text
    for cell in assigned.cells:
        if cell.kind == "solution":
            inside = cell.source.split("### BEGIN SOLUTION\n")[1].split("### END")[0]
            lines = [line.strip() for line in inside.splitlines() if len(line.strip()) > 25]
            assert not [line for line in lines if json.dumps(line)[1:-1] in text]
        if cell.kind.startswith("hidden"):
            assert cell.source not in text
            assert cell.name not in text


def test_notebooks_are_valid_and_the_same_twice(assigned):
    for make in (student_notebook, nbgrader_source, otter_source):
        notebook = make(assigned)
        nbformat.validate(notebook)
        assert as_bytes(notebook) == as_bytes(make(assigned))


def test_every_assert_of_a_check_says_what_is_wrong(assigned):
    for cell in assigned.cells:
        if cell.is_graded:
            asserts = [node for node in ast.walk(ast.parse(cell.source)) if isinstance(node, ast.Assert)]
            assert all(node.msg for node in asserts), f"{cell.name}: an assert without a message"
            assert asserts or "checks." in cell.source, f"{cell.name} asserts nothing"


def test_nbgrader_clears_the_source_to_cells_students_get(assigned):
    cleared = nbgrader_release(nbgrader_source(assigned))
    named = {c.metadata.nbgrader.grade_id: c for c in cleared.cells if "nbgrader" in c.metadata}
    for cell in student_notebook(assigned).cells:
        if "nbgrader" in cell.metadata and not cell.metadata.nbgrader.solution:
            assert named[cell.metadata.nbgrader.grade_id].source == cell.source
    for name, cell in named.items():
        if "hidden" in name:
            assert cell.source.strip() == "# hidden: runs when the work is marked"


def test_every_stated_exercise_is_in_plain_markdown(assigned):
    stated = [cell for cell in assigned.cells if cell.kind == "text" and cell.exercise]
    assert {cell.exercise for cell in assigned.cells if cell.exercise} == {cell.exercise for cell in stated}
    for cell in stated:
        assert ":::" not in cell.source
        assert "{prf:ref}" not in cell.source


def test_links_and_hints_of_a_statement(small):
    made = assignment(read_chapter(small()), "https://book/chapters/small.html")
    (statement,) = [cell.source for cell in made.cells if cell.kind == "text" and cell.exercise]
    assert "[a-theorem](https://book/chapters/small.html#a-theorem)" in statement
    assert "[the figure](https://book/chapters/small.html#ex-lines)" in statement
    assert "<details><summary>Hint</summary>\n\nAdd it to itself.\n\n</details>" in statement


def test_setup_is_cut_to_what_the_exercises_use(small):
    cells = needed(read_chapter(small()).cells)
    (setup,) = [cell.source for cell in cells if cell.kind == "setup"]
    assert "decimal" not in setup
    assert "unused" not in setup
    assert "kept.append(helper)" in setup


def test_setup_is_cut_where_a_name_is_set_again_or_is_the_students_own(small):
    before = "kept = []\n"
    assert before in SMALL
    text = SMALL.replace(before, "kept = [helper(1)]\ntwice = {'not': 'the function'}\nkept = []\n")
    (setup,) = [cell.source for cell in needed(read_chapter(small(text)).cells) if cell.kind == "setup"]
    assert "helper(1)" not in setup
    assert "twice" not in setup
    assert "kept = []\nkept.append(helper)" in setup


def test_students_setup_leaves_out_what_only_hidden_checks_use(small):
    made = assignment(read_chapter(small()), "page")
    assert [cell.kind for cell in made.cells if "setup" in cell.kind] == ["hidden-setup"]
    prove(made)


@pytest.mark.parametrize("code", ["kept.append(3)", "def change():\n    kept[0] = 3\nchange()"])
def test_what_code_changes_is_its_own(code):
    """What it does not name need not be copied for each of a hundred answers."""
    given = {"kept": [1], "other": [2]}
    own = fresh(given, code)
    exec(code, own)
    assert given["kept"] == [1] != own["kept"]
    assert own["other"] is given["other"]


def test_otter_source_runs_and_its_tests_are_silent(assigned, monkeypatch, capsys):
    monkeypatch.setenv("NBGRADER_EXECUTION", "")  # restored afterwards: Otter's cells set it
    names = {}
    for cell in otter_source(assigned).cells:
        if cell.cell_type == "code":
            exec(compile(cell.source, "otter", "exec"), names)
    questions = [c.source for c in otter_source(assigned).cells if c.source.startswith("# BEGIN QUESTION")]
    asked = [cell for cell in assigned.cells if cell.kind in ("solution", "answer")]
    assert len(questions) == len(asked)
    assert "Right:" not in capsys.readouterr().out


def test_tests_for_otter_are_single_statements(assigned):
    """Otter cuts a test into lines, and takes every one that is not indented for a statement of its own."""
    cells = otter_source(assigned).cells
    opened = [number for number, cell in enumerate(cells) if cell.source == "# BEGIN TESTS"]
    assert len(opened) == len([cell for cell in assigned.cells if cell.kind == "solution"])
    assert requirement() in cells[0].source
    for start in opened:
        for cell in cells[start + 1 :]:
            if cell.source == "# END TESTS":
                break
            first, *rest = [line for line in cell.source.splitlines() if line.strip() and line != "# HIDDEN"]
            assert first == "if True:"
            assert all(line.startswith(" ") for line in rest)


def test_names_that_code_wants_from_elsewhere():
    assert free_names("x = 1\ny = x + z") == {"z"}
    assert free_names("for a in b:\n    c = a + d\n    e = c") == {"b", "d"}
    assert free_names("for a in b:\n    c = a\nf = c") == {"b", "c"}
    assert free_names("n += 1") == {"n"}
    assert free_names("if k:\n    m = 1\nq = m") == {"k", "m"}
    assert free_names("with w as v:\n    u = v") == {"w"}
    assert free_names("def g(x):\n    return x + h\ny = g(1)") == {"h"}
    assert free_names("x = [i for i in range(n)]") == {"n", "range"}


REFUSALS = {
    "two kinds": ("[check]", "[check, solution]", "exclude each other"),
    "kind on text": (
        ":::{exercise-start}",
        '+++ {"tags": ["check"]}\n\n:::{exercise-start}',
        "belongs on a code cell",
    ),
    "no exercise": (":tags: [check]\n:exercise: twice\n", ":tags: [check]\n", ":exercise: None"),
    "no points": (":points: 2\n", "", "but None came"),
    "points NaN": (":points: 2", ":points: .nan", "but nan came"),
    "points negative": (":points: 2", ":points: -2", "but -2 came"),
    "points infinite": (":points: 2", ":points: .inf", "but inf came"),
    "points yes": (":points: 2", ":points: true", "but True came"),
    "check of another": (":tags: [check]\n:exercise: twice", ":tags: [check]\n:exercise: thrice", "thrice"),
    "no marker": ("    ### BEGIN SOLUTION\n", "", "has no partner"),
    "no markers": (
        "    ### BEGIN SOLUTION\n    return x + x\n    ### END SOLUTION",
        "    return x",
        "needs the lines",
    ),
    "not stated": (":label: twice", ":label: once", "no exercise is labelled 'twice'"),
}


@pytest.mark.parametrize("kind", REFUSALS)
def test_a_chapter_that_cannot_be_marked_is_refused(small, kind):
    before, after, said = REFUSALS[kind]
    assert before in SMALL
    with pytest.raises(CourseProblem, match=said) as refusal:
        read_chapter(small(SMALL.replace(before, after, 1)))
    assert "small.md" in str(refusal.value)


def test_a_check_before_its_solution_and_a_solution_without_check_are_refused(small):
    head, solution = SMALL.split("```{code-cell} ipython3\n:tags: [solution]")
    solution, checks = solution.split("```{code-cell} ipython3\n:tags: [check]")
    with pytest.raises(CourseProblem, match="stands before its solution"):
        read_chapter(small(f"{head}```{{code-cell}} ipython3\n:tags: [check]{checks}"))
    with pytest.raises(CourseProblem, match="no check for twice"):
        read_chapter(small(f"{head}```{{code-cell}} ipython3\n:tags: [solution]{solution}"))


def test_a_broken_reference_or_a_blind_check_stops_the_release(small):
    with pytest.raises(CourseProblem, match=r"fails twice--check-1: AssertionError: twice two"):
        prepared(small(SMALL.replace("return x + x", "return x + 1")))
    with pytest.raises(CourseProblem, match="twice--hidden-check-1; sharpen that check"):
        prepared(small(SMALL.replace("assert twice(5) == kept[0](5)", "assert kept")))


def test_a_check_that_needs_another_exercise_stops_the_release(small):
    second = (
        SMALL[SMALL.index(":::{exercise-start}") :]
        .replace("twice", "double")
        .replace("2) ==", "2) + 0 * twice(1) ==")
    )
    with pytest.raises(CourseProblem, match="double--check-1: NameError: name 'twice' is not defined"):
        prepared(small(SMALL + "\n" + second))


def private(small, name, content):
    """The small chapter's file, and a folder of private checks beside the settings that it will get."""
    path = small()
    folder = CourseFolder(path.parent / "course").settings(path.stem).parent / "private"
    folder.mkdir(parents=True)
    (folder / name).write_text(content, encoding="utf-8")
    return path


def test_private_checks(small):
    check = '# points: 1.5\nassert twice(-1) == -2, "twice minus one"\n'
    made = prepared(private(small, "twice.py", check), "private_checks: private\n")
    assert made.points == 4.5
    assert "minus one" in as_bytes(nbgrader_source(made)).decode()
    assert "minus one" not in as_bytes(student_notebook(made)).decode()
    said = verdicts(made, "twice", "def twice(x):\n    return abs(2 * x)", set_up(made))
    assert [name for name, message in said if message] == ["twice--private-check-1"]
    (twice,) = made.sheet.exercises
    assert [(check.name, check.hidden) for check in twice.checks][-1] == ("twice--private-check-1", True)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("other.py", "# points: 1\n", "no coded exercise 'other'; it has twice"),
        ("twice.py", "assert twice(1)\n", "the first line must be"),
        ("twice.py", "# points: 0\n", "the first line must be"),
        ("twice.py", "# points: 1\nassert (\n", "this is not Python"),
    ],
)
def test_private_checks_that_cannot_be_used_are_refused(small, name, content, said):
    with pytest.raises(CourseProblem, match=said):
        prepared(private(small, name, content), "private_checks: private\n")


def test_private_checks_in_no_folder_are_refused(small, tmp_path):
    with pytest.raises(CourseProblem, match="is not a folder"):
        prepared(small(), "private_checks: private\n")
    with pytest.raises(CourseProblem, match="is not a folder"):
        read_private_checks(tmp_path / "nowhere", ["twice"])


def test_stub_keeps_what_stands_outside_the_markers():
    source = "def f(x):\n    ### BEGIN SOLUTION\n    y = x\n    ### END SOLUTION\n    return y"
    said = 'raise NotImplementedError("nothing is written here yet")'
    assert stubbed(source) == f"def f(x):\n    # your code here\n    {said}\n    return y"


def test_release_of_a_chapter_writes_settings_and_notebooks_twice_the_same(small, tmp_path):
    course, path = CourseFolder(tmp_path / "course"), str(small())
    assigned, files = release(course, path)
    assert files[:3] == [course.notebook(step, "small") for step in ("source", "release", "otter")]
    assert files[3:] == [course.settings("small")]
    assert (assigned.title, assigned.points, assigned.exercises) == ("Doubling: exercises", 3, ["twice"])
    before = [path.read_bytes() for path in files]
    for wanted in (path, "small"):
        assert release(course, wanted)[1] == files[:3]
        assert [path.read_bytes() for path in files] == before


def test_sheet_stands_in_the_instructors_notebook_alone(small, tmp_path):
    assigned, (source, student, *_) = release(CourseFolder(tmp_path / "course"), str(small()))
    assert read_sheet(source.read_text(encoding="utf-8")) == assigned.sheet
    assert "margins_course" not in json.loads(student.read_text(encoding="utf-8"))["metadata"]
    (twice,) = assigned.sheet.exercises
    assert (twice.title, twice.kind, twice.functions) == ("Twice", "code", ("twice",))
    assert twice.page.endswith("/chapters/small.html#twice")
    assert "return x + x" in twice.solution
    assert "BEGIN" not in twice.solution


def test_unknown_chapter_is_named_with_those_there_are(tmp_path):
    with pytest.raises(CourseProblem, match="no chapter '99'") as refusal:
        release(CourseFolder(tmp_path), "99")
    assert CHAPTERS[0].stem in str(refusal.value)


def test_chapters_are_found_by_number_and_name():
    first = CHAPTERS[0]
    number = first.stem.split("_")[0]
    assert find_chapter(number) == find_chapter(number.lstrip("0")) == find_chapter(first.stem) == first


def test_help_names_every_step(capsys):
    with pytest.raises(SystemExit):
        command.main(["--help"])
    assert "margins-course release" in capsys.readouterr().out
