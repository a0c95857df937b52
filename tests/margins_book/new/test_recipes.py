"""What `margins new` writes passes the tests at once: each kind of part, in a copy of the repository.

The tests about the parts are run there, the new page's cells too; the site is not built.
"""

import re
import sys

import pytest

pytestmark = pytest.mark.full
BOOK = "lib/margins_book"
WRITTEN = ("lib/margins", "lib/margins_book", "tests/margins/kernels")  # where Python was written
COURSE = "tests/margins_course/assignments"


def test_the_style_of_what_is_written_is_the_book_s(enlarged):
    for check in (["check", "--quiet"], ["format", "--check", "--quiet"]):
        done = enlarged.run(sys.executable, "-m", "ruff", *check, "--no-cache", *WRITTEN)
        assert done.returncode == 0, done.stdout


def test_figures_and_claims_pass_their_tests_and_those_of_the_ledger(enlarged):
    tests = [
        f"{BOOK}/supporting_lines",
        f"{BOOK}/softmax_kernel/tests/test_drawings.py",
        f"{BOOK}/random_features/tests/test_claims.py",
        "tests/margins_book/test_ledger.py",
        "tests/margins_book/test_other_seeds.py",
    ]
    new = "supporting_lines or second_line or third_line or ledger"
    assert enlarged.passed(*tests, "-k", f"{new} or another_line or above_its_tangents or touches") > 28


def test_a_new_chapter_s_page_is_checked_by_one_command(enlarged):
    page = [sys.executable, "-m", "margins_book.page", "12"]
    done = enlarged.run(*page)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-2000:]
    assert "3 passed" in done.stdout
    for figure in ("supporting_lines_tangent", "third_line"):
        done = enlarged.run(*page, "--figure", figure)
        assert done.stdout.startswith(f"chapters/12_supporting_lines.md, {figure}: "), done.stdout
        assert "its conditions hold" in done.stdout


def test_a_number_in_the_text_is_refused_with_its_line_and_both_sides(enlarged):
    page = enlarged.root / "chapters/12_supporting_lines.md"
    test = enlarged.root / BOOK / "supporting_lines/tests/test_text.py"
    own = {path: path.read_text("utf8") for path in (page, test)}
    for path, text in own.items():
        path.write_text(text.replace("4.93", "4.95"), "utf8")
    done = enlarged.run(sys.executable, "-m", "margins_book.page", "12")
    for path, text in own.items():
        path.write_text(text, "utf8")
    line = own[page].splitlines().index(next(one for one in own[page].splitlines() if "4.93" in one)) + 1
    assert done.returncode == 1
    assert f"chapters/12_supporting_lines.md:{line}: falls furthest below the curve, by $4.95$" in done.stdout
    assert "'4.93 4.93' == '4.95 4.95'" in done.stdout


def test_exercises_bite_and_are_released(enlarged):
    tests = [
        f"{COURSE}/test_checks_of_the_book.py",
        f"{COURSE}/test_release.py",
        f"{COURSE}/test_trials.py",
        "tests/extensions/coursework/test_exercise_cells.py",
        "tests/margins_book/checking",
    ]
    names = "ker-lead or sl-lead or sl-margin or 12_supporting_lines or supporting_lines"
    assert enlarged.passed(*tests, "-k", names) > 15


def test_a_kernel_is_exported_has_an_oracle_and_an_example(enlarged):
    tests = ["tests/margins/kernels/test_families.py", "tests/margins/test_examples.py"]
    assert enlarged.passed(*tests, "-k", "cauchy or every or margins.kernels") > 20


def test_nothing_of_a_new_page_is_hidden_but_its_set_up(enlarged):
    text = (enlarged.root / "chapters/12_supporting_lines.md").read_text("utf8")
    assert text.count(":tags: [hide-input]") == 1
    assert not re.search(r"remove-cell|hidden-check|@explore|# The text:", text)
    cells = re.findall(r"^```\{code-cell\}.*\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert max(cell.count("\n") for cell in cells) <= 12


def test_a_new_chapter_stands_in_the_contents_and_on_the_map(enlarged):
    contents, landing = ((enlarged.root / file).read_text("utf8") for file in ("_toc.yml", "index.md"))
    assert "chapters/11_errata_and_open_questions\n      - file: chapters/12_supporting_lines\n" in contents
    assert "\n12. [**Supporting lines.**](chapters/12_supporting_lines.md) When does" in landing
