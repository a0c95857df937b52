"""The elements and attributes that text may bring into a page, kept to by nh3 after the text is rendered.

Nothing in the list loads, runs, links or places anything. Authors' text may have links to https and folds
besides.
(book: Teaching with this book, Review)
"""

import re

import nh3

TEXT = {"p", "br", "hr", "em", "strong", "s", "code", "pre", "blockquote", "ul", "ol", "li"}
TEXT |= {"div", "span", "wbr"}
TABLES = {"table", "thead", "tbody", "tr", "th", "td"}
FORMULAS = {"math", "mrow", "mi", "mn", "mo", "mtext", "mspace", "mfrac", "msqrt", "mroot", "mstyle"}
FORMULAS |= {"mpadded", "mphantom", "menclose", "msub", "msup", "msubsup", "munder", "mover", "munderover"}
FORMULAS |= {"mmultiscripts", "mprescripts", "none", "mtable", "mtr", "mtd"}

LENGTHS = {"lspace", "rspace", "width", "height", "depth", "voffset", "minsize", "maxsize", "linethickness"}
LENGTHS |= {"rowspacing"}
WORDS = {"display", "mathvariant", "stretchy", "fence", "form", "separator", "accent", "accentunder"}
WORDS |= {"largeop", "displaystyle", "scriptlevel", "movablelimits", "symmetric", "columnalign", "rowalign"}
WORDS |= {"notation"}
LENGTH = re.compile(r"[+-]?\d{0,2}(\.\d{1,6})?(em|ex|pt|px|mu|%)?")
WORD = re.compile(r"[a-z0-9 -]{1,60}")

CLASSES = {  # ours, and those of Temml that the stylesheet knows
    "div": {"formula", "displayed"},
    "span": {"formula", "displayed", "address", "picture"},
    "code": {"tex"},
    "pre": {"tex"},
    "p": {"heading", "note"},
    "mtable": {"tml-jot"},
    "mtd": {"tml-left", "tml-right"},
    "mrow": {"tml-overline", "tml-underline"},
    "mover": {"tml-overline"},
    "munder": {"tml-underline"},
}


def _kept(tag: str, name: str, value: str) -> str | None:
    """The value of an attribute, None if it is not of the expected form."""
    if name in ("class", "href"):  # nh3 has its own rules for these
        return value
    if name == "start":
        return value if re.fullmatch(r"\d{1,9}", value) else None
    pattern = LENGTH if name in LENGTHS else WORD
    return value if pattern.fullmatch(value) else None


def _cleaner(tags: set[str], attributes: dict[str, set[str]], protocols: set[str]) -> nh3.Cleaner:
    formulas = dict.fromkeys(FORMULAS, LENGTHS | WORDS)
    return nh3.Cleaner(
        tags=TEXT | TABLES | FORMULAS | tags,
        clean_content_tags={"script", "style", "title", "annotation-xml"},
        attributes={**formulas, "ol": {"start"}, **attributes},
        attribute_filter=_kept,
        allowed_classes=CLASSES,
        url_schemes=protocols,
        url_relative="deny",
        link_rel="noopener noreferrer" if "a" in tags else None,
    )


STUDENTS = _cleaner(set(), {}, set())
AUTHORS = _cleaner({"a", "details", "summary"}, {"a": {"href"}}, {"https"})
