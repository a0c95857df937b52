"""A class of eight for tests of pages: a coded exercise, a proof, and one that is both."""

import base64
import io
import json
from dataclasses import replace
from datetime import datetime, timedelta

import nbformat
from PIL import Image

from margins_course.assignments.sheet import Check, Exercise, Line, Sheet, as_metadata
from margins_course.collecting.records import Record, add_records
from margins_course.folder import CourseFolder, write
from margins_course.grading.outdated import checks_hash
from margins_course.grading.results import HandMark, Key, Piece, Result, Work, append_hand_mark, as_json
from margins_course.grading.results import fingerprint as fingerprint_of

NAMES = {
    "ada": "Ada Lovelace",
    "george": "George Boole",
    "emmy": "Emmy Noether",
    "lise": "Lise Meitner",
    "alan": "Alan Turing",
    "mary": "Mary Cartwright",
    "evariste": "Évariste Galois",
    "julia": "Julia Robinson",
}
ABSENT, LATE = "julia", "lise"
DUE = datetime.fromisoformat("2026-10-01T23:59:00+00:00")
SETTINGS = """\
title: Sums and distances
exercises:
  sums:
    - nearest
    - triangle
    - spread
due: 2026-10-01 23:59
"""
PAGE = "https://book.example/chapters/sums.html"
STUB = "def nearest(x, X):\n    # your code here\n    raise NotImplementedError"
EMPTY = "*Write your answer here.*"
CODED = Exercise(
    *("nearest", "The nearest point", "code", 1, "sums", f"{PAGE}#nearest"),
    """\
Write `nearest(x, X)`, the row of $X\\in\\R^{n\\times d}$ that is nearest to $x$:

$$\\min_{1\\le i\\le n} \\|x - x_i\\|_2.$$

Of several, give the **first**; a hint is in the book.""",
    "`X[np.argmin(np.linalg.norm(X - x, axis=1))]`, because $\\arg\\min$ takes the first.",
    ("nearest",),
    checks=(
        Check("nearest--check-1", 2.0, False),
        Check("nearest--hidden-check-1", 3.0, True),
        Check("nearest--hidden-check-2", 1.0, True),
    ),
)
PROOF = Exercise(
    *("triangle", "The triangle inequality from Cauchy and Schwarz", "prove", 2, "sums", f"{PAGE}#triangle"),
    """\
Prove from Cauchy and Schwarz that $\\|x+y\\| \\le \\|x\\| + \\|y\\|$ for all $x, y \\in\\R^n$.
When do both sides agree?""",
    """\
Expand the square: $$\\|x+y\\|^2 = \\|x\\|^2 + 2\\langle x, y\\rangle + \\|y\\|^2.$$

Then use $\\langle x,y\\rangle \\le \\|x\\|\\,\\|y\\|$.""",
    rubric=(
        Line("expands $\\|x+y\\|^2$ into inner products", 1.0),
        Line("uses Cauchy and Schwarz where it is needed, and says so", 2.0),
        Line("names the case of equality: one is a nonnegative multiple of the other", 1.0),
    ),
)
BOTH = Exercise(
    *("spread", "The spread of a sample", "code and research", 3, "sums", f"{PAGE}#spread"),
    "Write `spread(x)` and tell what happens as $n\\to\\infty$.",
    checks=(Check("spread--check-1", 2.0, False),),
    rubric=(Line("measures, and says what was measured", 2.0), Line("explains it", 2.0)),
)
SHEET = Sheet("sums", "Sums and distances", (CODED, PROOF, BOTH))

LOOP = """\
def nearest(x, X):
    best = 0
    for i in range(len(X)):
        if np.sum((X[i] - x) ** 2) {sign} np.sum((X[best] - x) ** 2):
            best = i
    return X[best]"""
RIGHT = "def nearest(x, X):\n    return X[np.argmin(np.linalg.norm(X - x, axis=1))]"
PASSES, TIE, SHAPE, UNTOUCHED = range(4)
CODE = {
    "ada": (RIGHT, PASSES),
    "george": (LOOP.format(sign="<="), TIE),
    "emmy": (LOOP.format(sign="<"), PASSES),
    "lise": (LOOP.format(sign="<=") + "  # the last one", TIE),
    "alan": ("def nearest(x, X):\n    return np.argmin(X - x)", SHAPE),
    "mary": (LOOP.format(sign="<=").replace("best", "found"), TIE),
}
EXPAND = "The inner product is bilinear:\n\n$$\\|x+y\\|^2 = \\|x\\|^2 + 2\\langle x,y\\rangle + \\|y\\|^2.$$"
TEXTS = {
    "ada": f"""\
{EXPAND}

Cauchy and Schwarz give $2\\langle x,y\\rangle \\le 2\\|x\\|\\|y\\|$, so the right-hand side
is at most $(\\|x\\|+\\|y\\|)^2$. Take roots.

Equality needs equality in Cauchy and Schwarz: $y=\\lambda x$ with $\\lambda\\ge0$, or $x=0$.""",
    "george": "The shortest way between two points is a straight line.",
    "emmy": f"{EXPAND}\n\nNow $\\langle x,y\\rangle\\le\\|x\\|\\|y\\|$, hence the claim.",
    "lise": f"{EXPAND}\n\nNow $\\langle x,y\\rangle\\le\\|x\\|\\|y\\|$, hence the  claim.",
    "alan": "Induction over $n$:\n\n1. For $n=1$ it is $|x+y|\\le|x|+|y|$.\n2. The step I could not do.",
}
PRAISE = "On 200 random inputs your answer is the nearest row."
FAILURES = {  # what each check says of a mistake
    PASSES: (None, None, None),
    TIE: (None, "row 3 of 7 was expected, row 5 came", None),
    SHAPE: ("AssertionError: shape (2,) was expected, shape () came: 4.5", "nothing to see", "as above"),
    UNTOUCHED: ("NotImplementedError", "NotImplementedError", "NotImplementedError"),
}


def png(width=4, height=3):
    kept = io.BytesIO()
    Image.new("RGB", (width, height), "white").save(kept, "PNG")
    return base64.b64encode(kept.getvalue()).decode()


def pieces(student, label, changes):
    """The cells of a student's answer; `changes` has other sources by student and exercise."""
    other = changes.get((student, label))
    if label == "nearest":
        source = CODE.get(student, (STUB, UNTOUCHED))[0] if other is None else other
        return (Piece("code", source, printed="nearest: [1. 2.]\n" if student == "ada" else ""),)
    if label == "triangle":
        return (Piece("markdown", TEXTS.get(student, EMPTY) if other is None else other),)
    code = Piece("code", "def spread(x):\n    return np.std(x)")
    if student == "ada":
        code = replace(code, pictures=(png(320, 160),))
    if student == "alan":
        error = ("ZeroDivisionError", "division by zero", "line 3: 1 / 0")
        code = Piece("code", "def spread(x):\n    return 1 / 0", error=error)
    return (code, Piece("markdown", "It falls like $1/\\sqrt n$." if student in ("ada", "emmy") else EMPTY))


def result(student, changes=(), said=()):
    """What marking would have found; `said` has other messages by check."""
    mistake = CODE.get(student, (STUB, UNTOUCHED))[1]
    checks = [check for exercise in SHEET.exercises for check in exercise.checks]
    messages = dict(zip([check.name for check in checks], (*FAILURES[mistake], None), strict=True))
    messages |= dict(said)
    work = {}
    for exercise in SHEET.exercises:
        made = pieces(student, exercise.label, dict(changes))
        own = {check.name: messages[check.name] for check in exercise.checks}
        work[exercise.label] = Work(made, fingerprint_of(made, own, exercise.worth))
    return Result(
        key=Key(student, checks_hash(SOURCE), "here"),
        points={check.name: 0.0 if messages[check.name] else check.points for check in checks},
        messages=messages,
        praise={} if messages["nearest--check-1"] else {"nearest--check-1": PRAISE},
        corners={"nearest--hidden-check-1": "a tie"} if mistake == TIE else {},
        work=work,
    )


def _notebook(sources, metadata):
    cells = [nbformat.v4.new_markdown_cell(source) for source in sources]
    return nbformat.writes(nbformat.v4.new_notebook(cells=cells, metadata=metadata))


SOURCE = _notebook([], as_metadata(SHEET))


def hand_in(course, student, changes=(), said=(), work=(), **parts):
    """The result of a student's submission, as `grade` writes it, with other work and parts if need be."""
    made = result(student, changes, said)
    made = replace(made, work=made.work | dict(work), **parts)
    write(course.result("sums", student), as_json(made))


def new_class(root, names=NAMES):
    """A course folder in which all but one have handed in and are marked by the checks."""
    course = CourseFolder(root)
    write(course.settings("sums"), SETTINGS)
    write(course.notebook("source", "sums"), SOURCE)
    write(course.notebook("release", "sums"), _notebook([STUB, EMPTY], {}))
    rows = [f'{student},"{name}"' for student, name in names.items()]
    write(course.roster, "\n".join(["id,name", *rows]) + "\n")
    present = [student for student in names if student != ABSENT]
    delays = {student: timedelta(minutes=125 if student == LATE else -60) for student in present}
    records = [(who, f"{who}.ipynb", who, (DUE + late).isoformat()) for who, late in delays.items()]
    add_records(course, "sums", [Record(*record, "accepted", "") for record in records])
    for student in present:
        hand_in(course, student)
    return course


def journal(course):
    path = course.hand_marks("sums")
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return [json.loads(line) for line in lines]


def mark(course, student, exercise="triangle", **changes):
    """A mark that somebody gave before."""
    own = result(student).work[exercise].fingerprint
    lines = (0.0,) * len(SHEET.exercise(exercise).rubric)
    given = HandMark(student, exercise, own, **{"lines": lines, **changes})
    return append_hand_mark(course, "sums", given, SHEET)
