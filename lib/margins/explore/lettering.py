"""Texts on drawings: simple mathematics as runs of letters, and how much room a text takes."""

import functools
import re
import unicodedata

from margins.explore.errors import ExplorableError
from margins.explore.readable import SIGNS, VARIANTS

PIECE = re.compile(
    r"([_^])(\{[^{}]*\}|\\[A-Za-z]+|[^\s{}\\])|(\\[A-Za-z]+|\\[,;: ]|[A-Za-z]|[^A-Za-z_^\\{}$]+)"
)
SIGNED = re.compile(r"(?<![\w.])-(?=\d)")
GAPS = {"\\,": "\N{THIN SPACE}", "\\;": " ", "\\:": " ", "\\ ": " "}
SHARES = {**dict.fromkeys("iljtfrI.,:;|!'()[] ", 0.34), **dict.fromkeys("mwMW@%\N{EM DASH}", 0.9)}


def signed(text):
    """A sentence with a minus sign, not a hyphen, before its negative numbers."""
    return SIGNED.sub("\N{MINUS SIGN}", text)


@functools.lru_cache(4096)
def runs(text):
    """`text` as ((letters, look), ...): "" upright, m of the mathematical face, i italic, b below, p above.

    Between dollars: Latin and Greek letters, signs, subscripts and superscripts; nothing else.
    """
    parts = text.split("$")
    if len(parts) % 2 == 0:
        raise ExplorableError(f"the text {text!r} cannot be set: a dollar sign without its partner")
    pieces = [
        piece
        for k, part in enumerate(parts)
        if part
        for piece in (_formula(part) if k % 2 else ((part, ""),))
    ]
    return tuple(pieces)


def _formula(tex):
    """The runs of one formula."""
    at = 0
    for match in PIECE.finditer(tex):
        if match.start() != at:
            break
        shift, body, bare = match.groups()
        if body and set("_^") & set(body):
            break
        at = match.end()
        for letters, look in _letters((body or bare).strip("{}") if body else bare):
            yield letters, "m" + look + {"_": "b", "^": "p", None: ""}[shift]
    if at != len(tex):
        raise ExplorableError(
            f"the formula ${tex}$ cannot be set on a drawing: {tex[at:]!r} is more than letters, signs, "
            "subscripts and superscripts"
        )


def _letters(tex):
    """(letters, "" or "i") of a piece without shifts: Latin and small Greek letters lean."""
    for part in re.findall(r"\\[A-Za-z]+|\\.|[A-Za-z]|[^A-Za-z\\]+", tex):
        sign = GAPS.get(part) or (_sign(part[1:]) if part.startswith("\\") else part)
        leans = len(sign) == 1 and sign.isalpha() and "GREEK CAPITAL" not in unicodedata.name(sign, "")
        yield sign.replace("-", "\N{MINUS SIGN}"), "i" if leans else ""


def _sign(name):
    """The character that a TeX command stands for."""
    if name in SIGNS:
        return SIGNS[name]
    size = "CAPITAL" if name[0].isupper() else "SMALL"
    letter = VARIANTS.get(name.lower(), name)
    try:
        return unicodedata.lookup(f"GREEK {size} LETTER {letter.upper()}")
    except KeyError:
        raise ExplorableError(
            f"the formula sign \\{name} cannot be set on a drawing; use letters, signs, sub- and superscripts"
        ) from None


@functools.lru_cache(4096)
def width(text, size):
    """About how many pixels `text` takes at this size; a little more than most faces need."""
    return sum(
        size
        * sum(SHARES.get(c, 0.7 if c.isupper() else 0.58) for c in letters)
        * (0.75 if look[-1:] in "bp" and look else 1)
        for letters, look in runs(text)
    )


def plainly(text):
    """The letters of `text` alone, for who listens."""
    return "".join(letters for letters, _ in runs(text))
