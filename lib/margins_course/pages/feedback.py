"""Feedback: a page for each student with points and comments, without the hidden checks and what they said.

(book: Teaching with this book, Feedback)
"""

import re
from pathlib import Path

import nbformat

from margins_course.collecting.roster import read_roster
from margins_course.folder import write
from margins_course.grading.grade import is_hidden
from margins_course.pages.formulas import Formulas
from margins_course.sandbox.bounds import alarm

SCRIPT = re.compile(r"<script\b.*?</script>", re.S)
LONGEST = 60.0  # seconds for one page
NOT_SET = "What you wrote could not be shown here; it was marked all the same."
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"


def write_feedback(course, chapter, progress=print):
    """The pages of everybody whose work is marked; their paths."""
    made = exporter()
    formulas = Formulas(course.source(chapter).read_text(encoding="utf-8"))
    ids = [s.id for s in read_roster(course.roster) if course.notebook("autograded", chapter, s.id).exists()]
    paths = []
    for done, student in enumerate(ids, 1):
        paths.append(course.notebook("feedback", chapter, student).with_suffix(".html"))
        write(paths[-1], page_whatever_is_written(made, formulas, course, chapter, student))
        progress(done, len(ids))
    return paths


def page_whatever_is_written(made, formulas, course, chapter, student):
    """A student's page; if the student's own text cannot be set, a page without it."""
    path = course.notebook("autograded", chapter, student)
    try:
        with alarm(LONGEST):
            return page(made, formulas, course, chapter, student, nbformat.read(path, as_version=4))
    except Exception:
        notebook = nbformat.read(path, as_version=4)
        checks = [cell for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("grade")]
        notebook.cells = [nbformat.v4.new_markdown_cell(NOT_SET), *checks]
        return page(made, formulas, course, chapter, student, notebook)


def page(made, formulas, course, chapter, student, notebook):
    """The HTML of one student's marked notebook."""
    without_hidden_results(notebook)
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = formulas.with_places(cell.source)
    where = {"student": student, "assignment": chapter, "notebook": chapter, "db_url": course.gradebook_url}
    html, _ = made.from_notebook_node(notebook, {"nbgrader": where, "metadata": {"name": chapter}})
    return formulas.filled(self_contained(html))


def self_contained(html):
    """The page without scripts, and with a policy that lets a browser load nothing for it."""
    policy = f'<head>\n<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
    return SCRIPT.sub("", html).replace("<head>", policy, 1)


def exporter():
    """nbgrader's feedback template, with scores and comments from the gradebook, without students' HTML."""
    import nbgrader
    from nbconvert.exporters import HTMLExporter
    from nbconvert.preprocessors import CSSHTMLHeaderPreprocessor
    from nbconvert.preprocessors.sanitize import SanitizeHTML
    from nbgrader.preprocessors import ClearHiddenTests, GetGrades
    from traitlets.config import Config

    formgrader = Path(nbgrader.__file__).parent / "server_extensions" / "formgrader"
    settings = Config()
    settings.HTMLExporter.template_name = "feedback"
    settings.HTMLExporter.extra_template_basedirs = [str(formgrader / "templates")]
    styles = formgrader / "static" / "node_modules" / "bootstrap" / "dist" / "css"
    settings.HTMLExporter.extra_template_paths = [str(styles)]
    made = HTMLExporter(config=settings)
    for step in (ClearHiddenTests, SanitizeHTML, GetGrades, CSSHTMLHeaderPreprocessor):
        made.register_preprocessor(step, enabled=True)
    return made


def without_hidden_results(notebook):
    """What hidden checks said becomes one sentence: their messages would tell what they try."""
    for cell in notebook.cells:
        if cell.cell_type == "code" and is_hidden(cell):
            said = "a hidden check failed" if cell.outputs else "passed"
            cell.outputs = [nbformat.v4.new_output("stream", name="stdout", text=said)]
