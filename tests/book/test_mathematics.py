"""How formulas stand on the page, measured: indices, columns, baselines, marks, font; and what is copied."""

import contextlib
import re

import pytest
from fontTools.ttLib import TTFont

from tests.book.conftest import CHAPTERS, ROOT, SITE, parsed
from tests.book.test_every_page import UNFOLD

HARD = ["chapters/01_svm_duality.html", "chapters/05_random_features.html"]
INDICES = """() => {
    const drops = {};
    const paragraph = ":not(.stub) > p > math";  // the letters of a small heading stand otherwise
    for (const indexed of document.querySelectorAll(`${paragraph} > msub, ${paragraph} > mrow > msub`)) {
        const [letter, index] = indexed.children;
        if (letter.textContent.length > 1 || index.textContent.length > 1) continue;
        if (!indexed.checkVisibility()) continue;
        const line = indexed.closest("p").appendChild(document.createElement("span"));
        const math = document.createElementNS("http://www.w3.org/1998/Math/MathML", "math");
        math.innerHTML = "<mi>x</mi>" + indexed.outerHTML;
        line.append(math);
        const [x, copy] = math.children;
        const drop = copy.children[1].getBoundingClientRect().top - x.getBoundingClientRect().top;
        (drops[index.textContent] ??= {})[letter.textContent] = drop;
        line.remove();
    }
    return drops;
}"""
VISIBLE = """() => {
    const visible = parts => [...document.querySelectorAll(parts)].filter(part => part.checkVisibility());
    const box = part => part.getBoundingClientRect(), middle = part => (box(part).left + box(part).right) / 2;
"""
# Of each cell of equations in columns: how far its contents are from the side that they should meet.
GAPS = f"""side => ({VISIBLE}
    return visible(`mtd.tml-${{side}}`).map(cell => {{
        const range = document.createRange();
        range.selectNodeContents(cell);
        const padding = parseFloat(getComputedStyle(cell)[`padding-${{side}}`]) * (side === "left" ? 1 : -1);
        return Math.abs(box(range)[side] - box(cell)[side] - padding);
    }});
}})()"""
# Of each row of a table, and each formula with its line: how far apart the baselines of its parts are.
BASELINES = f"""{VISIBLE}
    const probe = () => document.createElementNS("http://www.w3.org/1998/Math/MathML", "mspace");
    const rows = visible("mtr").map(row => [...row.children].map(cell => cell.appendChild(probe())));
    const lines = visible("p > math").map(math => {{
        const line = document.createElement("span"), foot = document.createElement("span");
        foot.style.display = "inline-block";
        line.className = "unbroken";
        math.replaceWith(line);
        line.append(foot, math);
        return [math.appendChild(probe()), foot];
    }});
    const feet = [...rows, ...lines].map(probes => probes.map(probe => box(probe).bottom));
    for (const [, foot] of lines) foot.parentNode.replaceWith(foot.nextSibling);
    for (const mark of rows.flat().concat(lines.map(([mark]) => mark))) mark.remove();
    return feet.map(feet => Math.max(...feet) - Math.min(...feet));
}}"""
# How far the parts of fractions are off the middle, and roots fall short of what they hold.
PARTS = f"""{VISIBLE}
    const halves = visible("mfrac > *"), held = visible("msqrt > *");
    return [...halves.map(half => Math.abs(middle(half) - middle(half.parentNode))),
            ...held.map(part => box(part).right - box(part.parentNode).right)];
}}"""
WIDE = f"""{VISIBLE}
    const sticksOut = math => box(math).right > box(math.closest("p")).right + 1;
    return visible("p > math, p > .unbroken > math").filter(sticksOut).map(math => math.dataset.tex);
}}"""
MALFORMED = """() => {
    const parts = {mfrac: 2, msub: 2, msup: 2, munder: 2, mover: 2, msubsup: 3, munderover: 3};
    const wrong = tag => [...document.querySelectorAll(tag)].filter(p => p.children.length !== parts[tag]);
    return Object.keys(parts).flatMap(wrong).map(part => part.outerHTML);
}"""
SENTENCE = (
    r"Let us write $w$ as a combination of all three points, "
    r"$w=\sum_i\alpha_iy_ix_i=-\alpha_1+2\alpha_2+3\alpha_3$, in which the two classes balance as before, "
    r"$\alpha_1=\alpha_2+\alpha_3$; then $w=\alpha_2+2\alpha_3$."
)
FIND = (
    "const told = [...document.querySelectorAll('main p')].find(p => p.textContent.includes('Let us write'));"
)
SELECT = f"() => {{ {FIND} getSelection().selectAllChildren(told); }}"
# From inside the second part of the long formula to inside the last of the sentence.
SELECT_INSIDE = f"""() => {{
    {FIND}
    const parts = [...told.querySelectorAll("math")], second = parts.findIndex(part => !part.dataset.tex);
    const last = parts.findLast(part => part.dataset.tex?.startsWith("$w="));
    getSelection().setBaseAndExtent(parts[second].querySelector("mi"), 0, last.querySelector("mo"), 0);
}}"""


def formulas_stand_well(page):
    """All formulas of a page, those of its folded proofs too, in whichever browser."""
    assert not page.evaluate(MALFORMED)
    page.evaluate(UNFOLD)
    assert max(page.evaluate(BASELINES)) <= 0.6
    assert max(page.evaluate(PARTS)) <= 1
    assert not page.evaluate(WIDE)
    for side in ("left", "right"):
        gaps = page.evaluate(GAPS, side)
        assert len(gaps) > 5
        assert max(gaps) <= 1


def indices_are_level(page):
    drops = page.evaluate(INDICES)["i"]
    assert {"x", "y", "α"} <= set(drops)
    assert max(drops.values()) - min(drops.values()) <= 0.5


@pytest.fixture(scope="module")
def pages(visit):
    """The pages of hard formulas, the first with what copying needs."""
    with contextlib.ExitStack() as stack:
        allowed = {"permissions": ["clipboard-read", "clipboard-write"]}
        yield [stack.enter_context(visit(path, **allowed)) for path in HARD]


def test_columns_meet_baselines_agree_indices_are_level_and_nothing_sticks_out(pages):
    for page in pages:
        formulas_stand_well(page)
    indices_are_level(pages[0])  # under letters with and without tails


def test_formulas_are_copied_as_they_were_written(pages):
    """A paragraph; then from the middle of a formula to the middle of another, which come whole."""
    page, source = pages[0], (ROOT / HARD[0].replace(".html", ".md")).read_text()
    assert SENTENCE in source
    page.evaluate(SELECT)
    assert SENTENCE in copied(page)
    page.evaluate(SELECT_INSIDE)
    assert copied(page) == SENTENCE[SENTENCE.index(r"$w=\sum") :].removesuffix(".")


def copied(page):
    page.keyboard.press("Control+C")
    return page.evaluate("navigator.clipboard.readText()")


def test_the_font_has_large_primes_and_roots_of_one_width():
    """Beside a root or a bracket Chromium leaves what their widest form takes more than the one shown."""
    font = TTFont(SITE / "_static" / "fonts" / "math.woff2")
    widths, names = font["hmtx"], font.getBestCmap()
    prime = font["glyf"][names[ord("′")]]
    assert prime.yMax - prime.yMin > 450
    variants = font["MATH"].table.MathVariants
    forms = dict(zip(variants.VertGlyphCoverage.glyphs, variants.VertGlyphConstruction, strict=True))
    for sign, most in (("√", 1), ("(", 1.4), ("[", 1.4)):
        sizes = forms[names[ord(sign)]]
        every = [size.VariantGlyph for size in sizes.MathGlyphVariantRecord]
        every += [part.glyph for part in sizes.GlyphAssembly.PartRecords]
        assert max(widths[name][0] for name in every) <= most * widths[every[0]][0]


def formulas_in_the_prose(path):
    """How many formulas between single dollars the source of a page has outside its cells."""
    source = (ROOT / path.replace(".html", ".md")).read_text("utf8")
    prose = re.sub(r"^```.*?^```$|\$\$.*?\$\$", "", source, flags=re.DOTALL | re.MULTILINE)
    return len(re.findall(r"\$[^$\n]+\$", prose))


@pytest.mark.parametrize("path", CHAPTERS)
def test_no_mark_begins_a_line_behind_a_formula(path):
    """What touches a formula stands in one span with it that cannot be broken."""
    formulas = [formula for formula in parsed(path).select("p math") if formula.get("display") != "block"]
    assert len(formulas) >= formulas_in_the_prose(path) > 10
    for formula in formulas:
        follower = formula.next_sibling
        if isinstance(follower, str) and follower[:1] in tuple(",.;:!?)’”"):
            assert "unbroken" in formula.parent["class"], f"{formula} {follower[:20]!r}"


BROKEN = """equation => {
    const boxes = [...equation.querySelectorAll("math")].map(part => part.getBoundingClientRect());
    return boxes.at(-1).top >= boxes[0].bottom - 1;
}"""


@pytest.mark.full
@pytest.mark.parametrize(("screen", "broken"), [("desktop", False), ("phone", True)])
def test_an_equation_that_breaks_on_a_phone_stands_on_one_line_at_a_desk(visit, screen, broken):
    with visit("chapters/06_attention_svm.html", screen=screen) as page:
        loss = page.locator("#equation-att-loss")
        loss.scroll_into_view_if_needed()
        assert loss.evaluate(BROKEN) == broken
