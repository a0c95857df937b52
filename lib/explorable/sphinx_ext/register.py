"""The register of figures: which stand on which page, and in which files their tables are.

A name belongs to one figure of the whole site, because every page refers to it by that name alone.
"""

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.errors import ExtensionError


def figures(env: Any) -> dict[str, dict[str, str | None]]:
    """By page: the ids of its figures and the files that hold their frames."""
    if not hasattr(env, "explorables"):
        env.explorables = {}
    return env.explorables


def add(env: BuildEnvironment, node: nodes.Element, line: int | None) -> None:
    """Notes the figure on the page being read; refuses a second one of the same name."""
    (name,), page = node["ids"], figures(env).setdefault(env.docname, {})
    if name in page:
        place = f"{env.doc2path(env.docname)}:{line}"
        raise ExtensionError(f"{place}: the page has two figures {name!r}; give one another name")
    page[name] = node["frames"]


def check_names(app: Sphinx, env: BuildEnvironment) -> None:
    """Refuses figures of different pages that have the same name."""
    home: dict[str, str] = {}
    for page in sorted(figures(env)):
        for name in figures(env)[page]:
            if home.setdefault(name, page) != page:
                problem = f"its figure {name!r} has the name of one of {env.doc2path(home[name])}"
                raise ExtensionError(f"{env.doc2path(page)}: {problem}; give one another name")


def number_of(env: BuildEnvironment, docname: str, figure: nodes.Element) -> str:
    """The number of a figure, as it stands before its caption."""
    (name,) = figure["ids"]
    return ".".join(map(str, env.toc_fignumbers[docname]["figure"][name]))


def forget_page(app: Sphinx, env: BuildEnvironment, docname: str) -> None:
    """The page is read again, or is gone."""
    figures(env).pop(docname, None)


def merge(app: Sphinx, env: BuildEnvironment, docnames: list[str], other: BuildEnvironment) -> None:
    """The figures of pages that another process has read."""
    figures(env).update({page: content for page, content in figures(other).items() if page in docnames})


def connect(app: Sphinx) -> None:
    app.connect("env-purge-doc", forget_page)
    app.connect("env-merge-info", merge)
    app.connect("env-updated", check_names)
