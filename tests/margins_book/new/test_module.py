"""Parts join a module as ruff would leave them: imports merged and in order, definitions at the end."""

import subprocess
import sys

import pytest

from margins_book.new import module

PART = '''"""A part."""

import math

import numpy as np
import pytest

from explorable import Drawing, everywhere, explore
from explorable.palette import BLUE, INK
from margins_book.drawing import planes


# Replace it.
def second(x):
    return (math, np, pytest, Drawing, everywhere, explore, BLUE, INK, planes)
'''
USE = "\n\ndef first():\n    return ({})\n"
MODULES = {
    "nothing": "",
    "a docstring": '"""A module."""\n',
    "another library's": '"""A module."""\n\nfrom scipy import linalg\n' + USE.format("linalg"),
    "the standard library's": '"""A module."""\n\nfrom functools import cache\n' + USE.format("cache"),
    "ours": '"""A module."""\n\nfrom margins import svm\n' + USE.format("svm"),
    "some of the same": '"""A module."""\n\nimport numpy as np\n\nfrom explorable import Panel, along\n'
    + USE.format("np, Panel, along"),
    "another name": "from margins_book.drawing import planes as draw\n" + USE.format("draw"),
    "all": PART,
    "many lines": "from explorable import (\n"
    + "".join(f"    {name},\n" for name in ["Panel", "along", "choice", "handle", "play", "prompt", "show"])
    + ")\n"
    + USE.format("Panel, along, choice, handle, play, prompt, show"),
    "data between": '"""A module."""\n\nimport numpy as np\n\nx = np.arange(3)\n\nimport os\n'
    + USE.format("os"),
}


@pytest.mark.parametrize("kind", MODULES)
def test_a_joined_module_has_the_style_of_the_book(kind):
    whole = module.joined(MODULES[kind], PART)
    ruff = [sys.executable, "-m", "ruff", "check", "--no-cache", "--quiet", "--ignore", "F811,E402", "-"]
    done = subprocess.run(ruff, input=whole, capture_output=True, text=True)
    assert done.returncode == 0, f"{done.stdout}\n{whole}"
    assert "# Replace it.\ndef second(x):" in whole
    space = {}
    exec(whole, space)
    assert len(space["second"](0)) == 9


def test_what_is_imported_already_is_not_imported_again():
    whole = "from margins_book.drawing import planes as draw\n"
    assert module.with_imports(whole, "from margins_book.drawing import planes as draw") == whole
    assert module.name_of_import(whole, "margins_book.drawing", "planes") == "draw"
    assert module.name_of_import(whole, "margins_book.other", "planes") == "planes"


def test_a_remark_behind_an_import_stays():
    whole = "from margins.kernels import linear  # noqa: F401\n"
    joined = module.with_imports(whole, "from margins.kernels import gaussian")
    assert "gaussian" in joined
    assert joined.count("# noqa: F401") == 1
