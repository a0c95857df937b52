"""`make pictures`: the pictures of the README, of the guide for teachers and the previews, taken anew.

They come from the built site, a live JupyterLab, and the pages of a small class.
"""

import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from conftest import CHROMIUM, FLAGS, program
from margins_course.pages.feedback import write_feedback
from margins_course.similarity.page import write_similar
from scripts import previews
from scripts.serving import serve
from tests.laboratory import jupyterlab, open_and_run
from tests.margins_course.review_class import new_class
from tests.margins_course.review_server import serving

ROOT = Path(__file__).resolve().parent.parent
SITE = ROOT / "_build" / "html"
PICTURES = ROOT / "book" / "pictures"
CHAPTER = "chapters/01_svm_duality"
SHOTS = {  # name -> page, screen, theme
    "chapter": (f"{CHAPTER}.html", {"width": 1360, "height": 1040}, "light"),
    "phone": (f"{CHAPTER}.html", {"width": 390, "height": 760}, "light"),
    "dark": ("index.html", {"width": 1100, "height": 760}, "dark"),
}


def take(browser, url, target, screen, theme):
    page = browser.new_page(viewport=screen, color_scheme=theme)
    page.goto(url, wait_until="networkidle")
    page.screenshot(path=target)
    page.close()


def take_notebook(browser, target):
    """The chapter as a notebook, its first moving figure in view."""
    with jupyterlab(SITE / "notebooks") as address:
        page = browser.new_page(viewport={"width": 1100, "height": 760})
        open_and_run(page, address(f"{CHAPTER.rpartition('/')[2]}.ipynb"))
        figure = page.locator("figure.explorable").first
        figure.wait_for(timeout=120_000)
        figure.scroll_into_view_if_needed()
        page.wait_for_timeout(1500)
        page.screenshot(path=target)


def take_teaching(browser, folder):
    """A teacher's pages: a proof and code to be marked, answers that are alike; a student's feedback."""
    course, quiet = new_class(folder), lambda *_: None
    with serving(course) as server:
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.goto(f"{server.address}/exercise-triangle.html")
        mark_by_keyboard(page)
        page.screenshot(path=PICTURES / "review.png")
        page.goto(f"{server.address}/exercise-nearest.html")
        page.screenshot(path=PICTURES / "review-code.png")
        page.close()
    write_feedback(course, "sums", quiet)
    feedback = course.notebook("feedback", "sums", "ada").with_suffix(".html")
    take(browser, feedback.as_uri(), PICTURES / "feedback.png", {"width": 390, "height": 800}, "light")
    alike, _ = write_similar(course, "sums", quiet)
    page = browser.new_page(viewport={"width": 1180, "height": 560})
    page.goto(alike.as_uri())
    page.locator("summary").first.click()
    page.screenshot(path=PICTURES / "similar.png")
    page.close()


def mark_by_keyboard(page):
    """The first answer gets its lines and a comment, and the picture is taken when they are saved."""
    page.keyboard.press("n")
    for key in ("1", "2", "3", "c"):
        page.keyboard.press(key)
    page.keyboard.type("A complete proof; well set out.")
    page.keyboard.press("Escape")
    page.locator(".card .state", has_text="marked ").first.wait_for()


def main():
    PICTURES.mkdir(exist_ok=True)
    with serve(SITE) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program(CHROMIUM), args=list(FLAGS))
        for name, (page, screen, theme) in SHOTS.items():
            take(browser, f"{address}/{page}", PICTURES / f"{name}.png", screen, theme)
        previews.take(browser, address, SITE, PICTURES / "previews")
        take_notebook(browser, PICTURES / "notebook.png")
        with tempfile.TemporaryDirectory() as folder:
            take_teaching(browser, Path(folder))
        browser.close()
    print(f"Pictures in {PICTURES}: {', '.join(sorted(p.name for p in PICTURES.glob('*.png')))}")


if __name__ == "__main__":
    main()
