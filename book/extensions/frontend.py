"""Third-party front-end files into the site, from book/frontend/node_modules: fonts, cut to what is used.

Also the site's one stylesheet, put together from the theme's parts and the explorables'.
"""

import hashlib
import html
import importlib.util
import re
import shutil
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont
from fontTools.varLib import instancer
from sphinx.errors import ExtensionError

BOOK = Path(__file__).parent.parent
PACKAGES = BOOK / "frontend" / "node_modules"
THEME = BOOK / "theme" / "margins"
TEXT_FONTS = PACKAGES / "@fontsource-variable" / "source-serif-4" / "files"
TEXT_FONT = TEXT_FONTS / "source-serif-4-latin-wght-normal.woff2"
ITALIC_FONT = TEXT_FONTS / "source-serif-4-latin-wght-italic.woff2"
MATH_FONT = PACKAGES / "@fontsource" / "stix-two-math" / "files" / "stix-two-math-latin-400-normal.woff2"
SUBSCRIPT_DROP = -60  # thousandths of the type size below a letter's lower edge; 160 in the font
ALWAYS = [  # what formulas show without naming it: the italics that x, h and α become, and the sign of a root
    (0x20, 0x7E),
    (0x1D434, 0x1D467),
    (0x210E, 0x210E),
    (0x1D6FC, 0x1D71B),
    (0x221A, 0x221A),
]


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


def cut_italic_font(target):
    """The italic at regular weight alone: half the size of the one that can be any weight."""
    whole = TTFont(required(ITALIC_FONT), recalcTimestamp=False)  # or no two builds have the same bytes
    font = instancer.instantiateVariableFont(whole, {"wght": 400})
    font.flavor = "woff2"
    font.save(target)


def publish_math_font(app, failure):
    """The mathematical font with the glyphs that the pages use, if those have changed."""
    if failure or app.builder.format != "html":
        return
    used = {
        character for page in Path(app.outdir).rglob("*.html") for character in characters_of_formulas(page)
    }
    codes = sorted({ord(c) for c in used} | {code for low, high in ALWAYS for code in range(low, high + 1)})
    target, stamp = (
        Path(app.outdir, "_static", "fonts", "math.woff2"),
        Path(app.doctreedir, "math-font.stamp"),
    )
    if target.exists() and stamp.exists() and stamp.read_text() == str((SUBSCRIPT_DROP, codes)):
        return
    options = subset.Options(flavor="woff2", layout_features=["*"], hinting=False, notdef_outline=True)
    font = subset.load_font(str(required(MATH_FONT)), options)
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=codes)
    cutter.subset(font)
    level_subscripts(font)
    subset.save_font(font, str(target), options)
    stamp.write_text(str((SUBSCRIPT_DROP, codes)))


def level_subscripts(font):
    """One height for all indices: the font would hang that of y, which has a tail, lower than that of x."""
    font["MATH"].table.MathConstants.SubscriptBaselineDropMin.Value = SUBSCRIPT_DROP


def characters_of_formulas(page):
    """The characters in the formulas of a page."""
    formulas = "".join(re.findall(r"<math.*?</math>", page.read_text("utf8"), flags=re.S))
    return set(html.unescape(re.sub(r"<[^>]+>", "", formulas)))


def fingerprint(content):
    return hashlib.sha256(content.encode()).hexdigest()[:10]


def version_of_scripts():
    """One for all of the theme's scripts, which load each other: another one whenever any has changed."""
    return fingerprint("".join(script.read_text("utf8") for script in sorted(THEME.glob("static/*.js"))))


def prepare(app):
    """Fonts, stylesheet and script in the output folder; their names go to the templates."""
    if app.builder.format != "html":
        return
    fonts = Path(app.outdir, "_static", "fonts")
    fonts.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(required(TEXT_FONT), fonts / "serif.woff2")
    if not (fonts / "serif-italic.woff2").exists():
        cut_italic_font(fonts / "serif-italic.woff2")
    required(MATH_FONT)
    css = stylesheet()
    Path(app.outdir, "_static", "margins.css").write_text(css, "utf8")
    app.config.html_context.update(
        stylesheet=f"margins.css?v={fingerprint(css)}",
        reader_script=f"reader.js?v={version_of_scripts()}",
        preloaded_fonts=["serif.woff2", "serif-italic.woff2", "math.woff2"],
    )


def setup(app):
    app.connect("builder-inited", prepare)
    app.connect("build-finished", publish_math_font)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
