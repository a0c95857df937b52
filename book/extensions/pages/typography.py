"""How text, tables, code and links of all pages are set.

- Chinese text is marked; no line breaks within "5 ms" or "Theorem 2.4", nor before the stars of an exercise.
- Tables stand in boxes that scroll sideways: a wide table never widens the page. The cells of one with
  three columns and more name their columns: on a phone its rows stand as lists (3-article.css).
- Words of code bear no mark that the style sheet does not colour: a quarter of a page's bytes less.
- Lines of words that cells print wrap where a page is narrow; columns stay under each other.
- Permalinks have names, so that screen readers say where a link leads and not only "#".
"""

import html
import re
import textwrap

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

from explorable.sphinx_ext.scopes import ancestors

CHINESE = re.compile(r"([\u3400-\u9fff\uff00-\uffef]+)")
BEFORE_UNIT = re.compile(r"(?<=\d) (?=(?:ns|µs|ms|s|min|px|kB|MB|GB|%)(?!\w))")
BEFORE_STARS = re.compile(r" (?=★)")
BEFORE_NUMBER = re.compile(r"^(\w+) (?=\d)")
UNTOUCHED = (nodes.FixedTextElement, nodes.literal, nodes.math, nodes.math_block, nodes.raw)


class CareForRuns(SphinxPostTransform):
    """Marks Chinese text as Chinese and ties units and stars, outside code and formulas."""

    default_priority = 890

    def run(self):
        for text in list(self.document.findall(nodes.Text)):
            if not any(isinstance(outer, UNTOUCHED) for outer in ancestors(text)):
                tied = BEFORE_STARS.sub("\N{NO-BREAK SPACE}", BEFORE_UNIT.sub("\N{NO-BREAK SPACE}", text))
                parts = [part for part in CHINESE.split(tied) if part]
                if len(parts) > 1 or CHINESE.match(tied):
                    text.parent.replace(text, [marked(part) for part in parts])
                elif tied != text:
                    text.parent.replace(text, nodes.Text(tied))


class TieReferences(SphinxPostTransform):
    """Ties the number in the words of a reference, as "Theorem 2.4"."""

    default_priority = 970  # after excursions have written theirs

    def run(self):
        for link in self.document.findall(nodes.reference):
            for text in list(link.findall(nodes.Text)):
                text.parent.replace(text, nodes.Text(BEFORE_NUMBER.sub("\\1\N{NO-BREAK SPACE}", text)))


def marked(part):
    """docutils writes the class as the attribute `lang`."""
    return nodes.inline("", part, classes=["language-zh"]) if CHINESE.match(part) else nodes.Text(part)


MANY = 3  # columns


class BoxTables(SphinxPostTransform):
    """A container of class `table` around each table."""

    default_priority = 900

    def run(self):
        for table in list(self.document.findall(nodes.table)):
            boxed = table.deepcopy()
            name_columns(boxed)
            table.replace_self(nodes.container("", boxed, classes=["table"]))


def name_columns(table):
    """The heading of its column at the beginning of each cell but the first of a row, if there are many."""
    head = table.next_node(nodes.thead)
    headings = [entry.astext() for entry in head.findall(nodes.entry)] if head else []
    if len(headings) < MANY:
        return
    table["classes"].append("listed")
    table.next_node(nodes.colspec)["stub"] = True
    for row in table.next_node(nodes.tbody).findall(nodes.row):
        for heading, entry in list(zip(headings, row.children, strict=True))[1:]:
            if entry.astext():
                entry[0].insert(0, nodes.inline("", heading, classes=["column"]))


# what Pygments calls names, punctuation, operators, built-in and magic names, and spaces
UNCOLOURED = ("n", "p", "o", "nn", "fm", "nb", "bp", "ne", "vm", "w")
# what else it calls words, strings, numbers, comments and definitions, by the name that has a colour
COLOURED = {
    "k": ("kn", "kc", "kd", "kr", "ow"),
    "s2": ("s1", "sa", "sd", "si", "se", "s", "sr", "ss"),
    "mi": ("mf", "il", "mh", "mb"),
    "c1": ("c", "ch", "cm", "cs"),
    "nf": ("nc", "nd"),
}
COLOUR = {name: colour for colour, names in COLOURED.items() for name in (colour, *names)}
MARKED = re.compile(rf'<span class="({"|".join([*UNCOLOURED, *COLOUR])})">([^<]*)</span>')
RUN = re.compile(r'<span class="(\w+)">[^<]*</span>(?:\s*<span class="\1">[^<]*</span>)+')


def drop_marks(body):
    """A page's body with one mark around all that stands side by side in a colour, and no others."""
    body = MARKED.sub(lambda mark: in_colour(COLOUR.get(mark[1]), mark[2]), body)
    return RUN.sub(lambda run: in_colour(run[1], re.sub("<[^>]*>", "", run[0])), body)


def in_colour(colour, code):
    """Code in a colour, or as it is."""
    return f'<span class="{colour}">{code}</span>' if colour else code


GAP = re.compile(r"\S {2,}\S")  # between two columns


class WrapPrintedWords(SphinxPostTransform):
    """Marks what is printed without columns, for the style sheet."""

    default_priority = 960  # after MyST-NB has chosen among the outputs of a cell

    def run(self):
        for block in self.document.findall(nodes.literal_block):
            if "output" in block["classes"] and not has_columns(block.astext()):
                block["classes"].append("wraps")


def has_columns(text):
    """Whether there are gaps in more than one line; NumPy writes some into a line of numbers."""
    return sum(GAP.search(line) is not None for line in text.splitlines()) > 1


LONGEST_NAME = 60
WHOLE = 1000  # a heading's own name, of which a PDF makes a bookmark

# a heading, a term, a caption or an equation's number, and the link in it
NAMED = re.compile(
    r'(?P<tag><(?P<kind>h[1-6]|dt|figcaption|span class="(?:eqno|caption-number)")[^>]*)>'
    r'(?P<content>(?:(?!<(?:h[1-6]|dt|figcaption|div|p|a class="headerlink")\b).)*?)'
    r'<a class="headerlink" href="(?P<target>[^"]*)"[^>]*>',
    re.S,
)


def named(match):
    """The link with its name; a heading gets its own name, which would else contain the link's."""
    is_heading = match["kind"][0] == "h"
    words = spoken(match["content"], WHOLE if is_heading else LONGEST_NAME)
    if "eqno" in match["kind"]:
        words = f"equation {words}"
    heading = f' aria-label="{words}"' if is_heading else ""
    link = f'<a class="headerlink" href="{match["target"]}" aria-label="Link to {words}">'
    return f"{match['tag']}{heading}>{match['content']}{link}"


def spoken(content, longest):
    """The words of a piece of HTML as an attribute holds them, cut where they are too long."""
    words = html.unescape(re.sub(r"<[^>]+>", "", content))
    return html.escape(textwrap.shorten(words, longest, placeholder="…"))


def set_body(app, pagename, templatename, context, doctree):
    """Drops marks of code, and names permalinks."""
    if "body" in context:
        context["body"] = NAMED.sub(named, drop_marks(context["body"]))


def setup(app):
    app.add_post_transform(CareForRuns)
    app.add_post_transform(TieReferences)
    app.add_post_transform(BoxTables)
    app.add_post_transform(WrapPrintedWords)
    app.connect("html-page-context", set_body)
