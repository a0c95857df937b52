"""What becomes of folds, quizzes, code and tables of a page in the EPUB."""

from scripts.editions.epub_markup import for_readers
from scripts.editions.site import fragment


def changed(markup):
    """An article of that content as it stands in the EPUB."""
    body = fragment(f"<article>{markup}</article>")
    for_readers(body)
    return body


def test_statements_are_open_and_checks_are_shut():
    body = changed(
        '<details class="deep" data-since="chapter" open=""><summary>S</summary><p>1</p></details>'
        '<details class="deep" data-since="everything" open=""><summary>C</summary><p>2</p></details>'
    )
    assert str(body) == (
        '<article><p>1</p><details class="deep"><summary>C</summary><p>2</p></details></article>'
    )


def test_a_question_is_a_list():
    label = '<label><input name="q" type="radio"/> <span>{}</span></label>'
    body = changed(
        f'<fieldset class="quiz"><legend>Why?</legend>{label.format("A")}{label.format("B")}</fieldset>'
    )
    assert body.select_one(".question").get_text() == "Question 1. Why?"
    assert [item.get_text().strip() for item in body.select("div.quiz > ol > li")] == ["A", "B"]


def test_items_without_end_tags_stand_beside_each_other():
    body = changed("<ul><li>a<li>b<li>c</li></li></li></ul>")
    assert [item.get_text() for item in body.select("ul > li")] == ["a", "b", "c"]


def test_lines_of_code_keep_their_words_and_know_how_deep_they_are():
    code = '<span class="k">def</span> f():\n    <span class="sd">"""a\n    b"""</span>\n'
    body = changed(f"<pre><span></span>{code}</pre>")
    assert body.pre.get_text() == 'def f():\n    """a\n    b"""\n'
    assert [line["class"] for line in body.select(".line")] == ["line in0", "line in1", "line in1"]
    assert [body.b.string, *(part.string for part in body.select("i"))] == ["def", '"""a', '    b"""']


def table(names, cells):
    head, row = (
        "".join(f"<{tag}>{part}</{tag}>" for part in parts) for tag, parts in (("th", names), ("td", cells))
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody><tr>{row}</tr></tbody></table>"


def test_rows_of_wide_tables_name_their_columns():
    body = changed(table("abcd", ["first", "<p>2</p>", '<span class="column">c</span>3', ""]))
    assert [cell.get_text() for cell in body.select(".rows tbody tr > *")] == ["first", "b2", "c3"]
    assert body.select_one(".rows tbody th").get_text() == "first"


def test_narrow_tables_stay():
    markup = table("ab", ["first", "2"])
    assert str(changed(markup)) == f"<article>{markup}</article>"
