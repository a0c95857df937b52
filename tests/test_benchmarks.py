"""The stopwatch's rows and the page whose tables they are."""

import re

import pytest

from benchmarks import harness
from benchmarks.harness import Row

FAST = Row("fit | n=2", "SVC", 0.010, 0.040, 0.5, "KKT 1e-11 against 1e-8")
SLOW = Row("fit n=3", "SVC", 0.080, 0.040, 1.0, "equal")
FREE = Row("look", "torch", 0.010, 0.010, None, "")


def test_rows_become_the_table_of_their_part_and_leave_the_others(tmp_path):
    page = tmp_path / "performance.md"
    before, after = (
        "# Speed\n\nWords.\n\n% svm\nold\n",
        "% end of svm\n\n% svm_large\nkept\n% end of svm_large\n",
    )
    page.write_text(before + after)
    for _ in range(2):
        harness.write("svm", [FAST, SLOW, FREE], page=page)
        text = page.read_text()
        assert text.startswith(before.removesuffix("old\n"))
        assert text.endswith(after)
        assert "old" not in text
    words = r"Measured \d{4}-\d\d-\d\d by `python -m benchmarks svm` on .+, Python 3\.\d+\.\d+, NumPy \d"
    assert re.search(words, text)
    assert "| fit \\| n=2 | SVC | 10 ms | 40 ms | 0.25 | 0.5 met | KKT 1e-11 against 1e-8 |\n" in text
    assert "| fit n=3 | SVC | 80 ms | 40 ms | 2 | 1 **missed** | equal |\n" in text
    assert "| look | torch | 10 ms | 10 ms | 1 |  |  |\n" in text
    with pytest.raises(ValueError, match="must have one part between % fast and % end of fast, but has 0"):
        harness.write("fast", [FAST], page=page)


def test_compare_interleaves_scales_and_words_the_last_results():
    calls = []

    def side(name):
        return lambda: calls.append(name) or name

    sides = side("ours"), side("peer")
    row = harness.compare("job", "peer", *sides, accuracy="{} and {}".format, repeats=3, share=1 / 100)
    assert calls == ["ours", "peer"] * 4
    assert row.accuracy == "ours and peer"


def test_times_are_written_in_the_unit_that_fits():
    found = [harness.legible(seconds) for seconds in (0.0974, 14.53, 1124.4)]
    assert found == ["97.4 ms", "14.5 s", "1,120 s"]
