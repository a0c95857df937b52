"""Fingerprints of code with lines for the notebook program."""

from margins_course.similarity.fingerprints import fingerprints
from tests.margins_course.similarity.test_pairs import ORIGINAL


def test_lines_for_the_notebook_do_not_hide_an_answer():
    assert [row[0] for row in fingerprints("%timeit x\n" + ORIGINAL)[-20:]] == [
        row[0] for row in fingerprints(ORIGINAL)[-20:]
    ]
