"""The page of similar answers shows students' text as text."""

from types import SimpleNamespace

from margins_course.assignments.sheet import Sheet
from margins_course.collecting.roster import Student
from margins_course.similarity.page import Section, distinct_names, page
from margins_course.similarity.pairs import (
    Answer,
    Pair,
    like_the_book,
)
from tests.margins_course.hostile_text import vectors
from tests.margins_course.similarity.test_pairs import EXERCISE, ORIGINAL, OWN, RENAMED, found
from tests.margins_course.watched_page import listening, what_happened


def test_the_page_shows_students_text_as_text(reader):
    alike, answers = found(reader, {"a": ORIGINAL + "# <script>x</script>", "b": RENAMED, "c": OWN})
    names = {"a": "<img src=x>", "b": "Bob", "c": "Cyd"}
    copied = like_the_book(reader.read("book", ORIGINAL), answers)
    text = page(
        Sheet("h", "Home & work", (EXERCISE,)), [Section(EXERCISE, list(alike.values()), copied)], names
    )
    assert "<script" not in text.replace("&lt;script", "")
    assert "<img" not in text
    assert "&lt;img src=x&gt; and Bob: 100% alike" in text
    assert "<mark>        if d &gt; 1e-3:</mark>" in text
    assert "Distance &lt;b&gt;" in text
    assert "default-src &#x27;none&#x27;" in text


def test_the_hostile_texts_do_nothing_in_names_and_code(reader, browser, tmp_path):
    with listening() as listener:
        texts = list(vectors(SimpleNamespace(port=listener.port, canary=tmp_path / "canary")).values())
        parts, names = [], {}
        for place in range(0, len(texts), 2):
            code = "\n".join(text[:3000] for text in texts[place : place + 2])
            one, other = (Answer(f"{who}{place}", code, {0: (1, 1)}) for who in "ab")
            names |= {one.student: texts[place][:300], other.student: texts[-place][:300]}
            parts.append(Section(EXERCISE, [Pair(one, other, 1.0, 1.0, frozenset([0]))]))
        path = tmp_path / "similar.html"
        path.write_text(page(Sheet("h", "Homework", (EXERCISE,)), parts, names), "utf-8", errors="replace")
        assert what_happened(browser, path.as_uri(), listener) == []


def test_students_of_one_name_are_told_apart_by_their_ids():
    students = [Student("sam1", "Sam Poe"), Student("sam2", "Sam Poe"), Student("ada", "Ada Lee")]
    assert distinct_names(students) == {"sam1": "Sam Poe (sam1)", "sam2": "Sam Poe (sam2)", "ada": "Ada Lee"}
