"""Marked notebooks in nbgrader's own formgrader, on a real Jupyter server: students' text does nothing there.

Formgrader shares its origin with kernels, so we send nobody to it; but the notebooks lie where it looks.
"""

import contextlib
import json
import subprocess
import sys
from types import SimpleNamespace

import nbformat
import pytest

from margins_course.folder import CourseFolder
from margins_course.grading import gradebook
from margins_course.wording import as_text_block
from tests.laboratory import TOKEN, free_port, surroundings, wait_for
from tests.margins_course.hostile_text import mutations, vectors
from tests.margins_course.watched_page import USE, listening

ROLE = {"grade": True, "grade_id": "a", "locked": True, "points": 1, "schema_version": 3, "solution": False}
LIVE = "[...document.querySelectorAll('#notebook-container :is(a[href], img, iframe, svg, form, script)')]"
WITHIN = USE.replace("body *", "#notebook-container *")
EXTENSION = {"nbgrader.server_extensions.formgrader": True}


@contextlib.contextmanager
def jupyter(folder, scratch):
    """The address of a Jupyter server with nbgrader's formgrader, while it runs on a course folder."""
    port, log = free_port(), scratch / "server.log"
    options = [f"--ServerApp.port={port}", "--ServerApp.port_retries=0", "--ServerApp.ip=127.0.0.1"]
    options += [f"--ServerApp.root_dir={folder}", f"--IdentityProvider.token={TOKEN}", "--no-browser"]
    options += ["--allow-root", f"--ServerApp.jpserver_extensions={EXTENSION}"]
    (scratch / "settings").mkdir()
    (folder / "nbgrader_config.py").write_text(
        f"c = get_config()\nc.CourseDirectory.root = {str(folder)!r}\n"
    )
    with log.open("wb") as output:
        server = subprocess.Popen(
            [sys.executable, "-m", "jupyter_server", *options],
            env=surroundings(scratch) | {"JUPYTER_CONFIG_DIR": str(scratch / "settings")},
            cwd=folder,
            stdout=output,
            stderr=output,
        )
    try:
        wait_for(f"http://127.0.0.1:{port}/api/status?token={TOKEN}", server, log)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait(30)


def marked(texts, write):
    """A notebook as marking leaves it: text as `write` makes it, code, what it printed, and errors."""
    cells = [nbformat.v4.new_markdown_cell(write(text)) for text in texts]
    for text in texts[::9]:
        cell = nbformat.v4.new_code_cell(text, metadata={"nbgrader": ROLE | {"grade_id": f"c{len(cells)}"}})
        cell.outputs = [nbformat.v4.new_output("stream", name="stdout", text=text)]
        cell.outputs += [nbformat.v4.new_output("error", ename="E", evalue=text, traceback=[text])]
        cells.append(cell)
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    return json.dumps(nbformat.v4.new_notebook(cells=cells, metadata=kernel))


def course_of(folder, notebooks):
    """A course folder with some marked notebooks, and the numbers by which formgrader calls them."""
    course, numbers = CourseFolder(folder), {}
    (folder / "source" / "sums").mkdir(parents=True)
    with gradebook.open_gradebook(course) as book:
        book.add_assignment("sums")
        book.add_notebook("sums", "sums")
        book.add_grade_cell("c0", "sums", "sums", max_score=1, cell_type="code")
        for student, notebook in notebooks.items():
            book.add_student(student)
            numbers[student] = book.add_submission("sums", student).notebooks[0].id
            path = course.notebook("autograded", "sums", student)
            path.parent.mkdir(parents=True)
            path.write_text(notebook, encoding="utf-8", errors="replace")
    return numbers


def shown(context, address, number):
    """What of students' text is alive on a submission's page, and whether a script of theirs ran."""
    page = context.new_page()
    # what the page does by itself is done first: a broken picture's script, too
    page.goto(f"{address}/formgrader/submissions/{number}/?token={TOKEN}", wait_until="networkidle")
    assert page.locator("#notebook-container .nbgrader_cell, #notebook-container .cell").count() > 3
    alive = page.evaluate(f"{LIVE}.map(element => element.outerHTML)")
    page.evaluate(WITHIN, {"addresses": []})
    page.wait_for_load_state("networkidle")
    return alive, page.evaluate("'stolen' in window")


@pytest.mark.full
def test_students_text_does_nothing_in_formgrader_and_would_if_it_were_not_fenced(browser, tmp_path):
    with listening() as listener:
        targets = SimpleNamespace(port=listener.port, canary="/etc/hostname")
        known = vectors(targets)
        texts = [text[:3000] for text in known.values()] + mutations(targets, 20261001, 150)
        raw = [known[name] for name in ("html 3", "html 25")]  # without a link, which would end the page
        (tmp_path / "course").mkdir()
        notebooks = {"fenced": marked(texts, as_text_block), "raw": marked(raw, str)}
        numbers = course_of(tmp_path / "course", notebooks)
        with jupyter(tmp_path / "course", tmp_path) as address:
            context = browser.new_context()
            own = (address, f"http://127.0.0.1:{listener.port}")
            context.route("**", lambda r: r.continue_() if r.request.url.startswith(own) else r.abort())
            assert shown(context, address, numbers["fenced"]) == ([], False)
            assert listener.heard == []
            alive, _ = shown(context, address, numbers["raw"])
            context.close()
        assert any("onerror" in element for element in alive)
        assert "GET /js" in listener.heard
