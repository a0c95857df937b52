"""The notebook of every page with code: an .ipynb file in the site, and links that open it in services."""

import json
import re
from pathlib import Path
from urllib.parse import quote

import jupytext
import nbformat

from extensions.coursework.exercise_cells import public_cells
from extensions.coursework.notebook_markdown import for_programs

FIGURE = re.compile(r"\{numref\}`([^`<>]+)`")
NOTES = {  # what a reader who does not know the service has to expect
    "Binder": "free, 1–2 minutes",
    "JupyterHub": "your university",
    "Colab": "Google account",
}


def is_runnable(app, pagename):
    """Whether the page's source is a MyST notebook."""
    return pagename in app.env.all_docs and is_notebook(Path(app.env.doc2path(pagename)))


def is_notebook(source):
    """Whether a file is a MyST notebook: its front matter names a kernel."""
    return source.suffix == ".md" and "\nkernelspec:" in source.read_text("utf8")[:600]


def launch_links(app, pagename):
    """Where the page opens as a notebook: services from _config.yml's launch_buttons, and the file itself."""
    options = app.config.html_theme_options
    repository = options.get("repository_url", "").rstrip("/")
    branch, buttons = options.get("repository_branch") or "main", options.get("launch_buttons") or {}
    project = repository.removeprefix("https://github.com/")
    page = quote(f"{pagename}.md")
    links = []
    if buttons.get("binderhub_url"):
        hub = buttons["binderhub_url"].rstrip("/")
        links.append(
            ("Binder", f"{hub}/v2/gh/{project}/{branch}?urlpath={quote(f'lab/tree/{page}', safe='')}")
        )
    if buttons.get("jupyterhub_url"):
        hub, name = buttons["jupyterhub_url"].rstrip("/"), repository.rsplit("/", 1)[-1]
        target = quote(f"lab/tree/{name}/{page}", safe="")
        pull = f"repo={quote(repository, safe='')}&urlpath={target}&branch={branch}"
        links.append(("JupyterHub", f"{hub}/hub/user-redirect/git-pull?{pull}"))
    if buttons.get("colab_url"):
        links.append(
            (
                "Colab",
                f"{buttons['colab_url'].rstrip('/')}/github/{project}/blob/gh-pages/{notebook_path(pagename)}",
            )
        )
    return [{"name": name, "url": url, "download": False, "note": NOTES[name]} for name, url in links]


def notebook_path(pagename):
    return f"notebooks/{pagename.rsplit('/', 1)[-1]}.ipynb"


def installing_cell(app):
    """The first cell of a published notebook: it installs the library where it is missing."""
    options = app.config.html_theme_options
    source = f"git+{options['repository_url']}@{options.get('repository_branch') or 'main'}"
    lines = [
        "import importlib.util",
        'if importlib.util.find_spec("margins") is None:',
        f'    %pip install --quiet "margins-of-attention @ {source}"',
    ]
    return nbformat.v4.new_code_cell("\n".join(lines), id="install")


def publish(app, pagename):
    """Writes the page as an .ipynb without outputs; the same source gives the same bytes."""
    notebook = jupytext.read(app.env.doc2path(pagename), fmt="md:myst")
    public = public_cells(notebook.cells, show_solutions=app.config.coursework_show_solutions)
    notebook.cells = [installing_cell(app), *for_programs(app.env, pagename, public)]
    for number, cell in enumerate(notebook.cells):
        cell.id = f"cell-{number}"
        if cell.cell_type == "markdown":
            cell.source = FIGURE.sub(lambda role: figure_of_the_book(app, role[1]), cell.source)
    target = Path(app.outdir, notebook_path(pagename))
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(notebook, indent=1, sort_keys=True, ensure_ascii=False) + "\n", "utf8")


def figure_of_the_book(app, name):
    """A link to a figure of the published book by its number, which no notebook program knows."""
    page, place = app.env.domains["std"].anonlabels[name][:2]
    number = ".".join(map(str, app.env.toc_fignumbers[page]["figure"][place]))
    return f"[Figure {number}]({app.config.html_baseurl}{page}.html#{place})"


def offer(app, pagename, templatename, context, doctree):
    if not is_runnable(app, pagename):
        return
    publish(app, pagename)
    own_copy = {
        "name": "Download",
        "url": context["pathto"](notebook_path(pagename), 1),
        "download": True,
        "note": "",
    }
    context.update(runnable=True, launch_links=[*launch_links(app, pagename), own_copy])


def setup(app):
    app.connect("html-page-context", offer)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
