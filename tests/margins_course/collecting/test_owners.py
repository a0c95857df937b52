"""Owners of files: what an LMS's name of a file says, and what it does not."""

import pytest

from margins_course.collecting.owners import Owners
from margins_course.collecting.roster import Student

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
    found, reason = Owners(STUDENTS).owner_of(name)
    assert (found and found.id, reason) == (whose, "")


TAKING = """\
auditor_9999_78_ada_1000_9_x.ipynb
unkim_9999_78_leeada_1000_9_x.ipynb
unkim_LATE_9999_78_leeada_LATE_1000_9_x.ipynb
unkim_9999_78_x_ada_1000_9_x.ipynb
boolegeorge_1001_78_ada_1000_9_x.ipynb
leeada_\u0661\u0660\u0660\u0660_78_x.ipynb
leeada_1000_78_LATE_1001_3_x.ipynb
ADA.ipynb
a\u0301da/x.ipynb
\u0430da/x.ipynb
ada /x.ipynb
/ada/x.ipynb
../ada/x.ipynb
x/ada/x.ipynb
ada\\x.ipynb
\u0410da Lee_7_assignsubmission_file/x.ipynb
_1000_assignsubmission_file/x.ipynb""".splitlines()  # of names that a student chooses to take another's place
TAKING.append("leeada_1000\n_78_x.ipynb")


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
        *((name, []) for name in TAKING),
    ],
)
def test_a_file_whose_name_points_to_two_or_to_none_is_nobodys(name, said):
    found, reason = Owners(STUDENTS).owner_of(name)
    assert found is None
    assert [part for part in said if part not in reason] == [], reason
