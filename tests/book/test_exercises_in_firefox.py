"""Python in the page in Firefox: first visit, kept state, stops, damage, full memory, figures."""

import pytest

from tests.book.exercise_in_page import DAMAGE, WOKEN, solution

pytestmark = pytest.mark.full

LABEL = "svm-intercept"
PAGE, SOLUTION = solution(LABEL)
ENDLESS = "def intercept(alpha, X, y, C):\n    while True: pass"
UNTIL = """const until = async found => {
        while (!found()) await new Promise(done => setTimeout(done, 20));
        return found();
    };"""
ANSWER = f"""async code => {{
    {UNTIL}
    const place = document.querySelector("[data-exercise={LABEL}]");
    const named = name => [...place.querySelectorAll("button")].find(one => one.textContent === name);
    if (named("Try it here")) named("Try it here").click();
    await until(() => place.querySelector("textarea"));
    place.querySelector("textarea").value = code;
    named("Check").click();
    await until(() => place.querySelector(".verdict").dataset.verdict);
    return [place.querySelector(".verdict").dataset.verdict, place.querySelector(".verdict").textContent];
}}"""

GREEDY = "def intercept(alpha, X, y, C):\n    return [np.empty(2**28 - 100) for _ in range(3)]"
TALKATIVE = "def intercept(alpha, X, y, C):\n    for k in range(100_000): print(k)\n    return 0"
PRINTED = "() => document.querySelector('.printed').textContent"
DRAWN = f"""async () => {{
    {UNTIL}
    const buttons = [...document.querySelectorAll("[data-exercise={LABEL}] button")];
    buttons.find(one => one.textContent === "Draw with my code").click();
    return (await until(() => document.querySelector("#ex-soft-margin-by-you figcaption"))).textContent;
}}"""
NUMBER = "() => document.querySelector('#ex-soft-margin .caption-number').textContent.trim()"
ANYWHERE = f"""async () => {{
    {UNTIL}
    document.querySelector("[data-figure=ex-street] button").click();
    await until(() => document.getElementById("ex-street").view?.source.continuous);
    return document.querySelectorAll("#ex-street option").length;
}}"""


def test_an_exercise_is_solved_stopped_and_solved_again(firefox, origin):
    firefox.open(f"{origin}/{PAGE}")
    kind, words = firefox.evaluate(ANSWER, SOLUTION)
    assert (kind, words[:6]) == ("right", "Right:")
    assert firefox.evaluate(ANSWER, ENDLESS)[1].startswith("Stopped after 10 seconds.")
    assert firefox.evaluate(ANSWER, SOLUTION)[0] == "right"
    firefox.open(f"{origin}/{PAGE}")
    assert firefox.evaluate(ANSWER, SOLUTION)[0] == "right"
    assert firefox.evaluate(f"() => {WOKEN}")


def test_a_damaged_state_is_thrown_away_output_is_cut_and_full_memory_told(firefox, origin):
    firefox.evaluate(DAMAGE, "a byte")
    firefox.open(f"{origin}/{PAGE}")
    assert firefox.evaluate(ANSWER, TALKATIVE)[0] == "wrong"
    assert not firefox.evaluate(f"() => {WOKEN}")
    assert firefox.evaluate(PRINTED).endswith("these are the first 20000 characters\n")
    kind, words = firefox.evaluate(ANSWER, GREEDY)
    assert kind == "wrong"
    assert "Unable to allocate" in words


def test_a_figure_is_drawn_by_the_answer_and_others_go_anywhere(firefox, origin):
    assert firefox.evaluate(ANSWER, SOLUTION)[0] == "right"
    number = firefox.evaluate(NUMBER)
    assert firefox.evaluate(DRAWN) == f"{number}, drawn with your function."
    assert firefox.evaluate(ANYWHERE) == 12
    assert firefox.requests
    assert not firefox.errors
    assert not [url for url in firefox.requests if not url.startswith((origin, "data:", "blob:"))]
