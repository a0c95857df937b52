"""A matplotlib figure as a lean SVG: themable, deterministic, safe to inline in a page."""

import functools
import io
import re
from html import escape

from matplotlib import rc_context
from matplotlib.backends.backend_svg import RendererSVG
from matplotlib.textpath import TextToPath

from margins.explore.colours import BY_HEX

NO_METADATA = dict.fromkeys(("Date", "Creator", "Format", "Type"))
PIXELS_PER_UNIT = 10 / 9  # where there is room: then still figures are as wide as panels of moving ones
NEEDLESS = re.compile(
    r"<metadata>.*?</metadata>\s*"
    r'|<defs>\s*<style type="text/css">.*?</style>\s*</defs>\s*'  # `*{...}`: would style the whole page
    r"|<!--.*?-->\s*"
    r'|<path d="[^"]*" style="fill: none"/>\s*'
    r'|(?<=") transform="rotate\(-?0 [^"]*"'
    r"|font-family: 'DejaVu Sans';? ?",
    re.DOTALL,
)
COORDINATES = re.compile(r' (?:d|x|y|x1|x2|y1|y2|width|height|points)="[^"]*"|(?:translate|rotate)\([^)]*\)')


def to_svg(figure, name, label):
    """The drawing of `figure`, its ids salted with `name`, read out as `label`."""
    drawing = NEEDLESS.sub("", _written(figure, name))
    drawing = _drop_unused_ids(drawing.replace("xlink:href", "href"))
    drawing = COORDINATES.sub(lambda m: _lean_numbers(m[0]), drawing)
    drawing = re.sub(r'style="[^"]*"', lambda m: _themed(m[0]), drawing)
    drawing = re.sub(r"<svg[^>]*>", lambda _: _root(figure, label), drawing, count=1)
    return "\n".join(_without_bare_groups(drawing.split("\n")))


class Renderer(RendererSVG):
    """matplotlib's own SVG, with text measured and formulas parsed once for all drawings."""

    texts = TextToPath()

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self._text2path = self.texts

    def get_text_width_height_descent(self, s, prop, ismath):
        return _text_size(s, prop.copy(), ismath)


@functools.lru_cache(4096)
def _text_size(text, font, is_formula):
    """Width, height and descent of a text; fonts are equal if they look the same."""
    return Renderer.texts.get_text_width_height_descent(text, font, is_formula)


def _written(figure, name):
    """What matplotlib writes, from the root element on."""
    buffer, (width, height) = io.StringIO(), figure.get_size_inches() * 72
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": name, "path.simplify": True}):
        figure.dpi = 72
        renderer = Renderer(width, height, buffer, image_dpi=72, metadata=NO_METADATA)
        figure.draw(renderer)
        renderer.finalize()
    written = buffer.getvalue()
    return written[written.index("<svg") :]


def _drop_unused_ids(drawing):
    """Only ids that are referred to remain: `figure_1`, `axes_1`, ... would collide on a page."""
    used = set(re.findall(r"#([A-Za-z][\w-]*)", drawing))
    return re.sub(r' id="([^"]+)"', lambda m: m[0] if m[1] in used else "", drawing)


def _lean_numbers(text):
    """Coordinates to a tenth of a point, without the spaces and line ends a path can do without."""
    text = re.sub(r"-?\d+\.\d+(?:e-?\d+)?", lambda m: f"{float(m[0]):.1f}".removesuffix(".0"), text)
    text = re.sub(r"-0(?![\d.])", "0", text)
    return re.sub(r"\s*([MLCQz\"])\s*", r"\1", text) if text[1] == "d" else text


def _themed(style):
    """The style with the book's colours and mathematical face as CSS variables, and no blank for rest."""
    style = re.sub(r"#[0-9a-f]{6}\b", lambda m: BY_HEX.get(m[0], m[0]), style)
    style = style.replace("'STIXGeneral'", "var(--m-math-font, serif)")
    return style.replace("; ", ";").replace(": ", ":")


def _without_bare_groups(lines):
    """The lines that say something: a group without attributes does not, nor its end."""
    open_groups = []
    for line in map(str.strip, lines):
        if line.startswith("<g") and not line.endswith("/>"):
            open_groups.append(line != "<g>")
        says = open_groups.pop() if line == "</g>" else line not in ("", "<g>", "<g/>")
        if says:
            yield line


def _root(figure, label):
    width, height = figure.get_size_inches() * 72
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.6g} {height:.6g}" '
        f'width="{width * PIXELS_PER_UNIT:.0f}" height="{height * PIXELS_PER_UNIT:.0f}" role="img" '
        f'aria-label="{escape(label)}" fill="currentColor" style="stroke-linejoin:round;stroke-linecap:butt">'
    )
