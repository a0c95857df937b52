"""What the style keeps together on paper: headings with what follows, figures with their captions."""

import pytest
from pypdf import PdfReader

from scripts.editions.pdf import print_address
from scripts.serving import serve
from tests.scripts.editions.conftest import PAGE
from tests.scripts.editions.pdf_reading import flat, lonely_headings

FOLLOWING = {
    "paragraph": "<p>Few words.</p><p>More words.</p>",
    "question": '<span class="beside-from"></span><fieldset class="quiz"><legend>Why does it hold?</legend>'
    + "".join(f"<label><span>Answer {number}.</span></label>" for number in range(4))
    + '<p class="answer-there">Solution on page 12</p></fieldset>',
    "exercise": '<span class="beside-from"></span><div class="exercise admonition">'
    '<p class="admonition-title">Exercise 1.1 (Prove it)</p>'
    "<section><p>" + "Some words of the statement. " * 30 + "</p></section></div>",
    "table": '<div class="table"><table><thead><tr><th>a<th>b</thead>'
    + "<tr><td>1<td>2" * 9
    + "</table></div>",
}
FIGURE = """<figure class="explorable"><div class="explorable-frame">
<svg viewBox="0 0 300 150" width="300" height="150"><text x="9" y="20">drawn{number}</text></svg></div>
<figcaption>caption{number} <p>of it</p></figcaption></figure>"""
ABOVE = range(150, 236, 3)  # millimetres of a page of 255


@pytest.fixture
def printed(browser, site, tmp_path):
    """A function that prints blocks, each below an empty space that ends where its case says."""

    def made(blocks):
        spaces = (f'<div style="break-before: page; height: {mm}mm"></div>{block}' for mm, block in blocks)
        (site / "rules.html").write_text(PAGE.format(title="Rules", path="", root="", body="".join(spaces)))
        with serve(site) as address:
            print_address(browser, f"{address}/rules.html", tmp_path / "rules.pdf")
        return PdfReader(tmp_path / "rules.pdf")

    return made


@pytest.mark.parametrize("kind", FOLLOWING)
def test_no_heading_stands_alone_at_the_foot_of_a_page(printed, kind):
    section = f"<section><section><h2>Heading</h2>{FOLLOWING[kind]}</section></section>"
    reader = printed((mm, section) for mm in ABOVE)
    assert len(list(flat(reader.outline))) == len(ABOVE)
    assert len(reader.pages) > len(ABOVE), "no case comes to the foot of its page"
    assert lonely_headings(reader) == []


def test_a_figure_stands_on_the_page_of_its_caption(printed):
    reader = printed((mm, FIGURE.format(number=mm)) for mm in ABOVE)
    text = [page.extract_text() for page in reader.pages]
    assert len(text) > len(ABOVE), "no case comes to the foot of its page"
    for mm in ABOVE:
        (drawn,) = [page for page in text if f"drawn{mm}" in page]
        assert f"caption{mm}" in drawn
