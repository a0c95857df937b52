"""Outputs that fit the library: when it changes, chapters run again; when only prose does, nothing runs.

MyST-NB's cache knows the code cells only. Here each state of the library has a cache of its own,
and a page that was run with another state is read again.
"""

import hashlib
import importlib.util
import os
import shutil
from functools import cache
from pathlib import Path

KEPT_STATES = 3  # so that going back and forth between branches runs nothing twice


@cache
def library():
    """The folder of the installed library, found without importing it."""
    return Path(importlib.util.find_spec("margins").origin).parent


def state():
    """A name for the library as it is now: a hash of its Python sources."""
    digest = hashlib.sha256()
    for source in sorted(library().rglob("*.py")):
        digest.update(f"{source.relative_to(library())}\0".encode() + source.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def choose_cache(app):
    """The execution cache of the library's state, in place of one for all states."""
    config = app.env.mystnb_config
    folder = Path(config.execution_cache_path, state())
    folder.mkdir(parents=True, exist_ok=True)
    os.utime(folder)
    app.env.mystnb_config = config.copy(execution_cache_path=str(folder))


def outdated(app, env, added, changed, removed):
    """The pages that were run with another state of the library."""
    if getattr(env, "library_state", None) == state():
        return []
    pages = getattr(env, "nb_metadata", {}).items()
    return [page for page, data in pages if "exec_data" in data and page in env.found_docs]


def note_state(app, env):
    env.library_state = state()


def drop_old_caches(app, failure):
    """All but the caches of the last few states away."""
    folders = [f for f in Path(app.env.mystnb_config.execution_cache_path).parent.iterdir() if f.is_dir()]
    for old in sorted(folders, key=lambda folder: folder.stat().st_mtime)[:-KEPT_STATES]:
        shutil.rmtree(old)


def show_failures(app, config):
    """A failing cell stops the build with its traceback, which names the cell and says what to do."""
    config.nb_execution_show_tb = True


def setup(app):
    app.connect("config-inited", show_failures)
    app.connect("builder-inited", choose_cache, priority=900)  # after MyST-NB's own
    app.connect("env-get-outdated", outdated)
    app.connect("env-updated", note_state)
    app.connect("build-finished", drop_old_caches)
    return {"version": "1", "env_version": 1, "parallel_read_safe": True, "parallel_write_safe": True}
