"""A matplotlib figure as SVG for a page: small, with the theme's colours, the same bytes in every build."""

import functools
import io
import re
from collections.abc import Iterable, Iterator
from html import escape
from typing import Any

from matplotlib import rc_context
from matplotlib.backends.backend_svg import RendererSVG
from matplotlib.textpath import TextToPath

from explorable.palette import CSS_OF_HEX

NO_METADATA = dict.fromkeys(("Date", "Creator", "Format", "Type"))
PIXELS_PER_UNIT = 10 / 9  # where there is room: then static figures are as wide as panels of moving ones
DROPPED = re.compile(
    r"<metadata>.*?</metadata>\s*"
    r'|<defs>\s*<style type="text/css">.*?</style>\s*</defs>\s*'  # `*{...}`: would style the whole page
    r"|<!--.*?-->\s*"
    r'|<path d="[^"]*" style="fill: none"/>\s*'
    r'|(?<=") transform="rotate\(-?0 [^"]*"'
    r"|font-family: 'DejaVu Sans';? ?",
    re.DOTALL,
)
COORDINATES = re.compile(r' (?:d|x|y|x1|x2|y1|y2|width|height|points)="[^"]*"|(?:translate|rotate)\([^)]*\)')


def to_svg(figure: Any, name: str, label: str) -> str:
    """The drawing of `figure`, its ids made from `name`, read aloud as `label`."""
    drawing = DROPPED.sub("", svg_of_matplotlib(figure, name))
    drawing = _drop_unused_ids(drawing.replace("xlink:href", "href"))
    drawing = COORDINATES.sub(lambda m: _short_numbers(m[0]), drawing)
    drawing = re.sub(r'style="[^"]*"', lambda m: _with_theme(m[0]), drawing)
    drawing = re.sub(r"<svg[^>]*>", lambda _: _root(figure, label), drawing, count=1)
    return "\n".join(_without_empty_groups(drawing.split("\n")))


class Renderer(RendererSVG):
    """matplotlib's own SVG, with text measured and formulas parsed once for all drawings."""

    texts = TextToPath()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._text2path = self.texts

    def get_text_width_height_descent(self, s: str, prop: Any, ismath: Any) -> Any:
        return _text_size(s, prop.copy(), ismath)


@functools.lru_cache(4096)
def _text_size(text: str, font: Any, is_formula: Any) -> Any:
    """Width, height and descent of a text; equal fonts have equal hashes."""
    return Renderer.texts.get_text_width_height_descent(text, font, is_formula)


def svg_of_matplotlib(figure: Any, name: str) -> str:
    """What matplotlib writes, without the XML declaration."""
    buffer, (width, height) = io.StringIO(), figure.get_size_inches() * 72
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": name, "path.simplify": True}):
        figure.dpi = 72
        renderer = Renderer(width, height, buffer, image_dpi=72, metadata=NO_METADATA)
        figure.draw(renderer)
        renderer.finalize()
    written = buffer.getvalue()
    return written[written.index("<svg") :]


def _drop_unused_ids(drawing: str) -> str:
    """Only ids that are referred to remain: `figure_1`, `axes_1`, ... would collide on a page."""
    used = set(re.findall(r"#([A-Za-z][\w-]*)", drawing))
    return re.sub(r' id="([^"]+)"', lambda m: m[0] if m[1] in used else "", drawing)


def _short_numbers(text: str) -> str:
    """Coordinates to a tenth of a point, in paths without the spaces that SVG does not need."""
    text = re.sub(r"-?\d+\.\d+(?:e-?\d+)?", lambda m: f"{float(m[0]):.1f}".removesuffix(".0"), text)
    text = re.sub(r"-0(?![\d.])", "0", text)
    return re.sub(r"\s*([MLCQz\"])\s*", r"\1", text) if text[1] == "d" else text


def _with_theme(style: str) -> str:
    """The style with the palette's colours and the mathematical font as CSS variables, without spaces."""
    style = re.sub(r"#[0-9a-f]{6}\b", lambda m: CSS_OF_HEX.get(m[0], m[0]), style)
    style = style.replace("'STIXGeneral'", "var(--m-math-font, serif)")
    return style.replace("; ", ";").replace(": ", ":")


def _without_empty_groups(lines: Iterable[str]) -> Iterator[str]:
    """The lines without empty ones and without groups that have no attributes."""
    open_groups: list[bool] = []
    for line in map(str.strip, lines):
        if line.startswith("<g") and not line.endswith("/>"):
            open_groups.append(line != "<g>")
        kept = open_groups.pop() if line == "</g>" else line not in ("", "<g>", "<g/>")
        if kept:
            yield line


def _root(figure: Any, label: str) -> str:
    """The root element, with the size of `figure` and the `label` that is read aloud."""
    width, height = figure.get_size_inches() * 72
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.6g} {height:.6g}" '
        f'width="{width * PIXELS_PER_UNIT:.0f}" height="{height * PIXELS_PER_UNIT:.0f}" role="img" '
        f'aria-label="{escape(label)}" fill="currentColor" style="stroke-linejoin:round;stroke-linecap:butt">'
    )
