"""Names for permalinks, so that screen readers say where a link leads and not only "#"."""

import html
import re
import textwrap

LONGEST_NAME = 60
WHOLE = 1000  # a heading's own name, of which a PDF makes a bookmark

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
    is_heading = match["kind"][0] == "h"
    words = spoken(match["content"], WHOLE if is_heading else LONGEST_NAME)
    if "eqno" in match["kind"]:
        words = f"equation {words}"
    heading = f' aria-label="{words}"' if is_heading else ""
    link = f'<a class="headerlink" href="{match["target"]}" aria-label="Link to {words}">'
    return f"{match['tag']}{heading}>{match['content']}{link}"


def spoken(content, longest):
    """The words of a piece of HTML as an attribute holds them, cut where they are too long."""
    words = html.unescape(re.sub(r"<[^>]+>", "", ANNOTATION.sub("", content)))
    return html.escape(textwrap.shorten(words, longest, placeholder="…"))


def name_permalinks(app, pagename, templatename, context, doctree):
    if "body" in context:
        context["body"] = NAMED.sub(named, context["body"])


def setup(app):
    app.connect("html-page-context", name_permalinks)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
