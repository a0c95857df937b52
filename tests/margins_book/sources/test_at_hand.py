"""The tables and quotations against the sources themselves, word for word, where these are at hand.

Where they are not (a clone without them), the two tests on the texts are skipped and say so; the digests of
all quotations and their rows are still compared, in `test_quotations.py`. With MARGINS_SOURCES set to a
folder, nothing here is skipped.
"""

import pytest

from margins_book.sources.__main__ import main
from margins_book.sources.at_hand import VARIABLE, differences, folder_at_hand, sources_in
from margins_book.sources.coverage import Row, coverage_files, read_coverage
from margins_book.sources.quotations import read_quotations
from margins_book.sources.sentences import LOST, sentences, without_markup

FOLDER = folder_at_hand()
at_hand = pytest.mark.skipif(
    FOLDER is None,
    reason=f"no sources at hand ({VARIABLE}): words not compared, digests are in test_quotations.py",
)


@at_hand
def test_every_sentence_of_every_source_has_a_row_and_every_row_a_sentence():
    said = sources_in(FOLDER)
    assert set(said) == {file.stem for file in coverage_files()}
    assert list(differences(said, read_coverage())) == []


@at_hand
def test_every_row_begins_as_its_sentence_does():
    said = {(source, each.digest): each for source, found in sources_in(FOLDER).items() for each in found}
    for row in read_coverage():
        text = " ".join(said[row.source, row.digest].text.split())
        words = row.begins.removesuffix(" …")
        assert text.startswith(words) or (words == "[formula]" and text.startswith("$")), row
        assert (text == words) == (words == row.begins), row


@at_hand
def test_every_quotation_stands_word_for_word_in_its_source():
    said = {
        source: [as_compared(each.text) for each in found] for source, found in sources_in(FOLDER).items()
    }
    for quotation in read_quotations().values():
        assert as_compared(quotation.text) in said[quotation.source], quotation


def as_compared(text):
    """A text without white space, markup, lost letters of formulas, and the form of quotation marks."""
    plain = without_markup(text).replace("“", '"').replace("”", '"').replace("’", "'").replace("‘", "'")
    return LOST.sub("", plain).strip('"')


TEXT = "One sentence stands here. Another one follows it."


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "any_name.txt").write_text(TEXT, "utf8")
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    return tmp_path


@pytest.fixture
def rows(folder):
    return [Row("news", sentence.digest, "", "One", (), "heading") for sentence in sentences(TEXT)]


def test_a_file_belongs_to_the_source_whose_sentences_it_has(folder, rows):
    other = Row("poster", "x", "", "Other", (), "heading")
    assert [s.text for s in sources_in(folder, [other, *rows])["news"]] == TEXT.replace(". A", ".|A").split(
        "|"
    )


def test_a_file_of_no_source_is_refused(folder):
    with pytest.raises(ValueError, match=r"any_name\.txt is no source that the tables in book/coverage know"):
        sources_in(folder, [Row("poster", "x", "", "Other", (), "heading")])


def test_a_sentence_without_a_row_and_a_row_without_a_sentence_are_named(folder, rows):
    gone = Row("news", "x", "top", "Gone is", (), "heading")
    told = list(differences(sources_in(folder, rows), [rows[0], gone]))
    assert told == [
        f"news has no row for {rows[1].digest} (): Another one follows it.",
        "news has no sentence x (top) that begins 'Gone is'",
    ]


def test_a_folder_that_is_not_there_is_refused(monkeypatch, tmp_path):
    monkeypatch.setenv(VARIABLE, str(tmp_path / "nothing"))
    with pytest.raises(FileNotFoundError, match="which is no folder; name one with the sources' texts"):
        folder_at_hand()


def test_the_command_finds_sentences_and_names_what_tables_lack(folder, rows, monkeypatch, capsys):
    monkeypatch.setattr("margins_book.sources.__main__.read_coverage", lambda: rows)
    monkeypatch.setattr("margins_book.sources.at_hand.read_coverage", lambda: rows)
    assert main([]) == 0
    assert "every sentence has its row" in capsys.readouterr().out
    assert main(["Another", "one"]) == 0
    assert capsys.readouterr().out == f"news, , {rows[1].digest}: Another one follows it.\n"
    rows.pop()
    assert main([]) == 1
    assert "has no row for" in capsys.readouterr().out


def test_the_command_says_where_the_folder_is_missing(monkeypatch, capsys):
    monkeypatch.setattr("margins_book.sources.__main__.folder_at_hand", lambda: None)
    assert main([]) == 1
    assert "name their folder in MARGINS_SOURCES" in capsys.readouterr().out
