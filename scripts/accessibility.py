"""`make audit`: looks at every page with axe-core and records what it finds for the accessibility page.

The record is book/accessibility.json. The tests of the pages compare what they find with it.
"""

import datetime
import json

from playwright.sync_api import sync_playwright

from conftest import CHROMIUM, FLAGS, program
from scripts.serving import serve
from tests.book.axe import RECORD, THIN, criteria, findings
from tests.book.conftest import SCREENS, SITE
from tests.book.test_every_page import ALL, UNFOLD, use_theme

LOOKS = {"desktop": "light", "phone": "dark"}  # as the tests look at pages


def looks(page):
    """What axe-core finds on the page that is open, by screen."""
    for screen, theme in LOOKS.items():
        page.set_viewport_size(SCREENS[screen])
        use_theme(page, theme)
        page.evaluate(UNFOLD)
        page.evaluate(THIN)
        yield screen, findings(page)


def record(path, screen, found, kept):
    """Adds to what is kept what was found on a page."""
    for rule in found["passed"]:
        kept["rules"].setdefault(rule["id"], {"criteria": criteria(rule), "seen": [path, screen]})
    for rule in found["faults"]:
        broken = kept["faults"].setdefault(rule["id"], {"criteria": criteria(rule)})
        broken.setdefault(screen, []).append(path)
    for rule in found["undecided"]:
        kept["undecided"].setdefault(rule["id"], {"criteria": criteria(rule)})


def written(kept):
    """The record as JSON, one rule a line."""
    rules = {kind: dict(sorted(kept.pop(kind).items())) for kind in ("rules", "faults", "undecided")}
    parts = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in kept.items()]
    for kind, told in rules.items():
        lines = ",\n".join(f"  {json.dumps(rule)}: {json.dumps(value)}" for rule, value in told.items())
        parts.append(f"{json.dumps(kind)}: {{\n{lines}\n}}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def main():
    kept = {"measured": datetime.date.today().isoformat(), "pages": len(ALL), "rules": {}, "faults": {}}
    kept["undecided"] = {}
    with sync_playwright() as playwright, serve(SITE) as origin:
        browser = playwright.chromium.launch(executable_path=program(CHROMIUM), args=list(FLAGS))
        kept["browser"] = f"Chromium {browser.version}"
        for path in ALL:
            page = browser.new_page()
            page.goto(f"{origin}/{path}")
            for screen, found in looks(page):
                record(path, screen, found, kept)
            kept["axe"] = page.evaluate("axe.version")
            print(path, flush=True)
            page.close()
        browser.close()
    RECORD.write_text(written(kept), "utf8")


if __name__ == "__main__":
    main()
