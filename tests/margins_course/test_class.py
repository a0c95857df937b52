"""A whole class, from release to marks: every kind of submission gets its deserved mark and harms nobody."""

import csv
import re
import socket
import threading
from unittest import mock

import psutil
import pytest

from margins_course import command
from margins_course.collecting.collect import collect
from margins_course.folder import CourseFolder
from margins_course.grading import marking
from margins_course.grading.export import export
from margins_course.grading.results import read_result
from margins_course.pages.feedback import write_feedback
from margins_course.sandbox.answers import Limits
from tests.margins_course import corpus
from tests.margins_course.sums_assignment import CHAPTER, RIGHT, answered, release_chapter, require_sandbox

FAST = Limits(call=3.0, check=6.0, submission=20.0, patience=5.0)
SECRET = "CANARY-WORD"


@pytest.fixture(autouse=True, scope="module")
def boxes():
    require_sandbox()


class Port:
    """A port of this machine that counts who calls."""

    def __init__(self):
        self.calls, self.socket = 0, socket.create_server(("127.0.0.1", 0))
        self.number = self.socket.getsockname()[1]
        threading.Thread(target=self._count, daemon=True).start()

    def _count(self):
        while True:
            try:
                self.socket.accept()[0].close()
            except OSError:
                return
            self.calls += 1


def roster(course, students):
    course.root.mkdir(parents=True, exist_ok=True)
    rows = [f"{number},{name},{number}@example.org,{n + 1000}" for n, (number, name) in enumerate(students)]
    course.roster.write_text("\n".join(["id,name,email,lms_id", *rows]), encoding="utf-8")


def released(root, students):
    """A course folder with the small chapter and a class, and the students' notebook."""
    course = CourseFolder(root / "course")
    (root / "sums.md").write_text(CHAPTER, encoding="utf-8")
    release_chapter(course, root / "sums.md")
    roster(course, students)
    return course, course.notebook("release", "sums").read_text(encoding="utf-8")


def table(path):
    with path.open(encoding="utf-8-sig", newline="") as file:
        return {row.get("id") or row.get("Student"): row for row in csv.DictReader(file)}


def contents(folder):
    return {path: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@pytest.fixture(scope="module", params=["quick", pytest.param("slow", marks=pytest.mark.full)])
def hostile(tmp_path_factory, request):
    """The corpus handed in by as many students, collected, marked, with feedback and tables.

    Kinds that use up some limit take minutes: the canary class tries the same limits. It is marked first, of
    which test_marking.py has the tests.
    """
    root = tmp_path_factory.mktemp("hostile")
    (root / "outside").mkdir()
    (root / "outside" / "canary").write_text(SECRET)
    port = Port()
    course = CourseFolder(root / "course")
    targets = corpus.Targets(
        canary=str(root / "outside" / "canary"),
        marks=str(course.hand_marks("sums")),
        source=str(course.notebook("source", "sums")),
        port=port.number,
    )
    course, student = released(root, [("s0", "nobody")])
    every = corpus.in_files(student, targets)
    late = corpus.SLOW | corpus.harmless(targets).keys()  # these are tried in one submission
    wanted = late if request.param == "slow" else every.keys() - late
    files = {kind: file for kind, file in every.items() if kind in wanted}
    assert len(files) >= (30 if request.param == "slow" else 45)
    kinds = {f"s{number}": kind for number, kind in enumerate(files, 1)}
    roster(course, [*kinds.items(), ("m1", "missing"), ("l1", "a link"), ("p1", "a letter")])
    for name, kind in kinds.items():
        (root / "outside" / name).mkdir()
        (root / "outside" / name / "my answers (final).ipynb").write_bytes(files[kind][0])
    for name in ("l1", "p1"):
        (root / "outside" / name).mkdir()
    (root / "outside" / "l1" / "sums.ipynb").symlink_to(targets.canary)
    (root / "outside" / "p1" / "letter.pdf").write_bytes(b"%PDF")
    before = contents(root / "outside")
    collect(course, "sums", root / "outside")
    with mock.patch.object(marking, "certify_class"):
        marking.mark_class(course, "sums", limits=FAST, progress=lambda *_: None)
    write_feedback(course, "sums", progress=lambda *_: None)
    export(course)
    expected = {name: files[kind][1] for name, kind in kinds.items()}
    yield course, kinds, expected, (before, contents(root / "outside")), port
    port.socket.close()


def test_every_kind_gets_the_mark_that_it_deserves(hostile):
    course, kinds, expected, _, _ = hostile
    marks = table(course.report("marks.csv"))
    wrong = {}
    for name, deserved in expected.items():
        row = marks[name]
        if isinstance(deserved, str):
            is_right = (
                row["sums"] == ""
                and row["blank"] == "1"
                and row["sums status"].startswith("refused")
                and deserved in row["sums status"]
            )
        else:
            is_right = float(row["total"]) == sum(deserved) and row["sums status"] == "accepted"
        if not is_right:
            wrong[kinds[name]] = (deserved, row["total"], row["sums status"])
    assert wrong == {}


def test_an_exercise_that_misbehaves_costs_no_other(hostile):
    course, kinds, expected, _, _ = hostile
    for name, deserved in expected.items():
        if not isinstance(deserved, str):
            points = read_result(course.result("sums", name)).points
            total = points["total--check-1"] + points["total--hidden-check-1"]
            assert total == deserved[1], kinds[name]


def test_everybody_has_a_row_with_a_reason(hostile):
    course, _, expected, _, _ = hostile
    rows = table(course.report("sums-collected.csv"))
    assert rows["m1"]["status"] == "missing"
    assert "symbolic link" in rows["l1"]["reason"]
    assert "no notebook, and the review page has a link" in rows["p1"]["reason"]
    assert len([name for name in rows if name]) == len(expected) + 3


def test_canaries_are_unread_and_nothing_outside_is_changed(hostile):
    course, _, _, (before, after), port = hostile
    assert before == after
    assert port.calls == 0
    inside = contents(course.root)
    assert not [path for path, content in inside.items() if SECRET.encode() in content]
    assert course.notebook("source", "sums").read_bytes().startswith(b"{")


def test_nothing_is_left_running(hostile):
    orphans = [
        process.pid
        for process in psutil.process_iter(["cmdline", "ppid"])
        if process.info["ppid"] == 1 and "margins_course.sandbox.server" in (process.info["cmdline"] or [])
    ]
    assert orphans == []


def test_feedback_shows_no_hidden_check_and_runs_no_script(hostile):
    course, kinds, expected, _, _ = hostile
    pages = {
        path.parent.parent.name: path.read_text(encoding="utf-8")
        for path in course.root.glob("feedback/*/*/*.html")
    }
    assert len(pages) >= len([deserved for deserved in expected.values() if not isinstance(deserved, str)])
    for name, page in pages.items():
        assert "HIDDEN-WORD" not in page, kinds[name]
        assert "secret = " not in page, kinds[name]
    if "right" not in kinds.values():  # the slow ones say nothing besides
        return
    (telling,) = [name for name, kind in kinds.items() if kind == "tells what was asked"]
    assert "HEARD [[" in pages[telling]  # of the visible check, whose data everybody has
    assert "11.0" not in pages[telling].partition("HEARD")[2]  # of the hidden one
    (scripted,) = [name for name, kind in kinds.items() if kind == "script in the text"]
    assert "<script>stolen" not in pages[scripted]
    assert not re.search(r"<[^>]*\bonclick", pages[scripted].split("</head>")[-1])


def name_of(kinds, wanted):
    return next(name for name, kind in kinds.items() if kind == wanted)


def test_feedback_asks_no_other_host_for_anything(hostile, browser):
    course, kinds, _, _, port = hostile
    loaded, shown = [], {"right", "wrong", "script in the text", "pictures from elsewhere", "endless loop"}
    shown &= set(kinds.values())
    for kind in sorted(shown):
        path = course.notebook("feedback", "sums", name_of(kinds, kind)).with_suffix(".html")
        assert "<script" not in path.read_text(encoding="utf-8")
        page = browser.new_page()
        page.on("requestfinished", lambda request: loaded.append(request.url))
        page.goto(path.as_uri())
        assert page.get_by_role("heading", name="Twice").first.is_visible()
        page.close()
    assert len(loaded) == len(shown), loaded
    assert all(url.startswith("file:") for url in loaded)
    assert port.calls == 0


@pytest.mark.full
def test_an_interrupted_run_goes_on_where_it_stopped(tmp_path):
    course, student = released(tmp_path, [(f"s{n}", f"Student {n}") for n in range(8)])
    for number in range(8):
        path = tmp_path / "in" / f"s{number}.ipynb"
        path.parent.mkdir(exist_ok=True)
        path.write_text(answered(student, RIGHT), encoding="utf-8")
    collect(course, "sums", tmp_path / "in")

    def interrupt(*_):
        if len(list(course.root.glob("results/sums/*.json"))) >= 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        marking.mark_class(course, "sums", progress=interrupt)
    kept = {path: path.read_bytes() for path in course.root.glob("results/sums/*.json")}
    assert len(kept) >= 3
    again = marking.mark_class(course, "sums", progress=lambda *_: None)
    assert again == (8 - len(kept), 8, [], [])
    assert all(path.read_bytes() == content for path, content in kept.items())
    assert marking.mark_class(course, "sums", progress=lambda *_: None) == (0, 8, [], [])
    export(course)
    marks = table(course.report("marks.csv"))
    assert [float(row["total"]) for row in marks.values()] == [10.0] * 8


def test_names_that_a_spreadsheet_would_run_are_disarmed():
    from margins_course.folder import spreadsheet_cell

    assert spreadsheet_cell('=HYPERLINK("x")') == '\'=HYPERLINK("x")'
    assert spreadsheet_cell("a\nb") == "a b"
    assert spreadsheet_cell("a\x1b[31mb\u202ec") == "a [31mb c"
    assert spreadsheet_cell("a.ipynb;=1+2; @x") == "a.ipynb;'=1+2; '@x"
    assert spreadsheet_cell(-2.5) == "-2.5"
    assert spreadsheet_cell("-") == "-"  # Moodle's sign for no grade


def test_steps_in_the_wrong_order_say_what_to_do_first(tmp_path, capsys):
    course = ["--course", str(tmp_path)]
    assert command.main(["feedback", "1", *course]) == 2
    assert "released are: none; run `margins-course release 1` first" in capsys.readouterr().err
    (tmp_path / "roster.csv").write_text("id,name\na,Ada\n")
    assert command.main(["export", *course]) == 2
    assert "run `margins-course grade NAME` first" in capsys.readouterr().err
    assert command.main(["release", "sheet", *course]) == 2
    assert "`margins-course new sheet CHAPTER`" in capsys.readouterr().err
    assert command.main(["new", "sheet", "2", *course]) == 0
    assert command.main(["collect", "sheet", "answers.zip", *course]) == 2
    assert "run `margins-course release sheet` first" in capsys.readouterr().err


def test_a_file_that_cannot_be_read_or_written_is_named(tmp_path, capsys):
    (tmp_path / "course").write_text("a file where the folder should be")
    (tmp_path / "sums.md").write_text(CHAPTER, encoding="utf-8")
    command.main(["new", "sums", str(tmp_path / "sums.md"), "--course", str(tmp_path / "course")])
    assert f"{tmp_path / 'course'}" in capsys.readouterr().err


def test_feedback_on_nothing_says_what_to_do_first(tmp_path, capsys):
    course, _ = released(tmp_path, [("ada", "Ada Lovelace")])
    assert command.main(["feedback", "sums", "--course", str(course.root)]) == 2
    assert "nothing of sums is marked: run `margins-course grade sums` first" in capsys.readouterr().err


def test_without_bubblewrap_marking_is_refused(tmp_path, monkeypatch, capsys):
    released(tmp_path, [("ada", "Ada Lovelace")])
    monkeypatch.setenv("PATH", "/nowhere")
    assert command.main(["grade", "sums", "--course", str(tmp_path / "course")]) == 2
    said = capsys.readouterr().err
    assert "bwrap is missing" in said
    assert "apt-get install bubblewrap" in said
