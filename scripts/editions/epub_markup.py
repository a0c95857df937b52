"""What readers of EPUBs can do with: few folds, quizzes and tables as lists, code line by line."""

import re

from bs4 import NavigableString

from scripts.editions.epub_formulas import spell
from scripts.editions.site import fragment

FOR_THE_SITE = ".in-page, .dock-line, .beside-from, .copy, .pin, .ledger-filter"
UNFOLDED = "details.deep[data-since=chapter], details.excursion-fold"  # what they hold is a part of the text
TOKENS = {"k": "b", "kn": "b", "kc": "b", "kd": "b", "ow": "b", "c1": "i", "sd": "i"}  # of code, by Pygments
MANY = 3  # columns, for whose words a phone's page has no room
DEEPEST = 5  # steps of indentation that the style sheet knows


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
        heading, *cells = row.find_all(["th", "td"], recursive=False)
        heading.name = "th"
        for name, cell in zip(names[1:], cells, strict=True):
            if not cell.get_text().strip():
                cell.decompose()
            elif not cell.select(".column"):
                (cell.p or cell).insert(0, fragment(f'<span class="column">{name}</span>'))


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
