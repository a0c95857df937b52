"""The register of figures: which stand on which page, and in which files their tables are.

A name belongs to one figure of the whole book, for every page refers to it by that name alone.
"""

from sphinx.errors import ExtensionError


def figures(env):
    """By page: the ids of its figures and the files that hold their frames."""
    if not hasattr(env, "explorables"):
        env.explorables = {}
    return env.explorables


def enlist(env, node, line):
    """Note the figure of the page being read; two of one name cannot be told apart."""
    (name,), page = node["ids"], figures(env).setdefault(env.docname, {})
    if name in page:
        place = f"{env.doc2path(env.docname)}:{line}"
        raise ExtensionError(f"{place}: the page has two figures {name!r}; give one another name")
    page[name] = node["frames"]


def told_apart(app, env):
    """Figures of different pages must not have one name."""
    home = {}
    for page in sorted(figures(env)):
        for name in figures(env)[page]:
            if home.setdefault(name, page) != page:
                problem = f"its figure {name!r} has the name of one of {env.doc2path(home[name])}"
                raise ExtensionError(f"{env.doc2path(page)}: {problem}; give one another name")


def number_of(env, docname, figure):
    """The number that a figure bears on its page."""
    (name,) = figure["ids"]
    return ".".join(map(str, env.toc_fignumbers[docname]["figure"][name]))


def purge(app, env, docname):
    figures(env).pop(docname, None)


def merge(app, env, docnames, other):
    figures(env).update({page: content for page, content in figures(other).items() if page in docnames})


def setup(app):
    app.connect("env-purge-doc", purge)
    app.connect("env-merge-info", merge)
    app.connect("env-updated", told_apart)
    return {"version": "1", "env_version": 1, "parallel_read_safe": True, "parallel_write_safe": True}
