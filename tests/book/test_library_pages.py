"""The library's pages: a place for every public name, with its example, its chapter and its source."""

import gzip
import re

import pytest

from explorable import palette
from extensions.pages import library_source as source
from tests.book.conftest import LIBRARY, ROOT, SITE, parsed

BUDGET = 40_000  # bytes, gzipped


@pytest.mark.parametrize("path", LIBRARY)
def test_every_public_name_has_a_section_and_the_page_is_light(path):
    assert len(gzip.compress((SITE / path).read_bytes(), 6)) <= BUDGET
    text = (ROOT / path.replace(".html", ".md")).read_text(encoding="utf-8")
    for module in re.findall(r"^```\{library\} (\S+)$", text, re.MULTILINE):
        for one in source.public(module):
            section = parsed(path).find(id=f"{module}.{one.name}")
            if section.name == "li":  # short constants share a section
                assert one.is_short
                assert section.code.text == one.signature
                lines = section.find_parent("section").select_one(".whereabouts a[href*='#L']")["href"]
                first, last = map(int, re.search(rf"{one.file.name}#L(\d+)-L(\d+)$", lines).groups())
                assert first <= one.node.lineno <= last
                continue
            assert section.select_one(".highlight").text.strip() == one.signature
            assert section.select_one(f"a[href$='{one.file.name}#L{one.node.lineno}']").text == "Source"
            if not one.is_constant:
                places = one.places.split("; ")
                assert len(section.select(".whereabouts a[href*='.html']")) == len(places), one.name
                assert section.select_one(".cell_input").text.strip().startswith(source.imports(one))


def test_short_constants_stand_in_a_list_with_swatches_of_colours():
    """The headings are those of functions and of longer constants: none has nothing below it."""
    page = parsed("book/library/figures.html")
    headings = [title.text.rstrip("#") for title in page.select("main h3")]
    assert headings[:5] == ["Constants", "WIDTH", "STYLE", "in_style", "new_axes"]
    swatches = page.select("#explorable\\.palette\\.constants li > p > .swatch")
    assert len(swatches) == len(palette.PALETTE) + 3
    for patch, name in zip(swatches, re.findall(r"[A-Z]+(?= = \"#)", page.text), strict=True):
        assert getattr(palette, name) in patch["style"]


def test_chapters_lead_to_the_names_that_they_use():
    links = parsed("chapters/01_svm_duality.html").select("a[href^='../book/library/svm.html#']")
    assert {"smo", "kkt_report", "gaussian_svm", "linear_svm"} <= {link.text for link in links}
