"""The font of formulas, cut to the characters that the pages use and corrected for browsers.

All lengths are thousandths of the type size, as in the font.
"""

import html
import re

from fontTools import subset

SUBSCRIPT_DROP = -60  # below a letter's lower edge; 160 in the font
PRIME_SCALE, PRIME_PLACE, PRIME_WIDTH = 1.64, (40, 100), 336  # in superscripts, which are 0.7 in size
MIDDLE_HEIGHT = 1800  # of \Bigl
ALWAYS = [  # what formulas show without naming it: the italics that x, h and α become, and the sign of a root
    (0x20, 0x7E),
    (0x1D434, 0x1D467),
    (0x210E, 0x210E),
    (0x1D6FC, 0x1D71B),
    (0x221A, 0x221A),
]


def codes_of(pages):
    """The characters in the formulas of all pages, as sorted numbers."""
    used = set().union(*map(characters, pages))
    return sorted({ord(c) for c in used} | {code for low, high in ALWAYS for code in range(low, high + 1)})


def characters(page):
    """The characters in the formulas of a page."""
    formulas = "".join(re.findall(r"<math.*?</math>", page.read_text("utf8"), flags=re.S))
    return set(html.unescape(re.sub(r"<[^>]+>", "", formulas)))


def cut(source, target, codes):
    """Writes the font `source` with those characters alone, and the corrections below, to `target`."""
    options = subset.Options(flavor="woff2", layout_features=["*"], hinting=False, notdef_outline=True)
    font = subset.load_font(str(source), options)
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=codes)
    cutter.subset(font)
    # all subscripts at one height: the font sets those of letters with a descender lower
    font["MATH"].table.MathConstants.SubscriptBaselineDropMin.Value = SUBSCRIPT_DROP
    enlarge_primes(font)
    narrow_tall_signs(font)
    subset.save_font(font, str(target), options)


def enlarge_primes(font):
    """Enlarges primes: the package leaves out the larger ones that the font has for superscripts."""
    name = font.getBestCmap().get(ord("′"))
    if name:
        redraw(font, name, (PRIME_SCALE, PRIME_SCALE), PRIME_WIDTH, PRIME_PLACE)


def narrow_tall_signs(font):
    """Limits the width of tall brackets to that of middle height, and of roots to that of the lowest.

    Chromium keeps beside every sign that can grow the room that its widest form would take.
    """
    variants, widths, root = font["MATH"].table.MathVariants, font["hmtx"], font.getBestCmap()[ord("√")]
    for base, forms in zip(variants.VertGlyphCoverage.glyphs, variants.VertGlyphConstruction, strict=True):
        sizes = forms.MathGlyphVariantRecord
        parts = forms.GlyphAssembly.PartRecords if forms.GlyphAssembly else []
        least = 0 if base == root else MIDDLE_HEIGHT
        high = [size.VariantGlyph for size in sizes if size.AdvanceMeasurement >= least]
        most = widths[high[0]][0] if high else float("inf")
        for name in {size.VariantGlyph for size in sizes} | {part.glyph for part in parts}:
            if widths[name][0] > most:
                redraw(font, name, (most / widths[name][0], 1), most)


def redraw(font, name, scale, width, place=None):
    """A glyph in another size and width, its lower left corner at `place` if that is given."""
    glyph = font["glyf"][name]
    glyph.coordinates.scale(scale)
    glyph.recalcBounds(font["glyf"])
    if place:
        glyph.coordinates.translate((place[0] - glyph.xMin, place[1] - glyph.yMin))
    glyph.coordinates.toInt()
    glyph.recalcBounds(font["glyf"])
    font["hmtx"][name] = (width, glyph.xMin)
