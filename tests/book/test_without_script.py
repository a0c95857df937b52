"""Chapters where no script runs: pictures, sentences and folds are there, and the quiz with its answers."""

import re

import pytest
from playwright.sync_api import expect

from tests.book.conftest import ONE_CHAPTER


@pytest.mark.parametrize("path", ONE_CHAPTER)
def test_page_reads_without_script_and_answers_are_in_a_fold(visit, path):
    with visit(path, java_script_enabled=False) as page:
        for figure in page.locator("figure.explorable").all():
            figure.evaluate("figure => figure.scrollIntoView()")
            assert figure.locator(".explorable-panel > svg").first.is_visible()
            expect(figure.locator("output")).to_have_text(re.compile(r"\S"), use_inner_text=True)
        assert page.locator("details.deep:not([open])").count() == 0
        expect(page.locator(".depth")).to_be_hidden()
        assert page.locator("details.deep:not(.fold) > summary:visible").count() == 0
        question = page.locator("fieldset.quiz").first
        assert question.get_by_role("button").count() == 0
        answers = question.locator("details li").first
        assert not answers.is_visible()
        question.locator("summary").click()
        assert answers.is_visible()
