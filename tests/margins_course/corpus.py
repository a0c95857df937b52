"""Submissions of every kind that a marker must bear, each with the mark that it deserves.

The canary class (`margins_course.grading.attacks`) has others, of which test_canary.py has the tests.

What is hostile in them aims at what the test has made: a file, a journal of marks, a port of this machine.
"""

import copy
import json
import zlib

from margins_course.grading.attacks import PIPES
from tests.margins_course.sums_assignment import RIGHT, answered

TWICE, TOTAL = RIGHT["twice"], RIGHT["total"]
WRONG = {"twice": "def twice(x):\n    return x", "total": "def total(x):\n    return 0.0"}


def twice(body, before=""):
    """Answers of which `twice` is special and `total` is right."""
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    return RIGHT | {"twice": f"{before}\ndef twice(x):\n{lines}"}


def after(code):
    """Right answers, with something behind the definition of `twice`."""
    return RIGHT | {"twice": f"{TWICE}\n{code}"}


def in_code(targets):
    """Answers by kind, and the points that they deserve for `twice` and for `total`."""
    return PLAIN | STUCK | GREEDY | FORGED | ESCAPING | reaching(targets)


def harmless(targets):
    """Answers by kind that cost nothing; one submission has them all as cells of its own."""
    every = in_code(targets).items()
    return {kind: answers for kind, (answers, mark) in every if mark == KEEP and kind not in ALONE | SLOW}


ONCE = "calls.append(1)\nreturn 2 * x if len(calls) < 2 else x"
KEEP, LOSE, NOTHING = (5.0, 5.0), (0.0, 5.0), (0.0, 0.0)
PLAIN = {
    "right": (RIGHT, KEEP),
    "untouched": ({}, NOTHING),
    "wrong": (WRONG, NOTHING),
    "one exercise": ({"total": TOTAL}, LOSE),
    "visible check only": (twice("return np.array([0.0, 2, 4])"), (2.0, 5.0)),
    "syntax error": (RIGHT | {"twice": "def twice(x:\n"}, LOSE),
    "other name": (RIGHT | {"twice": "def Twice(x):\n    return 2 * x"}, LOSE),
    "null byte": (RIGHT | {"twice": TWICE + "\x00"}, LOSE),
    "lone surrogate": (after("s = '\ud800'"), KEEP),
    "lone surrogate printed": (after("print('\\ud800')\nraise ValueError('\\ud800')"), KEEP),
    "lone surrogate raised": (twice("raise ValueError('\\ud800')"), LOSE),
    "warns": (after("import warnings\nwarnings.warn('harmless')"), KEEP),
    "changes its argument": (twice("x *= 2\nreturn x"), LOSE),
    "counts calls": (twice(ONCE, "calls = []"), (2.0, 5.0)),
    "async": (RIGHT | {"twice": f"async {TWICE}"}, LOSE),
    "yield": (twice("yield 2 * x"), LOSE),
    "class": (RIGHT | {"twice": "class Twice:\n    __call__ = lambda s, x: 2 * x\ntwice = Twice()"}, KEEP),
}

STUCK = {
    "endless loop": (twice("while True:\n    pass"), LOSE),
    "endless cell": (after("while True:\n    pass"), LOSE),
    "sleeps": (twice("import time\ntime.sleep(600)"), LOSE),
    "endless recursion": (twice("return twice(x)"), LOSE),
    "sys.exit in a call": (twice("raise SystemExit"), LOSE),
    "sys.exit in a cell": (after("raise SystemExit"), KEEP),
    "segfault": (twice("import ctypes\nctypes.string_at(0)"), LOSE),
}

FORKS = "import os\nwhile True:\n    try:\n        os.fork()\n    except OSError:\n        pass"
ORPHAN = """import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(600)
    os._exit(0)"""
SPIN = """import threading
def turn():
    while True:
        pass
threading.Thread(target=turn, daemon=True).start()"""
NOISE = "import matplotlib.pyplot as plt\nplt.figure(figsize=(12, 12)).figimage(np.random.rand(1200, 1200))"
GREEDY = {
    "fork bomb": (after(FORKS), LOSE),
    "orphan": (after(ORPHAN), KEEP),
    "thread that spins": (after(SPIN), KEEP),
    "prints 100 MB": (after("for _ in range(100):\n    print('x' * 10**6)"), KEEP),
    "files without number": (after("for n in range(10**7):\n    open(f'/tmp/{n}', 'w').close()"), KEEP),
    "signals itself": (after("import os, sys\nos.kill(os.getpid(), 11)\nsys.exit()"), KEEP),
    "a figure of noise": (after(NOISE), KEEP),
    "huge answer": (twice("return np.ones(10**8)"), LOSE),
    "writes a huge file": (twice("open('/tmp/f', 'wb').write(bytes(10**9))\nreturn 2 * x"), LOSE),
}

PATCHED = "import numpy\nnumpy.allclose = numpy.array_equal = lambda *a, **k: True\nnumpy.testing = None"
EAGER = "import builtins\nbuiltins.abs = lambda x: 0\nbuiltins.isinstance = lambda *a: True"
IPYTHON = "import IPython\nIPython.get_ipython = None"
SLY = "class Sly(float):\n    __eq__ = lambda s, o: True\n    __sub__ = lambda s, o: Sly(0)\n"
SPYING = "seen = []\ndef twice(x):\n    seen.append(list(x))\n    return 2 * x"
TELLING = "def total(x):\n    raise ValueError(f'HEARD {seen}')"
FORGED = {
    "tells what was asked": ({"twice": SPYING, "total": TELLING}, (5.0, 0.0)),
    "patched numpy": (WRONG | {"twice": f"{PATCHED}\n{WRONG['twice']}"}, NOTHING),
    "patched builtins": (WRONG | {"twice": f"{EAGER}\n{WRONG['twice']}"}, NOTHING),
    "patched IPython": (WRONG | {"twice": f"{IPYTHON}\n{WRONG['twice']}"}, NOTHING),
    "fake object": (RIGHT | {"total": SLY + "def total(x):\n    return Sly(1)"}, (5.0, 0.0)),
    "text for numbers": (RIGHT | {"total": "def total(x):\n    return 'right'"}, (5.0, 0.0)),
    "a function for numbers": (twice("return lambda: x"), LOSE),
    "array of objects": (twice("return np.array([2 * v for v in x], dtype=object)"), LOSE),
}

BREAKING = """import sys, json, gc, signal
json.dumps = lambda *a, **k: '{"dict": [["value", {"array": ["float64", 3]}]]}'
sys.setrecursionlimit(10**6)
sys.stdout = sys.stderr = None
signal.alarm(1)
gc.disable()"""
SEARCH = """import os
found = []
for folder, folders, files in os.walk('/'):
    folders[:] = [f for f in folders if f not in ('proc', 'usr', 'site-packages', 'python3.11', 'sys')]
    for path in (os.path.join(folder, file) for file in files):
        try:
            if b'HIDDEN' + b'-WORD' in open(path, 'rb').read(3_000_000):
                found.append(path)
        except OSError:
            pass
print('FOUND', found)"""
ESCAPING = {
    "becomes a program": (after("import os\nos.execv('/bin/true', ['true'])"), LOSE),
    "garbage into every pipe": (after(PIPES), LOSE),
    "closes every pipe": (after("import os\nos.closerange(3, 50)"), LOSE),
    "breaks the server": (after(BREAKING), LOSE),
    "looks for hidden checks": (after(SEARCH), KEEP),
}

ALONE = {"right", "looks for hidden checks"}
SLOW = {"endless loop", "endless cell", "sleeps", "endless recursion", "fork bomb", "thread that spins"}
SLOW |= {"prints 100 MB", "files without number", "a figure of noise", "writes a huge file"}
SLOW |= {"huge answer", "dollars escaped"}


def reaching(targets):
    """Answers that reach for what the test has made for them."""
    tried = "try:\n    {}\nexcept OSError:\n    print('closed')".format
    call = tried(f"socket.create_connection(('127.0.0.1', {targets.port}), 1)")
    aims = str(targets.marks), str(targets.source), targets.canary
    spoil = "\n".join(tried(f"open({path!r}, 'wb').write(b'spoilt')") for path in aims)
    return {
        "reads the canary": (after(tried(f"print(open({targets.canary!r}).read())")), KEEP),
        "spoils files": (after(spoil), KEEP),
        "calls the network": (after(f"import socket\n{call}"), KEEP),
    }


def in_files(student, targets):
    """Files by kind: their content, and the points deserved or the reason for the refusal."""
    coded = {
        kind: (json.dumps(json.loads(answered(student, answers))).encode(), mark)
        for kind, (answers, mark) in in_code(targets).items()
    }
    right = json.loads(answered(student, RIGHT))
    for cell in right["cells"]:
        cell["source"] = "".join(cell["source"])
    scratch = [added("code", answers["twice"]) for answers in harmless(targets).values()]
    coded["all that is harmless"] = changed(right, lambda n: n["cells"].extend(scratch)), KEEP
    return coded | tampered(right, targets) | broken(right)


def changed(notebook, change):
    """The notebook's file after a `change` to a copy of it."""
    notebook = copy.deepcopy(notebook)
    change(notebook)
    return json.dumps(notebook).encode()


def tampered(right, targets):
    """Notebooks that can be read and have been meddled with."""
    address = f"http://127.0.0.1:{targets.port}"
    pictures = f"![p]({address}/p.png) <img src='{address}/q.png'> <b style='background:url({address})'>b</b>"
    script = "<script>stolen()</script> <b onclick='x()'>b</b> $\\stolen$"
    kernel = {"kernelspec": {"name": "ir", "display_name": "R", "language": "R"}}
    changes = {
        "checks deleted": without_checks,
        "cells twice": lambda n: n["cells"].extend(n["cells"]),
        "points edited": richer,
        "metadata lost": without_metadata,
        "kinds of cells nonsense": lambda n: n["cells"].extend([RAW, {}, 7, None]),
        "number of no formula": lambda n: n["cells"].append(added("markdown", f"qformula{'9' * 5000}q")),
        "dollars escaped": lambda n: n["cells"].append(added("markdown", "\\$" * 300_000)),
        "wrong kernel": lambda n: n.update(metadata=kernel),
        "script in the text": lambda n: n["cells"].append(added("markdown", script)),
        "pictures from elsewhere": lambda n: n["cells"].append(added("markdown", pictures)),
        "metadata nonsense": lambda n: n["cells"][3].update(metadata=[1]),
        "names of others' cells": lambda n: n["cells"].extend(added(*one) for one in FOREIGN),
    }
    kept = {kind: (changed(right, change), KEEP) for kind, change in changes.items()}
    by_windows = json.dumps(right, indent=1).replace("\n", "\r\n").encode("utf-8-sig")
    kept["saved by Windows"] = (by_windows, KEEP)
    set_up = changed(right, lambda n: n["cells"].append(added("code", "np = None", "setup-1")))
    kept["set-up again"] = (set_up, (5.0, 0.0))  # after the given one: the answer with np fails
    return kept | {"checks edited": (changed(right, edited_checks), LOSE)}


def is_check(cell):
    return cell["metadata"].get("nbgrader", {}).get("grade")


def without_checks(notebook):
    notebook["cells"] = [cell for cell in notebook["cells"] if not is_check(cell)]


def edited_checks(notebook):
    for cell in notebook["cells"]:
        cell["source"] = "assert True" if is_check(cell) else cell["source"].replace("2 * x", "x")


def richer(notebook):
    for cell in notebook["cells"]:
        if "nbgrader" in cell["metadata"]:
            cell["metadata"]["nbgrader"]["points"] = 1000


def without_metadata(notebook):
    for cell in notebook["cells"]:
        cell["metadata"] = {}


def added(kind, source, name=None):
    """A cell that was added, under the name of another one if that is given."""
    role = {"nbgrader": {"grade_id": name, "grade": True, "locked": True}} if name else {}
    return {"cell_type": kind, "metadata": role, "source": source}


RAW = added("raw", "My <b>proof</b>.")  # it became that by one key in Jupyter
WORSE = "def twice(x):\n    return x"
FOREIGN = [
    ("code", WORSE, "twice--check-1"),
    ("code", WORSE, "twice--hidden-check-1"),
    ("markdown", "proof", "other--answer"),
    ("markdown", "proof", "../../results/ada--answer"),
    ("markdown", "proof", "<img src=x>--answer"),
    ("markdown", "proof", "\ud800--answer"),
    ("markdown", "proof", "x" * 1_000_000),
    ("markdown", "text in total", "total--solution-1"),
]


def broken(right):
    """Files that are no notebook of the assignment."""

    def but(change):
        return changed(right, change)

    latin = json.dumps(right, ensure_ascii=False).replace("Sums", "S\xfcms").encode("latin-1")
    many = [{"cell_type": "code"}] * 70_000
    return {
        "garbage": (zlib.compress(bytes(range(256)) * 9), "not UTF-8"),
        "empty": (b"", "the file is empty"),
        "latin-1": (latin, "not UTF-8"),
        "cut off": (json.dumps(right).encode()[:900], "not JSON, or was cut off"),
        "nested JSON": (b"[" * 200_000, "not JSON"),
        "a list": (b"[1]", "no notebook of format 4"),
        "format 3": (but(lambda n: n.update(nbformat=3)), "format 4, but '3'"),
        "no cells": (but(lambda n: n.update(cells=3)), "no list of cells"),
        "source no text": (but(lambda n: n["cells"][0].update(source=[3])), "source is not text"),
        "too many cells": (but(lambda n: n["cells"].extend(many)), "cells; at most 1000"),
        "too large": (but(lambda n: n["cells"][0].update(source="x" * 11_000_000)), "at most 10000000"),
        "another notebook": (but(lambda n: n.update(cells=n["cells"][:1])), "probably another notebook"),
    }
