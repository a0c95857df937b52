"""An exercise solved in Firefox: a first visit, a loop that is stopped, a page that wakes the kept state."""

import pytest

from tests.book.exercise_in_page import STATE, solution
from tests.book.firefox import running

LABEL = "svm-intercept"
PAGE, SOLUTION = solution(LABEL)
ENDLESS = "def intercept(alpha, X, y, C):\n    while True: pass"
ANSWER = f"""async code => {{
    const place = document.querySelector("[data-exercise={LABEL}]");
    const named = name => [...place.querySelectorAll("button")].find(one => one.textContent === name);
    const until = async holds => {{ while (!holds()) await new Promise(done => setTimeout(done, 20)); }};
    if (named("Try it here")) named("Try it here").click();
    await until(() => place.querySelector("textarea"));
    place.querySelector("textarea").value = code;
    named("Check").click();
    await until(() => place.querySelector(".verdict").dataset.verdict);
    return [place.querySelector(".verdict").dataset.verdict, place.querySelector(".verdict").textContent];
}}"""


@pytest.fixture(scope="module")
def firefox():
    with running() as window:
        window.socket.settimeout(180)  # Python is fetched and started, on a busy machine
        yield window


def test_an_exercise_is_solved_stopped_and_solved_again(firefox, origin):
    firefox.open(f"{origin}/{PAGE}")
    kind, words = firefox.evaluate(ANSWER, SOLUTION)
    assert (kind, words[:6]) == ("right", "Right:")
    assert firefox.evaluate(ANSWER, ENDLESS)[1].startswith("Stopped after 10 seconds.")
    assert firefox.evaluate(ANSWER, SOLUTION)[0] == "right"
    firefox.open(f"{origin}/{PAGE}")
    assert firefox.evaluate(ANSWER, SOLUTION)[0] == "right"
    assert firefox.evaluate(f"() => {STATE}")["woken"]
    assert not firefox.errors
    assert not [url for url in firefox.requests if not url.startswith((origin, "data:", "blob:"))]
