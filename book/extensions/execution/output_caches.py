"""Caches of the pages' outputs: a page runs again when a module that it imports changes, and only then.

MyST-NB's own cache depends on the code cells alone. Here each page has one cache for each state of the files
that it imports, and a page that was read with another state is read again.
"""

import hashlib
import importlib.util
import os
import shutil
import sys
from pathlib import Path

from myst_nb.core.read import create_nb_reader

from extensions.execution import run_pages
from extensions.execution.page_imports import imported_files, imports_of_cells, library, texts_of_chapters

KEPT_STATES = 3  # caches of a page: changing between git branches and back runs nothing twice


def state(names, folder, book):
    """A digest of all that a page in `folder` depends on: the files that it imports, Python, the packages."""
    packages = Path(importlib.util.find_spec("sphinx").origin).parents[1]
    versions = sorted(info.name for info in packages.glob("*.dist-info"))  # they stand in its names
    digest = hashlib.sha256("\0".join([sys.version, *versions]).encode())
    for file in imported_files(names, folder):
        digest.update(f"{os.path.relpath(file, library())}\0".encode() + file.read_bytes() + b"\0")
    for text in texts_of_chapters(names, book):
        digest.update(text.encode() + b"\0")
    return digest.hexdigest()[:16]


def outdated(app, env, added, changed, removed):
    """The pages that were read with another state of the files that they import."""
    known = {page: record for page, record in env.page_states.items() if page in env.found_docs}
    folders = {page: Path(env.doc2path(page)).parent for page in known}
    return [page for page, (names, old) in known.items() if old != state(names, folders[page], env.srcdir)]


def load_state(app):
    """Notes where MyST-NB would keep its one cache, for ours are below it, and what is known of pages."""
    app.env.all_caches = Path(app.env.mystnb_config.execution_cache_path)
    # by page that runs: the names it imports, and the state it was last read with
    app.env.page_states = getattr(app.env, "page_states", {})


def run_changed_pages(app, env, docnames):
    """Runs the notebooks about to be read whose cache does not hold their outputs."""
    env.page_caches = {}
    if env.mystnb_config.execution_mode == "cache":
        run_pages.fill_caches(list(filter(None, (prepared(env, docname) for docname in docnames))))


def prepared(env, docname):
    """The page as MyST-NB will read it, with the cache that is right for it; nothing if it is prose."""
    path = Path(env.doc2path(docname))
    text = path.read_text("utf-8-sig")
    reader = create_nb_reader(str(path), env.myst_config, env.mystnb_config, text)
    env.page_states.pop(docname, None)
    if reader is None:
        return None
    notebook = reader.read(text)
    names = imports_of_cells(cell.source for cell in notebook.cells if cell.cell_type == "code")
    current = state(names, path.parent, env.srcdir)
    env.page_states[docname] = names, current
    cache = env.page_caches[docname] = caches_of(env, docname) / current
    cache.mkdir(parents=True, exist_ok=True)
    os.utime(cache)
    # as the book's configuration says, or the page's own
    config = env.mystnb_config.copy(**notebook.metadata.get(env.mystnb_config.metadata_key, {}))
    limits = {"timeout": config.execution_timeout, "allow_errors": config.execution_allow_errors}
    return run_pages.Page(docname, path, notebook, limits, cache)


def caches_of(env, docname):
    """The folder that holds a page's caches, one for each state."""
    return env.all_caches / docname.replace("/", ".")


def choose_cache(app, docname, source):
    """The page's own cache, for MyST-NB, which is about to read it."""
    if cache := app.env.page_caches.get(docname):
        app.env.mystnb_config = app.env.mystnb_config.copy(execution_cache_path=str(cache))


def drop_old_caches(app, failure):
    """Deletes all caches but those of the last few states of each page of the book."""
    kept = {caches_of(app.env, page) for page in app.env.page_states if page in app.env.found_docs}
    for page in folders_in(app.env.all_caches):
        states = sorted(folders_in(page), key=lambda folder: folder.stat().st_mtime)
        for old in states[:-KEPT_STATES] if page in kept else [page]:
            shutil.rmtree(old)


def folders_in(folder):
    return [entry for entry in folder.iterdir() if entry.is_dir()] if folder.is_dir() else []


def setup(app):
    app.connect("builder-inited", load_state, priority=900)  # after MyST-NB's own
    app.connect("env-get-outdated", outdated)
    app.connect("env-before-read-docs", run_changed_pages)
    app.connect("source-read", choose_cache)
    app.connect("build-finished", drop_old_caches)
    return {"env_version": 3}
