"""The students' notebook of each chapter with coded exercises, and the links to it on the chapter's page."""

from pathlib import Path

from sphinx.errors import ExtensionError

from extensions.coursework.notebooks import is_runnable
from margins_book.page import ChapterProblem
from margins_book.page.chapter import read_chapter
from margins_course.assignments.notebooks import as_bytes, assignment, student_notebook

GUIDE = "book/teaching"


def offer(app, pagename, templatename, context, doctree):
    """Writes the students' notebook of a page with coded exercises and links it at the head of the page."""
    if not is_runnable(app, pagename):
        return
    try:
        chapter = read_chapter(app.env.doc2path(pagename))
    except ChapterProblem as problem:
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
