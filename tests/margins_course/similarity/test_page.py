"""The page of similar answers shows students' text as text."""

from types import SimpleNamespace

from margins_course.assignments.sheet import Sheet
from margins_course.collecting.roster import Student
from margins_course.similarity.page import Section, distinct_names, page
from margins_course.similarity.pairs import Answer, Pair, like_the_book
from tests.margins_course.hostile_text import vectors
from tests.margins_course.similarity.test_pairs import EXERCISE, ORIGINAL, OWN, RENAMED, found
from tests.margins_course.watched_page import listening, what_happened

SHEET = Sheet("h", "Home & work", (EXERCISE,))
LIE = "total = 0.0  # \u202e\u2066 \x0c \u2028 \x85 <img src=x onerror=x> <script>x</script>"
TURNED = "<b>\u202ed"


def test_the_page_shows_lines_as_they_are_and_marks_the_right_ones(reader, browser, tmp_path):
    """Won: characters that turn a line round were shown as written, and some moved the marks."""
    lying = ORIGINAL.replace("total = 0.0", LIE)
    alike, answers = found(reader, {"a": lying, "b": RENAMED, "c": OWN, TURNED: "x"})
    unread, names = dict(reader.unread), {"a": "<img src=x>", "b": "Bob", "c": "Cyd", TURNED: TURNED}
    copied = like_the_book(reader.read("book", ORIGINAL), answers)
    (pair,) = alike.values()
    text = page(SHEET, [Section(EXERCISE, [pair], copied, unread)], names)
    assert [word for word in ("<script", "<img", "\u202e") if word in text] == []
    assert "[U+202E]" in text
    assert "&lt;img src=x&gt; and Bob: 100% alike" in text
    assert "Distance &lt;b&gt;" in text
    assert "<strong>Not compared, or not all of it:</strong> &lt;b&gt;[U+202E]d (too short)" in text
    assert "default-src &#x27;none&#x27;" in text
    expected = [line for n, line in enumerate(lying.split("\n"), 1) if n in pair.first.lines_of(pair.shared)]
    shown = marked_lines(browser, tmp_path / "similar.html", text)
    assert [line[:12] for line in shown] == [line[:12] for line in expected]


def marked_lines(browser, path, text):
    """The lines of the first answer that the page marks."""
    path.write_text(text, encoding="utf-8")
    opened = browser.new_page()
    opened.goto(path.as_uri())
    shown = opened.locator("figure").first.locator("mark").all_text_contents()
    opened.close()
    return shown


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
        path.write_text(page(SHEET, parts, names), "utf-8", errors="replace")
        assert what_happened(browser, path.as_uri(), listener) == []


def test_students_of_one_name_are_told_apart_by_their_ids():
    students = [Student("sam1", "Sam Poe"), Student("sam2", "Sam Poe"), Student("ada", "Ada Lee")]
    assert distinct_names(students) == {"sam1": "Sam Poe (sam1)", "sam2": "Sam Poe (sam2)", "ada": "Ada Lee"}
