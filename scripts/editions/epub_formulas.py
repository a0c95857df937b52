"""Formulas as MathML that readers of EPUBs know, with their text, and no wider than the page of a phone."""

import re
from itertools import zip_longest

from scripts.editions.articles import spoken

MATHML = "http://www.w3.org/1998/Math/MathML"
OF_STYLE_ONLY = ("scriptlevel", "displaystyle")  # attributes that MathML allows on few elements
WIDTH = 38  # signs side by side that a phone's page has room for, measured on the widest formulas of the book
RELATIONS = set("=≤≥+−<>→∈≈≠")  # have space at both sides
ABOVE_EACH_OTHER = ("mfrac", "munder", "mover", "munderover")
EMS = re.compile(r"(-?[\d.]+)em")
SIGNS_OF_EM = 1.6
SCRIPT = 0.75  # the width of a sign that is raised or lowered


def spell(formula):
    """A formula as MathML that readers know, with its TeX or what is seen of it as its text."""
    text = (
        spoken(formula) if is_cut(formula) else formula.get("data-tex", "").strip("$ \n") or spoken(formula)
    )
    for element in [formula, *formula.find_all(True)]:
        element.attrs = {
            name: value
            for name, value in element.attrs.items()
            if not name.startswith(("data-", "aria-")) and name != "role" and is_allowed(name, element)
        }
    formula["xmlns"], formula["alttext"] = MATHML, text
    if formula.find_parent(class_="math") and (width := signs(formula)) > WIDTH:
        formula["style"] = f"font-size: {WIDTH / width:.2f}em"


def is_allowed(name, element):
    return name not in OF_STYLE_ONLY or element.name in ("math", "mstyle", "mtable")


def is_cut(formula):
    """Whether this is the first piece of a formula that can break: its TeX is that of all the pieces."""
    following = formula.find_next_sibling()
    while following is not None and (following.name == "wbr" or "gap" in following.get("class", [])):
        following = following.find_next_sibling()
    following = following.math if following is not None and following.name == "span" else following
    return following is not None and following.name == "math" and not following.get("data-tex")


def signs(part):
    """About how many signs stand side by side in a part of a formula."""
    inner = part.find_all(True, recursive=False)
    if part.name == "mtable":
        columns = zip_longest(
            *(map(signs, row.find_all("mtd", recursive=False)) for row in inner), fillvalue=0
        )
        return sum(map(max, columns))
    widths = list(map(signs, inner))
    if part.name in ABOVE_EACH_OTHER:
        return max(widths)
    if part.name in ("msub", "msup", "msubsup"):
        return widths[0] + SCRIPT * max(widths[1:])
    if part.name == "mspace":
        width = EMS.fullmatch(part.get("width", ""))
        return SIGNS_OF_EM * float(width[1]) if width else 0
    return sum(widths) if inner else len(part.get_text().strip("\u2061 \n")) + (part.get_text() in RELATIONS)
