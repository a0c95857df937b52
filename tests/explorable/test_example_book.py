"""The example's page in a real browser, built with the engine's wheel and nothing else of this repository."""

import os
import shutil
import subprocess
import sys
import sysconfig
import venv

import pytest
from playwright.sync_api import expect

from scripts.serving import serve
from tests.explorable.conftest import ROOT, drag

pytestmark = pytest.mark.full
ENGINE = ROOT / "lib" / "explorable"


def run(python, *arguments, folder):
    """What Python says, no variable of whose environment leads to this repository."""
    variables = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "EXPL"))}
    command = [python, *map(str, arguments)]
    said = subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True, check=False)
    assert said.returncode == 0, said.stdout + said.stderr
    return said.stdout


@pytest.fixture(scope="module")
def python(tmp_path_factory):
    """The Python of an environment that has the engine's wheel and the packages of others.

    A folder that a .pth file names goes onto the path, but its own .pth files are not read: so the editable
    installation of this repository, which is one, is not there.
    """
    folder, environment = tmp_path_factory.mktemp("wheel"), tmp_path_factory.mktemp("environment")
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder, folder=ENGINE)
    venv.create(environment, symlinks=True)
    (packages,) = environment.glob("lib/python*/site-packages")
    (packages / "others.pth").write_text(sysconfig.get_path("purelib"))
    install = ["-m", "uv", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", packages]
    run(sys.executable, *install, *folder.glob("*.whl"), folder=environment)
    return environment / "bin" / "python"


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    """A copy of the example."""
    folder = tmp_path_factory.mktemp("example") / "source"
    shutil.copytree(ENGINE / "example", folder, ignore=shutil.ignore_patterns("_build", "__pycache__"))
    return folder


@pytest.fixture(scope="module")
def book(python, source):
    """The site that plain Sphinx makes of it."""
    run(python, "-m", "sphinx", "-W", "-b", "html", ".", "_build/html", folder=source)
    return source / "_build" / "html"


@pytest.fixture(scope="module")
def jupyter_book(python, source):
    """The site that Jupyter Book makes of it."""
    for name in ("conf.py", "_build"):
        shutil.rmtree(source / name) if (source / name).is_dir() else (source / name).unlink(missing_ok=True)
    command = "from jupyter_book.cli.main import main; main()"
    run(python, "-c", command, "build", ".", "-W", "--keep-going", folder=source)
    return source / "_build" / "html"


def place(page, mark):
    return page.locator(f"path[data-l='{mark}']").last.get_attribute("d")


def stroke(page):
    return page.locator("#ex-bell path[data-l=curve]").evaluate("line => getComputedStyle(line).stroke")


def test_the_page_moves_and_fetches_nothing_from_elsewhere(browser, book):
    page, asked, said = browser.new_page(), [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.route("**/favicon.ico", lambda route: route.fulfill(status=204))
    with serve(book) as address:
        page.goto(f"{address}/index.html")
        moves(page)
        works_as_in_a_book(page)
        assert all(url.startswith(address) for url in asked)
    assert said == []
    page.close()


def moves(page):
    """By keyboard and by mouse."""
    before = place(page, "curve")
    page.locator("#ex-bell input[type=range]").press("Home")
    expect(page.locator("#ex-bell output")).to_have_text("With standard deviation 0.50 the height is 0.80.")
    assert place(page, "curve") != before
    before, point = place(page, "projection"), page.locator("[data-handle=p]")
    point.scroll_into_view_if_needed()
    drag(page, point, -40, 60)
    expect(page.locator("#ex-projection output")).not_to_have_text("The point is 0.89 from the line.")
    assert place(page, "projection") != before


def works_as_in_a_book(page):
    """Number, prompt, words and style."""
    expect(page.locator("a[href='#ex-bell']").first).to_have_text("Figure 1")
    page.locator("#ex-bell").get_by_role("button", name="Reset").click()
    answer = page.locator(".explorable-answer")
    answer.locator("summary").click()
    answer.get_by_role("button", name="Show it").click()
    expect(page.locator("#ex-bell output")).to_contain_text("the height is 0.80")
    page.locator("a.points-at").hover()
    expect(page.locator("#ex-bell .lit")).to_have_count(1)
    assert 300 <= page.locator("#ex-bell .explorable-panel").bounding_box()["width"] <= 400
    assert stroke(page) == "rgb(0, 114, 178)"


def test_jupyter_book_shows_the_same_in_its_light_and_in_its_dark_theme(browser, jupyter_book):
    with serve(jupyter_book) as address:
        page = browser.new_page()
        page.route(lambda url: not url.startswith(address), lambda route: route.abort())
        page.goto(f"{address}/index.html")
        page.locator("#ex-bell input[type=range]").press("Home")
        expect(page.locator("#ex-bell output")).to_contain_text("the height is 0.80")
        colours = []
        for theme in ("light", "dark"):
            page.evaluate("theme => document.documentElement.dataset.theme = theme", theme)
            colours.append(stroke(page))
        assert colours == ["rgb(0, 114, 178)", "rgb(98, 176, 232)"]
        page.close()
