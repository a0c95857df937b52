"""Formulas in what the search shows of a place: signs in its text, their MathML in a file beside the index.

The first sign says which of the place's formulas it is, the second ends it. Between them stands what can be
searched for: a short formula in plain letters. The browser puts the MathML there (search_excerpt.js).
"""

import json
import re
import unicodedata

from margins_book.formulas.temml import render

FIRST, LAST, END = 0xE000, 0xF8FE, "\uf8ff"  # of the signs that Unicode leaves to private use
LONGEST = 80  # characters of TeX: what is longer would fill all that is shown of a place
COMMAND = re.compile(r"\\(var)?([a-zA-Z]+)")
SHORT = re.compile(r"[\w ,.()<>=+-]{1,9}")


def plain(node):
    """A short formula as plain text, "…" for others, with the marks that touch it."""
    return f"{node.get('before', '')}{letters(node.astext()) or '…'}{node.get('after', '')}"


def letters(tex):
    """A short formula in letters that one can type or paste; nothing for a longer one."""
    text = COMMAND.sub(lambda name: greek(name[2]) or name[0], tex.strip())
    return text if SHORT.fullmatch(text) else ""


def greek(name):
    """The Greek letter of that name, or None."""
    name = name.replace("ambda", "amda")  # as Unicode spells it
    try:
        return unicodedata.lookup(f"greek {'capital' if name[0].isupper() else 'small'} letter {name}")
    except KeyError:
        return None


class Formulas:
    """The formulas of a place: called with a node, it keeps the MathML and returns signs for it."""

    def __init__(self, macros):
        self.macros, self.mathml = json.dumps(macros, sort_keys=True), []

    def __call__(self, node):
        tex = node.astext().strip()
        if len(tex) > LONGEST or r"\begin" in tex or r"\\" in tex or FIRST + len(self.mathml) > LAST:
            return plain(node)
        try:
            self.mathml.append(render(tex, False, self.macros))
        except ValueError:  # the page's own formula has warned of it
            return plain(node)
        sign = chr(FIRST + len(self.mathml) - 1)
        return f"{node.get('before', '')}{sign} {letters(tex)} {END}{node.get('after', '')}"
