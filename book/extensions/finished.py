"""What a finished build has shown: what others say on a page is written again when it is no longer that.

Sphinx takes what it has read for written, even where the build was stopped in between, and forgets everything
after an error. So the record here is of builds that ended well, and what it knew is kept where one did not.
"""

import hashlib
import json
import shutil
from pathlib import Path

from sphinx.application import ENV_PICKLE_FILENAME

NOTHING = {"drawn": {}, "read": []}


def changed(app, drawn):
    """Those of the pages that do not show what they draw from others now; `drawn` holds it by page."""
    marks = {page: hashlib.sha256(repr(what).encode()).hexdigest() for page, what in drawn.items()}
    app.drawn |= marks
    return [page for page, mark in marks.items() if app.finished["drawn"].get(page) != mark]


def record(app):
    """The file that tells what the last finished build showed, and which pages were read since."""
    return Path(app.doctreedir, "finished.json")


def remember(app):
    """The record, and a copy of what Sphinx knew when that build ended."""
    app.finished = json.loads(record(app).read_text("utf8")) if record(app).exists() else NOTHING
    app.drawn = {}
    keep(app)


def keep(app, env=None):
    """A copy of what Sphinx knows, which it throws away when a build fails."""
    known = Path(app.doctreedir, ENV_PICKLE_FILENAME)
    if known.exists():
        shutil.copyfile(known, copy_of(known))


def copy_of(known):
    return known.with_suffix(".kept")


def unfinished(app, env, added, changed, removed):
    """The pages that were read by a build that did not end, for their outputs may be of another library."""
    return app.finished["read"]


def note_read(app, env, docnames):
    """The pages that are about to be read, until they have been written."""
    note(app, app.finished | {"read": sorted(docnames)})


def note(app, content):
    record(app).write_text(json.dumps(content), "utf8")


def finish(app, failure):
    """The new record, if there was no warning; after an error, what Sphinx knew before it."""
    known = Path(app.doctreedir, ENV_PICKLE_FILENAME)
    if failure is None and not app._warncount:
        note(app, {"drawn": app.drawn, "read": []})
    elif failure and copy_of(known).exists():
        shutil.copyfile(copy_of(known), known)


def setup(app):
    app.connect("builder-inited", remember, priority=100)
    app.connect("env-get-outdated", unfinished)
    app.connect("env-before-read-docs", note_read, priority=100)
    app.connect("env-check-consistency", keep)  # Sphinx has just written down what it read
    app.connect("build-finished", finish, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
