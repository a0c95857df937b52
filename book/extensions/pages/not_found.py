"""The page that a host shows for an address at which there is none: it searches for the address's words.

The forge's pages serve the file 404.html for such an address, however deep that is. So all links and files of
this page are named from the site's root, which the setting `html.baseurl` knows.
"""

from pathlib import Path
from urllib.parse import urljoin, urlsplit

from bs4 import BeautifulSoup

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
    app.connect("html-collect-pages", page)
    app.connect("build-finished", write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
