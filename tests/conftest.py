"""The one real browser that tests of pages share."""

import os
import shutil

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def chromium():
    """The path of the Chromium on this machine, or what becomes of the tests that need one."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found:
        return found
    message = "no Chromium on this machine: install it (apt-get install chromium)"
    if os.environ.get("CI") == "true":
        pytest.fail(f"{message}; with CI=true the browser tests may not be left out")
    pytest.skip(f"{message}; the browser tests are left out")


@pytest.fixture(scope="session")
def browser():
    """Chromium, driven by playwright."""
    from playwright.sync_api import sync_playwright

    path = chromium()
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield running
        running.close()
