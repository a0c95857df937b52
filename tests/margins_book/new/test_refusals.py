"""What `margins new` refuses: it names what came, what was expected and the next step, and writes nothing."""

import re

import pytest

REFUSED = {
    "chapter Duality": "the name 'Duality' came; expected a Python name of small letters .*: 'duality'",
    "chapter kernels": "lib/margins_book/kernels exists already; choose another topic",
    "chapter checking": "lib/margins_book/checking exists already; choose another topic",
    "chapter support_vectors --prefix svm": "labels of 01_svm_duality.md begin with svm-; choose others by",
    "chapter supporting_lines --prefix S-": "the prefix 'S-' came; expected a few small letters",
    "figure two-lines --chapter 3": "the name 'two-lines' came; .* joined by _: 'two_lines', for example",
    "figure lambda --chapter 3": "the name 'lambda' came, which Python uses itself",
    "figure votes --chapter 3": "03_softmax_kernel.md shows a figure 'votes' already; choose another name",
    "figure two_lines --chapter 30": r"no chapter '30'; expected the number or topic .* 1 \(svm_duality\)",
    "figure two_lines --chapter 3 --section Here": "no section 'Here'; expected one of: Attention by hand",
    "exercise Lead --chapter 2": "the label 'Lead' came; expected the chapter's prefix and a name",
    "exercise lead --chapter 2": "the label 'lead' came; expected the chapter's prefix and a name",
    "exercise svm-lead --chapter 2": "the label 'svm-lead' came; expected this chapter's prefix: 'ker-lead'",
    "exercise ker-features --chapter 2": "the page has the label 'ker-features' already; choose another",
    "exercise ker-np --chapter 2": "a cell of the page defines or imports 'np' already",
    "claim New --chapter 5": "the name 'New' came; expected a Python name",
    "claim new_claim --chapter 5 --section nowhere": "no label 'nowhere'; expected one of: .*rf-",
    "claim new_claim --chapter five": "there is no chapter 'five'",
    "kernel gaussian": "margins.kernels has 'gaussian' already; choose another name",
    "kernel Cauchy": "the name 'Cauchy' came; expected a Python name of small letters .*: 'cauchy'",
    "kernel 2nd": "the name '2nd' came; .*: 'nd', for example",
}


UNKNOWN = "theorem pythagoras"
PARTS_THAT_EXIST = (
    "kernel cauchy",
    "chapter supporting_lines",
    "figure second_line --chapter 3",
    "figure second_line --chapter 12",
    "exercise sl-margin --chapter 12",
)


@pytest.fixture(scope="module")
def refused(copy):
    return copy.refused(*REFUSED, UNKNOWN)


@pytest.mark.parametrize("words", REFUSED)
def test_a_refusal_says_what_to_do_and_writes_nothing(words, refused):
    code, output, said = refused[words]
    assert (code, output) == (1, "")
    assert said.startswith(f"margins new {words.partition(' ')[0]}: ")
    assert said.endswith(". Nothing was written.\n")
    assert re.search(REFUSED[words], said), said


def test_a_kind_that_is_unknown_is_answered_by_the_known_ones(refused):
    code, _, said = refused[UNKNOWN]
    assert code == 2
    assert "invalid choice: 'theorem' (choose from 'chapter', 'figure', 'exercise', 'claim'" in said


@pytest.mark.full
def test_a_part_that_exists_is_not_overwritten(enlarged):
    assert {code for code, _, _ in enlarged.refused(*PARTS_THAT_EXIST).values()} == {1}
