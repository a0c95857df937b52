"""The picture that other sites show with a link to a page: its first figure, as `make pictures` took it."""

import shutil
from pathlib import Path

PICTURES = Path(__file__).resolve().parents[2] / "pictures" / "previews"
FOLDER = "_images/previews"  # of the site


def picture_of(page):
    """The picture of a page: its own, that of the chapter whose name it bears, or the book's."""
    names = (page, *(f"chapters/{part}" for part in page.split("/")), "index")
    return next(name for name in names if (PICTURES / f"{name}.png").exists())


def offer(app, pagename, templatename, context, doctree):
    """Publishes the page's picture and gives the template its address."""
    path = f"{picture_of(pagename)}.png"
    published = Path(app.outdir, FOLDER, path)
    published.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(PICTURES / path, published)
    context["preview"] = f"{app.config.html_baseurl.rstrip('/')}/{FOLDER}/{path}"


def setup(app):
    app.connect("html-page-context", offer)
