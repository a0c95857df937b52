"""Markdown as clean HTML: CommonMark with tables and formulas, of which nh3 keeps listed elements alone.

Nothing in the list loads, runs, links or places anything. Authors' text may have links to https and folds
besides; links and pictures of students become plain text. Formulas of authors are set by the book's own
renderer. No TeX that a student wrote comes there: formula_sandbox sets that.
"""

import re
from collections.abc import Callable
from functools import cache
from html import escape

import nh3
from markdown_it import MarkdownIt
from mdit_py_plugins.amsmath import amsmath_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin

from margins_book.formulas import temml
from margins_course.book import formula_macros

FormulaRenderer = Callable[[str, bool], str | None]  # TeX, whether it is displayed -> MathML


def render_markdown(text: str, setter: FormulaRenderer, *, authors: bool = False) -> str:
    """The HTML of Markdown; the words of authors may have links and raw HTML."""
    return _parser(authors).render(text, {"setter": setter})


@cache
def _parser(authors: bool) -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": authors}).enable(["table", "strikethrough"])
    parser.use(dollarmath_plugin, allow_labels=False, double_inline=True).use(amsmath_plugin)
    # a heading of the page would promise a section of the page
    rules = {"heading_open": lambda *_: '<p class="heading">', "heading_close": lambda *_: "</p>\n"}
    rules |= dict.fromkeys(("math_inline", "math_inline_double", "math_block", "amsmath"), _formula)
    if not authors:
        rules |= {"link_open": lambda *_: "", "link_close": _address, "image": _picture}
    for name, rule in rules.items():
        parser.add_render_rule(name, rule)
    return parser


def _address(renderer, tokens, place, options, env) -> str:
    """The end of a link: the address where it led, unless the link's text says it already."""
    opening = next(n for n in range(place, -1, -1) if tokens[n].type == "link_open")
    address = str(tokens[opening].attrs.get("href", ""))
    shown = "".join(token.content for token in tokens[opening:place])
    return "" if shown == address else f' <span class="address">({escape(address)})</span>'


def _picture(renderer, tokens, place, options, env) -> str:
    said = renderer.renderInlineAsText(tokens[place].children or [], options, env)
    return f'<span class="picture">[picture: {escape(said) or "no text"}]</span>'


def _formula(renderer, tokens, place, options, env) -> str:
    """A formula, or its TeX as it was written if it cannot be set."""
    kind, content = tokens[place].type, tokens[place].content
    displayed = kind != "math_inline"
    mathml = env["setter"](content.strip(), displayed)
    if mathml is None:
        signs = "" if kind == "amsmath" else "$$" if displayed else "$"
        return f'<code class="tex">{escape(signs + content + signs)}</code>'
    tag = "span" if kind.startswith("math_inline") else "div"  # the former stand in a paragraph
    return f'<{tag} class="formula{" displayed" if displayed else ""}">{mathml}</{tag}>'


def authors_mathml(tex: str, display: bool) -> str | None:
    """The MathML of a formula, None if it cannot be set or if `make book` has not fetched Temml."""
    try:
        return temml.render(tex, display, formula_macros())
    except (ValueError, temml.RendererError):
        return None


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
AUTHORS = _cleaner({"a", "b", "br", "details", "summary"}, {"a": {"href"}}, {"https"})
