"""The fonts, the stylesheet and the script of the site.

Fonts come from book/frontend/node_modules and are cut to the characters in use.

The stylesheet joins the parts of the theme and the CSS of the figures, the scripts join the parts in `reader`
and in `chapter`.
"""

import hashlib
import importlib.util
import re
import shutil
from pathlib import Path

from fontTools.ttLib import TTFont
from fontTools.varLib import instancer
from sphinx.errors import ExtensionError

from extensions.mathematics import math_font

BOOK = Path(__file__).resolve().parents[2]
PACKAGES = BOOK / "frontend" / "node_modules"
THEME = BOOK / "theme" / "margins"
TEXT_FONTS = PACKAGES / "@fontsource-variable" / "source-serif-4" / "files"
TEXT_FONT = TEXT_FONTS / "source-serif-4-latin-wght-normal.woff2"
ITALIC_FONT = TEXT_FONTS / "source-serif-4-latin-wght-italic.woff2"
MATH_FONT = PACKAGES / "@fontsource" / "stix-two-math" / "files" / "stix-two-math-latin-400-normal.woff2"


def required(path):
    """`path` if it exists, else an error that says what to do."""
    if not path.exists():
        raise ExtensionError(f"front-end file missing: {path}; `make book` fetches it from npm")
    return path


def stylesheet():
    """All our CSS as one compact text: the theme's parts by name, the explorables' before print."""
    explorable = Path(importlib.util.find_spec("explorable").origin).parent
    parts = {part.name: part for part in (THEME / "css").glob("*.css")}
    parts["5"] = required(explorable / "explorable.css")  # its place among the names
    css = "\n".join(parts[name].read_text("utf8") for name in sorted(parts))
    css = re.sub(r"/\*.*?\*/", "", css, flags=re.S)
    return re.sub(r"\s*([{};,])\s*", r"\1", re.sub(r"\s+", " ", css)).replace(";}", "}").strip()


def cut_italic_font(target):
    """Writes the italic font at regular weight alone: half the size of the variable font."""
    whole = TTFont(required(ITALIC_FONT), recalcTimestamp=False)  # or no two builds have the same bytes
    font = instancer.instantiateVariableFont(whole, {"wght": 400})
    font.flavor = "woff2"
    font.save(target)


def publish_math_font(app, failure):
    """Writes the font of formulas, if the characters in use or the code that cuts it have changed."""
    if failure or app.builder.format != "html":
        return
    codes = math_font.codes_of(Path(app.outdir).rglob("*.html"))
    target = Path(app.outdir, "_static", "fonts", "math.woff2")
    stamp = Path(app.doctreedir, "math-font.stamp")
    mark = fingerprint(Path(math_font.__file__).read_text("utf8") + str(codes))
    if not target.exists() or not stamp.exists() or stamp.read_text() != mark:
        math_font.cut(required(MATH_FONT), target, codes)
        stamp.write_text(mark)


def fingerprint(content):
    return hashlib.sha256(content.encode()).hexdigest()[:10]


def reader_script():
    """The parts of the script that every page has, as one: a page then asks once."""
    return "\n".join(part.read_text("utf8") for part in sorted(THEME.glob("reader/*.js")))


def chapter_script():
    """The parts of the script that chapters have, as one module; names of the first are shared."""
    common, *parts = (part.read_text("utf8") for part in sorted(THEME.glob("chapter/*.js")))
    return "\n".join([common, *(f"{{\n{part}}}" for part in parts)])


def version_of_scripts():
    """A digest of all scripts of the theme: they import each other, so that they share one version."""
    others = (script.read_text("utf8") for script in sorted(THEME.glob("static/*.js")))
    return fingerprint("".join([reader_script(), chapter_script(), *others]))


def prepare(app):
    """Writes fonts and stylesheet to the output folder and gives their names to the templates."""
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
    Path(app.outdir, "_static", "reader.js").write_text(reader_script(), "utf8")
    Path(app.outdir, "_static", "chapter.js").write_text(chapter_script(), "utf8")
    app.config.html_context.update(
        stylesheet=f"margins.css?v={fingerprint(css)}",
        reader_script=f"reader.js?v={version_of_scripts()}",
        chapter_script=f"chapter.js?v={version_of_scripts()}",
        preloaded_fonts=["serif.woff2", "serif-italic.woff2", "math.woff2"],
    )


def setup(app):
    app.connect("builder-inited", prepare)
    app.connect("build-finished", publish_math_font)
