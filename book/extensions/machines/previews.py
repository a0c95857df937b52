"""The picture that other sites show with a link to a page: its first figure, as `make pictures` took it."""

import shutil
from pathlib import Path

PICTURES = Path(__file__).resolve().parents[2] / "pictures" / "previews"
FOLDER = "_images/previews"  # of the site


def offer(app, pagename, templatename, context, doctree):
    """Publishes the page's picture if there is one, and gives the template its address."""
    taken = PICTURES / f"{pagename}.png"
    if not taken.exists():
        return
    path = f"{FOLDER}/{pagename}.png"
    published = Path(app.outdir, path)
    published.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(taken, published)
    context["preview"] = f"{app.config.html_baseurl.rstrip('/')}/{path}"


def setup(app):
    app.connect("html-page-context", offer)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
