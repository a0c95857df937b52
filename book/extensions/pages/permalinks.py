"""Names for permalinks, so that screen readers say where a link leads and not only "#"."""

import html
import re
import textwrap

LONGEST_NAME = 60

# a heading, a term, a caption or an equation's number, and the link in it
NAMED = re.compile(
    r'(?P<tag><(?P<kind>h[1-6]|dt|figcaption|span class="(?:eqno|caption-number)")[^>]*)>'
    r'(?P<content>(?:(?!<(?:h[1-6]|dt|figcaption|div|p|a class="headerlink")\b).)*?)'
    r'<a class="headerlink" href="(?P<target>[^"]*)"[^>]*>',
    re.S,
)
ANNOTATION = re.compile(r"<annotation.*?</annotation>", re.S)


def named(match):
    """The link with its name; a heading gets its own name, which would else contain the link's."""
    words = spoken(match["content"])
    if "eqno" in match["kind"]:
        words = f"equation {words}"
    heading = f' aria-label="{words}"' if match["kind"][0] == "h" else ""
    link = f'<a class="headerlink" href="{match["target"]}" aria-label="Link to {words}">'
    return f"{match['tag']}{heading}>{match['content']}{link}"


def spoken(content):
    """The words of a piece of HTML as an attribute holds them."""
    words = html.unescape(re.sub(r"<[^>]+>", "", ANNOTATION.sub("", content)))
    return html.escape(textwrap.shorten(words, LONGEST_NAME, placeholder="…"))


def name_permalinks(app, pagename, templatename, context, doctree):
    if "body" in context:
        context["body"] = NAMED.sub(named, context["body"])


def setup(app):
    app.connect("html-page-context", name_permalinks)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
