"""Answers that are alike are found under other names, independent ones are not, hostile ones do nothing."""

from types import SimpleNamespace

import pytest

from margins_course.assignments.sheet import Check, Exercise, Sheet
from margins_course.collecting.roster import Student
from margins_course.grading.results import Piece, Result, Work
from margins_course.similarity.fingerprints import fingerprints
from margins_course.similarity.page import Section, distinct_names, page
from margins_course.similarity.pairs import Answer, Pair, like_the_book, pairs, read_answers
from tests.margins_course.chapter_text import with_changes
from tests.margins_course.hostile_text import vectors
from tests.margins_course.slips import mutants
from tests.margins_course.watched_page import listening, what_happened

ORIGINAL = '''
def distance(X, y):
    """My own words."""
    total = 0.0
    for row, sign in zip(X, y):
        step = np.sqrt((row ** 2).sum()) - sign * 0.25
        if step > 1e-3:
            total += np.log(step) / (1 + abs(step))
    return total
'''
RENAMED = with_changes(
    ORIGINAL,
    *(("(X, y)", "(points, labels)"), ("total", "s"), ("row", "p"), ("sign", "l"), ("step", "d")),
    ('"""My own words."""', "# a comment of the other's"),
    ("labels):\n        d", "labels):\n\n        d"),
)
OWN = """
def distance(X, y):
    lengths = np.linalg.norm(X, axis=1) - y / 4
    kept = lengths[lengths > 1e-3]
    return float(np.sum(np.log(kept) / (1 + np.abs(kept))))
"""
OTHER = """
def distance(X, y):
    values = []
    i = 0
    while i < len(y):
        v = math.hypot(*X[i]) - y[i] * 0.25
        values.append(math.log(v) / (1 + v) if v > 0.001 else 0)
        i = i + 1
    return sum(values)
"""
CHECK = Check("dist--check-1", 2, False)
EXERCISE = Exercise("dist", "Distance <b>", "code", 1, "Chapter", "", "", checks=(CHECK,))


def found(reader, sources, released=""):
    """The pairs that are alike, by students, and the answers; of a student one cell or a list of them."""
    cells = {who: own if isinstance(own, list) else [own] for who, own in sources.items()}
    work = {who: Work(tuple(Piece("code", cell) for cell in own)) for who, own in cells.items()}
    results = {who: Result("key", {}, {}, work={"dist": done}) for who, done in work.items()}
    answers = read_answers(EXERCISE, results, released, reader)
    return {(pair.first.student, pair.second.student): pair for pair in pairs(answers)}, answers


def test_copies_are_found_under_other_names_and_with_any_one_change_and_independent_answers_are_not(reader):
    changes = dict(mutants(ORIGINAL))
    for change, copy in {"names": RENAMED, **changes}.items():
        alike, _ = found(reader, {"a": ORIGINAL, "b": OWN, "c": copy, "d": OTHER})
        assert set(alike) == {("a", "c")}, change
        if change == "names":
            assert alike["a", "c"].share == pytest.approx(1.0)
            assert alike["a", "c"].first.lines_of(alike["a", "c"].shared) >= {5, 6, 7, 8}
    assert len(changes) > 30


def test_released_text_does_not_make_answers_alike(reader):
    sources = {"a": ORIGINAL, "b": ORIGINAL + OTHER, "c": OWN}
    assert found(reader, sources)[0]
    assert not found(reader, sources, released=ORIGINAL)[0]


def test_what_the_whole_class_shares_counts_for_nothing(reader):
    own = OWN, OTHER, "", RENAMED.replace("0.25", "3")
    assert ("s0", "s1") not in found(reader, {f"s{n}": ORIGINAL + text for n, text in enumerate(own)})[0]


def test_the_published_solution_is_recognised(reader):
    _, answers = found(reader, {"a": RENAMED, "b": OWN, "c": OTHER})
    copied = like_the_book(reader.read("book", ORIGINAL), answers)
    assert [pair.first.student for pair in copied] == ["a"]


NO_PYTHON = ["def f(:", "(((", "(" * 40_000, "-" * 40_000 + "1", "x" + ".y" * 20_000, "\x00", "9" * 20_000]
NO_PYTHON += ["\ud800", "digits = 0x" + "f" * 4000, "#" * 49_990]


@pytest.mark.parametrize("hostile", NO_PYTHON, ids=lambda text: ascii(text[:12]))
def test_a_cell_that_no_parser_likes_hides_no_copy_and_costs_nobody_else(reader, hostile):
    """Won: such a cell, or a long comment, hid the whole answer without a word."""
    sources = {"a": ORIGINAL, "b": hostile, "c": RENAMED, "d": OWN, "e": [hostile, RENAMED]}
    alike, answers = found(reader, sources)
    assert ("a", "c") in alike
    assert "b" not in [answer.student for answer in answers]
    assert ("a", "e") in alike or "e" in reader.unread


def test_what_could_not_be_compared_is_named(reader):
    """Won: an answer in a string, or one of a line, was left out without a word."""
    short, long = "def distance(X, y):\n    return 0", "#" * 60_000 + ORIGINAL
    _, answers = found(reader, {"a": ORIGINAL, "b": f"exec({ORIGINAL!r})", "c": short, "d": OWN, "e": long})
    assert [answer.student for answer in answers] == ["a", "d"]
    reasons = {"b": "it uses exec, which can hide any code", "c": "too short"}
    assert reader.unread == reasons | {"e": "over 50000 characters"}


def test_lines_for_the_notebook_do_not_hide_an_answer():
    plain, marked = (fingerprints(text)[-20:] for text in (ORIGINAL, "%timeit x\n" + ORIGINAL))
    assert [row[0] for row in plain] == [row[0] for row in marked]


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
    (tmp_path / "similar.html").write_text(text, encoding="utf-8")
    opened = browser.new_page()
    opened.goto((tmp_path / "similar.html").as_uri())
    shown = opened.locator("figure").first.locator("mark").all_text_contents()
    opened.close()
    assert [line[:12] for line in shown] == [line[:12] for line in expected]


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
