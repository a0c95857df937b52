"""A class of twelve for tests of the review page: a coded exercise, a proof, and one that is both."""

import base64
import io
import json

import nbformat
from PIL import Image

from margins_course.assignments.sheet import Check, Exercise, Line, Sheet, as_metadata
from margins_course.folder import CourseFolder, write
from margins_course.grading.results import Piece, Result, Work, as_json, fingerprint

NAMES = (
    "Ada Lovelace",
    "George Boole",
    "Emmy Noether",
    "Lise Meitner",
    "Alan Turing",
    "Sofia Kovalevskaya",
    "Srinivasa Ramanujan",
    "Mary Cartwright",
    "Évariste Galois",
    "Grace Hopper",
    "Niels Abel",
    "Julia Robinson",
)
IDS = [name.split()[0].lower().replace("é", "e") for name in NAMES]
PAGE = "https://book.example/chapters/sums.html"
STUB = (
    'def nearest(x, X):\n    # your code here\n    raise NotImplementedError("nothing is written here yet")'
)
EMPTY = "*Write your answer here.*"
CODED = Exercise(
    label="nearest",
    title="The nearest point",
    kind="code",
    stars=1,
    chapter="sums",
    page=f"{PAGE}#nearest",
    statement="## The nearest point · code ★\n\nWrite `nearest(x, X)`, the row of $X\\in\\R^{n\\times d}$ that is "
    "nearest to $x$:\n\n$$\\min_{1\\le i\\le n} \\|x - x_i\\|_2.$$\n\nOf several, give the **first**.",
    solution="`X[np.argmin(np.linalg.norm(X - x, axis=1))]`, because $\\arg\\min$ takes the first.",
    functions=("nearest",),
    checks=(
        Check("nearest--check-1", 2.0, False),
        Check("nearest--hidden-check-1", 3.0, True),
        Check("nearest--hidden-check-2", 1.0, True),
    ),
)
PROOF = Exercise(
    label="triangle",
    title="The triangle inequality from Cauchy and Schwarz",
    kind="prove",
    stars=2,
    chapter="sums",
    page=f"{PAGE}#triangle",
    statement="## The triangle inequality · prove ★★\n\nProve from Cauchy and Schwarz that "
    "$\\|x+y\\| \\le \\|x\\| + \\|y\\|$ for all $x, y \\in\\R^n$. When do both sides agree?",
    solution="Expand the square: $$\\|x+y\\|^2 = \\|x\\|^2 + 2\\langle x, y\\rangle + \\|y\\|^2.$$\n\n"
    "Then use $\\langle x,y\\rangle \\le \\|x\\|\\,\\|y\\|$.",
    rubric=(
        Line("expands $\\|x+y\\|^2$ into inner products", 1.0),
        Line("uses Cauchy and Schwarz where it is needed, and says so", 2.0),
        Line("names the case of equality: one is a nonnegative multiple of the other", 1.0),
    ),
)
BOTH = Exercise(
    label="spread",
    title="The spread of a sample",
    kind="code and research",
    stars=3,
    chapter="sums",
    page=f"{PAGE}#spread",
    statement="## The spread · code and research ★★★\n\nWrite `spread(x)` and tell what happens as $n\\to\\infty$.",
    checks=(Check("spread--check-1", 2.0, False),),
    rubric=(Line("measures, and says what was measured", 2.0), Line("explains it", 2.0)),
)
SHEET = Sheet("sums", "Sums and distances", (CODED, PROOF, BOTH))

LOOP = """def nearest(x, X):
    best = 0
    for i in range(len(X)):
        if np.sum((X[i] - x) ** 2) {sign} np.sum((X[best] - x) ** 2):
            best = i
    return X[best]"""
RIGHT = "def nearest(x, X):\n    return X[np.argmin(np.linalg.norm(X - x, axis=1))]"
CODE = {
    "ada": (RIGHT, 0),
    "george": (LOOP.format(sign="<="), 1),
    "emmy": (LOOP.format(sign="<"), 0),
    "lise": (LOOP.format(sign="<=") + "  # the last one", 1),
    "alan": ("def nearest(x, X):\n    return np.argmin(X - x)", 2),
    "sofia": (RIGHT.replace("X[", "X [", 1), 0),
    "srinivasa": ("def nearest(x, X):\n    return X[np.linalg.norm(X - x)]", 3),
    "mary": (LOOP.format(sign="<=").replace("best", "found"), 1),
    "evariste": (STUB, 4),
    "grace": (RIGHT + "  # vectorised", 0),
    "niels": ("def nearest(x, X):\n    return np.argmin(abs(X - x))", 2),
}
EXPAND = "By the bilinearity of the inner product\n\n$$\\|x+y\\|^2 = \\|x\\|^2 + 2\\langle x,y\\rangle + \\|y\\|^2.$$"
TEXTS = {
    "ada": f"{EXPAND}\n\nCauchy and Schwarz give $2\\langle x,y\\rangle \\le 2\\|x\\|\\|y\\|$, so the right-hand side "
    "is at most $(\\|x\\|+\\|y\\|)^2$. Take roots.\n\nEquality needs equality in Cauchy and Schwarz: $y=\\lambda x$ "
    "with $\\lambda\\ge0$, or $x=0$.",
    "george": "The shortest way between two points is a straight line.",
    "emmy": f"{EXPAND}\n\nNow $\\langle x,y\\rangle\\le\\|x\\|\\|y\\|$, hence the claim.",
    "lise": f"{EXPAND}\n\nNow $\\langle x,y\\rangle\\le\\|x\\|\\|y\\|$, hence the  claim.",
    "alan": "I would try induction over $n$:\n\n1. For $n=1$ it is $|x+y|\\le|x|+|y|$.\n2. The step I could not do.",
    "sofia": "Let $f(t)=\\|x+ty\\|$. It is convex, because ... \n\n| $t$ | $f$ |\n|---|---|\n| 0 | $\\|x\\|$ |\n"
    "| 1 | $\\|x+y\\|$ |",
    "evariste": EMPTY,
    "grace": "Square both sides; what remains is Cauchy and Schwarz. Equality if $x$ and $y$ are parallel.",
}
PRAISE = "On 200 random inputs your answer is the nearest row."
FAILURES = {
    0: (None, None, None, {}),
    1: (None, "row 3 of 7 was expected, row 5 came", None, {"nearest--hidden-check-1": "a tie"}),
    2: (
        "AssertionError: nearest(x, X) has shape (2,), but () came: 4.5",
        "nothing to look at",
        "as above",
        {},
    ),
    3: ("IndexError: only integers may be indices, but 3.7416 came", "IndexError", "IndexError", {}),
    4: ("NotImplementedError: nothing is written here yet",) * 3 + ({},),
}


def picture():
    """A small drawing as the sandbox returns it: PNG in base64."""
    image = Image.new("RGB", (320, 160), "white")
    for x in range(320):
        image.putpixel((x, int(150 - 140 * (x / 320) ** 2)), (0, 90, 160))
    file = io.BytesIO()
    image.save(file, "PNG")
    return base64.b64encode(file.getvalue()).decode()


def pieces(student, label, changes):
    """The cells of a student's answer; `changes` has other sources by student and exercise."""
    if label == "nearest":
        source = changes.get((student, label), CODE.get(student, (STUB, 4))[0])
        return (Piece("code", source, printed="nearest: [1. 2.]\n" if student == "ada" else ""),)
    if label == "triangle":
        return (Piece("markdown", changes.get((student, label), TEXTS.get(student, EMPTY))),)
    error = (
        "ZeroDivisionError",
        "division by zero",
        "Traceback: line 3\nZeroDivisionError: division by zero",
    )
    code = Piece("code", "def spread(x):\n    return np.std(x)", pictures=(picture(),) * (student == "ada"))
    code = Piece("code", "def spread(x):\n    return 1 / 0", error=error) if student == "alan" else code
    said = changes.get(
        (student, label), "It falls like $1/\\sqrt n$." if student in ("ada", "emmy") else EMPTY
    )
    return (code, Piece("markdown", said))


def result(student, changes):
    """What marking would have found."""
    visible, first, second, corners = FAILURES[CODE.get(student, (STUB, 4))[1]]
    names = [check.name for exercise in SHEET.exercises for check in exercise.checks]
    messages = dict(zip(names, (visible, first, second, None), strict=True))
    worth = {check.name: check.points for exercise in SHEET.exercises for check in exercise.checks}
    work = {}
    for exercise in SHEET.exercises:
        made = pieces(student, exercise.label, changes)
        said = {check.name: messages[check.name] for check in exercise.checks}
        work[exercise.label] = Work(made, fingerprint(made, said))
    return Result(
        key="k",
        points={name: 0.0 if said else worth[name] for name, said in messages.items()},
        messages=messages,
        praise={} if visible else {"nearest--check-1": PRAISE},
        corners=corners,
        work=work,
    )


def notebook(sources, metadata):
    cells = [nbformat.v4.new_markdown_cell(source) for source in sources]
    return nbformat.writes(nbformat.v4.new_notebook(cells=cells, metadata=metadata))


def hand_in(course, student, changes=()):
    """The result of a student's submission, as `grade` writes it."""
    write(course.result("sums", student), as_json(result(student, dict(changes))))


def new_class(root, names=NAMES):
    """A course folder in which all but the last student have handed in and are marked by checks."""
    course = CourseFolder(root)
    write(course.notebook("source", "sums"), notebook([], as_metadata(SHEET)))
    write(course.notebook("release", "sums"), notebook([STUB, EMPTY], {}))
    rows = [f"{i},{name}" for i, name in zip(IDS, names, strict=True)]
    write(course.roster, "\n".join(["id,name", *rows]) + "\n")
    for student in IDS[:-1]:
        hand_in(course, student)
    return course


def journal(course):
    """The lines of the journal of hand marks."""
    path = course.hand_marks("sums")
    return (
        [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []
    )
