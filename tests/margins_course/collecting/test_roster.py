"""The roster: bad files are refused with a remedy, those of spreadsheets are read."""

import pytest

from margins_course import CourseProblem
from margins_course.collecting.roster import Student, read_roster, shared_names
from margins_course.folder import write
from tests.margins_course.collecting.test_owners import STUDENTS

ONE_FOLDER = ["Ada", "ADA", "ada.", "Ada.."]  # on the disks of Windows and macOS


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("name\nAda\n", "expected at least the columns id and name"),
        ("", "got no row"),
        ("id,name\n", "at least one student"),
        ("id,name\n../x,Ada\n", "line 2: the id .* names a folder"),
        ("id,name\na,Ada\na,Bob\n", "these come twice: a"),
        ("id,name,lms_id\na,Ada,5\nb,Bob,5\n", "lms_id must be unique"),
        ("id,name,lms_id\na,Ada,1E+05\n", "line 2: the lms_id '1E.05' is no number"),
        ("id,name\na,Lovelace, Ada\n", "line 2: 3 cells under 2 columns; put a name that has a comma"),
        ("id,name\na,\n", "line 2: a has no name"),
        ('id,name\na,"' + "x" * 200_000 + '"\n', "line 2: field larger"),
        ("id,name\na,Zo\xeb\n".encode("latin-1"), "save it as UTF-8"),
        *((f"id,name\nada,Ada\n{other},Byron\n", "name one folder") for other in ONE_FOLDER),
    ],
)
def test_bad_rosters_are_refused(tmp_path, text, said):
    write(tmp_path / "roster.csv", text)
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


def test_students_of_one_name_are_noted():
    (note,) = shared_names([*STUDENTS[:-2], Student("sam2", "Sam Poe")])
    assert "'Sam Poe' is the name of sam1, sam2; write their numbers as lms_id into the roster" in note
    assert not shared_names(STUDENTS), "their numbers tell them apart"
