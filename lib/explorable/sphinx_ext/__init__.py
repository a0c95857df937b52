"""The Sphinx extension of `explorable`: figures of notebooks in the pages of a site.

A project needs `extensions = ["myst_nb", "explorable.sphinx_ext"]` in `conf.py`; for Jupyter Book 1, the name
`explorable.sphinx_ext` under `sphinx: extra_extensions:` in `_config.yml`. Kernels that Sphinx starts then
compute every position of a figure; the site holds these as files of its own, with the script and the style
sheet of the figures. Figures are numbered where `numfig` is on. A theme that has the text of the style sheet
in a sheet of its own sets `explorable_link_css = False`.
"""

import os
import shutil
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

from explorable.markup import STYLE_SHEET, script
from explorable.sphinx_ext import figures, register, states, tables

SCRIPT = "explorable.js"


def publish_assets(app: Sphinx) -> None:
    """Copies script and style sheet into the site, before pages need their checksums."""
    if app.builder.format != "html":
        return
    static = Path(app.outdir, "_static")
    static.mkdir(parents=True, exist_ok=True)
    (static / SCRIPT).write_text(script(), "utf8")
    if app.config.explorable_link_css:
        shutil.copyfile(STYLE_SHEET, static / STYLE_SHEET.name)


def link_assets(app: Sphinx, pagename: str, templatename: str, context: Any, doctree: Any) -> None:
    """Links the style sheet on pages with figures, the script on those with figures that move."""
    pages = register.figures(app.env)
    shown = pages.values() if app.builder.name == "singlehtml" else [pages.get(pagename, {})]
    found = [table for page in shown for table in page.values()]
    if any(found):
        app.add_js_file(SCRIPT, type="module")
    if found and app.config.explorable_link_css:
        app.add_css_file(STYLE_SHEET.name)


def setup(app: Sphinx) -> dict[str, Any]:
    os.environ["EXPLORABLE_BAKE"] = "1"  # the kernels inherit it
    app.add_config_value("explorable_link_css", True, "html", bool)
    register.connect(app)
    tables.connect(app)
    figures.connect(app)
    states.connect(app)
    app.connect("builder-inited", publish_assets)
    app.connect("html-page-context", link_assets)
    return {"version": "1", "env_version": 3, "parallel_read_safe": True, "parallel_write_safe": True}
