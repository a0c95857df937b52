"""Attacks by somebody who did not write the defence; each aims at what the test has made, and none may win.

Groups: values that try to become other values, ways to hidden data, ways out of the box, names that take
another's place, files that cost the class its time, text that runs or lies on the teacher's side, and the
server of the review pages. Those that once won are marked by "won:".
"""

import contextlib
import csv
import io
import json
import os
import random
import socket
import subprocess
import urllib.request
import warnings
import zipfile

import numpy as np
import pytest

from margins_book.page import ChapterProblem
from margins_book.page.chapter import read_chapter
from margins_course import CourseProblem, command
from margins_course import folder as tables
from margins_course.assignments import answer_forms
from margins_course.assignments.settings import read_settings
from margins_course.collecting import deliveries
from margins_course.collecting.collect import collect
from margins_course.collecting.roster import read_roster
from margins_course.folder import CourseFolder, write
from margins_course.grading.grade import grade, run_check, with_form
from margins_course.grading.reference import Reference
from margins_course.grading.results import Piece, Work, as_json, fingerprint
from margins_course.pages.student_html import MOST_TAGS, answer_html
from margins_course.sandbox import answers as answering
from margins_course.sandbox.answers import Answers, Limits
from margins_course.sandbox.process import SandboxProcess
from tests.margins_course.assignments.test_settings import FULL as GOOD_SETTINGS
from tests.margins_course.chapter_text import with_changes
from tests.margins_course.corpus import added
from tests.margins_course.courses import NAME, answered, made_course, moodle, settings_of
from tests.margins_course.pages.test_review_server import mark as sent_mark
from tests.margins_course.sums_assignment import CHAPTER, FULL, RIGHT, by_exercise, notebooks
from tests.margins_course.sums_assignment import answered as answered_notebook

pytestmark = pytest.mark.usefixtures("boxes")
# ---- values that try to become other values

REFUSED = {
    "matrix": "np.matrix(x)",
    "memoryview": "memoryview(x)",
    "array of the standard library": "__import__('array').array('d', x)",
    "bytes": "x.tobytes()",
    "set": "set(x)",
    "range": "range(3)",
    "iterator": "iter(x)",
    "structured": "np.array([(1.0,)], dtype=[('a', 'f8')])",
    "record array": "np.rec.array([(1.0, 2.0)])",
    "dates": "np.array([1, 2], dtype='M8[s]')",
    "durations": "np.array([1, 2], dtype='m8[s]')",
    "text in an array": "x.astype(str)",
    "bytes in an array": "x.astype('S8')",
    "void": "np.void(b'12345678')",
    "extended precision": "x.astype(np.longdouble)",
    "half precision": "x.astype(np.float16)",
    "truth values of Python's": "[True, False, True]",
    "text of numbers": "['1', '2']",
    "dict": "{0: 1.0}",
    "nested too deep": "Deep(40)",
    "infinity of Python's": "[float('inf')] * 3",
    "NaN with a payload": "np.frombuffer(b'\\x01\\0\\0\\0\\0\\0\\xf8\\x7f' * 3, dtype=float)",
    "a whole number of 5,000 digits": "[10**5000] * 3",
    "a list that holds itself": "Loop()",
    "a subclass of list": "type('L', (list,), {})(x)",
    "a subclass of float": "[type('F', (float,), {})(v) for v in x]",
    "an object with __array__": "type('A', (), {'__array__': lambda s, *a, **k: np.ones(3)})()",
    "an array of no columns": "np.empty((3, 0))",
    "an exception as a value": "ValueError(1)",
    "a type": "float",
    "NotImplemented": "NotImplemented",
    "Ellipsis": "...",
    "huge by broadcasting": "np.broadcast_to(x[0], (10**9,))",
}
TAKEN = {
    "masked, nothing hidden": "np.ma.masked_array(2 * x)",
    "masked, everything hidden": "np.ma.array(2 * x, mask=True)",
    "big-endian": "(2 * x).astype('>f8')",
    "read-only": "np.frombuffer((2 * x).tobytes())",
    "backwards twice": "(2 * x)[::-1].copy()[::-1]",
    "every second": "np.repeat(2 * x, 2)[::2]",
    "a subclass of ndarray": "(2 * x).view(type('N', (np.ndarray,), {}))",
    "subnormal noise": "2 * x + 5e-324",
    "negative zero": "2 * x * 1.0 - 0.0",
    "the argument itself, changed and changed back": "Restored(x)",
}
HELP = """import numpy as np
def Deep(n):
    return [Deep(n - 1)] if n else []
def Loop():
    a = []
    a.append(a)
    return a
def Restored(x):
    x *= 2
    y = x.copy()
    x /= 2
    return y"""
TWICE = answer_forms.form_of(np.arange(3.0))
X = np.array([1.0, -0.0, 3.0])


@pytest.fixture(scope="module")
def returning():
    """What a function that returns an expression gives to a check."""
    names = {code: f"f{number}" for number, code in enumerate((REFUSED | TAKEN).values())}
    cells = [(name, f"def {name}(x):\n    return {code}") for code, name in names.items()]
    with Answers([("help", HELP), *cells], exercises={name: name for name, _ in cells}) as answers:
        answers.begin_check()
        yield lambda code: with_form(answers.function(names[code]), TWICE)(X)


@pytest.mark.parametrize("kind", REFUSED)
def test_no_value_becomes_an_array_of_numbers_that_is_none(returning, kind):
    with pytest.raises(Exception) as raised:  # noqa: PT011 - of several kinds, all failures of the check
        returning(REFUSED[kind])
    assert not isinstance(raised.value, AssertionError | CourseProblem)


@pytest.mark.parametrize("kind", TAKEN)
def test_an_honest_value_in_an_unusual_coat_arrives_as_plain_numbers(returning, kind):
    got = returning(TAKEN[kind])
    assert type(got) is np.ndarray
    assert got.dtype == np.float64
    assert np.allclose(got, 2 * X, atol=1e-12)


# ---- a whole submission: marks, hidden data, the marker itself


KINDS = ["CourseProblem", "KeyboardInterrupt", "SystemExit", "CheckTooLong", "SandboxFailure", "TimeUsedUp"]


def test_exceptions_named_like_the_markers_own_are_a_students():
    code = "\n".join(f"def {kind}(x):\n    raise type({kind!r}, (Exception,), {{}})('x')" for kind in KINDS)
    with Answers([("c", code)]) as answers:
        answers.begin_check()
        for kind in KINDS:
            with pytest.raises(answering.StudentError, match=kind):
                answers.function(kind)(1)


def said_of_totals(folder, functions, *changes):
    """What the visible check of `total` says of each function, in the small chapter with changes."""
    reference = Reference(notebooks(folder, with_changes(CHAPTER, *changes))[0])
    (check,) = [one for one in reference.checks if one.metadata.nbgrader.grade_id == "total--check-1"]
    return [run_check(reference, check, {"total": total}, Limits()).said for total in functions]


def test_a_check_whose_message_cannot_be_shown_ends_no_marking(tmp_path):
    """Won: the message was put together outside of what catches errors."""
    (said,) = said_of_totals(tmp_path, [lambda x: 1], ('"four ones"', "10 ** 5000"))
    assert said == "AssertionError: the check failed with a message that cannot be shown"


def test_what_one_submission_draws_changes_nothing_for_the_next(tmp_path):
    """Won: a generator of the set-up went on where the answer before had stopped."""

    def greedy(_):
        raise KeyError  # stops the check before it draws

    set_up = "import numpy as np\nrng = np.random.default_rng(5)\ndef draw():\n    return rng.random()"
    drawn = 'f"{draw()} {rng.random()} {np.random.rand()}"'
    changes = ("import numpy as np", set_up), ('"four ones"', drawn)
    first, _, last = said_of_totals(tmp_path, [lambda x: 1, greedy, lambda x: 1], *changes)
    assert first == last


def test_output_of_a_thousand_cells_is_bounded_together(sums):
    """Won: 900 cells of 20,000 characters made a result of 432 MB, which every page of the class reads."""
    codes = ["print('\U0001f600' * 30_000)"] * 60 + ["raise ValueError('\U0001f600' * 4000)"] * 60
    notebook = json.loads(answered_notebook(sums[1], RIGHT))
    notebook["cells"] += [added("code", code) for code in codes]
    found = grade(json.dumps(notebook).encode(), sums[0])
    assert by_exercise(found.points) == FULL
    assert len(as_json(found)) < 15_000_000


# ---- out of the box

THREADS = """
import threading, time
for _ in range({}):
    threading.Thread(target=time.sleep, args=(9,), daemon=True).start()
print(True)"""
TIMERS = """
import ctypes
kernel, made = ctypes.CDLL(None), ctypes.c_void_p()
print(all(kernel.timer_create(1, None, ctypes.byref(made)) == 0 for _ in range({})))"""


@pytest.mark.parametrize(
    ("code", "first", "second", "said"),
    [(THREADS, 3, 3, "True"), (TIMERS, 200_000, 2, "False")],
    ids=["threads", "timers"],
)
def test_what_one_box_takes_leaves_another_its_own(run, code, first, second, said):
    """Won: one box took all timers and waiting signals that the account may have, a hundred thousand."""
    with contextlib.closing(SandboxProcess()) as other:
        assert run(code.format(first)).get("output") == f"{said}\n"
        asked = {"run": code.format(second), "name": "cell"}
        assert other.ask(asked, 20).get("output") == "True\n"


# ---- another student's place


@pytest.fixture
def two(tmp_path, monkeypatch):
    """A course of Ada and Bob."""
    settings_of(monkeypatch)
    return made_course(tmp_path, ["ada,Ada Lovelace,,", "bob,George Boole,,"])


@pytest.mark.parametrize("together", [True, False])
def test_who_takes_anothers_name_in_moodle_does_not_take_their_place(two, together):
    """Won: the newest file of that name counted, whosever it was."""
    own, forged = ((moodle("Ada Lovelace", n), answered(text)) for n, text in ((555, "own"), (777, "forged")))
    bob = moodle("George Boole", 5), answered("b")
    zips = [[own, forged, bob]] if together else [[own], [forged]]
    for members in zips:
        found = two.came(*members)
    assert found.rows[0]["status"] == "missing"
    assert "the participants 555 and 777 are both called Ada Lovelace" in found.rows[-1]["reason"]
    assert not two.notebook("submitted", NAME, "ada").exists()
    assert two.came(*zips[-1]).new == 0
    write(two.roster, "id,name,email,lms_id\nada,Ada Lovelace,,555\nbob,George Boole,,")
    for members in zips:
        found = two.came(*members)
    assert found.rows[0]["status"] == "accepted"
    assert "own" in two.placed("ada")


# ---- files that cost the class


def below(path, depth, name, file):
    """A folder in a folder in a folder, deeper than a path may be long, with a file in each."""
    here = os.open(path, os.O_RDONLY)
    for _ in range(depth):
        os.mkdir(name, dir_fd=here)
        inside = os.open(name, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = inside
        if file:
            os.close(os.open(file, os.O_CREAT | os.O_WRONLY, dir_fd=here))
    os.close(here)


def crowded(path):
    for number in range(deliveries.MOST_EACH + 50):
        (path / f"{number}.txt").touch()


def heavy(path):
    for number in range(12):
        with (path / f"{number}.ipynb").open("wb") as file:
            file.truncate(deliveries.LARGEST)


def bound(path):
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(path / "s.ipynb"))


def unreadable(path):
    names = (
        b"\xff\n\x1b[2J",
        b"=1+2\n.ipynb",
        "\u202ecod.ipynb".encode(),
        b"x" * 240 + b".ipynb",
        b"../\xfe.ipynb",
    )
    for name in names:
        open(os.path.join(os.fsencode(path), name), "w").close()


def dated(path, time):
    (path / "x").touch()
    os.utime(path / "x", (time, time))


FOLDERS = {
    "paths longer than the system takes": lambda path: below(path, 60, "d" * 100, "x" * 200 + ".ipynb"),
    "a thousand folders deep": lambda path: below(path, 1500, "d", ""),
    "more files than one student has": crowded,
    "more bytes than one student has": heavy,
    "a pipe": lambda path: os.mkfifo(path / "x.ipynb"),
    "a socket": bound,
    "a folder with a notebook's name": lambda path: (path / "x.ipynb" / "y").mkdir(parents=True),
    "a link to the folder above": lambda path: (path / "x").symlink_to(path.parent),
    "a link to itself": lambda path: (path / "x.ipynb").symlink_to(path / "x.ipynb"),
    "a link to a device": lambda path: (path / "x.ipynb").symlink_to("/dev/zero"),
    "names that are no text": unreadable,
    "a time in the year 2400": lambda path: dated(path, 13.6e9),
    "a time before there were computers": lambda path: dated(path, -2e9),
}


@pytest.fixture
def handed_in(tmp_path):
    """A folder that is taken away with what pytest could not: its own cleaning follows folders one by one."""
    yield tmp_path / "in"
    subprocess.run(["rm", "-rf", tmp_path / "in"], check=True)


@pytest.mark.parametrize("kind", FOLDERS)
def test_whatever_one_student_puts_into_a_folder_costs_no_other(two, handed_in, monkeypatch, kind):
    """Won: the first two ended `collect` in an error, 50,001 empty files refused the whole class."""
    monkeypatch.setattr(deliveries, "MOST_FILES", 230)
    monkeypatch.setattr(deliveries, "MOST_BYTES", 23_000_000)
    for student in ("ada", "bob"):
        write(handed_in / student / "0.ipynb", answered(student))
    FOLDERS[kind](handed_in / "ada")
    found = collect(two, NAME, handed_in)
    rows = {row["id"]: row for row in found.rows}
    assert rows["bob"]["file"] == "bob/0.ipynb"
    assert len(rows["ada"]["reason"]) < 5000
    assert (two.notebook("submitted", NAME, "bob")).exists()
    if kind != "more bytes than one student has":  # there the first file was overwritten
        assert rows["ada"]["file"] == "ada/0.ipynb"
    assert collect(two, NAME, handed_in).new == 0


def entries(path):
    """A zip with Ada's work twice, and members of which each tells a lie; Bob's work is the last."""
    member = moodle("Ada Lovelace", 5)
    lies = [member, member.replace("sums", "\x00sums"), f"../{member}", f"/{member}", f"C:\\{member}", ""]
    lies += ["/", ".", f"{member}/", f"{member}/../../x.ipynb", "a" * 60_000, "\u202e" + member]
    lies += [f"{member}\n", "\udcff.ipynb", "x/" * 5000 + "ada.ipynb", "ada/" + "y" * 60_000 + ".ipynb"]
    with warnings.catch_warnings(), zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        warnings.simplefilter("ignore")  # about names that come twice
        for number, name in enumerate(lies):
            info = zipfile.ZipInfo("x", (2026, 3, 1, 9, 0, number % 60))
            info.filename = name.encode("utf-8", "replace").decode()
            info.external_attr = (0o120777 if number == 9 else 0o644) << 16
            info.extra = b"\x75\x70\x0a\x00\x01\x00\x00\x00\x00bob.i" if number == 0 else b""
            file.writestr(info, answered(f"own {number}"))
        file.writestr(moodle("George Boole", 6), answered("bob"))
    return path


def test_lies_in_a_zip_cost_their_own_member(two, tmp_path):
    """Won: a member without a name ended `collect` in an error."""
    rows = collect(two, NAME, entries(tmp_path / "all.zip")).rows
    found = {row["id"]: row for row in rows if row["id"]}
    assert found["bob"]["file"] == "George Boole_6_assignsubmission_file/sums.ipynb"
    assert "'bob'" in two.placed("bob")
    assert "own" in two.placed("ada")
    assert max(len(row["file"]) for row in rows) <= deliveries.LONGEST_NAME
    outside = {one.name for one in tmp_path.iterdir()} | {one.name for one in tmp_path.parent.glob("*.ipynb")}
    assert outside == {"all.zip", "course"}


# ---- tables and the terminal


def test_no_name_of_a_file_is_a_formula_however_the_table_is_read(tmp_path):
    """Won: a quotation mark behind a semicolon hid the formula where the comma is for decimals."""
    begins = ["", ";", '"', '";', ';"', '; "', ";;", "\t", "\n", "a;\u00a0", '";"', ';""', ' ; " "']
    signs = "=+-@\uff1d\uff0b\uff0d\uff20"
    values = [f"{begin and 'x'}{begin}{sign}1+1;.ipynb" for begin in begins for sign in signs]
    path = tmp_path / "t.csv"
    tables.write_table(path, ("id", "file"), [{"id": "s1", "file": value} for value in values])
    for by in ",;\t":
        rows = csv.reader(io.StringIO(path.read_text("utf-8-sig"), newline=""), delimiter=by)
        assert [one for row in rows for one in row if one.strip().startswith(tuple(signs))] == []


def test_a_message_of_the_command_steers_no_terminal(two, tmp_path, capsys):
    """Won: a file whose content was lost is named as the student named it."""
    write(two.settings("sums"), "exercises:\n  sums: [twice]\n")
    write(tmp_path / "in" / "ada" / "\x1b[2J\x1b]0;owned\x07.ipynb", answered("a"))
    collect(two, NAME, tmp_path / "in")
    for kept in (*two.deliveries("sums").glob("*.ipynb"), two.notebook("submitted", "sums", "ada")):
        kept.unlink()
    write(tmp_path / "other" / "none" / "x.ipynb", "{}")
    assert command.main(["collect", "sums", str(tmp_path / "other"), "--course", str(two.root)]) == 0
    said = "".join(capsys.readouterr())
    assert "is missing or damaged: collect the zip or folder again that held ada/" in said
    assert not {"\x1b", "\x07"} & {*said}


# ---- fingerprints of what a person marked


def test_no_two_answers_have_one_fingerprint():
    """Pieces cannot be shifted into one another, nor into what the checks said."""

    def written(*texts):
        return tuple(Piece("markdown", text) for text in texts)

    pieces = [written("a", "b"), written("b", "a"), written("a", "b", "")]
    pieces += map(written, ("ab", 'a"], ["markdown", "b', "a\u00e9", "ae\u0301", "a\r\nb", "a\nb"))
    pieces += [(Piece("code", "a"), *written("b")), (Piece("code", "a", "printed"),)]
    pieces += [(Piece("code", "aprinted"),), (Piece("code", "a"),), (Piece("code", "a", pictures=("b",)),)]
    messages = [{}, {"p--check-1": None}, {"p--check-1": "a"}, {"p--check-1": None, "p--check-2": "a"}]
    made = [fingerprint(piece, message, []) for piece in pieces for message in messages]
    assert len(set(made)) == len(made)


# ---- pages


def test_an_answer_of_a_million_marks_of_code_does_not_stop_the_page():
    """Won: 2 MB of `1+1+1` became a page of a million elements."""
    work = Work(tuple(Piece("code", "1+" * 15_000 + "1") for _ in range(3)), "")
    html = answer_html(work, seconds=60.0, setter=lambda *_: None)  # on a busy machine, too
    assert html.count("<") < MOST_TAGS + 1000
    assert html.count("1+" * 15_000) == 2  # nothing is hidden: what is not in colours is plain
    assert "the answer is too large to be formatted" in html


# ---- the server of the review pages

FOREIGN_PAGE = """<!DOCTYPE html><form id=f method=post enctype=text/plain action="{at}/marks"><input name=x>
</form><iframe name=i></iframe><script>
const body = JSON.stringify({mark}), tries = [];
for (const mode of ["cors", "no-cors"]) for (const type of ["application/json", "text/plain"])
  for (const method of ["PUT", "POST", "GET"])
    tries.push(fetch("{at}/marks", {{method, mode, headers: {{"Content-Type": type}},
      ...(method === "GET" ? {{}} : {{body}})}}).then(r => r.text()).catch(() => ""));
tries.push(new Promise(done => {{ const s = new WebSocket("{socket}/marks");
  s.onopen = () => done("opened"); s.onerror = () => done(""); }}));
tries.push(new Promise(done => {{ const s = new EventSource("{at}/marks"); s.onopen = () => done("opened");
  s.onerror = () => done(""); }}));
navigator.sendBeacon("{at}/marks", new Blob([body], {{type: "text/plain"}}));
document.getElementById("f").target = "i"; document.getElementById("f").submit();
Promise.all(tries).then(said => {{ window.heard = said.join(""); }});
</script>"""


def test_a_foreign_page_that_knows_the_address_can_neither_read_nor_write(server, course, browser, tmp_path):
    """Even with the token: the browser keeps the answer from it, the server refuses what it sends."""
    forged = sent_mark(comment="forged").decode()
    place = f"//{server.host}/{server.token}"
    foreign = FOREIGN_PAGE.format(mark=forged, at=f"http:{place}", socket=f"ws:{place}")
    write(tmp_path / "foreign.html", foreign)
    opened = browser.new_page()
    opened.goto((tmp_path / "foreign.html").as_uri())
    opened.wait_for_function("'heard' in window")
    assert opened.evaluate("window.heard") == ""
    opened.close()
    assert not course.hand_marks("sums").exists()


REQUESTS = [
    "OPTIONS * HTTP/1.1\r\nHost: {host}\r\n\r\n",
    "GET foo HTTP/1.1\r\nHost: {host}\r\n\r\n",
    "GET http://{host}/{token}/index.html HTTP/1.1\r\nHost: attacker.example\r\n\r\n",
    "GET /{token}/index.html HTTP/1.1\r\nHost: {host}\r\nHost: attacker.example\r\n\r\n",
    "GET /{token}/index.html HTTP/1.0\r\n\r\n",
    "GET /{token}%2findex.html HTTP/1.1\r\nHost: {host}\r\n\r\n",
    "GET /\x1b[2J/index.html HTTP/1.1\r\nHost: {host}\r\n\r\n",
    "GET /%1b[2J\xff/index.html HTTP/1.1\r\nHost: {host}\r\n\r\n",
    "PUT /{token}/marks HTTP/1.1\r\nHost: {host}\r\nContent-Length: -1\r\n\r\n",
    "PUT /{token}/marks HTTP/1.1\r\nHost: {host}\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n",
    "PUT /{token}/marks HTTP/1.1\r\nHost: {host}\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFF\r\n",
    "GET /{token}/marks HTTP/1.1\r\nHost: {host}.\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: {host}@attacker.example\r\n\r\n",
    "\x00" * 100 + "\r\n\r\n",
]


@pytest.mark.parametrize("request_text", REQUESTS, ids=lambda text: repr(text[:24]))
def test_requests_that_no_browser_sends_get_no_page_and_end_nothing(server, course, request_text):
    """Won: the second was answered by 500, with a traceback in the teacher's terminal."""
    with socket.create_connection(server.host.split(":"), 5) as caller, caller.makefile("rb") as answer:
        caller.sendall(request_text.format(host=server.host, token=server.token).encode("latin-1"))
        caller.shutdown(socket.SHUT_WR)
        said = answer.read()
    assert not said.startswith((b"HTTP/1.1 200", b"HTTP/1.1 500"))
    assert b"Lovelace" not in said
    assert not course.hand_marks("sums").exists()
    with urllib.request.urlopen(f"{server.address}/index.html", timeout=5) as answered:
        assert answered.status == 200


# ---- a careless teacher


def mutated(text, chance, pieces):
    """A text with one to three lines changed, doubled, cut or taken out."""
    lines = text.split("\n")
    for _ in range(chance.randint(1, 3)):
        place = chance.randrange(len(lines))
        line, cut = lines[place], chance.randint(0, len(lines[place]))
        changes = [[], [line, line], [line[:cut]], ["  " + line], [chance.choice(pieces), line]]
        changes.append([line[:cut] + chance.choice(pieces) + line[cut:]])
        changes.append([line.partition(":")[0] + ": " + chance.choice(pieces)])
        lines[place : place + 1] = chance.choice(changes)
        lines = lines or [""]
    return "\n".join(lines)


PIECES = ["", "\t", "#", "\u2028", "\ufeff", "\x00", "\x85", "a" * 5000, "9" * 400, "\u0663"]
PIECES += """\
~ | 1e999 | .nan | [] | {a: b} | 2026-02-30 10:00 | Europe | .. | !!python/object:os.system x | &a x | *a | '
" | % | ? | - x | --- | x: y | posixrules | ``` | ::: | :points: nan | :points: [1] | :exercise: [a]
:tags: x | %matplotlib inline | !ls | def f(: | x = ( | - 9 points: x | ```{code-cell} | return 3
### BEGIN SOLUTION\
""".replace("\n", " | ").split(" | ")


def read_settings_of(course, path):
    found = read_settings(course, "hw")
    return found.notice, found.late.factor(1e5), found.due_for("alovelace")


READ = {
    "assignment.yml": (read_settings_of, GOOD_SETTINGS, 200),
    "other.csv": (
        lambda _, path: read_roster(path),
        "id,name,email,lms_id\nada,Ada Lovelace,a@b.c,1001\nbob,George Boole,,1002\n",
        200,
    ),
    "sums.md": (lambda _, path: read_chapter(path), CHAPTER, 60),
}
NO_TEXTS = [CHAPTER.replace("Sums", "S\xfcms").encode("latin-1"), CHAPTER.encode("utf-16")]
NO_TEXTS.append(b"---\nkernelspec: [\n---\n")


@pytest.mark.parametrize("name", READ)
def test_a_slip_of_the_teachers_is_a_problem_that_is_explained(tmp_path, name):
    """Won: code or options of a chapter that cannot be read ended in a traceback."""
    course, chance, (read, good, times) = CourseFolder(tmp_path), random.Random(20261001), READ[name]
    path = course.settings("hw") if name.endswith("yml") else tmp_path / name
    write(course.roster, "id,name\nalovelace,Ada Lovelace\n")
    explained = []
    for text in (good, *(mutated(good, chance, PIECES) for _ in range(times)), *NO_TEXTS):
        write(path, text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass"))
        try:
            read(course, path)
        except ChapterProblem as problem:
            explained.append(str(problem))
            assert text != good
        else:
            assert not isinstance(text, bytes)
    assert len(explained) > times / 5
    assert [said for said in explained if str(tmp_path) not in said and "sums.md" not in said] == []
