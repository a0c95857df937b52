"""What axe-core finds on a page, of whose many parts that are alike some are looked at."""

from tests.book.conftest import ROOT

AXE = ROOT / "book" / "frontend" / "node_modules" / "axe-core" / "axe.min.js"
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


def serious_faults(page, state, part="html", **rules):
    """axe-core's serious and critical findings in a part of the page as it stands."""
    run = "([part, options]) => axe.run(part, options).then(r => r.violations)"
    found = page.evaluate(run, [part, {"resultTypes": ["violations"], **rules}])
    grave = [v for v in found if v["impact"] in ("serious", "critical")]
    return [f"{state}: {v['id']} at {[n['target'] for n in v['nodes'][:3]]}" for v in grave]
