"""The one real browser that most tests of pages share, where others are, and which tests are run.

`make test` leaves out what is marked `full`, `make test CHAPTER=03` what is not about that chapter.
"""

import functools
import gc
import os
import re
import shutil
import sys
from pathlib import Path

import hypothesis
import pytest

from scripts import setup

ROOT = Path(__file__).parent
gc.disable()  # while tests are collected: what is made then stays
sys.modules.setdefault("rfc3987_syntax", None)  # a grammar that nobody here needs, compiled for 1.5 seconds
pytest_plugins = ["tests.small_book"]

CHROMIUM, FIREFOX = setup.BROWSERS, setup.SECOND_ENGINE
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

# the files that take longest begin, so that no worker is busy with one of them at the end
LONGEST = (
    "test_every_page.py",
    "test_chapters_live.py",
    "test_types.py",
    "test_explorables.py",
    "test_explorables_phone.py",
    "test_guide.py",
    "test_in_node.py",
    "test_recipes.py",
    "test_text.py",
    "test_exercises_in_page.py",
    "test_reading.py",
    "test_beside.py",
    "test_depths.py",
    "test_claims.py",
    "test_claims_rates.py",
    "test_grade.py",
    "test_review.py",
    "test_class.py",
    "test_build_record.py",
    "test_run_pages.py",
    "test_output_caches.py",
    "test_canary.py",
    "test_attacks.py",
)
SITE = ROOT / "_build" / "html"
OF_THE_SITE = {
    ROOT / "tests" / place
    for place in (
        "book",
        "live/test_chapters_live.py",
        "python_in_page/test_driven.py",
        "python_in_page/test_in_node.py",
        "scripts/editions/test_epub.py",
        "scripts/editions/test_offline.py",
    )
}


def pytest_addoption(parser):
    parser.addoption("--chapter", help="only the tests about this chapter: 03, for example")


def pytest_configure(config):
    """Hypothesis tries the same examples in every run, and more of them in `make test ALL=1`."""
    tried = 25 if "not full" in config.option.markexpr else 100
    hypothesis.settings.register_profile("margins", derandomize=True, deadline=None, max_examples=tried)
    hypothesis.settings.load_profile("margins")


def pytest_ignore_collect(collection_path, config):
    """Without a built site the tests of its pages are left out; `tests/test_surroundings.py` fails."""
    return True if collection_path in OF_THE_SITE and not is_built() else None


def is_built():
    return (SITE / "index.html").exists()


def pytest_collection_modifyitems(config, items):
    """Keeps the tests of one chapter, if it is named; those that take longest begin."""
    keep = items
    if number := config.getoption("chapter"):
        chapter = chapter_named(number)
        keep = [item for item in items if is_about(item, chapter)]
        kept = set(keep)
        config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    order = {name: place for place, name in enumerate(LONGEST)}
    items[:] = sorted(keep, key=lambda item: order.get(item.path.name, len(order)))


def pytest_collection_finish():
    gc.freeze()
    gc.enable()


def chapter_named(number):
    """The chapter's file name without its ending."""
    names = sorted(path.stem for path in (ROOT / "chapters").glob("*.md"))
    found = [name for name in names if name.startswith(f"{int(number):02}_")] if number.isdigit() else []
    if not found:
        raise pytest.UsageError(f"--chapter {number}: expected the number of one of {', '.join(names)}")
    return found[0]


def is_about(item, chapter):
    """Whether the test is of the chapter's claims, checks or drawings, or is given its page or an exercise.

    The chapter in JupyterLab is not: the server's fresh environment takes longer than all the rest.
    """
    if "machine" in item.fixturenames:
        return False
    topic = chapter.partition("_")[2]
    if item.path.is_relative_to(ROOT / "lib" / "margins_book" / topic):
        return True
    given = item.callspec.params.values() if hasattr(item, "callspec") else ()
    names = [str(getattr(value, "stem", value)) for value in given]
    return any(chapter in name or name in exercises(chapter) for name in names)


@functools.cache
def exercises(chapter):
    """The labels of the chapter's exercises."""
    text = (ROOT / "chapters" / f"{chapter}.md").read_text("utf8")
    return set(re.findall(r"\{exercise-start\}.*?\n:label: ([\w-]+)", text))


def full(*values):
    """Values of a test's parameter that are left to `make test ALL=1`."""
    return [pytest.param(value, marks=pytest.mark.full) for value in values]


def program(names, tests="browser tests"):
    """The path of a program on this machine, or what becomes of the tests that need it."""
    found = next(filter(None, map(shutil.which, names)), None)
    if found:
        return found
    message = f"none of {', '.join(names)} on this machine: install it (apt-get install {names[0]})"
    if os.environ.get("CI") == "true":
        pytest.fail(f"{message}; with CI=true the {tests} may not be left out")
    pytest.skip(f"{message}; the {tests} are left out")


@pytest.fixture(scope="session")
def browser():
    """Chromium, driven by playwright; what is expected of a page may take long on a busy machine."""
    from playwright.sync_api import expect, sync_playwright

    path = program(CHROMIUM)
    expect.set_options(timeout=30_000)
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield running
        running.close()
