"""What readers of EPUBs can do with: still figures, MathML that they know, few folds, lists, lines of code.

Figures have colours that every reader knows; a formula is no wider than the page of a phone.
"""

import re
from itertools import zip_longest

from bs4 import NavigableString

from explorable.palette import CSS_VALUES
from scripts.editions.articles import spoken
from scripts.editions.site import anchor, fragment

FOR_THE_SITE = ".in-page, .dock-line, .beside-from, .copy, .pin, .ledger-filter"
UNFOLDED = "details.excursion-fold"
TOKENS = {"k": "b", "kn": "b", "kc": "b", "kd": "b", "ow": "b", "c1": "i", "sd": "i"}  # of code, by Pygments
DEEPEST = 5  # steps of indentation that the style sheet knows
MATHML = "http://www.w3.org/1998/Math/MathML"
OF_STYLE_ONLY = ("scriptlevel", "displaystyle")  # attributes that MathML allows on few elements
WIDTH = 38  # signs side by side that a phone's page has room for, measured on the widest formulas of the book
RELATIONS = set("=≤≥+−<>→∈≈≠")  # have space at both sides
ABOVE_EACH_OTHER = ("mfrac", "munder", "mover", "munderover")
EMS = re.compile(r"(-?[\d.]+)em")
SIGNS_OF_EM = 1.6
SCRIPT = 0.75  # the width of a sign that is raised or lowered
MOVING = (
    ".explorable-guess, .explorable-guess-shaft, .explorable-compare, .explorable-note, .explorable-numbers, "
    ".explorable-follows, svg [data-aside]"
)
VARIABLE = re.compile(r"var\(--[\w-]+, ([^()]*)\)")  # a colour or font of the site, and what stands in for it
PAPER = CSS_VALUES["paper"]  # the ground on which a figure is drawn, which a reader chooses
NAMES = {"viewbox": "viewBox", "preserveaspectratio": "preserveAspectRatio", "clippath": "clipPath"}


def for_readers(body):
    """Changes an element of the site, and all below it, into what stands in the EPUB."""
    for gone in body.select(FOR_THE_SITE):
        gone.decompose()
    for item in body.select("li > li"):  # the page leaves out end tags, which a parser of HTML puts there
        item.parent.insert_after(item.extract())
    fold(body)
    for number, question in enumerate(body.select("fieldset.quiz"), 1):
        ask(question, number)
    for table in body.select("table.listed"):  # a list for each row: columns' names lead the cells
        table["class"] = "rows"
        for empty in (cell for cell in table.select("td") if not cell.get_text().strip()):
            empty.decompose()
    for formula in body.select("math"):
        spell(formula)
    for code in body.select("pre"):
        set_lines(code)
    for said in body.select(".how-to-check"):
        said.contents[-1].replace_with(str(said.contents[-1]).replace("on this page", "on the site"))
    for word in body.select("code span.pre"):
        word.unwrap()
    for element in [body, *body.find_all(True)]:
        for name in [name for name in element.attrs if name.startswith("data-") or name == "download"]:
            del element[name]


def fold(body):
    """Folds are as the site has them at the depth "Chapter", but excursions, which are apart, are open."""
    for details in body.select("details"):
        del details["open"]
    for details in body.select(UNFOLDED):
        details.summary.decompose()
        details.unwrap()


def ask(question, number):
    """A question of a quiz as a numbered list; a reader has nothing to press."""
    legend = question.legend
    legend.name, legend["class"] = "p", "question"
    legend.insert(0, fragment(f"<span>Question {number}. </span>"))
    choices = fragment("<ol></ol>")
    for label in question.select("label"):
        label.input.decompose()
        label.name = "li"
        choices.append(label.extract())
    legend.insert_after(choices)
    question.name = "div"


def set_lines(code):
    """Each line of code on its own, so that what is too long for the page goes on below, set in."""
    lines, tokens = [fragment("<span></span>")], list(code.find_all(string=True))
    for token in tokens:
        kind = TOKENS.get(next(iter(token.parent.get("class", [])), ""))
        for number, piece in enumerate(str(token).split("\n")):
            if number:
                lines.append(fragment("<span></span>"))
            lines[-1].append(fragment(f"<{kind}></{kind}>") if kind and piece else NavigableString(piece))
            if kind and piece:
                lines[-1].contents[-1].string = piece
    code.clear()
    while lines and not lines[-1].get_text():
        lines.pop()
    for line in lines:
        indent = len(re.match(" *", line.get_text())[0])
        line["class"] = f"line in{min(indent // 4, DEEPEST)}"
        line.append("\n")
        code.append(line)


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


def still_figures(body, page, address):
    """Makes the figures below an element stand still; `address` is that of their page on the site."""
    for gone in body.select(MOVING):
        gone.decompose()
    for output in body.select("figure.explorable output"):
        output.name, output.attrs = "p", {"class": "sentence"}
    for panel in body.select(".explorable-panel, .explorable-frame, .figure-stage"):
        del panel["style"]
    for figure in body.select("figure.explorable"):
        place = f"{address}#{figure['id'].removeprefix(anchor(page))}"
        figure.figcaption.append(fragment(f'<a class="moves" href="{place}">Move it on the site</a>'))
    for drawing in body.select("svg"):
        redraw(drawing)


def redraw(drawing):
    """An SVG element of a page as XML: names as SVG spells them, a size, no variables of the site's style."""
    drawing["xmlns"] = "http://www.w3.org/2000/svg"
    for element in [drawing, *drawing.find_all(True)]:
        element.name = NAMES.get(element.name, element.name)
        if on_paper := [f"paper-{name}" for name, value in element.attrs.items() if value == PAPER]:
            element["class"] = on_paper
        element.attrs = {
            NAMES.get(name, name): VARIABLE.sub(r"\1", value) if isinstance(value, str) else value
            for name, value in element.attrs.items()
            if not name.startswith("data-")
        }
    _, _, drawing["width"], drawing["height"] = drawing["viewBox"].split()
