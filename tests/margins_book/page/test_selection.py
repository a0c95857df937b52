"""The set-up that exercises rest on, found from names."""

from margins_book.page.chapter import read_chapter
from margins_book.page.selection import free_names, needed_cells
from tests.margins_course.assignments.test_release import SMALL


def test_setup_is_cut_to_what_the_exercises_use(small):
    cells = needed_cells(read_chapter(small()).cells)
    (setup,) = [cell.source for cell in cells if cell.kind == "setup"]
    assert "decimal" not in setup
    assert "unused" not in setup
    assert "kept.append(helper)" in setup


def test_setup_is_cut_where_a_name_is_set_again_or_is_the_students_own(small):
    before = "kept = []\n"
    assert before in SMALL
    text = SMALL.replace(before, "kept = [helper(1)]\ntwice = {'not': 'the function'}\nkept = []\n")
    (setup,) = [cell.source for cell in needed_cells(read_chapter(small(text)).cells) if cell.kind == "setup"]
    assert "helper(1)" not in setup
    assert "twice" not in setup
    assert "kept = []\nkept.append(helper)" in setup


def test_names_that_code_wants_from_elsewhere():
    assert free_names("x = 1\ny = x + z") == {"z"}
    assert free_names("for a in b:\n    c = a + d\n    e = c") == {"b", "d"}
    assert free_names("for a in b:\n    c = a\nf = c") == {"b", "c"}
    assert free_names("n += 1") == {"n"}
    assert free_names("if k:\n    m = 1\nq = m") == {"k", "m"}
    assert free_names("with w as v:\n    u = v") == {"w"}
    assert free_names("def g(x):\n    return x + h\ny = g(1)") == {"h"}
    assert free_names("x = [i for i in range(n)]") == {"n", "range"}
