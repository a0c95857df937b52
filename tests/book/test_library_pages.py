"""The library's pages: a place for every public name, with its example, its chapter and its source."""

import gzip
import re
import sys

import pytest

from tests.book.conftest import LIBRARY, ROOT, SITE, parsed

sys.path.insert(0, str(ROOT / "book" / "extensions"))
import library_source as source

BUDGET = 40_000  # bytes, gzipped


@pytest.mark.parametrize("path", LIBRARY)
def test_every_public_name_has_a_section(path):
    chapters = source.headings()
    text = (ROOT / path.replace(".html", ".md")).read_text(encoding="utf-8")
    for module in re.findall(r"^```\{library\} (\S+)$", text, re.MULTILINE):
        for one in source.public(module):
            section = parsed(path).find(id=f"{module}.{one.name}")
            assert section.select_one(".highlight").text.strip() == one.signature
            assert section.select_one(f"a[href$='{one.file.name}#L{one.node.lineno}']").text == "Source"
            if not one.is_constant:
                places = source.places(one.places, chapters)
                assert len(section.select(".whereabouts a[href*='.html']")) == len(places) > 0, one.name
                assert section.select_one(".cell_input").text.strip().startswith(source.imports(one))


@pytest.mark.parametrize("path", LIBRARY)
def test_pages_are_light(path):
    assert len(gzip.compress((SITE / path).read_bytes(), 6)) <= BUDGET


def test_chapters_lead_to_the_names_that_they_use():
    links = parsed("chapters/01_svm_duality.html").select("a[href^='../book/library/svm.html#']")
    assert {"smo", "kkt_report", "gaussian_svm", "linear_svm"} <= {link.text for link in links}
