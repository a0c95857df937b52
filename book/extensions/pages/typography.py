"""Marks Chinese text; no line break within "5 ms" or "Theorem 2.4", nor before the stars of an exercise."""

import re

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

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
            if not inside_untouched(text):
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


def inside_untouched(text):
    node = text.parent
    while node is not None and not isinstance(node, UNTOUCHED):
        node = node.parent
    return node is not None


def marked(part):
    """docutils writes the class as the attribute `lang`."""
    return nodes.inline("", part, classes=["language-zh"]) if CHINESE.match(part) else nodes.Text(part)


def setup(app):
    app.add_post_transform(CareForRuns)
    app.add_post_transform(TieReferences)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
