"""Search by what students type: 150 questions, synonyms, slips, formulas, whole words first."""

import json
import re
from pathlib import Path

import pytest
import yaml

from conftest import full
from extensions.search.vocabulary import known
from tests.book.conftest import EVERY, SITE, ids, parsed
from tests.book.test_search import ask, ask_anew

QUERIES = yaml.safe_load(Path(__file__).with_name("student_queries.yml").read_text("utf8"))
FOUND = {chapter: asked for chapter, asked in QUERIES.items() if chapter != "Not found"}
FIRST_CHAPTER, *OTHERS = FOUND
FIRST = 3  # results
ANSWER = """async query => {
    history.replaceState(null, "", `?q=${encodeURIComponent(query)}`);
    const [status, list] = ["p", "ul"].map(name => document.createElement(name));
    await search.showAll(status, list);
    return [...list.querySelectorAll("a")].map(link => decodeURIComponent(link.hash.slice(1)));
}"""


@pytest.fixture(scope="module")
def searching(visit):
    """A page whose `search` is the module that it loads, and `isOneSlip` a part of that."""
    with visit("search.html") as page:
        page.evaluate(
            """async () => {
                const script = new URL(document.querySelector("script[src*='reader.js']").src);
                const module = name => import(new URL(`${name}${script.search}`, script));
                globalThis.search = await module("search.js");
                globalThis.isOneSlip = (await module("search_words.js")).isOneSlip;
            }"""
        )
        yield page


@pytest.mark.parametrize("chapter", [FIRST_CHAPTER, *full(*OTHERS)])
def test_what_students_type_is_found_among_the_first_three(searching, chapter):
    first = {query: searching.evaluate(ANSWER, query)[:FIRST] for query in FOUND[chapter]}
    missed = {query: found for query, found in first.items() if not set(found) & set(FOUND[chapter][query])}
    assert not missed, f"found first: {missed}; the places that answer: tests/book/student_queries.yml"


def test_what_is_still_missed_is_missed(searching):
    missed = QUERIES["Not found"]
    found = [query for query in missed if set(searching.evaluate(ANSWER, query)[:FIRST]) & set(missed[query])]
    assert not found, f"{found} are found now: move them to their chapters in tests/book/student_queries.yml"


def test_a_hundred_and_fifty_questions_are_asked_of_every_chapter_and_answered_in_the_book():
    assert sum(map(len, FOUND.values())) >= 150
    assert {chapter.split()[0] for chapter in FOUND} >= {str(number) for number in range(1, 12)}
    answers = {query: set(places) for asked in QUERIES.values() for query, places in asked.items()}
    in_book = set().union(*map(ids, EVERY))
    gone = {query: places - in_book for query, places in answers.items() if places - in_book}
    assert not gone, f"no page has {gone}: name the places that answer now"


def test_every_phrase_of_the_synonyms_is_in_the_book():
    pages = [page for page in EVERY if page.startswith(("chapters/", "book/"))]
    texts = [" ".join(re.findall(r"[^\W_]+", parsed(page).main.get_text(" ").lower())) for page in pages]
    phrases = {phrase for meant in known()["synonyms"].values() for phrase in meant}
    spoken = {phrase: " ".join(re.findall(r"[^\W_]+", phrase.lower())) for phrase in phrases}
    unknown = {phrase for phrase, words in spoken.items() if not any(f" {words}" in text for text in texts)}
    assert not unknown, f"no page says {unknown}: book/extensions/search/synonyms.yml"


@pytest.mark.parametrize(
    ("word", "other", "is_one"),
    [
        ("suport", "support", True),
        ("supportt", "support", True),
        ("sapport", "support", True),
        ("suppotr", "support", True),
        ("support", "support", True),
        ("usppotr", "support", False),
        ("supp", "support", False),
        ("sunnort", "support", False),
        ("kernels", "korners", False),
    ],
)
def test_one_slip_is_a_letter_more_less_changed_or_exchanged(searching, word, other, is_one):
    assert searching.evaluate("([word, other]) => isOneSlip(word, other)", [word, other]) is is_one
    assert searching.evaluate("([word, other]) => isOneSlip(other, word)", [word, other]) is is_one


WORDS = ["kernel", "support", "vector", "over", "rotary", "parameterisation", "skipped", "connection"]
LEXICON = {
    "silent": ["what", "is", "a", "it"],
    "synonyms": {"skip connection": ["residual connection"], "rope": ["rotary"]},
    "vocabulary": [*WORDS, "regularisation", "regularization"],
}


@pytest.mark.parametrize(
    ("question", "phrases"),
    [
        ("What is a suport vector?", [["support"], ["vector"]]),
        ("kernel kernels", [["kernel"]]),
        ("over-parameterization", [["over"], ["parameterisation"]]),
        ("kernelise", [["kernel"]]),
        ("regularization", [["regularization", "regularisation"]]),
        ("skip connections", [["skip connection", "residual connection"]]),
        ("RoPE's", [["rotary"]]),
        ("supportvector", [["support vector"]]),
        ("supp", [["supp"]]),
        ("xylo xylophone", [[], []]),
        ("what is it", [[], [], []]),
    ],
)
def test_a_question_asks_for_words_of_the_book(searching, question, phrases):
    asked = """([known, question]) => import(new URL("_static/search_words.js", location.href))
        .then(words => new words.Lexicon(known).ideas(question).map(idea => idea.phrases))"""
    assert searching.evaluate(asked, [LEXICON, question]) == phrases


def test_whole_words_come_first_and_what_was_read_otherwise_is_said(visit):
    with visit("index.html") as page:
        ask(page, "smo")
        shown = page.locator(".while-typing li li").all_inner_texts()
        says = [bool(re.search(r"\bsmo(_\w+)?\b|sequential minimal optimi", text, re.I)) for text in shown]
        assert says[0]
        assert says == sorted(says, reverse=True), shown
        ask_anew(page, "suport vector")
        assert "“suport” read as “support”" in page.inner_text(".while-typing [role=status]")
        ask_anew(page, "perceptron homework")
        assert "No place says all of" in page.inner_text(".while-typing [role=status]")
        assert page.locator(".while-typing a[href*='#svm-thm-perceptron']").count()


def test_formulas_are_shown_as_formulas_or_left_out_if_they_cannot_be_loaded(visit):
    with visit("search.html?q=variance of a logit") as page:
        page.wait_for_selector("#search-results a")
        shown = page.locator("#search-results li li", has_text="Why the square root").first
        assert shown.locator("math").count() > 1
        assert page.locator("#search-results math").first.bounding_box()["width"] > 1
        assert not re.search("[\ue000-\uf8ff]", page.inner_text("#search-results"))
    with visit("index.html") as page:
        page.route("**/search/formulas/**", lambda route: route.fulfill(status=204, body=""))
        ask(page, "variance of a logit")
        shown = page.inner_text(".while-typing")
        assert "…" in shown
        assert not re.search("[\ue000-\uf8ff]", shown)


def test_formulas_beside_the_index_are_those_of_its_places():
    files = list((SITE / "_static/search/formulas").rglob("*.json"))
    assert len(files) > 300
    for file in files:
        page = SITE / file.parent.relative_to(SITE / "_static/search/formulas").with_suffix(".html")
        assert f'id="{file.stem}"' in page.read_text("utf8"), file
    assert all(mathml.startswith("<math") for mathml in json.loads(files[0].read_text("utf8")))
