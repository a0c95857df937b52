"""The words that a search finds in a place: commands but no code, formulas by the function that is given."""

from docutils import nodes

from extensions.search.places import anchor, places, text_of, words


def section(name, *children):
    return nodes.section("", nodes.title("", name), *children, ids=[name.lower()])


def code(language, text):
    return nodes.literal_block(text, text, language=language)


def test_commands_are_found_and_code_is_not():
    told = section(
        "Set-up", nodes.paragraph("", "Two lines:"), code("bash", "make lab"), code("python", "smo(K)")
    )
    assert text_of(told, words).split() == ["Two", "lines:", "make", "lab"]


def test_formulas_are_told_by_the_function_that_is_given():
    told = section(
        "Norms", nodes.paragraph("", "", nodes.Text("of "), nodes.math("x", "x"), nodes.Text(", so"))
    )
    assert text_of(told, lambda node: f"<{node.astext()}>") == "of <x>, so "


def test_a_section_says_nothing_of_those_in_it():
    whole = section("Outer", nodes.paragraph("", "Here."), section("Inner", nodes.paragraph("", "There.")))
    assert [(anchor(place), text_of(place, words).strip()) for place in places(whole)] == [
        ("outer", "Here."),
        ("inner", "There."),
    ]


def test_cells_of_a_table_stand_apart():
    row = nodes.row("", *(nodes.entry("", nodes.paragraph("", text)) for text in ("goal", "3")))
    assert words(row).split() == ["goal", "3"]
