"""How formulas stand on the page, measured: level indices, aligned columns, punctuation on its line."""

import pytest

from tests.book.conftest import CHAPTERS, parsed

INDICES = """() => {
    const drops = {};
    for (const indexed of document.querySelectorAll("p > math > msub, p > math > mrow > msub")) {
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
EDGES = """cells => cells.map(cell => {
    const box = cell.getBoundingClientRect(), range = document.createRange();
    range.selectNodeContents(cell);
    const text = range.getBoundingClientRect();
    return [box.right - text.right, text.left - box.left];
})"""


def test_indices_hang_equally_low_under_letters_with_and_without_tails(visit):
    with visit("chapters/01_svm_duality.html") as page:
        drops = page.evaluate(INDICES)["i"]
    assert {"x", "y", "α"} <= set(drops)
    assert max(drops.values()) - min(drops.values()) <= 0.5


def test_columns_of_equations_meet_at_their_signs(visit):
    with visit("chapters/01_svm_duality.html") as page:
        right = page.locator("mtd.tml-right:visible").evaluate_all(EDGES)
        left = page.locator("mtd.tml-left:visible").evaluate_all(EDGES)
    assert len(right) > 5
    assert max(abs(gap) for gap, _ in right) <= 1
    assert max(abs(gap) for _, gap in left) <= 1


@pytest.mark.parametrize("path", CHAPTERS)
def test_no_mark_begins_a_line_behind_a_formula(path):
    """What touches a formula stands in one span with it that cannot be broken."""
    formulas = [formula for formula in parsed(path).select("p math") if formula.get("display") != "block"]
    assert len(formulas) > 100
    for formula in formulas:
        follower = formula.next_sibling
        if isinstance(follower, str) and follower[:1] in tuple(",.;:!?)’”"):
            assert "unbroken" in formula.parent["class"], f"{formula} {follower[:20]!r}"
