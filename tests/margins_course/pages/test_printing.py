"""Printing: without Chromium it is refused, with what to install, before anything else is done."""

from contextlib import nullcontext

import pytest

from conftest import CHROMIUM
from margins_course import CourseProblem, command
from margins_course.book import browser_names
from margins_course.pages.printing import find_chromium


def test_all_that_print_know_chromium_under_the_same_names():
    assert browser_names() == CHROMIUM


def test_without_chromium_it_is_said_what_to_install(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr("shutil.which", lambda name: None)
    with pytest.raises(CourseProblem, match=r"none of chromium-headless-shell, .*apt-get install chromium"):
        find_chromium()
    assert command.main(["release", "1", "--pdf", "--course", str(tmp_path)]) == 2
    assert "needs Chromium" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("is_there", [True, False])
def test_a_sheet_whose_formulas_are_tex_is_said_to_be_one(monkeypatch, tmp_path, capsys, browser, is_there):
    monkeypatch.setattr("margins_course.pages.printing.chromium", lambda: nullcontext(browser))
    if not is_there:
        monkeypatch.setattr("margins_course.pages.markdown._renderer", lambda: None)
    assert command.main(["release", "11", "--pdf", "--course", str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    assert "(the questions on paper)" in printed
    assert ("its formulas are TeX: run `make book` in" in printed) != is_there
