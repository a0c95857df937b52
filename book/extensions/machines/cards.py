"""`cards.txt`: the glossary and the questions of every chapter as flash cards, in the form that Anki imports.

A line is a card: front, back and tags, between tabs, in HTML. Formulas stand between `\\(` and `\\)`, which
Anki sets. A question's back has the right answer first, then why the others are wrong.
"""

import re
from html import escape
from pathlib import Path

from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin

from extensions.coursework.notebook_names import BookNames
from extensions.coursework.quiz import RIGHT
from extensions.machines.twin_names import terms
from margins_book.page.directives import blocks
from margins_book.page.plain import plain

GLOSSARY = "book/glossary"
FILE = "cards.txt"
HEAD = "#separator:tab\n#html:true\n#notetype:Basic\n#deck:{}\n#columns:Front\tBack\tTags\n#tags column:3\n"
ITEM = re.compile(r"^\d+\. +", re.MULTILINE)


def formula(start, end):
    """The rule by which a formula is set between two signs."""

    def rule(renderer, tokens, place, options, env):
        return f"{start}{escape(tokens[place].content.strip(), quote=False)}{end}"

    return rule


MARKDOWN = MarkdownIt("commonmark").use(dollarmath_plugin, allow_labels=False)
MARKDOWN.add_render_rule("math_inline", formula(r"\(", r"\)"))
MARKDOWN.add_render_rule("math_block", formula(r"\[", r"\]"))


class _Words:
    """What a page says, as HTML on one line."""

    def __init__(self, app, page):
        self.page, self.names = page, BookNames(app, page)

    def html(self, text):
        made = MARKDOWN.render(plain(text, self.names, self.page)).strip()
        if made.count("<p>") == 1 and made.endswith("</p>"):
            made = made.removeprefix("<p>").removesuffix("</p>")
        return " ".join(made.split())


def of_chapter(app, page):
    """A card for each question of a chapter."""
    words, tag = _Words(app, page), f"chapter-{page.rpartition('/')[2][:2]}"
    for found in directives(app, page, "admonition"):
        if found.options.get("class") == "quiz":
            question, choices, answers = parts(found, page)
            listed = "\n".join(f"{number}. {choice}" for number, choice in enumerate(choices, 1))
            pairs = sorted(enumerate(answers, 1), key=lambda pair: not pair[1].startswith(RIGHT))
            told = "\n\n".join(f"**{number}.** {answer}" for number, answer in pairs)
            yield words.html(f"{question}\n\n{listed}"), words.html(told), tag


def parts(found, page):
    """The words of a question, its alternatives, and what is said of each."""
    lines, answers = [], ()
    for block in blocks(found.body, page):
        if block.directive:
            answers = [item.strip() for item in ITEM.split("\n".join(block.directive.body))[1:]]
        else:
            lines += block.lines
    first, *choices = ITEM.split("\n".join(lines))
    return f"{found.argument}\n\n{first}".strip(), [choice.strip() for choice in choices], answers


def directives(app, page, name):
    """The directives of that name of a page."""
    lines = Path(app.env.doc2path(page)).read_text("utf8").split("\n")
    found = (block.directive for block in blocks(lines, page))
    return (one for one in found if one and one.name == name)


def cards(app):
    """All cards: the terms, then the questions by chapter."""
    words, has_glossary = _Words(app, GLOSSARY), GLOSSARY in app.env.found_docs
    for found in directives(app, GLOSSARY, "glossary") if has_glossary else ():
        for term, meaning in terms(found):
            yield words.html(term), words.html(meaning), "glossary"
    for page in sorted(app.env.found_docs):
        if page.startswith("chapters/"):
            yield from of_chapter(app, page)


def write(app, failure):
    """Writes the file, once all pages are read."""
    if failure is None and app.builder.name == "html":
        lines = "".join("\t".join(card) + "\n" for card in cards(app))
        Path(app.outdir, FILE).write_text(HEAD.format(app.config.html_title) + lines, "utf8")


def setup(app):
    app.connect("build-finished", write)
