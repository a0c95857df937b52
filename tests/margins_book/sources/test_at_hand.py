"""The sentences that claims judge and those that pages quote, word for word, where the sources are at hand.

Where they are not (a clone without them), the tests on the texts are skipped and say so. With MARGINS_SOURCES
set to a folder, nothing here is skipped.
"""

import pytest

from margins_book.ledger import read_ledger
from margins_book.sources.__main__ import main
from margins_book.sources.at_hand import VARIABLE, folder_at_hand, sources_in
from margins_book.sources.quotations import read_quotations
from margins_book.sources.sentences import LOST, digest, without_markup

FOLDER = folder_at_hand()
at_hand = pytest.mark.skipif(
    FOLDER is None, reason=f"no sources at hand (name their folder in {VARIABLE}): words are not compared"
)
# the sentences of each source that make a claim; all others are headings, names, questions, announcements
JUDGED = {"equivalence": 87, "summary": 87, "news": 48, "poster": 22, "newsletter": 18}
CLAIMS = read_ledger().claims


@at_hand
def test_every_sentence_that_makes_a_claim_is_reached_from_the_ledger():
    named = {digest for claim in CLAIMS for digest in claim.get("sentences", ())}
    read = {source: {each.digest for each in found} for source, found in sources_in(FOLDER).items()}
    assert {source: len(digests & named) for source, digests in read.items()} == JUDGED
    assert named <= set().union(*read.values())


@at_hand
def test_every_claim_of_a_text_judges_a_sentence_of_it():
    for source, found in sources_in(FOLDER).items():
        read = {each.digest for each in found}
        for claim in CLAIMS:
            assert claim["source"][0] != source or read & set(claim["sentences"]), claim["id"]


def test_as_many_sentences_are_named_where_no_text_is_at_hand():
    named = [digest for claim in CLAIMS for digest in claim.get("sentences", ())]
    assert len(set(named)) == sum(JUDGED.values())
    assert all(len(each) == 12 and int(each, 16) for each in named)
    for claim in CLAIMS:
        assert (claim["source"][0] in JUDGED) <= bool(claim.get("sentences")), claim["id"]


@at_hand
def test_every_quotation_stands_word_for_word_in_its_source():
    read = {
        source: [as_compared(each.text) for each in found] for source, found in sources_in(FOLDER).items()
    }
    for quotation in read_quotations().values():
        assert as_compared(quotation.text) in read[quotation.source], quotation


def as_compared(text):
    """A text without white space, markup, lost letters of formulas, and the form of quotation marks."""
    plain = without_markup(text).replace("“", '"').replace("”", '"').replace("’", "'").replace("‘", "'")
    return LOST.sub("", plain).strip('"')


TEXT = "One sentence stands here. Another one follows it."


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A text of which a claim judges the first sentence."""
    (tmp_path / "any_name.txt").write_text(TEXT, "utf8")
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    claim = {"id": "C1.01", "source": ["news", ""], "sentences": [digest("One sentence stands here.")]}
    ledger = read_ledger([])._replace(claims=[claim, {"id": "C1.02", "source": ["folklore", ""]}])
    monkeypatch.setattr("margins_book.sources.__main__.read_ledger", lambda: ledger)
    monkeypatch.setattr("margins_book.sources.at_hand.read_ledger", lambda: ledger)
    return tmp_path


def test_a_file_belongs_to_the_source_whose_claims_judge_it(folder):
    (found,) = sources_in(folder).items()
    assert found[0] == "news"
    assert [each.text for each in found[1]] == TEXT.replace(". A", ".|A").split("|")


def test_a_file_of_no_source_is_refused(folder):
    (folder / "other.txt").write_text("Nobody judges it.", "utf8")
    with pytest.raises(ValueError, match=r"other\.txt is no source of the ledger: no claim judges"):
        sources_in(folder)


def test_a_folder_that_is_not_there_is_refused(monkeypatch, tmp_path):
    monkeypatch.setenv(VARIABLE, str(tmp_path / "nothing"))
    with pytest.raises(FileNotFoundError, match="which is no folder; name one with the sources' texts"):
        folder_at_hand()


@pytest.mark.parametrize(
    ("asked", "printed"),
    [(["C1.01"], "(C1.01): One"), (["one", "FOLLOWS"], "(no claim): Another"), ([], "(no claim): Another")],
)
def test_the_command_finds_sentences_by_claim_and_by_words(folder, capsys, asked, printed):
    assert main(asked) == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith("news, , ")
    assert printed in line


def test_the_command_says_where_the_folder_is_missing(monkeypatch, capsys):
    monkeypatch.setattr("margins_book.sources.__main__.folder_at_hand", lambda: None)
    assert main([]) == 1
    assert "name their folder in MARGINS_SOURCES" in capsys.readouterr().out
