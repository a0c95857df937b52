"""Articles of the site as parts of a printed book.

The tools of a page go, its ids become unique, its folds open, its links lead to places in the book or to the
site, its answers to the last chapter. The lectures leave out excursions, and of what only the depth
"everything" has open all but the line that it is folded to.
"""

import posixpath
from urllib.parse import urldefrag, urljoin

from scripts.editions.site import anchor, fragment, home, parsed

USELESS = "script, .run-it, .headerlink, .explorable-controls, [data-handle], details.hide, button"


def article_of(page):
    """The article of a page, whose names in the book begin with the page's."""
    article = parsed(page).find("article")
    for gone in article.select(USELESS):
        gone.decompose()
    for element in article.select("[id]"):
        if not element.find_parent("svg"):  # drawings refer to their own ids, which are unique already
            element["id"] = anchor(page, element["id"])
    for element in article.select("[aria-labelledby]"):
        if not element.find_parent("svg"):
            element["aria-labelledby"] = anchor(page, element["aria-labelledby"])
    for fold in article.select("details"):
        fold["open"] = ""
    for formula in article.select("math"):  # read out as one thing, not glyph by glyph
        formula["role"], formula["aria-label"] = "img", spoken(formula)
    article["id"] = anchor(page)
    return article


def spoken(formula):
    """What is seen of a formula, in one line."""
    return " ".join(formula.get_text().split())


EXCURSION = "section.excursion"
FOLD = "details.deep"


def leave_out(article, page):
    """Takes out of an article what the lectures do not have; a page without depths stays as it is."""
    for gone in article.select(EXCURSION):
        gone.decompose()
    for fold in article.select(FOLD):
        if not fold.decomposed:  # with the fold around it
            fold.replace_with(line_of(fold, page))


def line_of(fold, page):
    """The line of a fold, as a link to the fold's place on the site."""
    above = fold.find_previous(lambda one: one.get("id") and not one.find_parent("svg"))
    place = fold if fold.get("id") else fold.find(id=True) or above
    name = place["id"].removeprefix(anchor(page))
    address = urljoin(home(), f"{page}?depth=everything#{name}")
    line = fragment(f'<p class="left-out"><a class="elsewhere" href="{address}"></a></p>')
    line.a.extend(list(fold.summary.contents))
    return line


def link_up(articles):
    """Sets the links of all articles, given by page; one to a part that the book does not have says so."""
    places = {element["id"] for article in articles.values() for element in article.select("[id]")}
    places |= {article["id"] for article in articles.values()}
    for page, article in articles.items():
        for link in article.select("a[href]:not(.elsewhere)"):
            set_link(link, page, articles.keys(), places)


def set_link(link, page, pages, places):
    target, place = urldefrag(link["href"])
    there = posixpath.normpath(posixpath.join(posixpath.dirname(page), target)) if target else page
    if there in pages and anchor(there, place) in places:
        link["href"] = f"#{anchor(there, place)}"
        return
    published = urljoin(home(), page)
    if not urldefrag(urljoin(published, link["href"])).url.startswith(urljoin(home(), ".")):
        return
    link["href"] = urljoin(published, link["href"])
    link["class"] = [*link.get("class", ()), "elsewhere"]


SOLUTIONS = "solutions"  # the anchor of the last chapter
UNKNOWN = "000"  # a page's number before the first printing: as wide as most


def on_page(name):
    """The place for the number of the page on which the element of that id stands."""
    return f'<span class="on-page" data-of="{name}">{UNKNOWN}</span>'


def last_chapter(articles):
    """The chapter of all solutions, which are taken out of the articles."""
    last = fragment(f'<article id="{SOLUTIONS}"><h1>Solutions</h1></article>')
    last.extend(filter(None, map(take_solutions, articles)))
    return last


def take_solutions(article):
    """The answers of an article as a section of the last chapter; links lead there and back."""
    answers = article.select("details.solution, fieldset.quiz > details")
    named = [asking(answer) for answer in answers]
    section = fragment(f"<section><h2>{article.h1.get_text()}</h2></section>")
    for number, (answer, (title, name)) in enumerate(zip(answers, named, strict=True), 1):
        there, back = f"{article['id']}answer-{number}", f"{article['id']}asked-{number}"
        title["id"] = back  # no element of its own, which would part a heading from its first question
        link = f'<p class="answer-there"><a href="#{there}">Solution on page {on_page(there)}</a></p>'
        answer.replace_with(fragment(link))
        answer.summary.decompose()
        answer.name, answer.attrs = "div", {"class": "answer"}
        section.append(fragment(f'<h3 id="{there}"><a href="#{back}">{name}</a></h3>'))
        section.append(answer)
    return section if answers else None


def asking(answer):
    """The title of what an answer belongs to, a question of the quiz or an exercise, and its name."""
    if answer.parent.name == "fieldset":
        number = len(answer.parent.find_all_previous("fieldset", class_="quiz")) + 1
        return answer.parent.legend, f"Question {number}"
    title = answer.find_previous_sibling(class_="exercise").select_one(".caption-number")
    return title, title.text.strip()
