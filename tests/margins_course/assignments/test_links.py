"""Roles of a chapter as links: to itself, to other chapters, to the ledger of claims, to references."""

import pytest

from margins_book.page.chapter import read_chapter
from margins_course.assignments.links import Linker
from tests.margins_course.assignments.excursion_chapter import TWO_TRACKS

BOOK = "https://example.org/book/"


@pytest.fixture
def linker(tmp_path):
    path = tmp_path / "07_doubling.md"
    path.write_text(TWO_TRACKS, encoding="utf-8")
    return Linker(read_chapter(path), f"{BOOK}chapters/07_doubling.html")


@pytest.mark.parametrize(
    ("role", "link"),
    [
        ("{prf:ref}`more-thm`", "[theorem (Again)](chapters/07_doubling.html#more-thm)"),
        ("{ref}`again`", "[Again](chapters/07_doubling.html#again)"),
        ("{ref}`more <more>`", "[more](chapters/07_doubling.html#more)"),
        ("{eq}`other-eq`", "[(equation)](chapters/07_doubling.html#equation-other-eq)"),
        ("{eq}`att-gradient`", "[(equation)](chapters/06_attention_svm.html#equation-att-gradient)"),
        ("{prf:ref}`svm-thm-kkt`", "[theorem (Multipliers exist)](chapters/01_svm_duality.html#svm-thm-kkt)"),
        ("{ref}`att-stable`", "[Pulls that survive saturation](chapters/06_attention_svm.html#att-stable)"),
        ("{numref}`ex-trajectory`", "[the figure](chapters/06_attention_svm.html#ex-trajectory)"),
        ("{ref}`claim-c5-10`", "[C5.10](book/claims.html#claim-c5-10)"),
        ("{ref}`a claim <claim-c5-10>`", "[a claim](book/claims.html#claim-c5-10)"),
        ("{cite:p}`soudry2018`", "[soudry2018](book/references.html#soudry2018)"),
        ("{ref}`nowhere`", "[nowhere](chapters/07_doubling.html#nowhere)"),
    ],
)  # fmt: skip
def test_a_role_becomes_a_link_to_the_page_that_has_its_label(linker, role, link):
    assert linker.plain(f"See {role}.") == f"See {link.replace('](', f']({BOOK}')}."
