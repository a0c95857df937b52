"""Submissions of every kind that a marker must bear, each with the mark that it deserves.

What is hostile in them aims at canaries that the test has made: a file, a gradebook, a port of this machine.
"""

import json
import zlib
from dataclasses import dataclass

from tests.coursework.boxes import RIGHT, answered

TWICE, TOTAL = RIGHT["twice"], RIGHT["total"]
WRONG = {"twice": "def twice(x):\n    return x", "total": "def total(x):\n    return 0.0"}


@dataclass(frozen=True)
class Targets:
    """What attacks aim at."""

    canary: str
    gradebook: str
    source: str
    port: int


def twice(body, before=""):
    """Answers of which `twice` is special and `total` is right."""
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    return RIGHT | {"twice": f"{before}\ndef twice(x):\n{lines}"}


def after(code):
    """Right answers, with something behind the definition of `twice`."""
    return RIGHT | {"twice": f"{TWICE}\n{code}"}


def in_code(targets):
    """Answers by kind, and the points that they deserve for `twice` and for `total`."""
    read = f"try:\n    print(open({targets.canary!r}).read())\nexcept OSError:\n    print('closed')"
    connect = "import socket\ntry:\n"
    connect += f"    socket.create_connection(('127.0.0.1', {targets.port}), 1)\nexcept OSError:\n    pass"
    spoil = "\n".join(
        f"try:\n    open({path!r}, 'wb').write(b'spoilt')\nexcept OSError:\n    pass"
        for path in (targets.gradebook, targets.source, targets.canary)
    )
    swallow = (
        "import time\nwhile True:\n    try:\n        time.sleep(1)\n    except BaseException:\n        pass"
    )
    forks = "import os\nwhile True:\n    try:\n        os.fork()\n    except OSError:\n        pass"
    orphan = "import os, time\nif os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n"
    orphan += "        time.sleep(600)\n    os._exit(0)"
    spin = "import threading\ndef turn():\n    while True:\n        pass\n"
    spin += "threading.Thread(target=turn, daemon=True).start()"
    patched = "import numpy\nnumpy.allclose = numpy.array_equal = lambda *a, **k: True\nnumpy.testing = None"
    eager = "import builtins\nbuiltins.abs = lambda x: 0\nbuiltins.isinstance = lambda *a: True"
    ipython = "import IPython\nIPython.get_ipython = None\ndef twice(x):\n    return x"
    sly = "class Sly(float):\n    __eq__ = lambda s, o: True\n    __sub__ = lambda s, o: Sly(0)\n"
    pipes = "import os\nfor fd in range(3, 30):\n    try:\n        os.write(fd, bytes(range(200)))\n"
    pipes += "    except OSError:\n        pass"
    closing = "import os\nos.closerange(3, 50)"
    lose, keep = (0.0, 5.0), (5.0, 5.0)
    return {
        "right": (RIGHT, keep),
        "untouched": ({}, (0.0, 0.0)),
        "wrong": (WRONG, (0.0, 0.0)),
        "one exercise": ({"total": TOTAL}, lose),
        "visible check only": (twice("return np.array([0.0, 2, 4])"), (2.0, 5.0)),
        "syntax error": (RIGHT | {"twice": "def twice(x:\n"}, lose),
        "other name": (RIGHT | {"twice": "def Twice(x):\n    return 2 * x"}, lose),
        "null byte": (RIGHT | {"twice": TWICE + "\x00"}, lose),
        "lone surrogate": (after("s = '\ud800'"), keep),
        "endless loop": (twice("while True:\n    pass"), lose),
        "endless cell": (after("while True:\n    pass"), lose),
        "swallows interrupts": (after(swallow), lose),
        "sleeps": (twice("import time\ntime.sleep(600)"), lose),
        "endless recursion": (twice("return twice(x)"), lose),
        "exits in a call": (twice("import os\nos._exit(0)"), lose),
        "exits in a cell": (after("import os\nos._exit(0)"), lose),
        "sys.exit in a call": (twice("raise SystemExit"), lose),
        "sys.exit in a cell": (after("raise SystemExit"), keep),
        "segfault": (twice("import ctypes\nctypes.string_at(0)"), lose),
        "memory bomb": (twice("kept = []\nwhile True:\n    kept.append(bytearray(10**8))"), lose),
        "fork bomb": (after(forks), lose),
        "orphan": (after(orphan), keep),
        "thread that spins": (after(spin), keep),
        "kills everything": (after("import os, signal\nos.kill(-1, signal.SIGKILL)"), keep),
        "kills its parent": (after("import os, signal\nos.kill(os.getppid(), signal.SIGKILL)"), keep),
        "prints 100 MB": (after("for _ in range(100):\n    print('x' * 10**6)"), keep),
        "writes a huge file": (twice("open('/tmp/f', 'wb').write(bytes(10**9))\nreturn 2 * x"), lose),
        "warns": (after("import warnings\nwarnings.warn('harmless')"), keep),
        "patched numpy": ({"twice": f"{patched}\n{WRONG['twice']}", "total": WRONG["total"]}, (0.0, 0.0)),
        "patched builtins": ({"twice": f"{eager}\n{WRONG['twice']}", "total": WRONG["total"]}, (0.0, 0.0)),
        "patched IPython": (
            WRONG | {"twice": ipython},
            (0.0, 0.0),
        ),
        "fake object": (RIGHT | {"total": sly + "def total(x):\n    return Sly(1)"}, (5.0, 0.0)),
        "not a number": (twice("return x * np.nan"), lose),
        "infinite": (twice("return x + np.inf"), lose),
        "wrong shape": (twice("return np.zeros((5, 7))"), lose),
        "text for numbers": (RIGHT | {"total": "def total(x):\n    return 'right'"}, (5.0, 0.0)),
        "a function for numbers": (twice("return lambda: x"), lose),
        "huge answer": (twice("return np.ones(10**8)"), lose),
        "array of objects": (twice("return np.array([2 * v for v in x], dtype=object)"), lose),
        "changes its argument": (twice("x *= 2\nreturn x"), lose),
        "garbage into every pipe": (after(pipes), lose),
        "closes every pipe": (after(closing), lose),
        "reads the canary": (after(read), keep),
        "spoils files": (after(spoil), keep),
        "calls the network": (after(connect), keep),
    }


def in_files(student, targets):
    """Files by kind: their content, and the points deserved or the reason for the refusal."""
    right = json.loads(answered(student, RIGHT))
    for cell in right["cells"]:
        cell["source"] = "".join(cell["source"])

    def changed(change):
        notebook = json.loads(json.dumps(right))
        change(notebook)
        return json.dumps(notebook).encode()

    def roles(notebook):
        return [c["metadata"]["nbgrader"] for c in notebook["cells"] if "nbgrader" in c["metadata"]]

    def is_check(cell):
        return cell["metadata"].get("nbgrader", {}).get("grade")

    def without_checks(notebook):
        notebook["cells"] = [cell for cell in notebook["cells"] if not is_check(cell)]

    def edited_checks(notebook):
        for cell in notebook["cells"]:
            cell["source"] = "assert True" if is_check(cell) else cell["source"].replace("2 * x", "x")

    def richer(notebook):
        for role in roles(notebook):
            role["points"] = 1000

    def setup_edited(notebook):
        notebook["cells"][2]["source"] = "np = None"

    def script(notebook):
        cell = {
            "cell_type": "markdown",
            "metadata": {},
            "source": "<script>stolen()</script> <b onclick='x()'>b</b>",
        }
        notebook["cells"].append(cell)

    def pictures(notebook):
        address = f"http://127.0.0.1:{targets.port}"
        source = (
            f"![p]({address}/p.png) <img src='{address}/q.png'> <b style='background:url({address})'>b</b>"
        )
        notebook["cells"].append({"cell_type": "markdown", "metadata": {}, "source": source})

    def without_metadata(notebook):
        for cell in notebook["cells"]:
            cell["metadata"] = {}

    kernel = {"kernelspec": {"name": "ir", "display_name": "R", "language": "R"}}
    keep = (5.0, 5.0)
    files = {
        "checks deleted": (changed(without_checks), keep),
        "checks edited": (changed(edited_checks), (0.0, 5.0)),
        "cells twice": (changed(lambda n: n["cells"].extend(n["cells"])), keep),
        "points edited": (changed(richer), keep),
        "set-up edited": (changed(setup_edited), keep),
        "metadata lost": (changed(without_metadata), keep),
        "wrong kernel": (changed(lambda n: n.update(metadata=kernel)), keep),
        "script in the text": (changed(script), keep),
        "pictures from elsewhere": (changed(pictures), keep),
        "metadata nonsense": (changed(lambda n: n["cells"][3].update(metadata=[1])), keep),
        "garbage": (zlib.compress(bytes(range(256)) * 9), "not UTF-8"),
        "empty": (b"", "the file is empty"),
        "latin-1": (
            json.dumps(right, ensure_ascii=False).replace("Sums", "Süms").encode("latin-1"),
            "not UTF-8",
        ),
        "cut off": (json.dumps(right).encode()[:900], "not JSON, or was cut off"),
        "nested JSON": (b"[" * 200_000, "not JSON"),
        "a list": (b"[1]", "no notebook of format 4"),
        "format 3": (changed(lambda n: n.update(nbformat=3)), "format 4, but '3'"),
        "no cells": (changed(lambda n: n.update(cells=3)), "no list of cells"),
        "source no text": (changed(lambda n: n["cells"][0].update(source=[3])), "source is not text"),
        "too large": (changed(lambda n: n["cells"][0].update(source="x" * 3_000_000)), "at most 2000000"),
        "another notebook": (changed(lambda n: n.update(cells=n["cells"][:1])), "probably another notebook"),
    }
    coded = {
        kind: (json.dumps(json.loads(answered(student, answers))).encode(), mark)
        for kind, (answers, mark) in in_code(targets).items()
    }
    return coded | files
