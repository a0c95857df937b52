"""The language of Chinese text, and no line break between a number and its unit."""

import re

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

CHINESE = re.compile(r"([\u3400-\u9fff\uff00-\uffef]+)")
BEFORE_UNIT = re.compile(r"(?<=\d) (?=(?:ns|µs|ms|s|min|px|kB|MB|GB|%)(?!\w))")
UNTOUCHED = (nodes.FixedTextElement, nodes.literal, nodes.math, nodes.math_block, nodes.raw)


class CareForRuns(SphinxPostTransform):
    """Marks Chinese text as Chinese and ties units to numbers, outside code and formulas."""

    default_priority = 890

    def run(self):
        for text in list(self.document.findall(nodes.Text)):
            if not inside_untouched(text):
                tied = BEFORE_UNIT.sub("\N{NO-BREAK SPACE}", text)
                parts = [part for part in CHINESE.split(tied) if part]
                if len(parts) > 1 or CHINESE.match(tied):
                    text.parent.replace(text, [marked(part) for part in parts])
                elif tied != text:
                    text.parent.replace(text, nodes.Text(tied))


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
    return {"parallel_read_safe": True, "parallel_write_safe": True}
