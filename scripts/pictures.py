"""`make pictures`: the README's pictures, taken from the built site and from a live JupyterLab."""

import functools
import http.server
import shutil
import sys
import threading
from pathlib import Path

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
from tests.laboratory import jupyterlab, open_and_run  # noqa: E402

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
    with jupyterlab(ROOT) as address:
        page = browser.new_page(viewport={"width": 1100, "height": 760})
        open_and_run(page, address(f"{CHAPTER}.md"))
        figure = page.locator("figure.explorable").first
        figure.wait_for(timeout=120_000)
        figure.scroll_into_view_if_needed()
        page.wait_for_timeout(1500)
        page.screenshot(path=target)


def main():
    PICTURES.mkdir(exist_ok=True)
    quiet = type("Quiet", (http.server.SimpleHTTPRequestHandler,), {"log_message": lambda *_: None})
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(quiet, directory=SITE))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for name, (page, screen, theme) in SHOTS.items():
            take(
                browser,
                f"http://127.0.0.1:{server.server_port}/{page}",
                PICTURES / f"{name}.png",
                screen,
                theme,
            )
        take_notebook(browser, PICTURES / "notebook.png")
        browser.close()
    print(f"Pictures in {PICTURES}: {', '.join(sorted(p.name for p in PICTURES.glob('*.png')))}")


if __name__ == "__main__":
    main()
