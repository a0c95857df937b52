"""Markdown as HTML: CommonMark with tables and formulas; links and pictures of students become plain text.

The result is not clean yet: whitelist does that, after rendering.
(book: Teaching with this book, Review)
"""

from collections.abc import Callable
from functools import cache
from html import escape

from markdown_it import MarkdownIt
from mdit_py_plugins.amsmath import amsmath_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin

Setter = Callable[[str, bool], str | None]  # TeX, whether it is displayed -> MathML


def rendered(text: str, setter: Setter, *, authors: bool = False) -> str:
    """The HTML of Markdown; the words of authors may have links and raw HTML."""
    return _parser(authors).render(text, {"setter": setter})


@cache
def _parser(authors: bool) -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": authors}).enable(["table", "strikethrough"])
    parser.use(dollarmath_plugin, allow_labels=False, double_inline=True).use(amsmath_plugin)
    rules = {"heading_open": _heading, "heading_close": _heading_end}
    rules |= dict.fromkeys(("math_inline", "amsmath"), _formula)
    rules |= dict.fromkeys(("math_inline_double", "math_block"), _displayed)
    if not authors:
        rules |= {"link_open": _nothing, "link_close": _address, "image": _picture}
    for name, rule in rules.items():
        parser.add_render_rule(name, rule)
    return parser


def _nothing(renderer, tokens, place, options, env) -> str:
    return ""


def _heading(renderer, tokens, place, options, env) -> str:
    return '<p class="heading">'  # a heading of the page would promise a section of the page


def _heading_end(renderer, tokens, place, options, env) -> str:
    return "</p>\n"


def _address(renderer, tokens, place, options, env) -> str:
    """The end of a link: the address where it led, unless the link's text says it already."""
    opening = next(n for n in range(place, -1, -1) if tokens[n].type == "link_open")
    address = str(tokens[opening].attrs.get("href", ""))
    shown = "".join(token.content for token in tokens[opening:place])
    return "" if shown == address else f' <span class="address">({escape(address)})</span>'


def _picture(renderer, tokens, place, options, env) -> str:
    """A picture's alternative text."""
    said = renderer.renderInlineAsText(tokens[place].children or [], options, env)
    return f'<span class="picture">[picture: {escape(said) or "no text"}]</span>'


def _formula(renderer, tokens, place, options, env) -> str:
    token = tokens[place]
    if token.type == "amsmath":
        return set_formula(token.content.strip(), token.content, True, env, "div")
    return set_formula(token.content.strip(), f"${token.content}$", False, env, "span")


def _displayed(renderer, tokens, place, options, env) -> str:
    content = tokens[place].content
    tag = "div" if tokens[place].type == "math_block" else "span"  # the latter stands in a paragraph
    return set_formula(content.strip(), f"$${content}$$", True, env, tag)


def set_formula(tex: str, written: str, displayed: bool, env: dict, tag: str) -> str:
    """A formula, or its TeX as it was written if it cannot be set."""
    mathml = env["setter"](tex, displayed)
    if mathml is None:
        return f'<code class="tex">{escape(written)}</code>'
    return f'<{tag} class="formula{" displayed" if displayed else ""}">{mathml}</{tag}>'
