"""A whole class, from release to marks: every kind of submission gets its deserved mark and harms nobody."""

from types import SimpleNamespace
from unittest import mock

import psutil
import pytest

from margins_course import command
from margins_course.collecting.collect import collect
from margins_course.folder import read_table, write
from margins_course.grading import marking
from margins_course.grading.export import export
from margins_course.grading.results import read_result
from margins_course.pages.feedback import write_feedback
from margins_course.sandbox.answers import Limits
from tests.margins_course import corpus
from tests.margins_course.marking_class import course_of, silent
from tests.margins_course.sums_assignment import CHAPTER, by_exercise
from tests.margins_course.watched_page import listening, what_happened

FAST = Limits(call=3.0, check=6.0, submission=20.0, patience=5.0)
SECRET = "CANARY-WORD"
NO_NOTEBOOKS = ["m1,missing", "l1,a link", "p1,a letter"]
pytestmark = pytest.mark.usefixtures("boxes")


def contents(folder):
    return {path: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@pytest.fixture(scope="module", params=["quick", pytest.param("slow", marks=pytest.mark.full)])
def hostile(tmp_path_factory, request):
    """The corpus handed in by as many students, collected, marked, with feedback and tables.

    Kinds that use up some limit take minutes: the canary class tries the same limits. It is marked first, of
    which test_marking.py has the tests.
    """
    root = tmp_path_factory.mktemp("hostile")
    course = course_of(root, [])
    student = course.notebook("release", "sums").read_text(encoding="utf-8")
    outside, aims = root / "outside", {"marks": course.hand_marks("sums"), "source": course.source("sums")}
    write(outside / "canary", SECRET)
    with listening() as listener:
        targets = SimpleNamespace(canary=str(outside / "canary"), port=listener.port, **aims)
        every = corpus.in_files(student, targets)
        late = corpus.SLOW | corpus.harmless(targets).keys()  # these are tried in one submission
        wanted = late if request.param == "slow" else every.keys() - late
        files = {kind: file for kind, file in every.items() if kind in wanted}
        assert len(files) >= (20 if request.param == "slow" else 45)
        kinds = {f"s{number}": kind for number, kind in enumerate(files, 1)}
        write(course.roster, "\n".join(["id,name", *map(",".join, kinds.items()), *NO_NOTEBOOKS]))
        for name, kind in kinds.items():
            write(outside / name / "my answers (final).ipynb", files[kind][0])
        write(outside / "p1" / "letter.pdf", "%PDF")
        (outside / "l1").mkdir()
        (outside / "l1" / "sums.ipynb").symlink_to(targets.canary)
        before = contents(outside)
        collect(course, "sums", outside)
        with mock.patch.object(marking, "certify_class"):
            marking.mark_class(course, "sums", limits=FAST, progress=silent)
        write_feedback(course, "sums", progress=silent)
        export(course)
        assert contents(outside) == before
        yield course, {name: (kind, files[kind][1]) for name, kind in kinds.items()}, listener


def test_every_kind_gets_the_mark_that_it_deserves_and_costs_no_other_exercise(hostile):
    course, kinds, _ = hostile
    marks = {row["id"]: row for row in read_table(course.report("marks.csv"))}
    came = {name: (marks[name]["sums"], marks[name]["sums status"]) for name in kinds}
    wrong = {}
    for name, (kind, deserved) in kinds.items():
        score, status = came[name]
        if isinstance(deserved, str):
            is_right = score == "" and status.startswith("refused") and deserved in status
        else:
            points = by_exercise(read_result(course.result("sums", name)).points)
            is_right = float(score) == sum(deserved) and status == "accepted"
            is_right &= (points["twice"], points["total"]) == deserved
        if not is_right:
            wrong[kind] = (deserved, *came[name])
    assert wrong == {}
    rows = {row["id"]: row for row in read_table(course.report("sums-collected.csv"))}
    assert rows["m1"]["status"] == "missing"
    assert "symbolic link" in rows["l1"]["reason"]
    assert "no notebook, and the review page has a link" in rows["p1"]["reason"]
    assert len([name for name in rows if name]) == len(kinds) + 3


def test_canaries_are_unread_and_nobody_was_called(hostile):
    course, _, listener = hostile
    assert listener.heard == []
    inside = contents(course.root)
    assert not [path for path, content in inside.items() if SECRET.encode() in content]
    assert course.source("sums").read_bytes().startswith(b"{")


def test_nothing_is_left_running(hostile):
    every = psutil.process_iter(["cmdline", "ppid"])
    orphans = [process.info["cmdline"] or [] for process in every if process.info["ppid"] == 1]
    assert [command for command in orphans if "margins_course.sandbox.server" in command] == []


def test_feedback_shows_no_hidden_check_runs_no_script_and_asks_no_other_host(hostile, browser):
    course, kinds, listener = hostile
    paths = {kind: course.feedback("sums", name) for name, (kind, _) in kinds.items()}
    pages = {kind: path.read_text(encoding="utf-8") for kind, path in paths.items() if path.exists()}
    assert pages.keys() >= {kind for kind, deserved in kinds.values() if not isinstance(deserved, str)}
    telling = ("HIDDEN-WORD", "secret = ", "<script")
    assert [kind for kind, page in pages.items() if any(word in page for word in telling)] == []
    for kind in pages.keys() & {"right", "wrong", "pictures from elsewhere", "endless loop", *SHOWN}:
        assert what_happened(browser, paths[kind].as_uri(), listener) == []
        assert SHOWN.get(kind, "") in pages[kind]
    assert "11.0" not in pages.get("tells what was asked", "").partition("HEARD")[2]  # of the hidden check


SHOWN = {
    "kinds of cells nonsense": "My &lt;b&gt;proof&lt;/b&gt;.",
    "looks for hidden checks": "FOUND []",
    "tells what was asked": "HEARD [[",  # of the visible check, whose data everybody has
    "script in the text": "&lt;script&gt;stolen()",
}


def test_steps_in_the_wrong_order_say_what_to_do_first(tmp_path, capsys):
    write(tmp_path / "roster.csv", "id,name\na,Ada\n")
    write(tmp_path / "sums.md", CHAPTER)
    for step, said in [
        ("feedback 1", "released are: none; run `margins-course release 1` first"),
        ("export", "run `margins-course grade NAME` first"),
        ("release sheet", "`margins-course new sheet CHAPTER`"),
        (f"new sheet {tmp_path}/sums.md", ""),
        ("collect sheet answers.zip", "run `margins-course release sheet` first"),
        ("release sheet", ""),
        ("feedback sheet", "nothing of sheet is marked: run `margins-course grade sheet` first"),
    ]:
        assert command.main([*step.split(), "--course", str(tmp_path)]) == (2 if said else 0)
        assert said in capsys.readouterr().err


def test_a_file_that_cannot_be_read_or_written_is_named(tmp_path, capsys):
    (tmp_path / "course").write_text("a file where the folder should be")
    (tmp_path / "sums.md").write_text(CHAPTER, encoding="utf-8")
    command.main(["new", "sums", str(tmp_path / "sums.md"), "--course", str(tmp_path / "course")])
    assert f"{tmp_path / 'course'}" in capsys.readouterr().err


def test_without_bubblewrap_marking_is_refused(tmp_path, monkeypatch, capsys):
    course_of(tmp_path, ["ada"])
    monkeypatch.setenv("PATH", "/nowhere")
    assert command.main(["grade", "sums", "--course", str(tmp_path / "course")]) == 2
    said = capsys.readouterr().err
    assert "bwrap is missing" in said
    assert "apt-get install bubblewrap" in said
