"""The list of a page's sentences: where they stand, and what holds each."""

from margins_book.sentences.holds import listed_sentences
from tests.margins_book.sentences.sample import PAGE, sample


def listed(folder, **settings):
    return {one.words: one for one in listed_sentences(sample(folder, **settings))}


LISTED = {
    "Everything is nearly right.": ("text", "condition in line 24"),
    "The share falls by half, e.g. at $x=1.5$ never.": ("text", "assertion in line 36"),
    "The curve always rises.": ("caption", ""),
    "It never falls.": ("answer of a prompt", ""),
    "Always, of course.": ("answer of a prompt", "condition of its prompt"),
    "12 of 60.": ("answer of a prompt", "`says` of its prompt"),
    "Most are here.": ("answer of a prompt", ""),
    "By {prf:ref}`svm-thm-soft` it is always so.": ("text", "reference prf:ref"),
    "A line that never ends at {}.": ("alternative text", ""),
    "It is always right.": ("quiz", ""),
    "No: it never was.": ("quiz", ""),
    "Right: that is nearly so.": ("quiz", ""),
    "It is never so.": ("exercise", ""),
    "It is never so, says the solution.": ("solution", ""),
    "It is never so, says the erratum.": ("erratum", ""),
    "| name | nearly all |": ("text", ""),
    "| row | never |": ("text", ""),
    "In most runs it rises.": ("summary", ""),
}


def test_sentences_are_listed_with_their_place_and_what_holds_them(tmp_path):
    found = {words: (one.kind, one.held) for words, one in listed(tmp_path).items()}
    assert found == LISTED


def test_a_sentence_is_listed_with_the_line_on_which_it_begins(tmp_path):
    found, lines = listed(tmp_path), PAGE.splitlines()
    for words in ("Everything is nearly right.", "No: it never was.", "In most runs it rises."):
        assert words in lines[found[words].line - 1]
    assert lines[found["The share falls by half, e.g. at $x=1.5$ never."].line - 1].endswith("e.g. at")
    assert lines[found["The curve always rises."].line - 1] == '    caption="The curve always "'


def test_an_assertion_holds_nothing_if_it_is_not_below_the_comment(tmp_path):
    above = PAGE.replace("assert 2 * small < large\n", "small = large / 3\n")
    assert not listed(tmp_path, page=above)["The share falls by half, e.g. at $x=1.5$ never."].held


def test_says_holds_no_word_and_no_number_that_it_does_not_quote(tmp_path):
    more = PAGE.replace("12 of 60. Most", "Nearly 12 of 60. 13 of 60. Most")
    found = listed(tmp_path, page=more)
    assert not found["Nearly 12 of 60."].held
    assert not found["13 of 60."].held


def test_an_entry_with_a_reason_holds_its_sentence(tmp_path):
    reasons = 'sentences:\n- words: "It is never so, says the solution"\n  reason: "opinion"\n'
    assert listed(tmp_path, reasons=reasons)["It is never so, says the solution."].held == "reason: opinion"
