"""Words are found where the page says them, in its prose or in a figure."""

from margins_book.page.words import figure_named, figure_saying, line_of, words_of_conditions

PAGE = """# Title

The first
words stand here.

```{code-cell} ipython3
print("words in code")
```

The last words.
"""
MODULE = """
@explore(caption="A street between two classes.", prompts=[prompt("Where?", "In the middle of both.")],
    expect={"words of the page": everywhere(lambda f: f.width > 0)})
def street(width):
    return drawing(width), f"The street is {width} wide."
"""


def test_words_are_found_over_lines_and_never_in_code():
    assert line_of("first words stand", PAGE) == 4
    assert line_of("The last words.", PAGE) == 10
    assert line_of("words in code", PAGE) == 0


def test_a_figure_says_its_caption_and_its_answers_and_not_what_it_quotes():
    assert figure_saying("street between two", MODULE) == "street"
    assert figure_saying("In the middle of both", MODULE) == "street"
    assert figure_saying("words of the page", MODULE) == ""
    assert words_of_conditions(MODULE) == ["words of the page"]


def test_a_cell_names_a_figure_by_itself_or_by_a_call():
    assert figure_named("figures.lift\n") == "lift"
    assert figure_named("figures.counts(settings, mean)") == "counts"
    assert figure_named("figures.lift\nx = 1") == figure_named("lift") == figure_named("%timeit x") == ""
