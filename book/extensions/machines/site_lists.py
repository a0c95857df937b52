"""`llms.txt`, a list of Markdown twins for language models, and `sitemap.xml`, one of all pages."""

from html import escape
from pathlib import Path

from extensions.pages.page_head import description
from extensions.pages.tree import published

UNNAMED = "The book"  # the part of the contents without a caption
NOTE = """\
Each page has a Markdown twin: its address with `.md` in the place of `.html`. Formulas are LaTeX between
dollars. The numbers of theorems, equations and figures are those of the pages.
"""
SITEMAP = """\
<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
{}</urlset>
"""


def parts(app):
    """By the caption of each part its pages, in the order of the contents."""
    contents = app.env.external_site_map
    found = {UNNAMED: [str(contents.root.docname)]}
    for part in contents.root.subtrees:
        pages = (page for file in part.files() for page in with_sections(contents, file))
        found.setdefault(part.caption or UNNAMED, []).extend(pages)
    return found


def with_sections(contents, file):
    """A page of the contents and those below it."""
    yield file.removesuffix(".md")
    for part in contents[file].subtrees:
        for below in part.files():
            yield from with_sections(contents, below)


def line(app, page):
    """The twin of a page as an item of the list."""
    number = app.env.toc_secnumbers.get(page, {}).get("")
    title = app.env.titles[page].astext()
    name = f"{number[0]}. {title}" if number else title
    return f"- [{name}]({published(app, page)}.md): {description(app, page)}"


def llms(app):
    """The title, what the book is, and the twins by the parts of the contents."""
    lists = (
        f"## {caption}\n\n" + "\n".join(line(app, page) for page in pages)
        for caption, pages in parts(app).items()
    )
    head = f"# {app.config.html_title}\n\n> {description(app, app.config.root_doc)}\n\n{NOTE}"
    return "\n".join([head, *(f"{text}\n" for text in lists)])


def sitemap(app):
    pages = (published(app, f"{page}.html") for page in sorted(app.env.found_docs))
    return SITEMAP.format("".join(f"<url><loc>{escape(page)}</loc></url>\n" for page in pages))


def write(app, failure):
    """Writes both files, once all pages are written."""
    if failure is None and app.builder.name == "html":
        Path(app.outdir, "llms.txt").write_text(llms(app), "utf8")
        Path(app.outdir, "sitemap.xml").write_text(sitemap(app), "utf8")


def setup(app):
    app.connect("build-finished", write)
