"""What readers of EPUBs can do with: few folds, quizzes as lists, code line by line, MathML."""

import re

from bs4 import NavigableString

from scripts.whole_book import fragment, spoken

FOR_THE_SITE = ".in-page, .dock-line, .beside-from, .copy, .pin, .ledger-filter"
UNFOLDED = "details.deep[data-since=chapter], details.excursion-fold"  # what they hold is a part of the text
TOKENS = {"k": "b", "kn": "b", "kc": "b", "kd": "b", "ow": "b", "c1": "i", "sd": "i"}  # of code, by Pygments
MANY = 3  # columns, for whose words a phone's page has no room
LONG = 34  # signs of a piece of a formula that is nearly as wide as a phone's page
DEEPEST = 5  # steps of indentation that the style sheet knows
MATHML = "http://www.w3.org/1998/Math/MathML"
OF_STYLE_ONLY = ("scriptlevel", "displaystyle")  # attributes that MathML allows on few elements


def for_readers(body):
    """Changes an element of the site, and all below it, into what stands in the EPUB."""
    for gone in body.select(FOR_THE_SITE):
        gone.decompose()
    for item in body.select("li > li"):  # the page leaves out end tags, which a parser of HTML puts there
        item.parent.insert_after(item.extract())
    fold(body)
    for number, question in enumerate(body.select("fieldset.quiz"), 1):
        ask(question, number)
    for table in body.select("table"):
        list_rows(table)
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


def list_rows(table):
    """A table of many columns becomes a list for each row, each cell led by its column's name."""
    names = [name.get_text() for name in table.select("thead th")]
    if len(names) < MANY:
        return
    table["class"] = "rows"
    for row in table.select("tbody tr"):
        for name, cell in list(zip(names, row.find_all("td", recursive=False), strict=True))[1:]:
            if not cell.get_text().strip():
                cell.decompose()
            elif not cell.select(".column"):
                (cell.p or cell).insert(0, fragment(f'<span class="column">{name}</span>'))


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
    if formula.find("mtable", recursive=False):
        formula["class"] = "columns"  # which cannot break
    elif formula.find_parent(class_="math") and len(spoken(formula)) > LONG:
        formula["class"] = "long"


def is_allowed(name, element):
    return name not in OF_STYLE_ONLY or element.name in ("math", "mstyle", "mtable")


def is_cut(formula):
    """Whether this is the first piece of a formula that can break: its TeX is that of all the pieces."""
    following = formula.find_next_sibling()
    while following is not None and (following.name == "wbr" or "gap" in following.get("class", [])):
        following = following.find_next_sibling()
    following = following.math if following is not None and following.name == "span" else following
    return following is not None and following.name == "math" and not following.get("data-tex")


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
