"""With `?lecture` in an address answers stay locked until somebody has committed to a guess."""

from playwright.sync_api import expect

from tests.book.conftest import FIGURE_PAGES

CHAPTER = "chapters/03_softmax_kernel.html"
TOKENS = f"{FIGURE_PAGES}/03_softmax_kernel/twelve-tokens.html"
QUESTIONS = "#ex-twelve-tokens + .explorable-prompts > li:not(.stepper)"


# a figure in the place of the page's, as Python draws one: of the page's own description
REDRAWN = """async figure => {
    const { show } = await import(document.body.dataset.pythonInPage.replace(/page.js$/, "figure.js"));
    const spec = JSON.parse(figure.querySelector("script").textContent), place = figure.parentElement;
    const markup = [...place.children].map(part => part.outerHTML).join("");
    await show({ name: figure.id.slice(3), spec, markup: markup.replaceAll("committed", "") });
}"""


def is_held(figure):
    return figure.locator(".explorable-controls").evaluate("controls => controls.inert")


def turn_far(arrow, compare):
    """Turns the arrow until it may be compared: by 15°, in steps of 5°."""
    for _ in range(2):
        arrow.press("ArrowRight")
        expect(compare).to_be_disabled()
    arrow.press("ArrowRight")
    expect(compare).to_be_enabled()


def commit_in_words(question):
    question.get_by_role("textbox", name="Your guess").fill("always itself")
    question.get_by_role("button", name="Commit").click()


def test_answers_are_locked_until_a_guess_is_given(visit):
    with visit(f"{CHAPTER}?lecture#ex-twelve-tokens", screen="small desktop") as page:
        figure, (drawn, *written) = page.locator("#ex-twelve-tokens"), page.locator(QUESTIONS).all()
        compare = drawn.get_by_role("button", name="Compare")
        told = [figure.locator("output"), figure.locator(".explorable-numbers")]
        for part in [*told, *(question.locator("details") for question in (drawn, *written))]:
            expect(part).to_be_hidden()
        turn_far(figure.locator(".explorable-guess"), compare)
        assert is_held(figure)
        expect(drawn.locator("details")).to_be_hidden()
        compare.click()
        expect(drawn.get_by_role("status")).to_contain_text("off")
        assert not is_held(figure)
        expect(drawn.locator("details")).to_be_visible()
        for question in written:
            expect(figure.locator("output")).to_be_hidden()
            expect(question.locator("details")).to_be_hidden()
            commit_in_words(question)
        expect(written[0].get_by_text("Your guess: always itself")).to_be_visible()
        expect(written[-1].locator("summary")).to_be_focused()
        for part in told:
            expect(part).to_be_visible()


def test_explanations_of_a_quiz_follow_a_choice_and_a_question_is_asked_alone(visit):
    with visit(f"{CHAPTER}?lecture#quiz-2") as page:
        expect(page.locator("fieldset.quiz:visible")).to_have_count(1)
        expect(page.locator("#quiz-2")).to_be_in_viewport()
        page.goto(f"{page.url.partition('?')[0]}?lecture")
        question = page.locator("#quiz fieldset.quiz").first
        question.get_by_role("button", name="Check my answer").click()
        expect(question.locator("details")).to_be_hidden()  # nothing was chosen
        question.get_by_role("radio").first.check()
        question.get_by_role("button", name="Check my answer").click()
        expect(question.locator("details")).to_be_visible()
        page.goto(page.url.partition("?")[0])
        assert page.locator("form.commit, [inert]").count() == 0
        expect(page.locator("#ex-twelve-tokens output")).to_be_visible()
        expect(question.locator("details")).to_be_visible()


def test_the_slides_of_a_story_lock_answers_too(visit):
    with visit("stories/03_softmax_kernel.html?lecture&present#scene-3", screen="laptop") as page:
        scene = page.locator(".scene.now")
        answer, told = scene.locator("details.explorable-answer"), scene.locator("output")
        expect(scene.get_by_role("textbox", name="Your guess")).to_be_visible()
        expect(answer).to_be_hidden()
        expect(told).to_be_hidden()
        assert page.url.endswith("?lecture&present#scene-3")
        commit_in_words(scene)
        for part in (answer, told):
            expect(part).to_be_visible()


def test_answers_stay_locked_where_python_draws_the_figure(visit):
    with visit(f"{CHAPTER}?lecture#ex-twelve-tokens", screen="small desktop") as page:
        figure, (drawn, *written) = page.locator("#ex-twelve-tokens"), page.locator(QUESTIONS).all()
        commit_in_words(written[0])
        figure.evaluate(REDRAWN)
        expect(written[0].locator("details")).to_be_visible()
        expect(drawn.locator("details")).to_be_hidden()
        expect(figure.locator("output")).to_be_hidden()
        assert is_held(figure)
        turn_far(figure.locator(".explorable-guess"), drawn.get_by_role("button", name="Compare"))


def test_a_figure_alone_asks_one_of_its_questions(visit):
    with visit(f"{TOKENS}?lecture&ask=2") as page:
        figure, asked = page.locator("#ex-twelve-tokens"), page.locator(QUESTIONS).nth(1)
        expect(asked).to_be_visible()
        assert page.locator(f"{QUESTIONS}:visible").count() == 1
        assert asked.bounding_box()["y"] < figure.bounding_box()["y"]  # the class reads it first
        for part in (".explorable-guess", ".explorable-guess-shaft", "output"):  # the arrow is of the first
            expect(figure.locator(part).first).to_be_hidden()
        assert not is_held(figure)
        commit_in_words(asked)
        expect(figure.locator("output")).to_be_visible()
        expect(asked.locator("details")).to_be_visible()

        page.goto(page.url.replace("ask=2", "ask=1"))
        expect(figure.locator(".explorable-guess")).to_be_visible()
        assert is_held(figure)
        assert page.locator(f"{QUESTIONS}:visible").count() == 1
