"""A page's article as a part of a printed book: its tools gone, its ids unique, its folds open."""

from scripts.editions.site import anchor, parsed

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
    """A formula in words: its TeX, or what is seen of it."""
    return " ".join((formula.find("annotation") or formula).get_text().split())
