"""The words that a search finds in a place: commands but no code, formulas by the function that is given."""

from docutils import nodes

from explorable.sphinx_ext.figures import CaptionNode, CopyNode
from extensions.pages.depths import fold_line
from extensions.search.places import anchor, name_of, places, text_of, words


def section(name, *children):
    return nodes.section("", nodes.title("", name), *children, ids=[name.lower()])


def code(language, text):
    return nodes.literal_block(text, text, language=language)


def test_commands_are_found_and_code_is_not_formulas_by_the_function_and_cells_apart():
    told = section(
        "Set-up", nodes.paragraph("", "Two lines:"), code("bash", "make lab"), code("python", "smo(K)")
    )
    assert text_of(told, words).split() == ["Two", "lines:", "make", "lab"]
    told = section(
        "Norms", nodes.paragraph("", "", nodes.Text("of "), nodes.math("x", "x"), nodes.Text(", so"))
    )
    assert text_of(told, lambda node: f"<{node.astext()}>") == "of <x>, so "
    row = nodes.row("", *(nodes.entry("", nodes.paragraph("", text)) for text in ("goal", "3")))
    assert words(row).split() == ["goal", "3"]


def test_a_section_says_nothing_of_those_in_it_of_copies_of_figures_and_of_lines_of_folds():
    copy = CopyNode("", CaptionNode("", "", nodes.Text("A line.")), ids=["ex-copy"])
    fold = fold_line("", nodes.Text("Often printed otherwise"))
    there = section("Inner", nodes.paragraph("", "There."))
    whole = section("Outer", nodes.paragraph("", "Here."), copy, fold, there)
    assert [(anchor(place), text_of(place, words).strip()) for place in places(whole)] == [
        ("outer", "Here."),
        ("inner", "There."),
    ]
    excursion = nodes.section("", nodes.title("", "6.B Turns"), excursion="6.B")
    assert [name_of(one, None, "page").strip() for one in (there, excursion)] == [
        "Inner",
        "Excursion 6.B Turns",
    ]
