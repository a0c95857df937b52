"""A lecturer with nothing but the guide: its own lines, typed for a class of thirty whose marks are known."""

import csv
import json
import re
import shlex
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from margins_course.assignments.notebooks import as_bytes, student_notebook
from tests.coursework.boxes import answered, require_boxes
from tests.coursework.exercises import CHAPTERS, ROOT, assigned, said, solutions, variants

CHAPTER = CHAPTERS[0]
STEPS = ("release", "collect", "grade", "feedback", "marks")
EARLY, LATE = (2026, 9, 30, 18, 0, 0), (2026, 10, 2, 0, 29, 0)
LATE_BY = 30 * 60  # after the guide's 2026-10-01 23:59


def lines_of_the_guide():
    """What the section on the five steps tells a lecturer to type."""
    guide = (ROOT / "book" / "teaching.md").read_text(encoding="utf-8")
    section = guide.partition("\n## Five steps\n")[2].partition("\n## ")[0]
    return re.findall(r"^```bash\n(.+)\n```$", section, re.M)


def points_of(answers):
    """The points that answers deserve by the checks run here, in one process; without an answer none."""
    worth = {(c.exercise, c.name): c.points for c in assigned(CHAPTER).cells if c.is_graded}
    total = 0.0
    for exercise, code in answers.items():
        points = [number for (label, _), number in worth.items() if label == exercise]
        total += sum(
            p for p, message in zip(points, said(CHAPTER, exercise, code), strict=True) if not message
        )
    return total


def submissions(student):
    """Thirty files by the student's number, None where nothing came: content, time, and marks or a reason."""
    right = solutions(CHAPTER)
    exercises, everything = list(right), assigned(CHAPTER).points
    own = next(iter(right.items()))

    def made(answers, marks, when=EARLY):
        return answered(student, answers), when, marks

    full = made(right, everything)
    yield from [full] * 8
    for number in range(8):  # partly right: some exercises answered, the others as they came
        some = {label: right[label] for place, label in enumerate(exercises) if number + 1 >> place & 1}
        yield made(some, points_of(some))
    for number in range(5):  # a known mistake in every exercise
        wrong = {label: list(variants(label).values())[number % 3] for label in exercises}
        yield made(wrong, points_of(wrong))
    yield from [made(right, everything, LATE)] * 2
    yield from [None] * 3
    leaving = f"{own[1]}\nimport os\nos._exit(0)"
    yield made(right | {own[0]: leaving}, everything - points_of(dict([own])))
    patched = "import numpy\nnumpy.allclose = numpy.array_equal = lambda *a, **k: True\n"
    yield made({own[0]: patched + student_stub(own[0])}, 0.0)
    generous = json.loads(answered(student, {}))
    for cell in generous["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("grade"):
            cell["source"], cell["metadata"]["nbgrader"]["points"] = "assert True", 1000
    yield json.dumps(generous), EARLY, 0.0
    yield "PK\x03\x04 not a notebook", EARLY, "not JSON"


def student_stub(label):
    """An answer that defines the function and is wrong about everything."""
    name = re.search(r"^def (\w+)", solutions(CHAPTER)[label], re.M)[1]
    return f"def {name}(*arguments):\n    return 0.123"


@pytest.fixture(scope="module")
def walk(tmp_path_factory):
    """The course folder after all five lines, what each printed, and the marks known beforehand."""
    require_boxes()
    folder = tmp_path_factory.mktemp("my-course")
    student = as_bytes(student_notebook(assigned(CHAPTER))).decode()
    known = dict(enumerate(submissions(student), 1))
    rows = [f"s{n},Student {n:02},s{n}@example.org," for n in known]
    (folder / "roster.csv").write_text("\n".join(["id,name,email,lms_id", *rows]), encoding="utf-8")
    with zipfile.ZipFile(folder / "submissions.zip", "w") as archive:  # as Moodle makes it
        for number, came in known.items():
            if came:
                name = f"Student {number:02}_{9000 + number}_assignsubmission_file/answers.ipynb"
                archive.writestr(zipfile.ZipInfo(name, came[1]), came[0])
    tools = Path(sys.executable).parent
    printed = {}
    for line in lines_of_the_guide():
        program, step, *rest = shlex.split(line)
        done = subprocess.run([tools / program, step, *rest], cwd=folder, capture_output=True, text=True)
        assert done.returncode == 0, f"{line}\n{done.stderr}"
        printed[step] = done.stdout
    return folder, printed, known


def table(path):
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.slow
def test_guide_names_the_five_steps_in_order(walk):
    _, printed, known = walk
    assert tuple(printed) == STEPS
    assert len(known) == 30
    assert "the reference passes" in printed["release"]
    assert "26 submissions, 26 of them marked now" in printed["grade"]


@pytest.mark.slow
def test_every_student_has_the_mark_that_was_known_beforehand(walk):
    folder, _, known = walk
    expected = {
        f"s{number}": 0.0 if came is None or isinstance(came[2], str) else came[2]
        for number, came in known.items()
    }
    assert {row["id"]: float(row["total"]) for row in table(folder / "reports" / "marks.csv")} == expected
    assert len(set(expected.values())) > 6, "the class is not of one kind"


@pytest.mark.slow
def test_every_student_has_a_row_that_says_what_became_of_the_work(walk):
    folder, _, known = walk
    rows = {row["id"]: row for row in table(folder / "reports" / f"{CHAPTER.stem}-collected.csv")}
    for number, came in known.items():
        row = rows[f"s{number}"]
        if came is None:
            assert row["status"] == "missing"
        elif isinstance(came[2], str):
            assert row["status"] == "refused"
            assert came[2] in row["reason"]
        else:
            late = LATE_BY if came[1] == LATE else 0
            assert (row["status"], int(row["seconds_late"])) == ("late" if late else "accepted", late)


@pytest.mark.slow
def test_feedback_and_tables_for_the_lms_are_there(walk):
    folder, _, known = walk
    pages = list(folder.glob("feedback/*/*/*.html"))
    assert len(pages) == 26
    everything = assigned(CHAPTER).points
    first, *students = table(folder / "reports" / "marks-canvas.csv")
    assert (first["Student"].strip(), float(first[CHAPTER.stem])) == ("Points Possible", everything)
    moodle = table(folder / "reports" / "marks-moodle.csv")
    assert len(students) == len(moodle) == len(known)
    assert float(moodle[0][CHAPTER.stem]) == float(students[0][CHAPTER.stem]) == everything
