"""`make sentences`: the list, its choice of chapters, its table of counts."""

import pytest

from margins_book.sentences.__main__ import counts, main
from margins_book.sentences.holds import Listed


def test_it_lists_the_sentences_of_a_chapter_and_counts_them(capsys):
    main(["--chapter", "02"])
    said = capsys.readouterr().out
    *entries, table = said.split("\n\n")
    assert all(one.startswith("chapters/02_kernels.md:") for one in entries)
    assert table.splitlines()[1].split()[-1] == str(len(entries))
    main(["--chapter", "02", "--unheld"])
    assert capsys.readouterr().out.count("UNHELD") == sum("UNHELD" in one for one in entries)


def test_the_table_counts_what_is_unheld():
    found = [Listed(1, "quiz", "It never is.", ("never",), held) for held in ("", "", "reason: opinion")]
    rows = [row.split("  ") for row in counts({"02_kernels": found}).splitlines()]
    assert [cell.strip() for cell in rows[1] if cell.strip()] == ["02_kernels", "2 of 3", "2 of 3"]


@pytest.mark.parametrize("number", ["99", "two"])
def test_a_chapter_that_is_not_there_is_refused(number):
    with pytest.raises(SystemExit, match=f"there is no chapter '{number}'; expected one of 01, 02"):
        main(["--chapter", number])
