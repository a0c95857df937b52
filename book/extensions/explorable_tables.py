"""Tables of moving figures: kept beside the doctrees, weighed, asked for their marks, published."""

import gzip
import hashlib
import json
import shutil
from pathlib import Path

from docutils import nodes
from figure_register import figures
from sphinx.errors import ExtensionError

FRAMES = "_static/explorables"
MAX_PAGE_BYTES = 300_000  # of all tables of a page, gzipped


def as_json(data):
    """JSON that no value can end early when it stands in a <script>; the cache does not keep key order."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False).replace("<", "\\u003c")


def store(env, table):
    """The name of the file beside the doctrees that holds `table`: it lives and dies with them."""
    content = as_json(table).encode()
    key = hashlib.sha256(content).hexdigest()[:16]
    folder = Path(env.app.doctreedir, "explorables")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{key}.json").write_bytes(content)
    return f"{key}.json"


def weigh(app, env):
    """All tables of a page together must stay light."""
    for page, found in figures(env).items():
        size = sum(weight(env, table) for table in found.values() if table)
        if size > MAX_PAGE_BYTES:
            problem = f"its figures weigh {size / 1000:.0f} kB gzipped of {MAX_PAGE_BYTES // 1000}"
            raise ExtensionError(f"{env.doc2path(page)}: {problem}; see which table is largest in {FRAMES}")


def weight(env, table):
    """The bytes of a table gzipped; its name says its content, so that each is pressed once."""
    if not hasattr(env, "table_weights"):
        env.table_weights = {}
    if table not in env.table_weights:
        content = Path(env.app.doctreedir, "explorables", table).read_bytes()
        env.table_weights[table] = len(gzip.compress(content, mtime=0))
    return env.table_weights[table]


def words_name_marks(app, doctree, page):
    """Links to a figure whose title names a mark light it; a title that names none stops the build."""
    for link in doctree.findall(nodes.reference):
        target = link.get("refid") or link.get("refuri", "").removeprefix("#")
        title = link.get("reftitle", "")
        table = figures(app.env).get(page, {}).get(target)
        if table and title and title not in marks_of(app.env, table):
            known = ", ".join(sorted(marks_of(app.env, table)))
            raise ExtensionError(f"{app.env.doc2path(page)}: {target} has no mark {title!r}; it has {known}")


def marks_of(env, table):
    """The keys and links of the marks in the table of that name."""
    marks = json.loads(Path(env.app.doctreedir, "explorables", table).read_text("utf8"))["marks"]
    return {mark.get("l", mark["k"]) for mark in marks if not any("axis" in look for look in mark["s"])}


def publish_frames(app, failure):
    """The frames that some page uses into the site; those that none uses away."""
    if failure or app.builder.format != "html":
        return
    kept, site = Path(app.doctreedir, "explorables"), Path(app.outdir, FRAMES)
    wanted = {frames for page in figures(app.env).values() for frames in page.values() if frames}
    site.mkdir(parents=True, exist_ok=True)
    for frames in wanted:
        shutil.copyfile(kept / frames, site / frames)
    for stale in (file for folder in (kept, site) if folder.is_dir() for file in folder.iterdir()):
        if stale.name not in wanted:
            stale.unlink()


def setup(app):
    app.setup_extension("figure_register")
    app.connect("env-updated", weigh)
    app.connect("doctree-resolved", words_name_marks)
    app.connect("build-finished", publish_frames)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
