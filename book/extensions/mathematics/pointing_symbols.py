r"""Symbols of displayed formulas that point at marks of a figure.

`<!-- symbols: s_i: weights; \gamma_i: scores; z_i: circles and squares -->` after a formula lets each of
these pieces of its TeX light marks or asides of the figure beside it; `<!-- symbols of ex-hold: ... -->`
names another. Comments are not seen where a page is no site: there the formula is plain.
"""

import re

from docutils import nodes

from explorable.sphinx_ext.states import figure_of, names_in, warn
from explorable.sphinx_ext.tables import require_mark

COMMENT = re.compile(r"\s*<!--\s*symbols\b(?:\s+of\s+(?P<figure>[\w-]+))?\s*:(?P<told>.*?)-->\s*", re.S)


def place_symbols(app, document):
    """Gives each formula the symbols of the comment after it: TeX, figure and names."""
    for comment in list(document.findall(nodes.raw)):
        found = COMMENT.fullmatch(comment.astext()) if comment.get("format") == "html" else None
        if found is None:
            continue
        try:
            figure = figure_of(document, comment, found["figure"] or "")
            formula = formula_before(comment)
            formula["symbols"] = symbols_in(found["told"], formula.astext(), figure["ids"][0])
        except ValueError as error:
            warn(app, comment, error)
        comment.parent.remove(comment)


def formula_before(comment):
    """The displayed formula before a comment."""
    earlier = comment.parent.children[: comment.parent.index(comment)]
    formula = next((node for node in reversed(earlier) if not isinstance(node, nodes.target)), None)
    if not isinstance(formula, nodes.math_block):
        raise ValueError("symbols: expected a displayed formula before this comment")
    return formula


def symbols_in(told, tex, figure):
    """The symbols that a comment names, each a piece of `tex`, with the names of marks that it lights."""
    symbols = []
    for part in filter(str.strip, told.split(";")):
        symbol, colon, names = (piece.strip() for piece in part.rpartition(":"))
        if not (symbol and colon and names):
            raise ValueError(f"symbols: expected TeX, a colon and names of marks, but got {part.strip()!r}")
        if not places_of(symbol, tex):
            raise ValueError(f"symbols: the formula before has no {symbol!r}")
        symbols.append((symbol, figure, names_in(names)))
    return symbols


def places_of(symbol, tex):
    r"""Where a piece of TeX begins, but for places inside a command: `s_i` is in `Us_i`, not in `\cos_i`."""
    begins = (found.start() for found in re.finditer(re.escape(symbol), tex))
    return [at for at in begins if not (symbol[0].isalpha() and re.search(r"\\[A-Za-z]*\Z", tex[:at]))]


def check_names(app, doctree, page):
    """Refuses names that no mark and no aside of the figure has."""
    for formula in doctree.findall(nodes.math_block):
        for _, figure, names in formula.get("symbols", ()):
            for name in names:
                require_mark(app.env, page, figure, name)


def pointing(tex, symbols):
    """The TeX with every symbol marked by data that the figures' script reads."""
    for symbol, figure, names in symbols:
        data = f"figure={figure},light={'|'.join(names)}"
        for at in reversed(places_of(symbol, tex)):
            tex = rf"{tex[:at]}\data{{{data}}}{{{symbol}}}{tex[at + len(symbol) :]}"
    return tex


def setup(app):
    app.connect("doctree-read", place_symbols)
    app.connect("doctree-resolved", check_names)
