"""Formulas as MathML, rendered while the book is built: pages need no script and one font for them.

A formula of KaTeX's HTML takes 6.8 kB and sixty elements, in MathML 0.7 kB and fifteen.
"""

import json
import re

from docutils import nodes
from sphinx.errors import ExtensionError
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging
from sphinx.util.math import get_node_equation_number

from extensions.mathematics.pointing_symbols import pointing
from margins_book.formulas.temml import RendererError, render

AFTER = re.compile(r"^[.,;:!?)\]’”]+")
BEFORE = re.compile(r"[(\[‘“]+$")
BREAK = "<wbr>"  # between the parts of a long formula (temml_server.mjs)


def formula(translator, node, *, display):
    """The MathML of a docutils node; a formula that cannot be set is a warning that names its place."""
    macros = json.dumps(translator.config.mathml_macros, sort_keys=True)
    tex = node.astext().strip()
    try:
        symbols = node.get("symbols", ())
        mathml = render(pointing(tex, symbols), display, macros, bool(symbols))
    except RendererError as problem:
        raise ExtensionError(str(problem)) from None
    except ValueError as reason:
        said = "cannot set the formula %r: %s", node.astext(), reason
        logging.getLogger(__name__).warning(*said, location=node, type="mathml")
        return f"<code>{translator.encode(node.astext())}</code>"
    return mathml.replace("<math", f'<math data-tex="{translator.attval(as_written(tex, display))}"', 1)


def as_written(tex, display):
    """The TeX of a formula between its dollars, for readers who copy it (reader.js)."""
    mark = "" if tex.startswith(r"\begin{align") else "$$" if display else "$"
    return f"{mark}{tex}{mark}"


class GluePunctuation(SphinxPostTransform):
    """Moves brackets and punctuation that touch an inline formula into it: no line may break between them."""

    default_priority = 940

    def run(self):
        for node in list(self.document.findall(nodes.math)):
            place = node.parent.index(node)
            for side, pattern, beside in (("before", BEFORE, place - 1), ("after", AFTER, place + 1)):
                neighbour = node.parent[beside] if 0 <= beside < len(node.parent) else None
                if isinstance(neighbour, nodes.Text) and (found := pattern.search(neighbour)):
                    node[side] = found[0]
                    node.parent[beside] = nodes.Text(pattern.sub("", neighbour))


def visit_inline(translator, node):
    """An inline formula and the marks that touch it; a long one may break between its parts."""
    parts = formula(translator, node, display=False).split(BREAK)
    if "before" in node:
        parts[0] = f'<span class="unbroken">{node["before"]}{parts[0]}</span>'
    if "after" in node:
        parts[-1] = f'<span class="unbroken">{parts[-1]}{node["after"]}</span>'
    translator.body.append(BREAK.join(parts))
    raise nodes.SkipNode


def visit_block(translator, node):
    """A display equation, of several lines or scrollable where it is too wide, with its number and link."""
    numbered = " numbered" if node["number"] else ""
    translator.body.append(translator.starttag(node, "div", CLASS=f"math{numbered}"))
    mathml = formula(translator, node, display=True)
    translator.body.append(f'<div class="lines">{mathml}</div>' if mathml.count("<math") > 1 else mathml)
    if node["number"]:
        translator.body.append(f'<span class="eqno">({get_node_equation_number(translator, node)})')
        translator.add_permalink_ref(node, "Link to this equation")
        translator.body.append("</span>")
    translator.body.append("</div>")
    raise nodes.SkipNode


def setup(app):
    app.add_config_value("mathml_macros", {}, "env")
    app.add_post_transform(GluePunctuation)
    app.add_html_math_renderer("mathml", (visit_inline, None), (visit_block, None))
