"""Links at the head of a page: services that open its notebook, the download, the students' notebook."""

from pathlib import Path

from extensions.coursework.notebook_branch import binder_address, colab_address, jupyterhub_address
from extensions.coursework.notebooks import file_name, is_runnable, notebook_path
from extensions.pages.chapter_times import coursework
from margins_book.page.selection import select
from margins_course.assignments.combine import combine
from margins_course.assignments.notebooks import as_bytes, student_notebook

GUIDE = "book/teaching"
SERVICES = {  # with what a reader who does not know the service has to expect
    "Binder": (binder_address, "free, 1–2 minutes"),
    "JupyterHub": (jupyterhub_address, "your university"),
    "Colab": (colab_address, "Google account"),
}


def launch_links(app, pagename):
    """Where the page opens as a notebook, by the services of _config.yml's launch_buttons."""
    addresses = {name: address(app, file_name(pagename)) for name, (address, _) in SERVICES.items()}
    return [
        {"name": name, "url": url, "download": False, "note": SERVICES[name][1]}
        for name, url in addresses.items()
        if url
    ]


def offer(app, pagename, templatename, context, doctree):
    """Gives the page's template its links."""
    if not is_runnable(app, pagename):
        return
    url = context["pathto"](notebook_path(pagename), 1)
    own_copy = {"name": "Download", "url": url, "download": True, "note": ""}
    context.update(runnable=True, launch_links=[*launch_links(app, pagename), own_copy])
    write_assignment(app, pagename, context)


def write_assignment(app, pagename, context):
    """Writes the students' notebook of a page with coded exercises, and gives the template its address."""
    chapter = coursework(app.env.doc2path(pagename))
    if not chapter.exercises:
        return
    address = f"{app.config.html_baseurl.rstrip('/')}/{pagename}.html"
    path = f"notebooks/{chapter.name}-exercises.ipynb"
    target = Path(app.outdir, path)
    target.parent.mkdir(parents=True, exist_ok=True)
    labels = tuple(text.label for text in chapter.texts)
    assigned = combine(chapter.name, f"{chapter.title}: exercises", [select(chapter, address, labels)])
    target.write_bytes(as_bytes(student_notebook(assigned)))
    context["students_notebook"] = context["pathto"](path, 1)
    context["guide_to_assigning"] = f"{context['pathto'](GUIDE)}#release"


def setup(app):
    app.connect("html-page-context", offer)
