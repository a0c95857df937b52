"""The quiz of every chapter: enough questions, and answers that are said when they are asked for."""

import pytest

from tests.book.conftest import CHAPTERS, parsed


@pytest.mark.parametrize("path", CHAPTERS)
def test_chapter_has_a_quiz_before_its_exercises(path):
    sections = [heading.text.rstrip("#").strip() for heading in parsed(path).select("main h2")]
    places = [number for number, title in enumerate(sections) if title.endswith("Quiz")]
    assert places, f"no section Quiz among {sections}"
    assert sections[places[0] + 1].endswith("Exercises")
    questions = parsed(path).select("fieldset.quiz")
    assert 3 <= len(questions) <= 5
    groups = [{choice["name"] for choice in question.select("input")} for question in questions]
    assert len(set().union(*groups)) == len(questions), "a group of radio buttons for each question"


@pytest.mark.parametrize("path", CHAPTERS)
def test_every_alternative_is_explained_by_keyboard_and_in_a_live_region(visit, path):
    with visit(path) as page:
        for question in page.locator("fieldset.quiz").all():
            status, check = question.get_by_role("status"), question.get_by_role("button")
            check.click()
            assert status.inner_text() == "Choose an alternative first."
            choices = question.get_by_role("radio").all()
            expected = question.locator("details > ol > li").all_text_contents()
            choices[0].focus()
            page.keyboard.press("Space")
            for number, (choice, explanation) in enumerate(zip(choices, expected, strict=True)):
                if number:
                    page.keyboard.press("ArrowDown")
                assert choice.is_checked()
                assert status.inner_text() == "", "what was said belongs to another alternative"
                check.press("Enter")
                assert status.text_content().strip() == explanation.strip()
                is_right = explanation.strip().startswith("Right")
                assert status.evaluate("box => box.classList.contains('right')") == is_right
                choice.focus()


@pytest.mark.parametrize("path", CHAPTERS)
def test_without_script_the_answers_are_in_a_fold(browser, origin, path):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{origin}/{path}")
    question = page.locator("fieldset.quiz").first
    assert question.get_by_role("button").count() == 0
    answers = question.locator("details li").first
    assert not answers.is_visible()
    question.locator("summary").click()
    assert answers.is_visible()
    context.close()
