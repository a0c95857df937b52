"""Every chapter with coded exercises offers itself to a class: its notebook, and how to assign it."""

from pathlib import Path

from notebooks import is_runnable
from sphinx.errors import ExtensionError

from margins_course.assignments.chapter import read_chapter
from margins_course.assignments.notebooks import as_bytes, assignment, student_notebook
from margins_course.problems import CourseProblem

GUIDE = "book/teaching"


def offer(app, pagename, templatename, context, doctree):
    """The links at the head of a page that has coded exercises; its students' notebook in the site."""
    if not is_runnable(app, pagename):
        return
    try:
        chapter = read_chapter(app.env.doc2path(pagename))
    except CourseProblem as problem:
        raise ExtensionError(str(problem)) from None
    if not chapter.exercises:
        return
    address = f"{app.config.html_baseurl.rstrip('/')}/{pagename}.html"
    path = f"notebooks/{chapter.name}-exercises.ipynb"
    target = Path(app.outdir, path)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(as_bytes(student_notebook(assignment(chapter, address))))
    context["students_notebook"] = context["pathto"](path, 1)
    context["guide_to_assigning"] = f"{context['pathto'](GUIDE)}#release"


def setup(app):
    app.connect("html-page-context", offer)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
