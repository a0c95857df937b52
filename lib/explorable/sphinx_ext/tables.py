"""Tables of frames: stored beside the doctrees, limited in size, copied into the site."""

import gzip
import hashlib
import json
import shutil
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.errors import ExtensionError
from sphinx.util import logging

from explorable.markup import as_json
from explorable.sphinx_ext.register import figures

LOGGER = logging.getLogger(__name__)
FRAMES = "_static/explorables"
MAX_PAGE_BYTES = 300_000  # of all tables of a page, gzipped


def store(env: Any, table: Any) -> str:
    """The name of the file that holds `table`, made from its content; it is kept beside the doctrees."""
    content = as_json(table).encode()
    key = hashlib.sha256(content).hexdigest()[:16]
    folder = Path(env.app.doctreedir, "explorables")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{key}.json").write_bytes(content)
    return f"{key}.json"


def check_sizes(app: Sphinx, env: BuildEnvironment) -> None:
    """Refuses pages whose tables together are larger than the limit."""
    for page, found in figures(env).items():
        size = sum(gzipped_size(env, table) for table in {*found.values()} if table)
        if size > MAX_PAGE_BYTES:
            problem = f"its figures weigh {size / 1000:.0f} kB gzipped of {MAX_PAGE_BYTES // 1000}"
            raise ExtensionError(f"{env.doc2path(page)}: {problem}; see which table is largest in {FRAMES}")


def gzipped_size(env: Any, table: str) -> int:
    """The bytes of a table gzipped; kept by its name, which is made from its content."""
    if not hasattr(env, "table_sizes"):
        env.table_sizes = {}
    if table not in env.table_sizes:
        content = Path(env.app.doctreedir, "explorables", table).read_bytes()
        env.table_sizes[table] = len(gzip.compress(content, mtime=0))
    return env.table_sizes[table]


def check_links_to_marks(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Warns of links to a figure whose title, the name of a mark to highlight, is that of no mark."""
    for link in doctree.findall(nodes.reference):
        target = link.get("refid") or link.get("refuri", "").removeprefix("#")
        title = link.get("reftitle", "")
        table = figures(app.env).get(page, {}).get(target)
        if table and title:
            require_mark(app.env, page, target, title)


def require_mark(env: Any, page: str, figure: str, name: str) -> None:
    """Warns of a name that no mark, no marks ("token" for token 0, token 1) and no aside has."""
    known = names_of(env, figures(env)[page][figure])
    if name not in known and not any(mark.startswith(f"{name} ") for mark in known):
        marks = ", ".join(sorted(known))
        LOGGER.warning("%s has no mark %r; it has %s", figure, name, marks, location=page)


def names_of(env: Any, table: str | None) -> set[str]:
    """The keys, links and asides of the marks in the table of that name."""
    marks = json.loads(Path(env.app.doctreedir, "explorables", str(table)).read_text("utf8"))["marks"]
    seen = [mark for mark in marks if not any("axis" in look for look in mark["s"])]
    return {mark.get("a") or mark.get("l", mark["k"]) for mark in seen}


def publish(app: Sphinx, failure: Exception | None) -> None:
    """Copies the tables that some page uses into the site and removes the others."""
    if failure or app.builder.format != "html":
        return
    kept, site = Path(app.doctreedir, "explorables"), Path(app.outdir, FRAMES)
    wanted = {table for page in figures(app.env).values() for table in page.values() if table}
    site.mkdir(parents=True, exist_ok=True)
    for table in wanted:
        shutil.copyfile(kept / table, site / table)
    for outdated in (file for folder in (kept, site) if folder.is_dir() for file in folder.iterdir()):
        if outdated.name not in wanted:
            outdated.unlink()


def connect(app: Sphinx) -> None:
    app.connect("env-updated", check_sizes)
    app.connect("doctree-resolved", check_links_to_marks)
    app.connect("build-finished", publish)
