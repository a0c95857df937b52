"""Third-party front-end files into the site, from book/frontend/node_modules: fonts, cut to what is used.

Also the site's one stylesheet, put together from the theme's parts and the explorables'.
"""

import hashlib
import importlib.util
import re
import shutil
from pathlib import Path

from fontTools import subset
from sphinx.errors import ExtensionError

BOOK = Path(__file__).parent.parent
PACKAGES = BOOK / "frontend" / "node_modules"
THEME = BOOK / "theme" / "margins"
TEXT_FONTS = PACKAGES / "@fontsource-variable" / "source-serif-4" / "files"
FONTS = {
    "serif.woff2": TEXT_FONTS / "source-serif-4-latin-wght-normal.woff2",
    "serif-italic.woff2": TEXT_FONTS / "source-serif-4-latin-wght-italic.woff2",
}
MATH_FONT = PACKAGES / "@fontsource" / "stix-two-math" / "files" / "stix-two-math-latin-400-normal.woff2"
# Letters, Greek, arrows, operators, brackets, accents, alphabets of mathematics: not emoji nor musical signs
MATH_RANGES = [
    (0x20, 0x17F), (0x2C6, 0x2DD), (0x300, 0x338), (0x370, 0x3FF), (0x2010, 0x2044), (0x2061, 0x2064),
    (0x20D0, 0x20DC), (0x2100, 0x214F), (0x2190, 0x22FF), (0x2308, 0x230B), (0x23B4, 0x23E1),
    (0x25A0, 0x25FF), (0x27C0, 0x27FF), (0x2980, 0x2A0C), (0x2A7D, 0x2A7E), (0x1D400, 0x1D7FF),
]  # fmt: skip


def required(path):
    """`path` if it is there, else what to do about it."""
    if not path.exists():
        raise ExtensionError(f"front-end file missing: {path}; `make book` fetches it from npm")
    return path


def stylesheet():
    """All our CSS as one compact text: the theme's parts by name, the explorables' before print."""
    margins = Path(importlib.util.find_spec("margins").origin).parent
    parts = sorted(
        [*(THEME / "css").glob("*.css"), required(margins / "explore" / "explorable.css")], key=css_order
    )
    css = "\n".join(part.read_text("utf8") for part in parts)
    css = re.sub(r"/\*.*?\*/", "", css, flags=re.S)
    return re.sub(r"\s*([{};,])\s*", r"\1", re.sub(r"\s+", " ", css)).replace(";}", "}").strip()


def css_order(part):
    return "5" if part.name == "explorable.css" else part.name


def cut_math_font(target):
    """The mathematical font without the glyphs that no formula of the book can use."""
    options = subset.Options(flavor="woff2", layout_features=["*"], hinting=False, notdef_outline=True)
    font = subset.load_font(str(required(MATH_FONT)), options)
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=[code for low, high in MATH_RANGES for code in range(low, high + 1)])
    cutter.subset(font)
    subset.save_font(font, str(target), options)


def fingerprint(content):
    return hashlib.sha256(content.encode()).hexdigest()[:10]


def prepare(app):
    """Fonts, stylesheet and script in the output folder; their names go to the templates."""
    if app.builder.format != "html":
        return
    fonts = Path(app.outdir, "_static", "fonts")
    fonts.mkdir(parents=True, exist_ok=True)
    for name, source in FONTS.items():
        shutil.copyfile(required(source), fonts / name)
    if not (fonts / "math.woff2").exists():
        cut_math_font(fonts / "math.woff2")
    css, script = stylesheet(), (THEME / "static" / "reader.js").read_text("utf8")
    Path(app.outdir, "_static", "margins.css").write_text(css, "utf8")
    app.config.html_context.update(
        stylesheet=f"margins.css?v={fingerprint(css)}",
        reader_script=f"reader.js?v={fingerprint(script)}",
        preloaded_fonts=["serif.woff2", "math.woff2"],
    )


def setup(app):
    app.connect("builder-inited", prepare)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
