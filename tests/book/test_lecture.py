"""With `?lecture` in an address answers stay locked until somebody has committed to a guess."""

from playwright.sync_api import expect

from tests.book.conftest import FIGURE_PAGES

CHAPTER = "chapters/03_softmax_kernel.html"
TOKENS = f"{FIGURE_PAGES}/03_softmax_kernel/twelve-tokens.html"
QUESTIONS = "#ex-twelve-tokens + .explorable-prompts > li:not(.stepper)"


def is_held(figure):
    return figure.locator(".explorable-controls").evaluate("controls => controls.inert")


def test_answers_are_locked_until_a_guess_is_given(visit):
    with visit(f"{CHAPTER}?lecture#ex-twelve-tokens", screen="small desktop") as page:
        drawn, written = page.locator(QUESTIONS).nth(0), page.locator(QUESTIONS).nth(1)
        figure, question = page.locator("#ex-twelve-tokens"), page.locator("#quiz fieldset.quiz").first
        compare, arrow = drawn.get_by_role("button", name="Compare"), figure.locator(".explorable-guess")
        expect(compare).to_be_disabled()
        told = [figure.locator("output"), figure.locator(".explorable-numbers")]
        for part in [*told, *(part.locator("details") for part in (drawn, written, question))]:
            expect(part).to_be_hidden()

        arrow.press("ArrowRight")  # by 5°
        arrow.press("ArrowRight")
        expect(compare).to_be_disabled()
        arrow.press("ArrowRight")
        expect(compare).to_be_enabled()
        assert is_held(figure)
        expect(drawn.locator("details")).to_be_hidden()
        compare.click()
        expect(drawn.get_by_role("status")).to_contain_text("off")
        assert not is_held(figure)
        expect(drawn.locator("details")).to_be_visible()
        expect(figure.locator("output")).to_be_hidden()  # there is another question

        expect(written.locator("details")).to_be_hidden()
        for other in page.locator(QUESTIONS).all()[1:]:
            other.get_by_role("textbox", name="Your guess").fill("always itself")
            other.get_by_role("button", name="Commit").click()
        expect(written.get_by_text("Your guess: always itself")).to_be_visible()
        expect(page.locator(QUESTIONS).last.locator("summary")).to_be_focused()
        for part in told:
            expect(part).to_be_visible()

        question.get_by_role("button", name="Check my answer").click()
        expect(question.locator("details")).to_be_hidden()  # nothing was chosen
        question.get_by_role("radio").first.check()
        question.get_by_role("button", name="Check my answer").click()
        expect(question.locator("details")).to_be_visible()

        page.goto(page.url.partition("?")[0])
        assert page.locator("form.commit, [inert]").count() == 0
        expect(figure.locator("output")).to_be_visible()
        expect(page.locator("#quiz fieldset.quiz details").first).to_be_visible()


def test_a_figure_alone_asks_one_of_its_questions(visit):
    with visit(f"{TOKENS}?lecture&ask=2") as page:
        figure, asked = page.locator("#ex-twelve-tokens"), page.locator(QUESTIONS).nth(1)
        expect(asked).to_be_visible()
        assert page.locator(f"{QUESTIONS}:visible").count() == 1
        for part in (".explorable-guess", ".explorable-guess-shaft", "output"):  # the arrow is of the first
            expect(figure.locator(part).first).to_be_hidden()
        assert not is_held(figure)
        asked.get_by_role("textbox", name="Your guess").fill("always itself")
        asked.get_by_role("button", name="Commit").click()
        expect(figure.locator("output")).to_be_visible()
        expect(asked.locator("details")).to_be_visible()

        page.goto(page.url.replace("ask=2", "ask=1"))
        expect(figure.locator(".explorable-guess")).to_be_visible()
        assert is_held(figure)
        assert page.locator(f"{QUESTIONS}:visible").count() == 1
