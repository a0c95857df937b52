"""The stopwatch's rows and the page that they are written to."""

import re

import pytest

from benchmarks import harness, record
from benchmarks.harness import Row

FAST = Row("fit | n=2", "SVC", 0.010, 0.040, 0.5, "KKT 1e-11 against 1e-8")
SLOW = Row("fit n=3", "SVC", 0.080, 0.040, 1.0, "equal")
FREE = Row("look", "torch", 0.010, 0.010, None, "")


@pytest.fixture
def page(tmp_path):
    return tmp_path / "performance.md"


def test_rows_become_a_table(page):
    record.write("svm", [FAST, SLOW, FREE], page=page)
    text = page.read_text(encoding="utf-8")
    assert text.startswith("---\nmyst:")
    assert "# How fast the library is" in text
    assert "| fit \\| n=2 | SVC | 10 ms | 40 ms | 0.25 | 0.5 met | KKT 1e-11 against 1e-8 |" in text
    assert "| fit n=3 | SVC | 80 ms | 40 ms | 2 | 1 **missed** | equal |" in text
    assert "| look | torch | 10 ms | 10 ms | 1 |  |  |" in text


def test_section_says_what_was_measured_and_on_what(page):
    record.write("svm", [FAST], page=page)
    text = page.read_text(encoding="utf-8")
    assert "## Support vector machines" in text
    assert "fitted by `SVMClassifier` and by libsvm" in text
    assert re.search(
        r"Measured \d{4}-\d\d-\d\d by `benchmarks/svm.py` on .+, Python 3\.\d+\.\d+, NumPy \d", text
    )


def test_other_sections_stay_as_they_are(page):
    record.write("svm", [FAST], page=page)
    record.write("kernels", [SLOW], page=page)
    both = page.read_text(encoding="utf-8")
    kept = re.search(r"% section kernels\n.*% end of kernels\n", both, re.DOTALL).group()
    record.write("svm", [FREE], page=page)
    again = page.read_text(encoding="utf-8")
    assert kept in again
    assert "KKT 1e-11" in both
    assert "KKT 1e-11" not in again
    assert again.count("% section svm\n") == 1
    assert again.index("% section kernels") < again.index("% section svm")


def test_writing_the_same_rows_twice_changes_nothing(page):
    record.write("svm", [FAST, SLOW], page=page)
    once = page.read_bytes()
    record.write("svm", [FAST, SLOW], page=page)
    assert page.read_bytes() == once


def test_a_script_without_a_module_is_refused(page):
    with pytest.raises(ModuleNotFoundError):
        record.write("no_such_script", [FAST], page=page)
    assert not page.exists()


def test_compare_interleaves_and_words_the_last_results():
    calls = []

    def side(name):
        def call():
            calls.append(name)
            return name

        return call

    row = harness.compare("job", "peer", side("ours"), side("peer"), accuracy="{} and {}".format, repeats=3)
    assert calls == ["ours", "peer"] * 4
    assert row.accuracy == "ours and peer"
    assert row.ours_seconds >= 0


def test_row_in_words():
    assert str(FAST).startswith("fit | n=2 vs SVC: ratio 0.25 (goal 0.5: met); 10 ms against 40 ms")
    assert "(goal 1: MISSED)" in str(SLOW)
    assert "goal" not in str(FREE)


def test_times_are_written_in_the_unit_that_fits():
    assert record.legible(0.0974) == "97.4 ms"
    assert record.legible(14.53) == "14.5 s"
    assert record.legible(1124.4) == "1,120 s"
