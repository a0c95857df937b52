"""Known wrong answers are read by what is wrong with them, and can be called."""

import pytest

from margins_book.page import ChapterProblem
from margins_book.page.mistakes import mistake, read_mistakes


def test_a_mistake_is_its_function_behind_the_helpers(tmp_path):
    file = tmp_path / "wrong.py"
    file.write_text("two = 2\n\n\n# wrong: too much\ndef twice(x):\n    return two * x + 1\n")
    assert read_mistakes(file) == {"too much": "two = 2\n\n\ndef twice(x):\n    return two * x + 1\n"}
    file.write_text("# wrong: first\none = 1\n\n# wrong: second\none = 2\n")
    assert list(read_mistakes(file)) == ["first", "second"]
    file.write_text("def twice(x):\n    return 3 * x\n")
    with pytest.raises(ChapterProblem, match="no line begins with '# wrong: '"):
        read_mistakes(file)


def test_a_mistake_of_the_book_is_a_function_that_errs():
    assert mistake("softmax-three-tokens", "not shared out at all")([1, 1, 1]).tolist() == [5, 2, 3.5]
