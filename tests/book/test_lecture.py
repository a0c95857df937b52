"""With `?lecture` in a chapter's address answers stay locked until somebody has committed to a guess."""

CHAPTER = "chapters/03_softmax_kernel.html"


def test_answers_are_locked_until_a_guess_is_given(visit):
    with visit(f"{CHAPTER}?lecture#ex-twelve-tokens", screen="small desktop") as page:
        prompts = page.locator("#ex-twelve-tokens + .explorable-prompts > li:not(.stepper)")
        drawn, written = prompts.nth(0), prompts.nth(1)
        figure, question = page.locator("#ex-twelve-tokens"), page.locator("#quiz fieldset.quiz").first
        locked = [
            drawn.get_by_role("button", name="Compare").is_disabled(),
            figure.locator(".explorable-controls").evaluate("controls => controls.inert"),
            *(part.locator("details").is_hidden() for part in (drawn, written, question)),
        ]
        assert locked == [True] * 5

        figure.locator(".explorable-guess").press("ArrowRight")
        drawn.get_by_role("button", name="Compare").click()
        assert "off" in drawn.get_by_role("status").inner_text()
        assert not figure.locator(".explorable-controls").evaluate("controls => controls.inert")
        assert drawn.locator("details").is_visible()

        assert written.locator("details").is_hidden()
        written.get_by_role("textbox", name="Your guess").fill("always itself")
        written.get_by_role("button", name="Commit").click()
        assert written.get_by_text("Your guess: always itself").is_visible()
        assert written.locator("summary").evaluate("summary => summary === document.activeElement")

        question.get_by_role("button", name="Check my answer").click()
        assert question.locator("details").is_hidden()  # nothing was chosen
        question.get_by_role("radio").first.check()
        question.get_by_role("button", name="Check my answer").click()
        assert question.locator("details").is_visible()

        page.goto(page.url.partition("?")[0])
        assert page.locator("form.commit, [inert]").count() == 0
        assert page.locator("#quiz fieldset.quiz details").first.is_visible()
