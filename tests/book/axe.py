"""What axe-core finds on a page, of whose many parts that are alike some are looked at."""

import json

from tests.node import PACKAGES

AXE = PACKAGES / "node_modules" / "axe-core" / "axe.min.js"
# Formulas and words of code are thousands, of few kinds: of each kind some stay to be looked at.
THIN = """() => {
    const seen = {};
    for (const part of document.querySelectorAll("main math:not(.quiz *), main .highlight span")) {
        const inside = part.closest("details, figure, table")?.localName ?? "";
        const kind = [part.localName, part.className, inside].join(" ");
        seen[kind] = (seen[kind] ?? 0) + 1;
        if (seen[kind] > 8) part.remove();
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
        return seen[look] <= 8;
    });
}"""
CONTRAST = "color-contrast"


def serious_faults(page, state, part="html"):
    """axe-core's serious and critical findings in a part of the page as it stands."""
    return _found(page, state, json.dumps(part), {})


def faint_words(page, state):
    """Words too faint to be read, among some of each look."""
    return _found(page, state, f"{{include: ({LOOKS})()}}", {"runOnly": [CONTRAST]})


def other_faults(page, state):
    """What else but faint words is seriously wrong on the page."""
    return _found(page, state, '"html"', {"rules": {CONTRAST: {"enabled": False}}})


def _found(page, state, part, rules):
    run = f"options => axe.run({part}, options).then(r => r.violations)"
    found = page.evaluate(run, {"resultTypes": ["violations"], **rules})
    grave = [v for v in found if v["impact"] in ("serious", "critical")]
    return [f"{state}: {v['id']} at {[n['target'] for n in v['nodes'][:3]]}" for v in grave]
