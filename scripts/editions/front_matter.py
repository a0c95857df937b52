"""What stands before a printed book's first article: the title page and the contents."""

from html import escape

import yaml

from scripts.editions.edition import TITLE
from scripts.editions.site import ROOT, anchor, contents_of_site, fragment, home, parsed
from scripts.editions.solutions import SOLUTIONS, on_page


def citation():
    """How the book is cited: authors, version, date."""
    return yaml.safe_load((ROOT / "CITATION.cff").read_text("utf8"))


def authors():
    return ", ".join(author["name"] for author in citation()["authors"])


def title_page(edition):
    """Title, edition, authors and version; the book's address, and what one may do with it."""
    cited, landing = citation(), parsed("index.html")
    page = fragment(
        f'<section class="title-page"><p class="title">{TITLE}</p>'
        f"<p>{landing.find('meta', attrs={'name': 'description'})['content']}</p>"
        f'<p class="edition">{edition.name}</p><p>{edition.about}</p>'
        f"<p>{authors()}</p>"
        f"<p>Version {cited['version']}, {cited['date-released']}</p></section>"
    )
    page.append(
        fragment(
            f'<p class="address">It moves, and opens as notebooks, at <a href="{home()}">{home()}</a></p>'
        )
    )
    page.append(fragment(f"<p>{edition.elsewhere}</p>"))
    page.append(landing.select_one(".colophon p"))
    return page


def contents(articles):
    """The contents of the printed book: the site's, with the chapters' sections and the numbers of pages."""
    lines = contents_of_site()
    lines["class"], lines["aria-label"] = "contents-of-book", "Contents"
    for line in lines.select("li"):
        if line.a["href"] in articles:
            write_line(line, articles[line.a["href"]])
        else:
            line.decompose()
    for caption in lines.select(".caption"):
        if not caption.find_next_sibling("ul").li:
            caption.decompose()
    lines.insert(0, fragment("<h1>Contents</h1>"))
    lines.append(fragment(f"<ul><li>{link_to(SOLUTIONS, 'Solutions')}</li></ul>"))
    return lines


def write_line(line, article):
    """A page's line in the contents; below that of a chapter stand its sections."""
    page, title = line.a["href"], line.a.get_text()
    line.a.replace_with(fragment(link_to(anchor(page), title)))
    sections = article.select("section > section > h2") if page.startswith("chapters/") else []
    if sections:
        listed = (f"<li>{link_to(heading.parent['id'], heading.get_text())}</li>" for heading in sections)
        line.append(fragment(f'<ul class="sections">{"".join(listed)}</ul>'))


def link_to(name, title):
    """A line of the contents: a title, and the page on which the element of that id stands."""
    return f'<a href="#{name}"><span>{escape(title)}</span>{on_page(name)}</a>'
