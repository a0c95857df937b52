"""The text that the small Transformer learns from: Python's help topics, in 30 letters.

`python_topics.txt` holds what `pydoc_data.topics` of Python 3.11.7 says, each paragraph once. Other versions
of Python say other things, so the text is kept here. It is copyright of the Python Software Foundation, under
the licence in `LICENSE-PYTHON.txt`; changed are the letters that `plain` drops and the repeated paragraphs.
"""

import ast
import codecs
import re
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from margins.data.heads import ALPHABET

FILE = Path(__file__).with_name("python_topics.txt")


def plain(text: str) -> str:
    """Small letters, full stops, commas, hyphens and single spaces; all else becomes a space."""
    return re.sub(r" +", " ", re.sub(f"[^{re.escape(ALPHABET)}]", " ", text.lower()))


def codes(text: str) -> NDArray:
    """The numbers of the letters of a plain text in the alphabet."""
    return np.array([ALPHABET.index(letter) for letter in text])


def zen() -> str:
    """The Zen of Python without its title, plain; it is in the public domain, and is not learnt.

    The module `this` hides it behind a cipher and would print it, so its source is read.
    """
    origin = getattr(find_spec("this"), "origin", None)
    tree = ast.parse(Path(str(origin)).read_text(encoding="utf-8"))
    hidden = next(node.value for node in tree.body if isinstance(node, ast.Assign))
    return plain(codecs.decode(ast.literal_eval(hidden), "rot13").partition("\n")[2].strip())


def learnt() -> str:
    """The text that is learnt."""
    return " ".join(FILE.read_text(encoding="ascii").split())
