"""The built site as one HTML document to be printed: title page, contents, articles, solutions at the end."""

import posixpath
from pathlib import Path
from urllib.parse import urldefrag, urljoin

import yaml
from bs4 import BeautifulSoup

ROOT = Path(__file__).resolve().parent.parent
SITE = ROOT / "_build" / "html"
STYLE = ROOT / "scripts" / "whole_book.css"
TITLE = "Margins of Attention"
SOLUTIONS = "solutions"  # the anchor of the last chapter
UNKNOWN = "000"  # a page's number before the first printing: as wide as most
USELESS = "script, .run-it, .headerlink, .explorable-controls, [data-handle], details.hide, button"


def parsed(page):
    return BeautifulSoup((SITE / page).read_text("utf8"), "html.parser")


def fragment(markup):
    """The one element that a piece of HTML holds."""
    return BeautifulSoup(markup, "html.parser").find()


def contents_of_site():
    """The list of all pages as the site's landing page has it."""
    return parsed("index.html").select_one('nav[aria-label="Book"]')


def pages_in_order():
    """The site's pages as the book's contents list them, the landing page first."""
    links = [link["href"] for link in contents_of_site().select("a") if link["href"] != "#"]
    return ["index.html", *dict.fromkeys(urldefrag(link).url for link in links)]


def anchor(page, fragment=""):
    """The id, in the whole book, of a place on a page."""
    return f"{page.removesuffix('.html').replace('/', '-')}--{fragment}"


def on_page(name):
    """The place for the number of the page on which the element of that id stands."""
    return f'<span class="on-page" data-of="{name}">{UNKNOWN}</span>'


def article_of(page, pages):
    """A page's article: ids made unique, links between pages made links inside the book, scripts gone."""
    soup = parsed(page)
    article, home = soup.find("article"), soup.select_one("link[rel=canonical]")["href"]
    for gone in article.select(USELESS):
        gone.decompose()
    for element in article.select("[id]"):
        if not element.find_parent("svg"):  # drawings refer to their own ids, which are unique already
            element["id"] = anchor(page, element["id"])
    for link in article.select("a[href]"):
        target, place = urldefrag(link["href"])
        inside = posixpath.normpath(posixpath.join(posixpath.dirname(page), target)) if target else page
        link["href"] = f"#{anchor(inside, place)}" if inside in pages else urljoin(home, link["href"])
    for fold in article.select("details"):
        fold["open"] = ""
    for formula in article.select("math"):  # read out as one thing, not glyph by glyph
        formula["role"], formula["aria-label"] = "img", spoken(formula)
    article["id"] = anchor(page)
    return article


def spoken(formula):
    """A formula in words: its TeX, or what is seen of it."""
    return " ".join((formula.find("annotation") or formula).get_text().split())


def asking(answer):
    """What an answer belongs to, a question of the quiz or an exercise, and the name of that."""
    if answer.parent.name == "fieldset":
        number = len(answer.parent.find_all_previous("fieldset", class_="quiz")) + 1
        return answer.parent, f"Question {number}"
    box = answer.find_previous_sibling(class_="exercise")
    return box, box.select_one(".caption-number").text.strip()


def take_solutions(article):
    """The answers of an article as a section of the last chapter; links lead there and back."""
    answers = article.select("details.solution, fieldset.quiz > details")
    named = [asking(answer) for answer in answers]
    section = fragment(f"<section><h2>{article.h1.get_text()}</h2></section>")
    for number, (answer, (box, name)) in enumerate(zip(answers, named, strict=True), 1):
        there, back = f"{article['id']}answer-{number}", f"{article['id']}asked-{number}"
        box.insert_before(fragment(f'<span id="{back}"></span>'))
        link = f'<p class="answer-there"><a href="#{there}">Solution on page {on_page(there)}</a></p>'
        answer.replace_with(fragment(link))
        answer.summary.decompose()
        answer.name, answer.attrs = "div", {"class": "answer"}
        section.append(fragment(f'<h3 id="{there}"><a href="#{back}">{name}</a></h3>'))
        section.append(answer)
    return section if answers else None


def title_page():
    """Title, description, authors and version; the book's address, and what one may do with it."""
    cited, landing = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf8")), parsed("index.html")
    page = fragment(
        f'<section class="title-page"><p class="title">{TITLE}</p>'
        f"<p>{landing.find('meta', attrs={'name': 'description'})['content']}</p>"
        f"<p>{', '.join(author['name'] for author in cited['authors'])}</p>"
        f"<p>Version {cited['version']}, {cited['date-released']}</p></section>"
    )
    home = landing.select_one("link[rel=canonical]")["href"]
    page.append(fragment(f'<p>It moves, and opens as notebooks, at <a href="{home}">{home}</a></p>'))
    page.append(landing.select_one(".colophon p"))
    return page


def contents(pages):
    """The contents of the printed book: the site's, with the numbers of pages."""
    lines = contents_of_site()
    lines["class"], lines["aria-label"] = "contents-of-book", "Contents"
    for line in lines.select("li"):
        if line.a["href"] not in pages:
            line.decompose()
    lines.insert(0, fragment("<h1>Contents</h1>"))
    lines.append(fragment(f'<ul><li><a href="{SOLUTIONS}">Solutions</a></li></ul>'))
    for link in lines.select("a"):
        name = SOLUTIONS if link["href"] == SOLUTIONS else anchor(link["href"])
        link["href"] = f"#{name}"
        link.append(fragment(on_page(name)))
    return lines


def running_heads(articles):
    """A style for each article, so that its pages bear its title."""
    rules = (
        f"article:nth-of-type({number}) {{ page: part-{number} }} @page part-{number} {{ @top-right {{ "
        f'content: "{article.h1.get_text().strip()}"; font: 8.5pt sans-serif; color: #5f5b55 }} }}'
        for number, article in enumerate(articles, 1)
    )
    return "\n".join(rules)


def one_document(pages):
    """All of the book as one tree, with the site's stylesheet."""
    book = parsed("index.html")
    for gone in book.select("script, meta[http-equiv], header, footer, nav"):
        gone.decompose()
    articles = [article_of(page, set(pages)) for page in pages]
    last = fragment(f'<article id="{SOLUTIONS}"><h1>Solutions</h1></article>')
    last.extend(filter(None, map(take_solutions, articles)))
    main = book.find("main")
    main.clear()
    main.extend([title_page(), contents(pages), *articles, last])
    style = book.new_tag("style")
    style.string = STYLE.read_text("utf8") + running_heads([*articles, last])
    book.head.append(style)
    return book
