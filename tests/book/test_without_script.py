"""Chapters where no script runs: pictures, sentences and folds are there, and the quiz with its answers."""

import re

import pytest
from playwright.sync_api import expect

from tests.book.conftest import ONE_CHAPTER

each_chapter = pytest.mark.parametrize("plain", ONE_CHAPTER, indirect=True, scope="module")


@pytest.fixture(scope="module")
def plain(visit, request):
    """A chapter in a browser without scripts."""
    with visit(request.param, java_script_enabled=False) as page:
        yield page


@each_chapter
def test_page_reads_without_script(plain):
    for figure in plain.locator("figure.explorable").all():
        figure.evaluate("figure => figure.scrollIntoView()")
        assert figure.locator(".explorable-panel > svg").first.is_visible()
        expect(figure.locator("output")).to_have_text(re.compile(r"\S"), use_inner_text=True)
    folded = plain.locator("details.fold:not([open])").first.element_handle()
    summary = folded.query_selector("summary")
    summary.click()
    assert folded.evaluate("fold => fold.open")
    summary.click()  # closed again: it may be the answers of the quiz


@each_chapter
def test_without_script_the_answers_are_in_a_fold(plain):
    question = plain.locator("fieldset.quiz").first
    assert question.get_by_role("button").count() == 0
    answers = question.locator("details li").first
    assert not answers.is_visible()
    question.locator("summary").click()
    assert answers.is_visible()
