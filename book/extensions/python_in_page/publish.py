"""Writes Python in the page into the site, under `_static/python`, and tells pages where it is.

The service worker `offline.js` alone lies at the top of the site, because it answers for what lies below it.

Scripts lie in a folder named by their content, archives and chapters in files named by theirs, so that a
browser may keep them for ever. `index.json` alone keeps its name: it lists the others, and a page asks for it
anew when a reader first presses a button.
"""

import hashlib
import json
from pathlib import Path

from extensions.coursework.notebooks import is_runnable
from extensions.python_in_page import archives, parts
from extensions.python_in_page.cells import cells
from extensions.python_in_page.driven import driven
from extensions.python_in_page.exercises import exercises
from margins_book.page.chapter import exercises_of, read_chapter

FOLDER = "_static/python"
SCRIPTS = archives.IN_PAGE / "browser"
OFFLINE = archives.IN_PAGE / "offline.js"  # at the top of the site
DIGITS = 12


def fingerprint(content):
    return hashlib.sha256(content).hexdigest()[:DIGITS]


def scripts():
    """The files of the folder of scripts, by name."""
    return {file.name: file.read_bytes() for file in sorted(SCRIPTS.iterdir()) if file.is_file()}


def address_of_scripts():
    """The folder of the scripts in the site, named by their content."""
    return f"{FOLDER}/{fingerprint(b''.join(scripts().values()))}"


def tell_page(app, pagename, templatename, context, doctree):
    """Gives the page's template the address of the script that a press loads, on pages with code."""
    context["python_in_page"] = ""
    if app.builder.name == "html":
        context["python_in_page"] = context["pathto"](f"{address_of_scripts()}/page.js", 1)


def publish(app, failure):
    """Writes all files and removes those of earlier builds."""
    if failure or app.builder.name != "html":
        return
    runnable = [name for name in sorted(app.env.found_docs) if is_runnable(app, name)]
    known = {name: chapter_data(app.env.doc2path(name)) for name in runnable}
    offered = {name: data for name, data in known.items() if data["cells"]}
    wanted = {f"{address_of_scripts()}/{name}": content for name, content in scripts().items()}
    if offered:
        python = runtime(app)
        wanted |= python | index(offered, python) | {OFFLINE.name: OFFLINE.read_bytes()}
    write(Path(app.outdir), wanted)


def chapter_data(path):
    """What a page needs to know of the chapter in a file."""
    chapter = read_chapter(path)
    known = cells(chapter, path)
    figures = driven(chapter, known, exercises_of(Path(path)))
    return {"exercises": exercises(chapter), "cells": known, "driven": figures}


def runtime(app):
    """The files of Python itself, by their addresses in the site."""
    interpreter, numpy, contourpy = parts.parts(app.config.python_in_page_numpy)
    folder = f"{FOLDER}/pyodide-{interpreter.version}"
    files = {f"{folder}/{file.name}": file.read_bytes() for file in interpreter.files}
    files[f"{folder}/pyodide-lock.json"] = lock()
    made = {"packages": archives.packages(numpy.files[0], contourpy.files[0]), "library": archives.library()}
    return files | {f"{FOLDER}/{name}-{fingerprint(zipped)}.zip": zipped for name, zipped in made.items()}


def lock():
    """Pyodide's list of packages without packages: a page has them in its archives."""
    whole = json.loads((parts.PYODIDE / "pyodide-lock.json").read_text("utf8"))
    return json.dumps({**whole, "packages": {}}, sort_keys=True).encode()


def index(pages, files):
    """The data of the chapters, and the list of everything, by address."""
    made, names = {}, {}
    for page, data in pages.items():
        content = json.dumps(data, sort_keys=True, separators=(",", ":")).encode()
        chapter = page.rsplit("/", 1)[-1]
        names[chapter] = f"{chapter}-{fingerprint(content)}.json"
        made[f"{FOLDER}/{names[chapter]}"] = content
    inside = {address.removeprefix(f"{FOLDER}/"): content for address, content in files.items()}
    listed = {
        "pyodide": next(name.partition("/")[0] for name in inside if "/" in name),
        "archives": [name for name in inside if name.endswith(".zip") and "/" not in name],
        "runtime": fingerprint(b"".join(inside.values())),
        "chapters": names,
        "exercises": sum(len(data["exercises"]) for data in pages.values()),
    }
    made[f"{FOLDER}/index.json"] = json.dumps(listed, sort_keys=True).encode()
    return made


def write(site, wanted):
    """Writes `wanted`, addresses with their content, and removes what else lies in the folder."""
    for address, content in wanted.items():
        file = site / address
        if not file.exists() or file.read_bytes() != content:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
    folder = site / FOLDER
    for file in sorted(folder.rglob("*"), reverse=True):
        if file.is_file() and file.relative_to(site).as_posix() not in wanted:
            file.unlink()
        elif file.is_dir() and not any(file.iterdir()):
            file.rmdir()


def setup(app):
    app.add_config_value("python_in_page_numpy", "", "html", str)
    app.connect("html-page-context", tell_page)
    app.connect("build-finished", publish)
