"""Firefox as far as a reader's steps go: open, measure, press, click, drag, complaints.

Puppeteer drives the Firefox that a distribution ships. Playwright drives a Firefox of its own or the newest,
and Selenium needs geckodriver, which Debian does not package.
"""

import contextlib
import json
import subprocess
from pathlib import Path

from conftest import FIREFOX, program
from tests.node import NODE, PACKAGES

DRIVER = Path(__file__).with_name("firefox.mjs")
# said of a formula half of which has arrived; the test of formulas looks at the whole ones
TOO_EARLY = "Invalid markup: Incorrect number of children"


class Firefox:
    """One window of a Firefox that runs without a screen."""

    def __init__(self, driver):
        self.driver, self._errors, self._requests = driver, [], []

    def _command(self, kind, *given):
        self.driver.stdin.write(json.dumps([kind, *given]) + "\n")
        self.driver.stdin.flush()
        line = self.driver.stdout.readline()
        assert line, "Firefox's driver ended; what it said stands above"
        told = json.loads(line)
        self._errors += [text for text in told["errors"] if not text.startswith(TOO_EARLY)]
        self._requests += told["requests"]
        assert "broke" not in told, told["broke"]
        return told["answer"]

    @property
    def errors(self):
        """What pages have complained of, warnings too."""
        self._command("heard")
        return self._errors

    @property
    def requests(self):
        """The addresses that pages have asked for."""
        self._command("heard")
        return self._requests

    def open(self, address):
        self._command("open", address)

    def evaluate(self, function, argument=None):
        """What a function of JavaScript answers, as data."""
        return self._command("evaluate", function, argument)

    def wait_for(self, condition):
        """Returns when an expression of JavaScript is true."""
        self.evaluate(f"async () => {{ while (!({condition})) await new Promise(requestAnimationFrame); }}")

    def press(self, key):
        """One key, by its name in the DOM: "Home"."""
        self._command("press", key)

    def type(self, text):
        self._command("type", text)

    def click(self, place):
        """The mouse, pressed at a point of the window."""
        self._command("click", place)

    def resize(self, width, height):
        """The window, in pixels."""
        self._command("resize", width, height)

    def drag(self, start, end):
        """The mouse, pressed at one point of the window and let go at another."""
        self._command("drag", start, end)


@contextlib.contextmanager
def running():
    """A Firefox with a fresh profile, ended with the test."""
    command = [NODE, DRIVER, PACKAGES / "package.json", program(FIREFOX)]
    streams = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, **streams) as driver:
        try:
            yield Firefox(driver)
        finally:
            driver.stdin.close()  # which ends the browser, then the driver
