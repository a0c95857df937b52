"""What axe-core finds on a page, of whose many parts that are alike some are looked at."""

import json
import re
from pathlib import Path

from tests.node import PACKAGES

RECORD = Path(__file__).parents[2] / "book" / "accessibility.json"
AXE = PACKAGES / "node_modules" / "axe-core" / "axe.min.js"
# Formulas and words of code are thousands, of few kinds: of each kind some stay to be looked at.
THIN = """() => {
    const seen = {};
    for (const part of document.querySelectorAll("main math:not(.quiz *), main .highlight span")) {
        const inside = part.closest("details, figure, table")?.localName ?? "";
        const kind = [part.localName, part.className, inside].join(" ");
        seen[kind] = (seen[kind] ?? 0) + 1;
        if (seen[kind] > 4) part.remove();
    }
}"""

# Some of the words of each look: contrast depends on colour, size and weight alone, and on what is behind.
LOOKS = """() => {
    const grounds = new Map(), seen = {};
    const ground = part => {
        if (!part) return "";
        if (!grounds.has(part)) {
            const { backgroundColor, backgroundImage, opacity } = getComputedStyle(part);
            const own = `/${backgroundColor} ${backgroundImage} ${opacity}`;
            const hides = own !== "/rgba(0, 0, 0, 0) none 1";
            grounds.set(part, ground(part.parentElement) + (hides ? own : ""));
        }
        return grounds.get(part);
    };
    const speaks = part => part.matches("input, select")
        || [...part.childNodes].some(node => node.nodeType === Node.TEXT_NODE && node.data.trim());
    return [...document.querySelectorAll("body *")].filter(part => {
        if (!speaks(part) || !part.checkVisibility()) return false;
        const { color, fontSize, fontWeight } = getComputedStyle(part);
        const look = [color, fontSize, fontWeight, ground(part)].join();
        seen[look] = (seen[look] ?? 0) + 1;
        return seen[look] <= 4;
    });
}"""
CRITERION = re.compile(r"wcag(\d)(\d)(\d+)")
CONTRAST = "color-contrast"
LEVELS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
TARGETS = {"target-size": {"enabled": True}}  # of WCAG 2.2; axe-core asks for it on demand alone
REST = """() => {
    for (const moving of document.getAnimations()) try { moving.finish(); } catch { /* it has no end */ }
}"""  # what fades in is faint for a moment
TELL = """({ violations, passes, incomplete }) => {
    const told = ({ id, tags, impact, nodes }) =>
        ({ id, tags, impact, at: nodes.slice(0, 3).map(node => node.target) });
    return { faults: violations.map(told), passed: passes.map(told), undecided: incomplete.map(told) };
}"""


def serious_faults(page, state, part="html"):
    """axe-core's serious and critical findings in a part of the page as it stands."""
    found = _looked_at(page, json.dumps(part), {})
    grave = [fault for fault in found["faults"] if fault["impact"] in ("serious", "critical")]
    return [f"{state}: {fault['id']} at {fault['at']}" for fault in grave]


def findings(page):
    """What axe-core finds on the page by its rules about WCAG: those broken, met, and not decided."""
    rest = _looked_at(page, '"html"', {"runOnly": LEVELS, "rules": {CONTRAST: {"enabled": False}, **TARGETS}})
    both = {kind: rest[kind] + found for kind, found in _contrast(page).items()}
    return {kind: [rule for rule in found if criteria(rule)] for kind, found in both.items()}


def criteria(rule):
    """The criteria of WCAG that a rule is about, from its tags; rules of good practice have none."""
    return [".".join(tag.groups()) for tag in map(CRITERION.fullmatch, rule["tags"]) if tag]


def contradictions(found, path, screen):
    """Where the findings on a page are others than the record of the accessibility page says."""
    record = json.loads(RECORD.read_text("utf8"))
    passed, faults = ({rule["id"] for rule in found[kind]} for kind in ("passed", "faults"))
    known = {rule for rule, pages in record["faults"].items() if path in pages.get(screen, [])}
    promised = {rule for rule, told in record["rules"].items() if told["seen"] == [path, screen]}
    return [
        *(f"{rule['id']} is broken at {rule['at']}" for rule in found["faults"] if rule["id"] not in known),
        *(f"{rule} is not broken any more: run `make audit`" for rule in known - faults),
        *(f"{rule} was met here, and is not now" for rule in promised - passed),
    ]


def _contrast(page):
    return _looked_at(page, f"{{include: ({LOOKS})()}}", {"runOnly": [CONTRAST]})


def _looked_at(page, part, rules):
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(AXE.read_text())
    page.evaluate(REST)
    run = f"options => axe.run({part}, options).then({TELL})"
    return page.evaluate(run, {"resultTypes": ["violations"], **rules})
