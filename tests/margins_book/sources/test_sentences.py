"""Where sentences end, what of a text is markup, and what a digest does and does not see."""

import pytest

from margins_book.sources.sentences import Sentence, digest, sentences, without_markup


def texts(source):
    return [sentence.text for sentence in sentences(source)]


@pytest.mark.parametrize(
    ("source", "cut"),
    [
        ("One is here. Two is there! Is it three?", ["One is here.", "Two is there!", "Is it three?"]),
        ("Much (e.g. A) is left. So it is.", ["Much (e.g. A) is left.", "So it is."]),
        ("By Smith et al. A proof.", ["By Smith et al. A proof."]),
        ("For $x. Y$ too. Then on.", ["For $x. Y$ too.", "Then on."]),
        ("这是一个核。这是无限维的！然后", ["这是一个核。", "这是无限维的！", "然后"]),
        ("1. Vapnik, V. (1995). Networks. Journal.", ["Vapnik, V. (1995). Networks. Journal."]),
        ("# A heading. With two parts", ["A heading. With two parts"]),
        ("- first item\n- second item", ["first item", "second item"]),
        ("| a | b |\n|---|---|\n| c | d |", ["a | b", "c | d"]),
        ("We write:\n\n$$\nx\n$$\n$$y$$\nAnd on.", ["We write: $$ x $$ $$y$$", "And on."]),
        ("No formula announced.\n\n$$x$$", ["No formula announced.", "$$x$$"]),
        ("a $t\neq s$ b", ["a $t eq s$ b"]),
    ],
)
def test_a_text_is_cut_where_its_sentences_end(source, cut):
    assert texts(source) == cut


def test_a_picture_of_a_formula_is_marked_and_a_title_in_quotes_is_none():
    title = "Transformers as Support Vector Machines"
    assert texts(f"We calculate {title}where K is.") == ["We calculate [formula] where K is."]
    assert texts(f"A paper titled “{title}” is out.") == [f"A paper titled “{title}” is out."]
    assert texts(f"# {title}\n\n{title}") == [title, title]


def test_places_are_headings_numbers_and_labels():
    source = (
        '---\ntags:\n- one\nidea: "First. Second."\n---\n## 5.1 核\nText.\n### Part\n- **Claim:** It holds.'
    )
    assert sentences(source) == [
        Sentence("head, tags", "one"),
        Sentence("head, idea", "First."),
        Sentence("head, idea", "Second."),
        Sentence("§5.1", "5.1 核"),
        Sentence("§5.1", "Text."),
        Sentence("Part", "Part"),
        Sentence("Part, Claim", "It holds."),
    ]


def test_markup_is_taken_away_outside_of_formulas():
    assert (
        without_markup("a **bold** *word* and `code`<sup>1</sup> $x^*y^*$")
        == "a bold word and code1 $x^*y^*$"
    )


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("a  b\nc", "a b c"),
        ("“a” and ’b", '"a" and \'b'),
        ("**a** b", "a b"),
        ("a $x + y$", "a $x+y$"),
        (r"the $\frac{1}{n}$", "the $rac{1}{n}$"),
        (r"the $R \to \infty$", r"the $R  o \infty$"),
        ('ends here."', "ends here."),
    ],
)
def test_a_digest_does_not_see_what_copies_differ_in(one, other):
    assert digest(one) == digest(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("can fail", "may fail"), ("$x+y$", "$x-y$"), ("a b", "ab"), ("a", "a."), (r"$\|W\|_E$", r"$\|W\|_F$")],
)
def test_a_digest_sees_a_changed_word(one, other):
    assert digest(one) != digest(other)
