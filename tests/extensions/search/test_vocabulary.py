"""The words that the browser is told: the book's own, synonyms, and those that say nothing."""

import json

from extensions.search import vocabulary
from extensions.search.vocabulary import publish, telling


def test_the_commonest_words_come_first_and_words_with_hyphens_in_parts_and_as_one():
    texts = ["Kernel kernel kernel margin", "the margin of 12", "a Margin, a kernel; smo_iterates"]
    assert vocabulary.vocabulary(texts) == ["margin", "kernel", "of", "smo_iterates", "the"]
    assert vocabulary.vocabulary(["Over-parameterisation"]) == [
        "over",
        "overparameterisation",
        "parameterisation",
    ]
    assert telling("Why can't the square root be a kernel?") == ["square", "root", "kernel"]


def test_all_that_the_browser_knows_stands_in_one_file(tmp_path):
    publish(["a support vector"], tmp_path / "words.json")
    told = json.loads((tmp_path / "words.json").read_text("utf8"))
    assert told["vocabulary"] == ["support", "vector"]
    assert "rotary" in told["synonyms"]["rope"]
    assert {"why", "the"} <= set(told["silent"])
