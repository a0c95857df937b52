"""How a page is cited: elements in its head for programs, a reference and BibTeX for readers.

All data are those of CITATION.cff; a chapter is cited as a part of the book, any other page as the book.
Errors are told in the forge's form for a new issue, with page and version filled in, to which the script
`reader/C-report.js` adds the section, the passage and the state of the figure. Forges whose forms are filled
in by `title` and `body` are GitHub, Gitea and Forgejo.
"""

import re
from functools import cache
from pathlib import Path
from urllib.parse import urlencode

import yaml

from extensions.coursework.notebook_branch import repository
from extensions.pages.page_head import plain_title

FILE = "CITATION.cff"


@cache
def cited(folder):
    """What the file in a folder says, None if there is none."""
    file = Path(folder, FILE)
    return yaml.safe_load(file.read_text("utf8")) if file.exists() else None


def citation(source, page, chapter, address):
    """The names and contents of the elements, the reference and the BibTeX of a page with that title."""
    book, people = source["title"], source["authors"]
    authors = [one.get("name") or f"{one['given-names']} {one['family-names']}" for one in people]
    date, version = str(source["date-released"]), source["version"]
    year, names = date[:4], ", ".join(authors)
    key = f"{book.split()[0].lower()}{year}-{re.sub('[^a-z0-9]+', '-', page)}"
    fields = {
        "author": " and ".join(f"{{{author}}}" for author in authors),  # a group is not taken apart
        "title": f"{{{chapter}}}",
        "booktitle": f"{{{book}}}",
        "year": year,
        "note": f"Version {version}",
        "url": address,
    }
    lines = "".join(f"  {name} = {{{value}}},\n" for name, value in fields.items())
    sentence = chapter if chapter.endswith(("?", ".")) else f"{chapter}."
    return {
        "elements": [
            ("citation_title", chapter),
            *(("citation_author", author) for author in authors),
            ("citation_publication_date", date.replace("-", "/")),
            ("citation_book_title", book),
            ("citation_public_url", address),
        ],
        "reference": f"{names} ({year}). {sentence} In: {book}, version {version}. {address}",
        "bibtex": f"@incollection{{{key},\n{lines}}}",
    }


def report(forge, title, page, version):
    """The address of the form for errors of a page."""
    told = {"Page": page, "Version": version}
    lines = "".join(f"{name}: {what}\n" for name, what in told.items() if what)
    filled_in = urlencode({"title": f"Error: {title}", "body": f"{lines}\nWhat is wrong: "})
    return f"{forge}/issues/new?{filled_in}"


def offer(app, pagename, templatename, context, doctree):
    """Gives the template how a chapter or a story is cited, and the form of the forge, if there is one."""
    source = cited(app.srcdir)
    if source and pagename.startswith(("chapters/", "stories/")):
        title = app.env.titles[pagename].astext()
        context["citation"] = citation(source, pagename, title, context["pageurl"])
    if repository(app):
        title = plain_title(app, doctree, context.get("title") or pagename)
        title = title.removesuffix(f" – {app.config.html_title}")
        version = source["version"] if source else ""
        context["report"] = report(repository(app), title, context.get("pageurl", ""), version)


def setup(app):
    app.connect("html-page-context", offer)
