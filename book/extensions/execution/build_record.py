"""The record of the last build that ended without error or warning; what is out of date since then.

Some pages show content of other pages (quoted equations, lists of statements). Sphinx writes a page again
only if its own source changes, so the record holds a digest of that content for each page. It also holds the
pages that a failed build had read, and a copy of Sphinx's environment, which Sphinx deletes after an error.
"""

import hashlib
import json
import shutil
from pathlib import Path

from sphinx.application import ENV_PICKLE_FILENAME

EMPTY_RECORD = {"digests": {}, "read": []}


def pages_to_rewrite(app, contents):
    """The pages whose content from other pages has changed; `contents` holds that content by page."""
    digests = {page: hashlib.sha256(repr(what).encode()).hexdigest() for page, what in contents.items()}
    app.content_digests |= digests
    return [page for page, digest in digests.items() if app.last_build["digests"].get(page) != digest]


def record_file(app):
    return Path(app.doctreedir, "last_build.json")


def load_record(app):
    """Reads the record of the last build, and keeps a copy of Sphinx's environment of that build."""
    file = record_file(app)
    app.last_build = json.loads(file.read_text("utf8")) if file.exists() else EMPTY_RECORD
    app.content_digests = {}
    copy_environment(app)


def copy_environment(app, env=None):
    """Copies Sphinx's environment, which Sphinx deletes when a build fails."""
    environment = Path(app.doctreedir, ENV_PICKLE_FILENAME)
    if environment.exists():
        shutil.copyfile(environment, copy_of(environment))


def copy_of(environment):
    return environment.with_suffix(".kept")


def pages_of_failed_build(app, env, added, changed, removed):
    """The pages that a failed build had read: their outputs may belong to another state of the library."""
    return app.last_build["read"]


def note_pages_read(app, env, docnames):
    """Records the pages that are about to be read; a build that ends well removes them again."""
    write_record(app, app.last_build | {"read": sorted(docnames)})


def write_record(app, content):
    record_file(app).write_text(json.dumps(content), "utf8")


def end_build(app, failure):
    """Writes the record if there was no warning; after an error, restores Sphinx's environment."""
    environment = Path(app.doctreedir, ENV_PICKLE_FILENAME)
    if failure is None and not app._warncount:
        write_record(app, {"digests": app.content_digests, "read": []})
    elif failure and copy_of(environment).exists():
        shutil.copyfile(copy_of(environment), environment)


def setup(app):
    app.connect("builder-inited", load_record, priority=100)
    app.connect("env-get-outdated", pages_of_failed_build)
    app.connect("env-before-read-docs", note_pages_read, priority=100)
    app.connect("env-check-consistency", copy_environment)  # Sphinx has just saved what it read
    app.connect("build-finished", end_build, priority=900)
