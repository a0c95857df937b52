"""Chapters where no script runs: pictures, sentences and folds are there, and the quiz with its answers."""

import re

import pytest
from playwright.sync_api import expect

from conftest import full
from tests.book.conftest import CHAPTERS


@pytest.mark.parametrize("path", [CHAPTERS[0], *full(*CHAPTERS[1:])])
def test_page_reads_without_script(browser, origin, path):
    context = browser.new_context(java_script_enabled=False)
    plain = context.new_page()
    plain.goto(f"{origin}/{path}")
    for figure in plain.locator("figure.explorable").all():
        figure.evaluate("figure => figure.scrollIntoView()")
        assert figure.locator(".explorable-panel > svg").first.is_visible()
        expect(figure.locator("output")).to_have_text(re.compile(r"\S"), use_inner_text=True)
    folded = plain.locator("details.fold:not([open])").first.element_handle()
    summary = folded.query_selector("summary")
    summary.click()
    assert folded.evaluate("fold => fold.open")
    summary.click()  # closed again: it may be the answers of the quiz
    question = plain.locator("fieldset.quiz").first
    assert question.get_by_role("button").count() == 0
    answers = question.locator("details li").first
    assert not answers.is_visible()
    question.locator("summary").click()
    assert answers.is_visible()
    assert plain.locator("details.deep:not([open])").count() == 0, "a fold hides what no script can open"
    context.close()
