"""The story of the chapter on attention and the SVM runs, and is short; `test_text.py` holds its numbers."""

from margins_book.attention_svm import figures
from margins_book.page.quotes import quotes, test_a_story_is_as_long_as_it_may_be, test_every_cell_runs  # noqa: F401


@quotes("tokens 3, *superb*, and 9, *dreadful*", "2 (*lively*) and 11 lead")
def test_the_words_of_the_tokens():
    assert [figures.WORDS[0][t] for t in (2, 3)] == ["lively", "superb"]
    assert figures.WORDS[1][3] == "dreadful"
