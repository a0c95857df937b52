"""Executed inside Pyodide: a chapter's cells one after the other, as a notebook runs them."""

import contextlib
import io
import json

from in_page.cells import execute, new_space
from in_page.figures import frame, new_figures
from in_page.runs import prepare


def answer(asked):
    """By cell: what it printed, the error or "", and how many of its figures draw a frame."""
    space = new_space()
    told = [outcome(source, space, imports) for source, imports in json.loads(asked)["sources"]]
    return json.dumps({"cells": told})


def outcome(source, space, imports):
    """What became of a cell; a figure has the imports of its module, and changes no name of the page."""
    if imports:
        space = dict(space)
        prepare([imports], space)
    printed, before, error, drawn = io.StringIO(), dict(space), "", 0
    with contextlib.redirect_stdout(printed):
        try:
            shown = execute(source, "cell", space, show=True)
            drawn = sum(is_drawn(figure) for figure in new_figures(before, {**space, "cell": shown}))
        except Exception as reason:
            error = f"{type(reason).__name__}: {reason}"
            prepare([source], space)  # what of it can run, for later cells
    return {"printed": printed.getvalue(), "error": error, "figures": drawn}


def is_drawn(figure):
    """Whether Python answers with a frame at the figure's start."""
    values = {p["name"]: p["values"][p["position"]] for p in figure["spec"]["parameters"]}
    return "frame" in frame(figure["name"], values)
