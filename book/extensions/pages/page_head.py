"""The head of every page: title, description, picture, security policy, favicon, theme script; and 404.html.

A host shows 404.html for an address at which there is no page, however deep that is: it searches for the
address's words. So its links and files are named from the site's root, which `html.baseurl` knows.
"""

import base64
import hashlib
import html
import re
import shutil
from pathlib import Path
from urllib.parse import urljoin, urlsplit

from bs4 import BeautifulSoup
from docutils import nodes

from extensions.execution.build_record import pages_to_rewrite
from extensions.pages.tree import published

# Before anything is drawn: light or dark, how much of the page is open, whether figures stand beside the text
# and answers are locked
THEME_SCRIPT = (
    'var d=document.documentElement,m="automatic",n=/^(chapter|everything)$/,'
    'q=new URLSearchParams(location.search),p=q.get("depth"),k="",o="";'
    'try{m=localStorage.getItem("mode")||m;k=localStorage.getItem("depth");o=localStorage.getItem("dock")}'
    'catch(e){}m=q.get("theme")||m;'
    'd.dataset.depth=n.test(p)?p:n.test(k)?k:"chapter";d.dataset.dock=o=="off"?"off":"on";'
    'q.has("lecture")&&(d.dataset.lecture="");d.dataset.mode=m;d.dataset.theme='
    'm=="light"||m=="dark"?m:matchMedia("(prefers-color-scheme: dark)").matches?"dark":"light"'
)
SCRIPT_HASH = base64.b64encode(hashlib.sha256(THEME_SCRIPT.encode()).digest()).decode()
SECURITY_POLICY = (
    f"default-src 'self'; script-src 'self' 'sha256-{SCRIPT_HASH}' 'wasm-unsafe-eval'; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; "
    "object-src 'none'; base-uri 'self'; form-action 'self'"
)
LONGEST_DESCRIPTION = 160
PICTURES = Path(__file__).resolve().parents[2] / "pictures" / "previews"  # as `make pictures` took them
PREVIEWS = "_images/previews"  # of the site


def plain_title(app, doctree, title):
    """The page's title as text, the book's name behind it; formulas in it as their source."""
    heading = doctree.next_node(nodes.title) if doctree else None
    text = heading.astext() if heading else re.sub(r"<[^>]+>", "", html.unescape(title))
    book = app.config.html_title
    return book if text.strip() == book else f"{text} – {book}"


def first_sentence(doctree):
    """The beginning of the first paragraph without formulas, cut at a word."""
    for paragraph in doctree.findall(nodes.paragraph):
        if not list(paragraph.findall(nodes.math)) and len(paragraph.astext()) > 40:
            text = re.sub(r"\s+", " ", paragraph.astext())
            short = text[: LONGEST_DESCRIPTION - 1]
            return text if len(text) <= LONGEST_DESCRIPTION else short.rsplit(" ", 1)[0] + "…"
    return ""


def note_description(app, doctree):
    given = [node["content"] for node in doctree.findall(nodes.meta) if node.get("name") == "description"]
    app.env.metadata[app.env.docname]["description"] = (given and given[0]) or first_sentence(doctree)


def description(app, page, given=None):
    """What a page is, in a sentence: its own, or what was given of one that no document makes."""
    return app.env.metadata.get(page, {}).get("description") or given or app.config.html_title


def preview(app, page):
    """Publishes the picture that other sites show with a link to a page, and gives its address.

    It is the page's own, that of the chapter whose name it bears, or the book's.
    """
    names = (page, *(f"chapters/{part}" for part in page.split("/")), "index")
    path = next(f"{name}.png" for name in names if (PICTURES / f"{name}.png").exists())
    file = Path(app.outdir, PREVIEWS, path)
    file.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(PICTURES / path, file)
    return published(app, f"{PREVIEWS}/{path}")


# attributes that other extensions write and that mislead screen readers
MISNAMED = re.compile(
    r' aria-label="Toggle hidden content"| role="doc-biblioentry"'
    r'|(?<=<div) role="list"(?= class="citation-list)'
)


def complete_context(app, pagename, templatename, context, doctree):
    favicon = app.config.html_favicon
    if "body" in context:
        context["body"] = MISNAMED.sub("", context["body"])
    context.update(
        page_title=html.escape(plain_title(app, doctree, context.get("title") or app.config.html_title)),
        description=description(app, pagename, context.get("description")),
        preview=preview(app, pagename),
        security_policy=SECURITY_POLICY,
        theme_script=THEME_SCRIPT,
        favicon_url=context["pathto"](f"_static/{favicon.rsplit('/', 1)[-1]}", 1),
    )
    context.setdefault("runnable", False)


def number_by_page(app, env):
    """Figures of a page without a number count from 1 there; Sphinx counts on from page to page."""
    for kinds in env.toc_fignumbers.values():
        numbers = kinds.get("figure", {})
        if all(len(number) == 1 for number in numbers.values()):
            numbers.update({name: (place,) for place, name in enumerate(numbers, 1)})
    return []  # Sphinx knows which pages to write


def renamed(app, env):
    """All pages, when a title, a number or a label has changed: each shows titles, any may refer to it."""
    titles = {name: title.astext() for name, title in env.titles.items()}
    standard, equations = env.get_domain("std"), env.get_domain("math").equations
    numbers = env.toc_secnumbers, env.toc_fignumbers, equations
    names = standard.labels, standard.anonlabels, standard.objects
    known = [sorted(names.items()) for names in (titles, *numbers, *names)]
    return sorted(env.found_docs) if pages_to_rewrite(app, {"every page": known}) else []


PAGE = "404"
ADDRESSES = ("href", "src", "action", "data-python-in-page")


def page(app):
    """The page, made as all others by the theme."""
    yield PAGE, {}, "404.html"


def from_the_root(page, base):
    """The page with every address that began at the page's own folder beginning at the site's root."""
    soup, root = BeautifulSoup(page, "html.parser"), urlsplit(base).path or "/"
    for name in ADDRESSES:
        for element in soup.select(f"[{name}]"):
            if not element[name].startswith("#"):
                element[name] = urljoin(root, element[name])
    return str(soup)


def write(app, failure):
    """Names the page's files from the root, once it is written."""
    file = Path(app.outdir, f"{PAGE}.html")
    if failure is None and file.exists():
        file.write_text(from_the_root(file.read_text("utf8"), app.config.html_baseurl), "utf8")


def setup(app):
    app.connect("doctree-read", note_description)
    app.connect("env-get-updated", number_by_page)  # after Sphinx has numbered them
    app.connect("env-get-updated", renamed)
    app.add_config_value("comments_config", {}, "env")  # Jupyter Book sets it for an extension we leave out
    app.connect("html-page-context", complete_context, priority=800)
    app.connect("html-collect-pages", page)
    app.connect("build-finished", write)
