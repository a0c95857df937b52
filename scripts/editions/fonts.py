"""The text's fonts for print, in the document itself: one font a weight.

Chromium writes a variable font into a PDF as drawings of its letters (Type 3), which readers draw badly,
and it does not wait for fonts that the site calls optional.
"""

import base64
import io

from fontTools.ttLib import TTFont
from fontTools.varLib import instancer

from scripts.editions import site

FAMILY = "Serif in Print"
WEIGHTS = (200, 400, 600, 700)


def fonts_in_print():
    """The rules of style that bring the fonts and set the text in them."""
    upright = [rule("normal", weight, at_weight(weight)) for weight in WEIGHTS]
    italic = rule("italic", 400, font_file("serif-italic").read_bytes())
    return "\n".join([*upright, italic, f':root {{ --serif: "{FAMILY}", serif; }}'])


def font_file(name):
    return site.SITE / "_static" / "fonts" / f"{name}.woff2"


def at_weight(weight):
    """The variable font of the text as a font of one weight."""
    font = TTFont(font_file("serif"), recalcTimestamp=False)
    instancer.instantiateVariableFont(font, {"wght": weight}, inplace=True)
    content = io.BytesIO()
    font.flavor = None
    font.save(content)
    return content.getvalue()


def rule(style, weight, content):
    address = f"data:font;base64,{base64.b64encode(content).decode()}"
    return (
        f'@font-face {{ font-family: "{FAMILY}"; font-style: {style}; font-weight: {weight}; '
        f"src: url({address}); font-display: block; }}"
    )
