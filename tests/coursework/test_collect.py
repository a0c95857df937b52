"""Collecting: nothing that came is lost, nobody gets another's work, and every archive comes to an end."""

import contextlib
import os
import random
import time
import zipfile
from datetime import UTC, datetime, timedelta

import pytest

from margins_course.assignments.settings import LateRule
from margins_course.collecting import deliveries as reading
from margins_course.collecting.collect import collect
from margins_course.collecting.names import Owners
from margins_course.collecting.records import journal_of_deliveries, read_records, standings
from margins_course.collecting.roster import Student, namesakes, read_roster
from margins_course.grading.totals import totals
from margins_course.problems import CourseProblem
from tests.coursework.courses import (
    DUE,
    NAME,
    ZONE,
    answered,
    lines_of,
    made_course,
    marked,
    settings_of,
    state,
    zipped,
)

ROSTER = ("ada,Ada Lovelace,,1000", "bob,Bob Lee,,1001", "cyd,Cyd Oz,,", "dan,Dan Yu,,1003")
EARLY, LATE = (2026, 3, 1, 9, 0, 0), (2026, 3, 1, 12, 31, 0)  # half an hour and a minute after the due time


@pytest.fixture
def course(tmp_path, monkeypatch):
    settings_of(monkeypatch)
    return made_course(tmp_path, ROSTER)


def rows_by_id(collected):
    return {row["id"]: row for row in collected.rows if row["id"]}


def moodle(name, number, file="sums.ipynb"):
    return f"{name}_{number}_assignsubmission_file/{file}"


# ---- the same state, however often and in what order


def three_zips(tmp_path):
    """Three downloads of a class: late, refused, handed in anew, refused anew, nobody's."""
    first = [
        (moodle("Ada Lovelace", 555), answered("a"), LATE),
        (moodle("Bob Lee", 556), "broken", EARLY),
        (moodle("Cyd Oz", 557), answered("c, first"), EARLY),
        ("stranger_4_5_sums.ipynb", answered("s"), EARLY),
    ]
    later = (2026, 3, 1, 11, 0, 0)
    second = [
        (moodle("Cyd Oz", 557, "new.ipynb"), answered("c, second"), later),
        ("yudan_1003_9_x.ipynb", "no", later),
    ]
    third = [
        (moodle("Cyd Oz", 557, "newer.ipynb"), "broken", LATE),
        ("yudan_1003_10_x.ipynb", answered("d"), EARLY),
    ]
    zips = [first, [*first, *second], [*second, *third]]
    return [zipped(tmp_path / f"{number}.zip", members) for number, members in enumerate(zips)]


def test_collecting_in_any_order_and_any_number_of_times_ends_in_the_same_state(tmp_path, monkeypatch):
    settings_of(monkeypatch)
    zips, ends, shuffled = three_zips(tmp_path), [], random.Random(20261001)
    for turn in range(8):
        order = zips * 2
        shuffled.shuffle(order)
        course = made_course(tmp_path / str(turn), ROSTER)
        for path in order:
            collect(course, NAME, path)
        ends.append({name.replace(str(course.root), ""): content for name, content in state(course).items()})
    assert all(end == ends[0] for end in ends)
    (table,) = [
        content.decode("utf-8-sig") for name, content in ends[0].items() if name.endswith("-collected.csv")
    ]
    status = {line.split(",")[0]: line.split(",")[2:4] for line in table.splitlines()[1:]}
    assert status["ada"] == ["late", "1860"]
    assert status["bob"] == ["refused", ""]
    assert status["cyd"] == ["accepted", "0"]
    assert status["dan"] == ["accepted", "0"]
    assert status[""] == ["nobody's", ""]


def test_collecting_the_same_again_adds_no_line_and_loses_no_lateness(course, tmp_path):
    path = zipped(
        tmp_path / "all.zip", [(moodle("Ada Lovelace", 5), answered("a"), LATE), ("bob/b.ipynb", "no", EARLY)]
    )
    first = collect(course, NAME, path)
    records = course.deliveries(NAME) / "records.jsonl"
    before = records.read_bytes()
    again = collect(course, NAME, path)
    assert (first.new, again.new) == (2, 0)
    assert records.read_bytes() == before
    assert first.rows == again.rows
    assert rows_by_id(again)["ada"]["seconds_late"] == "1860"
    assert "not JSON" in rows_by_id(again)["bob"]["reason"]


def test_the_earliest_time_of_a_content_counts(course, tmp_path):
    name, content = moodle("Ada Lovelace", 5), answered("a")
    collect(course, NAME, zipped(tmp_path / "2.zip", [(name, content, LATE)]))
    rows = collect(course, NAME, zipped(tmp_path / "1.zip", [(name, content, EARLY)])).rows
    assert (rows[0]["status"], rows[0]["seconds_late"]) == ("accepted", "0")
    assert collect(course, NAME, tmp_path / "2.zip").new == 0
    assert len(lines_of(course.deliveries(NAME) / "records.jsonl")) == 2
    rows = collect(
        course, NAME, zipped(tmp_path / "3.zip", [(moodle("Ada Lovelace", 5, "x.ipynb"), content, LATE)])
    ).rows
    assert rows[0]["status"] == "accepted"


def test_a_bad_second_file_does_not_replace_a_good_first_and_is_named(course, tmp_path):
    collect(course, NAME, zipped(tmp_path / "1.zip", [("ada.ipynb", answered("a"), EARLY)]))
    row = collect(course, NAME, zipped(tmp_path / "2.zip", [("ada/b.ipynb", "broken", LATE)])).rows[0]
    assert row["status"] == "accepted"
    assert "not JSON" in row["reason"]
    assert course.notebook("submitted", NAME, "ada").read_text(encoding="utf-8") == answered("a")
    row = collect(course, NAME, zipped(tmp_path / "3.zip", [("ada/letter.pdf", "%PDF", EARLY)])).rows[0]
    assert "ada/letter.pdf: expected a notebook" in row["reason"]


def test_what_was_made_of_an_older_file_is_forgotten_when_a_newer_one_counts(course, tmp_path):
    collect(course, NAME, zipped(tmp_path / "1.zip", [("ada.ipynb", answered("a"), EARLY)]))
    marked(course, "ada", {"twice--check-1": 2.0})
    collect(course, NAME, zipped(tmp_path / "1.zip", [("ada.ipynb", answered("a"), EARLY)]))
    assert course.result(NAME, "ada").exists()
    collect(course, NAME, zipped(tmp_path / "2.zip", [("ada.ipynb", answered("new"), LATE)]))
    assert not course.result(NAME, "ada").exists()
    assert "margins-course grade sums" in totals(course, NAME)[0].reason


def test_an_extension_granted_later_changes_lateness_without_collecting_again(course, tmp_path, monkeypatch):
    collect(course, NAME, zipped(tmp_path / "1.zip", [("ada.ipynb", answered("a"), LATE)]))
    students = read_roster(course.roster)
    settings = settings_of(monkeypatch, extensions={"ada": DUE + timedelta(minutes=31)})
    assert standings(course, settings, students)["ada"].status == "accepted"
    settings = settings_of(monkeypatch, extensions={"ada": DUE + timedelta(minutes=30)})
    assert standings(course, settings, students)["ada"].seconds_late == 60
    settings = settings_of(monkeypatch, due=None)
    assert standings(course, settings, students)["ada"].status == "accepted"


def test_a_crash_between_the_steps_is_mended_by_collecting_again(course, tmp_path, monkeypatch):
    path = zipped(
        tmp_path / "all.zip", [("ada.ipynb", answered("a"), LATE), ("bob.ipynb", answered("b"), EARLY)]
    )
    for module, function in (("records", "append"), ("collect", "publish"), ("collect", "write_table")):
        with monkeypatch.context() as crash:
            crash.setattr(f"margins_course.collecting.{module}.{function}", interrupted)
            with pytest.raises(KeyboardInterrupt):
                collect(course, NAME, path)
    interrupted_state = collect(course, NAME, path)
    other = made_course(tmp_path / "other", ROSTER)
    assert collect(other, NAME, path).rows == interrupted_state.rows
    assert list(state(other).values()) == list(state(course).values())


def interrupted(*_):
    raise KeyboardInterrupt


def test_a_line_of_the_journal_that_a_crash_cut_off_is_named_and_comes_again(course, tmp_path):
    path = zipped(
        tmp_path / "all.zip", [("ada.ipynb", answered("a"), LATE), ("bob.ipynb", answered("b"), EARLY)]
    )
    collect(course, NAME, path)
    records = course.deliveries(NAME) / "records.jsonl"
    records.write_bytes(records.read_bytes()[:-30])
    collected = collect(course, NAME, path)
    assert collected.new == 1
    (note,) = collected.notes
    assert "records.jsonl, line 2, is cut off or damaged" in note
    assert {row["id"]: row["status"] for row in collected.rows} | {"cyd": "", "dan": ""} == {
        "ada": "late",
        "bob": "accepted",
        "cyd": "",
        "dan": "",
    }


@pytest.mark.parametrize("line", ['{"student": 3}', "[1]", "[" * 100_000, '{"a": 1}', "\xff", "null"])
def test_lines_that_are_no_records_count_for_nothing_and_are_named(course, tmp_path, line):
    (course.deliveries(NAME)).mkdir(parents=True)
    (course.deliveries(NAME) / "records.jsonl").write_text(line + "\n", encoding="latin-1")
    collect(course, NAME, zipped(tmp_path / "1.zip", [("ada.ipynb", answered("a"), EARLY)]))
    assert len(journal_of_deliveries(course, NAME).damaged) == 1
    assert [record.student for record in read_records(course, NAME)] == ["ada"]


# ---- whose file it is


STUDENTS = [
    Student("ada", "Ada Lee", lms_id="1000"),
    Student("bob", "George Boole", lms_id="1001"),
    Student("eve", "Zo\xeb O'Neil-Smith", lms_id="1002"),
    Student("sam1", "Sam Poe", lms_id="1003"),
    Student("sam2", "Sam Poe", lms_id="1004"),
    Student("new", "Kim Un"),
]


@pytest.mark.parametrize(
    ("name", "whose"),
    [
        ("ada.ipynb", "ada"),
        ("ada/any name.IPYNB", "ada"),
        ("boolegeorge_1001_78_sums.ipynb", "bob"),
        ("boolegeorge_LATE_1001_78_sums.ipynb", "bob"),
        ("boolegeorge_1001_78_5_sums.ipynb", "bob"),
        ("boolegeorge_1001_78_Ada Lee_1000_assignsubmission_.ipynb", "bob"),
        ("oneilsmithzo\xeb_1002_78_sums.ipynb", "eve"),
        ("oneilsmithzoe\u0308_1002_78_sums.ipynb", "eve"),
        ("poesam_1004_78_sums.ipynb", "sam2"),
        ("George Boole_556_assignsubmission_file/sums.ipynb", "bob"),
        ("George Boole_556_assignsubmission_file_/sums.ipynb", "bob"),
        ("George Boole_556_assignsubmission_file/x_1000_77_sums.ipynb", "bob"),
        ("George Boole_556_assignsubmission_file_x_1000_assignsubmission_.ipynb", "bob"),
        ("Zo\xeb ONeil-Smith_5_assignsubmission_file/sums.ipynb", "eve"),
        ("George Boole_1001_assignsubmission_file/sums.ipynb", "bob"),
        ("Sam Poe_1003_assignsubmission_file/sums.ipynb", "sam1"),
    ],
)
def test_a_file_goes_to_whom_its_name_points(name, whose):
    found, reason = Owners(STUDENTS).of(name)
    assert (found and found.id, reason) == (whose, "")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("George Boole_1000_assignsubmission_file/s.ipynb", ["that of Ada Lee (ada)", "George Boole (bob)"]),
        ("boolegeorge_1000_78_s.ipynb", ["that of Ada Lee (ada)", "George Boole (bob)"]),
        ("Sam Poe_77_assignsubmission_file/s.ipynb", ["(sam1) and Sam Poe (sam2)", "write 77 as lms_id"]),
        ("Sam Poe_1000_assignsubmission_file/s.ipynb", ["(sam1) and Sam Poe (sam2)"]),
        ("Participant_1000_assignsubmission_file/s.ipynb", ["called 'Participant'", "alone says nothing"]),
        ("Group A_12_assignsubmission_file/s.ipynb", ["called 'Group A'", "group's"]),
        ("the lemmas_1000_78_s.ipynb", ["Ada Lee (ada)", "no word", "if it is no group's"]),
        ("anon_x1Y2z_78_s.ipynb", ["end anonymous grading"]),
        ("LATE_anon_1000z_78_s.ipynb", ["end anonymous grading"]),
        ("unkim_1007_78_s.ipynb", ["nobody on the roster has the lms_id 1007", "write 1007 as lms_id"]),
        ("leeada_1000_1001_78_s.ipynb", ["two numbers", "Ada Lee (ada) and George Boole (bob)"]),
        ("leeada_1000_5_y_1001_78_s.ipynb", ["two numbers"]),
        ("x_1000_LATE_1001_78_s.ipynb", ["no word"]),
        ("gone_9999_78_x_1000_assignsubmission_.ipynb", ["lms_id 9999"]),
        ("stranger/leeada_1000_77_sums.ipynb", ["nobody on the roster"]),
        ("", ["nobody on the roster"]),
        ("/", ["nobody on the roster"]),
        ("_1000_78_", ["no word"]),
    ],
)
def test_a_file_whose_name_points_to_two_or_to_none_is_nobodys(name, said):
    found, reason = Owners(STUDENTS).of(name)
    assert found is None
    assert [part for part in said if part not in reason] == [], reason


def test_a_contradiction_is_refused_with_both_named_and_kept_from_both(course, tmp_path):
    path = zipped(tmp_path / "all.zip", [(moodle("Ada Lovelace", 1001), answered("a"), EARLY)])
    collected = collect(course, NAME, path)
    assert {row["id"]: row["status"] for row in collected.rows} == {
        "ada": "missing",
        "bob": "missing",
        "cyd": "missing",
        "dan": "missing",
        "": "nobody's",
    }
    assert "that of Bob Lee (bob), the name that of Ada Lovelace (ada)" in collected.rows[-1]["reason"]
    assert not list(course.root.glob("submitted/*/*/*"))


def test_a_corrected_roster_moves_a_file_to_its_owner_and_away_from_another(course, tmp_path):
    path = zipped(tmp_path / "all.zip", [("yudan_1003_7_s.ipynb", answered("d"), EARLY)])
    course.roster.write_text("id,name,email,lms_id\nada,Dan Y Yu,,1003\ndan,Dan Yu,,1\n", encoding="utf-8")
    nobody = collect(course, NAME, path)
    assert [row["status"] for row in nobody.rows] == ["missing", "missing", "nobody's"]
    course.roster.write_text("id,name,email,lms_id\nada,Dan Yu,,1003\ndan,Dan Yu,,1\n", encoding="utf-8")
    assert [row["status"] for row in collect(course, NAME, path).rows] == ["accepted", "missing"]
    marked(course, "ada", {})
    course.roster.write_text("id,name,email,lms_id\nada,Dan Yu,,1\ndan,Dan Yu,,1003\n", encoding="utf-8")
    assert [row["status"] for row in collect(course, NAME, path).rows] == ["missing", "accepted"]
    assert not course.notebook("submitted", NAME, "ada").exists()
    assert not course.result(NAME, "ada").exists()
    assert course.notebook("submitted", NAME, "dan").exists()


# ---- lateness


@pytest.mark.parametrize(
    ("file", "when", "status", "seconds", "remark"),
    [
        ("leebob_1001_7_s.ipynb", LATE, "accepted", 0, "does not call it late"),
        ("leebob_LATE_1001_7_s.ipynb", LATE, "late", 1860, "at most until the download"),
        ("leebob_LATE_1001_7_s.ipynb", EARLY, "accepted", 0, "came before the time that holds"),
        ("leebob_1001_7_s.ipynb", EARLY, "accepted", 0, ""),
        ("bob_1001_5_y_LATE_1001_78_s.ipynb", LATE, "late", 1860, "at most until the download"),
        (moodle("Bob Lee", 7), LATE, "late", 1860, ""),
        ("bob/a_1001_7_s.ipynb", LATE, "late", 1860, ""),
    ],
)
def test_canvas_knows_who_is_late_and_other_zips_know_when(
    course, tmp_path, file, when, status, seconds, remark
):
    row = rows_by_id(collect(course, NAME, zipped(tmp_path / "a.zip", [(file, answered("b"), when)])))["bob"]
    assert (row["status"], int(row["seconds_late"])) == (status, seconds)
    assert remark in row["reason"]


def test_a_zip_with_the_time_of_its_download_is_doubted_before_it_costs_anything(course, tmp_path):
    names = [moodle(name, 5 + n) for n, name in enumerate(("Ada Lovelace", "Bob Lee", "Cyd Oz"))]
    at_once = [(name, answered(name), (*LATE[:5], second)) for second, name in enumerate(names)]
    (note,) = collect(course, NAME, zipped(tmp_path / "a.zip", at_once)).notes
    assert "all 3 files came within 60 seconds" in note
    spread = [(f"{name}x.ipynb", answered(f"{name}x"), (*LATE[:3], 20, n, 0)) for n, name in enumerate(names)]
    assert collect(course, NAME, zipped(tmp_path / "b.zip", spread)).notes == []


def test_canvas_late_mark_without_a_due_time_is_noted(course, tmp_path, monkeypatch):
    settings_of(monkeypatch, due=None)
    path = zipped(tmp_path / "a.zip", [("leebob_LATE_1001_7_s.ipynb", answered("b"), LATE)])
    row = rows_by_id(collect(course, NAME, path))["bob"]
    remark = "Canvas calls it late, but assignment.yml names no time"
    assert (row["status"], row["reason"]) == ("accepted", remark)


def test_times_in_a_zip_are_of_the_assignments_zone_and_those_of_files_are_moments(course, tmp_path):
    path = zipped(tmp_path / "a.zip", [("ada.ipynb", answered("a"), (2026, 7, 1, 12, 0, 0))])
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "bob.ipynb").write_text(answered("b"), encoding="utf-8")
    moment = datetime(2026, 7, 1, 10, 0, tzinfo=UTC)
    os.utime(folder / "bob.ipynb", (moment.timestamp(),) * 2)
    collect(course, NAME, path)
    collect(course, NAME, folder)
    assert {record.time for record in read_records(course, NAME)} == {moment}


def test_the_hour_that_comes_twice_is_read_in_the_students_favour(course, tmp_path):
    path = zipped(tmp_path / "a.zip", [("ada.ipynb", answered("a"), (2026, 10, 25, 2, 30, 0))])
    (found,) = reading.deliveries(path, ZONE)
    assert found.received.astimezone(UTC) == datetime(2026, 10, 25, 0, 30, tzinfo=UTC)


# ---- hostile and damaged files


def test_a_zip_bomb_and_a_link_in_a_zip_are_refused(course, tmp_path):
    path = zipped(tmp_path / "all.zip", [("ada/sums.ipynb", bytes(50_000_000), EARLY)])
    with zipfile.ZipFile(path, "a") as file:
        link = zipfile.ZipInfo("bob/sums.ipynb")
        link.external_attr = 0o120777 << 16
        file.writestr(link, "/etc/hostname")
        file.writestr(zipfile.ZipInfo("cyd/sums.ipynb"), answered("c"), zipfile.ZIP_BZIP2)
        file.writestr("../dan/sums.ipynb", answered("d"))
    assert path.stat().st_size < 100_000
    rows = collect(course, NAME, path).rows
    reasons = {row["id"]: row["reason"] for row in rows}
    assert "50000000 bytes; at most" in reasons["ada"]
    assert "symbolic link" in reasons["bob"]
    assert "packed by method 12" in reasons["cyd"]
    assert "leads out of the archive" in reasons[""]
    assert not (tmp_path / "dan").exists()


def test_damaged_members_and_archives_are_told_apart(course, tmp_path):
    members = [("ada/a.ipynb", answered("a"), EARLY), ("bob/b.ipynb", answered("b"), EARLY)]
    path = zipped(tmp_path / "all.zip", members)
    damaged = bytearray(path.read_bytes())
    damaged[damaged.index(b"ada/a.ipynb") + len("ada/a.ipynb")] |= 0b110  # a kind of block that is none
    path.write_bytes(damaged)
    rows = rows_by_id(collect(course, NAME, path))
    assert "cannot be unpacked" in rows["ada"]["reason"]
    assert rows["bob"]["status"] == "accepted"
    listing = damaged.rindex(b"PK\x01\x02")
    path.write_bytes(damaged[:listing] + b"PKxx" + damaged[listing + 4 :])
    with pytest.raises(CourseProblem, match=r"damaged zip .*download it again"):
        collect(course, NAME, path)


def test_a_zip_damaged_anywhere_ends_in_a_reason_and_never_in_another_error(course, tmp_path):
    whole = zipped(tmp_path / "all.zip", [("ada/a.ipynb", answered("a"), EARLY)]).read_bytes()
    chosen = random.Random(7)
    for _ in range(300):
        damaged = bytearray(whole)
        for _ in range(chosen.randint(1, 8)):
            damaged[chosen.randrange(len(damaged))] = chosen.randrange(256)
        (tmp_path / "damaged.zip").write_bytes(
            damaged[: chosen.choice([len(damaged), chosen.randrange(len(damaged))])]
        )
        with contextlib.suppress(CourseProblem):
            for file in reading.deliveries(tmp_path / "damaged.zip", ZONE):
                assert len(file.content) <= reading.LARGEST


@pytest.mark.parametrize(
    ("limit", "value", "said"),
    [
        ("MOST_FILES", 1, "holds 2 files .* at most 1 files"),
        ("MOST_BYTES", 10, "at most 50000 files and 10 bytes"),
        ("LONGEST", -1.0, "took longer than -1 s; nothing was recorded"),
    ],
)
def test_every_limit_names_itself_for_zips_and_folders(course, tmp_path, monkeypatch, limit, value, said):
    folder = tmp_path / "in"
    folder.mkdir()
    for name in ("ada", "bob"):
        (folder / f"{name}.ipynb").write_text(answered(name), encoding="utf-8")
    path = zipped(
        tmp_path / "a.zip", [("ada.ipynb", answered("a"), EARLY), ("bob.ipynb", answered("b"), EARLY)]
    )
    monkeypatch.setattr(reading, limit, value)
    for where in (folder, path):
        with pytest.raises(CourseProblem, match=said):
            collect(course, NAME, where)
    assert not (course.deliveries(NAME) / "records.jsonl").exists()


def test_copies_that_jupyter_and_macos_make_never_count(course, tmp_path):
    folder = tmp_path / "in" / "ada" / ".ipynb_checkpoints"
    folder.mkdir(parents=True)
    (folder / "sums-checkpoint.ipynb").write_text(answered("copy"), encoding="utf-8")
    (folder.parent / "sums.ipynb").write_text(answered("real"), encoding="utf-8")
    os.utime(folder.parent / "sums.ipynb", (1e9, 1e9))
    collect(course, NAME, tmp_path / "in")
    assert course.notebook("submitted", NAME, "ada").read_text(encoding="utf-8") == answered("real")
    copies = [
        ("bob/.ipynb_checkpoints/b.ipynb", answered("copy"), LATE),
        ("__MACOSX/bob/._b.ipynb", "x", LATE),
    ]
    path = zipped(tmp_path / "a.zip", [*copies, ("bob/b.ipynb", answered("real"), EARLY)])
    row = rows_by_id(collect(course, NAME, path))["bob"]
    assert (row["file"], row["reason"]) == ("bob/b.ipynb", "")


def test_hostile_names_of_files_are_written_harmlessly(course, tmp_path):
    folder = tmp_path / "in" / "ada"
    folder.mkdir(parents=True)
    for name in (b"\xff\xfe.ipynb", b"=1+2\n.ipynb", "\u202ecod.ipynb".encode(), b"x" * 240 + b".ipynb"):
        with open(os.path.join(os.fsencode(folder), name), "w", encoding="utf-8") as file:
            file.write(answered(repr(name)))
    with open(os.path.join(os.fsencode(tmp_path / "in"), b"\xfe.ipynb"), "w", encoding="utf-8") as file:
        file.write("nobody's, with a name that is not UTF-8")
    os.mkfifo(folder / "pipe.ipynb")
    (folder / "link.ipynb").symlink_to("/etc/hostname")
    long = "ada/" + "y" * 60_000 + ".ipynb"
    collected = collect(course, NAME, tmp_path / "in")
    collect(course, NAME, zipped(tmp_path / "a.zip", [(long, answered("y"), EARLY)]))
    assert collected.rows[0]["status"] == "late"
    table = course.report(f"{NAME}-collected.csv").read_text(encoding="utf-8-sig")
    assert len(table.splitlines()) == 6
    assert "\\udcfe.ipynb" in table
    assert (
        max(map(len, lines_of(course.deliveries(NAME) / "records.jsonl")[-1].values()))
        <= reading.LONGEST_NAME
    )
    assert collect(course, NAME, tmp_path / "in").new == 0


def test_two_thousand_files_are_collected_in_seconds(tmp_path, monkeypatch):
    settings_of(monkeypatch, late=LateRule(0.1))
    course = made_course(tmp_path, [f"s{n},Student {n},,{n + 1000}" for n in range(500)])
    text = answered("WORK")
    members = [
        (f"s{n}/sums{m}.ipynb", text.replace("WORK", f"{n} {m}"), EARLY) for n in range(500) for m in range(4)
    ]
    path = zipped(tmp_path / "all.zip", members)
    began = time.process_time()
    collected = collect(course, NAME, path)
    assert collect(course, NAME, path).new == 0
    assert time.process_time() - began < 20
    assert collected.new == 2000


# ---- roster


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("name\nAda\n", "expected at least the columns id and name"),
        ("", "no row came"),
        ("id,name\n", "at least one student"),
        ("id,name\n../x,Ada\n", "line 2: the id .* names a folder"),
        ("id,name\na,Ada\na,Bob\n", "these come twice: a"),
        ("id,name,lms_id\na,Ada,5\nb,Bob,5\n", "lms_id must be unique"),
        ("id,name,lms_id\na,Ada,1E+05\n", "line 2: the lms_id '1E.05' is no number"),
        ("id,name\na,Lovelace, Ada\n", "line 2: 3 cells under 2 columns; put a name that has a comma"),
        ("id,name\na,\n", "line 2: a has no name"),
        ('id,name\na,"' + "x" * 200_000 + '"\n', "line 2: field larger"),
    ],
)
def test_bad_rosters_are_refused(tmp_path, text, said):
    (tmp_path / "roster.csv").write_text(text)
    with pytest.raises(CourseProblem, match=said):
        read_roster(tmp_path / "roster.csv")


@pytest.mark.parametrize(
    "text",
    [
        'id,name\na,"Lovelace, Ada"\nb,Bob\n',
        "\ufeffid;name\r\na;Lovelace, Ada\r\nb;Bob\r\n",
        ' ID , Name ,lms_id\na,"Lovelace, Ada",\n,,\n\nb,Bob,\n',
    ],
)
def test_rosters_of_spreadsheets_are_taken(tmp_path, text):
    (tmp_path / "roster.csv").write_text(text, encoding="utf-8", newline="")
    assert read_roster(tmp_path / "roster.csv") == [Student("a", "Lovelace, Ada"), Student("b", "Bob")]


def test_a_roster_in_another_encoding_is_refused(tmp_path):
    (tmp_path / "roster.csv").write_text("id,name\na,Zo\xeb\n", encoding="latin-1")
    with pytest.raises(CourseProblem, match="save it as UTF-8"):
        read_roster(tmp_path / "roster.csv")


def test_a_zip_that_is_not_there_is_called_so(course, tmp_path):
    with pytest.raises(CourseProblem, match=r"moodel\.zip is not there"):
        collect(course, NAME, tmp_path / "moodel.zip")


def test_students_of_one_name_are_noted():
    (note,) = namesakes([*STUDENTS[:-2], Student("sam2", "Sam Poe")])
    assert "'Sam Poe' is the name of sam1, sam2; write their numbers as lms_id into the roster" in note
    assert not namesakes(STUDENTS), "their numbers tell them apart"
