"""Points, durations and untrusted text as people read them."""

from margins_course.pages.student_html import output_html
from margins_course.wording import counted, duration, format_points, visible


def test_characters_that_hide_or_turn_others_are_named():
    assert visible("a\u202eb\u200bc\x00\ud800\r\nd") == "a[U+202E]b[U+200B]c[U+0000][U+D800]\nd"
    assert visible("e" + "\u0301" * 500 + "f") == "e" + "\u0301" * 3 + "f"
    assert visible("Žižek, 數學, שלום\t\n") == "Žižek, 數學, שלום\t\n"
    assert output_html("\x1b[31mred\x1b[0m \x1b]8;;http://h\x07x") == '<pre class="printed">red x</pre>'


def test_numbers_have_no_needless_digits_and_durations_two_units_at_most():
    points = {2.0: "2", 2.5: "2.5", 1 / 3: "0.33", -0.5: "−0.5", 0.1 + 0.2: "0.3"}
    assert {value: format_points(value) for value in points} == points
    assert [counted(number, "page") for number in (0, 1, 2)] == ["0 pages", "1 page", "2 pages"]
    said = {20: "less than a minute", 60: "1 minute", 90_061: "1 day and 1 hour"}
    assert {seconds: duration(seconds) for seconds in said} == said
