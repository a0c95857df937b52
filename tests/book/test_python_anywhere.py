"""Python in the page wherever the site lies: below a path, on a bare server, on none any more, as files."""

import contextlib
from http.server import SimpleHTTPRequestHandler

import pytest
from playwright.sync_api import expect

from conftest import CHROMIUM, FLAGS, program
from scripts.serving import serve
from tests.book.conftest import SITE
from tests.book.exercise_in_page import COLD, Exercise, solution

LABEL = "svm-intercept"
PAGE, SOLUTION = solution(LABEL)
OTHER, THEIR_SOLUTION = solution("ker-features")
PREFIX = "/courses/2027/margins"
pytestmark = pytest.mark.full
SENT = set()  # the names of the headers that the server has sent


class Bare(SimpleHTTPRequestHandler):
    """The standard library's file server as it is, with the site below a path."""

    def translate_path(self, path):
        assert path.startswith(PREFIX), path
        return super().translate_path(path.removeprefix(PREFIX))

    def send_header(self, keyword, value):
        SENT.add(keyword.lower())
        super().send_header(keyword, value)

    def log_message(self, *_):
        """Nothing."""


@pytest.fixture(scope="module")
def page(browser, tmp_path_factory):
    """A page of a browser that keeps what it fetches on a disk, as a reader's does."""
    profile = tmp_path_factory.mktemp("profile")
    flags = {"executable_path": program(CHROMIUM), "args": list(FLAGS), "headless": True}
    with contextlib.closing(browser.browser_type.launch_persistent_context(profile, **flags)) as context:
        yield context.pages[0]


def solved(page, address, label, code):
    """Whether the exercise is solved on the page at the address."""
    page.goto(address)
    return Exercise(page, label).open().check(code)[0] == "right"


def test_below_a_path_on_a_bare_server_and_then_without_any(page):
    with serve(SITE, Bare) as origin:
        home = f"{origin}{PREFIX}"
        page.goto(f"{home}/{OTHER}")
        assert solved(page, f"{home}/{PAGE}", LABEL, SOLUTION)
        page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    assert not {"cross-origin-opener-policy", "cross-origin-embedder-policy", "cache-control"} & SENT
    page.reload()  # nobody listens any more
    exercise = Exercise(page, LABEL).open()
    assert exercise.check()[0] == "right"
    assert exercise.woken
    page.goto(f"{home}/{OTHER}")
    assert page.title().startswith("Kernels")


def test_opened_as_files_a_page_says_what_it_needs(browser):
    page = browser.new_page()
    page.goto((SITE / PAGE).as_uri())
    page.locator(f"[data-exercise={LABEL}]").get_by_role("button").click()
    alert = page.locator(f"[data-exercise={LABEL}]").get_by_role("alert")
    expect(alert).to_contain_text("only in pages that a server sends", timeout=COLD)
    page.close()


def test_a_press_without_a_connection_is_told_and_the_next_one_counts(browser, origin):
    page = browser.new_page()
    page.goto(f"{origin}/{PAGE}")
    exercise = Exercise(page, LABEL)
    page.context.set_offline(True)
    exercise.button("Try it here").click()
    expect(exercise.place.get_by_role("alert")).to_contain_text("Press again", timeout=COLD)
    page.context.set_offline(False)
    exercise.open()
    assert exercise.place.get_by_role("alert").count() == 0
    page.close()
