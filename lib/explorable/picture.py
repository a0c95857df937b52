"""The picture of a frame as SVG, element by element what browser/marks.js draws from the same marks.

The page holds it before the script runs, without scripts and on paper; notebooks and mail show it as image.
The renderer is written twice, here and in JavaScript; tests hold both to the same characters.
"""

import math
from collections.abc import Sequence
from html import escape
from typing import Any

from explorable.palette import CSS_VALUES

MATH = '"STIX Two Text", STIXGeneral, "Liberation Serif", serif'
STYLE_OF_FILE = (
    f"text{{font-family:sans-serif}}.m{{font-family:{MATH}}}.i{{font-style:italic}}.b,.p{{font-size:.75em}}"
)
SHIFTS = {"b": 3, "p": -5}  # pixels downwards
ARROW_HEAD = 90  # tenths of a pixel
CLIP_OF_DOTS = 12  # pixels that dots may leave the axes' box
ANCHORS = {"left": "start", "center": "middle", "right": "end"}


def pixels(n: int) -> str:
    """Tenths of a pixel as a number of pixels."""
    return repr(n / 10).removesuffix(".0") if n else "0"


def rounded(value: float) -> int:
    """The nearest whole number, halves upwards, as JavaScript's Math.round has it."""
    return math.floor(value + 0.5)


def marker_path(shape: str, x: int, y: int, r: int) -> str:
    """The path of a dot."""
    t = rounded(r / 3)
    left, corner = dict.fromkeys("oD+", (-r, 0)), dict.fromkeys("sx", (-r, -r))
    dx, dy = {**left, **corner, "v": (0, r), "P": (-t, -r)}.get(shape, (0, -r))
    return f"M{pixels(x + dx)} {pixels(y + dy)}{OUTLINES[shape](*(pixels(k) for k in outline_sizes(r, t)))}"


def outline_sizes(r: int, t: int) -> tuple[int, ...]:
    """r, 2r, -r, -2r, and for the plus its arms: 2t, r - t, and their negatives."""
    return r, 2 * r, -r, -2 * r, 2 * t, r - t, -2 * t, t - r


OUTLINES = {
    "o": lambda r, d, _, e, *__: f"a{r} {r} 0 1 0 {d} 0a{r} {r} 0 1 0 {e} 0z",
    "s": lambda _, d, __, e, *___: f"h{d}v{d}h{e}z",
    "^": lambda r, d, _, e, *__: f"l{r} {d}h{e}z",
    "v": lambda _, d, n, e, *__: f"l{n} {e}h{d}z",
    "D": lambda r, _, n, *__: f"l{r} {n}l{r} {r}l{n} {r}z",
    "P": lambda *k: f"h{k[4]}v{k[5]}h{k[5]}v{k[4]}h{k[7]}v{k[5]}h{k[6]}v{k[7]}h{k[7]}v{k[6]}h{k[5]}z",
    "x": lambda _, d, __, e, *___: f"l{d} {d}m0 {e}l{e} {d}",
    "+": lambda _, d, n, *__: f"h{d}m{n} {n}v{d}",
    "|": lambda _, d, *__: f"v{d}",
}


def points_path(n: Sequence[int]) -> str:
    """The path through points x0, y0, x1, y1, ..."""
    return "".join(f"{'L' if i else 'M'}{pixels(n[i])} {pixels(n[i + 1])}" for i in range(0, len(n), 2))


def arrow_path(n: Sequence[int]) -> str:
    """A shaft with a head of nine pixels, shorter where the arrow is shorter."""
    x0, y0, x1, y1 = n
    length = math.sqrt((x1 - x0) ** 2 + (y1 - y0) ** 2)
    if not length:
        return points_path(n)
    size = min(ARROW_HEAD, length)
    ux, uy = size * (x1 - x0) / length, size * (y1 - y0) / length
    left = [rounded(x1 - ux - 0.45 * uy), rounded(y1 - uy + 0.45 * ux)]
    right = [rounded(x1 - ux + 0.45 * uy), rounded(y1 - uy - 0.45 * ux)]
    return points_path(n) + points_path([*left, x1, y1, *right])


def mark_path(mark: dict[str, Any]) -> str:
    """The `d` of a mark that is one path."""
    n = mark["n"]
    match mark["t"]:
        case "dot":
            return marker_path(mark["s"]["marker"], *n)
        case "bar":
            return f"M{pixels(n[0])} {pixels(n[1])}H{pixels(n[2])}V{pixels(n[3])}H{pixels(n[0])}z"
        case "arrow":
            return arrow_path(n)
        case "area":
            return points_path(n) + "z"
        case _:
            return points_path(n)


def tag_and_attributes(mark: dict[str, Any], uid: str) -> tuple[str, dict[str, Any]]:
    """Tag and attributes of a mark, in a fixed order."""
    s, n = mark["s"], mark["n"]
    found: dict[str, Any] = {}
    if mark["t"] == "text":
        found |= {"x": pixels(n[0]), "y": pixels(n[1]), "fill": CSS_VALUES[s["fill"]]}
        found |= {"text-anchor": ANCHORS[s["ha"]], "font-size": s["size"]}
        if "halo" in s:
            found["class"] = "halo"
    elif mark["t"] != "image":
        found |= {"d": mark_path(mark), "fill": CSS_VALUES.get(s.get("fill"), "none")}
        found |= {"stroke": CSS_VALUES.get(s.get("stroke"), "none")}
        for name, attribute in (
            ("width", "stroke-width"),
            ("dash", "stroke-dasharray"),
            ("opacity", "opacity"),
        ):
            if name in s:
                found[attribute] = s[name] if isinstance(s[name], str) else f"{s[name]:g}"
        if "axis" not in s:
            found["clip-path"] = f"url(#{uid}-{mark['p']}-{'near' if mark['t'] == 'dot' else 'box'})"
    if "axis" not in s:
        found["data-l"] = mark.get("l") or mark["k"]
    if "a" in mark:
        found["data-aside"] = mark["a"]
    return {"text": "text", "image": "g"}.get(mark["t"], "path"), found


def content(mark: dict[str, Any]) -> str:
    """What stands between the tags: the runs of a text, the cells of a heat map."""
    if mark["t"] == "text":
        return spans(mark["s"]["runs"])
    return heat_map_cells(mark) if mark["t"] == "image" else ""


def spans(runs: Sequence[Sequence[str]]) -> str:
    """The runs of a text (explorable.text.text_runs) as elements."""
    out, shift = "", 0
    for text, style in runs:
        to = SHIFTS.get(style[-1:], 0)
        dy, shift = to - shift, to
        classes = f' class="{" ".join(style)}"' if style else ""
        moved = f' dy="{dy}"' if dy else ""
        out += f"<tspan{classes}{moved}>{escape(text)}</tspan>" if style or dy else escape(text)
    return out


def heat_map_cells(mark: dict[str, Any]) -> str:
    """One path for each strength: the cells that have it."""
    (x0, y0, x1, y1, *values), columns = mark["n"], mark["s"]["columns"]
    rows = len(values) // columns
    by_level: dict[int, list[str]] = {}
    across = [rounded(x0 + (x1 - x0) * c / columns) for c in range(columns + 1)]
    down = [rounded(y0 + (y1 - y0) * r / rows) for r in range(rows + 1)]
    for i, value in enumerate(values):
        row, column = divmod(i, columns)
        left, right = pixels(across[column]), pixels(across[column + 1])
        cell = f"M{left} {pixels(down[row])}H{right}V{pixels(down[row + 1])}H{left}z"
        by_level.setdefault(rounded(value / 10), []).append(cell)
    colours = {True: CSS_VALUES[mark["s"]["fill"]], False: CSS_VALUES[mark["s"]["other"]]}
    return "".join(
        f'<path d="{"".join(by_level[level])}" fill="{colours[level > 0]}" opacity="{abs(level) / 20:g}"/>'
        for level in sorted(by_level)
        if level
    )


def reported_text(whole: int, power: int) -> str:
    """The reported value whole * 10^power as the reader sees it, without trailing zeros."""
    size = len(str(abs(whole))) - 1
    if not -4 < size + power < 7 and whole:
        text = f"{whole / 10**size:.2f}".rstrip("0").rstrip(".") + f"e{size + power}"
    else:
        text = (
            f"{whole / 10**-power:.{-power}f}".rstrip("0").rstrip(".")
            if power < 0
            else str(whole * 10**power)
        )
    return text.replace("-", "\N{MINUS SIGN}")


def description(frame: dict[str, Any], number: int) -> str:
    """A panel in words made from its marks: its name, its axes, each mark once with what it reports."""
    panel, parts = frame["panels"][number], {}
    for mark in frame["marks"]:
        if mark["p"] == number and mark["t"] != "text" and not ("axis" in mark["s"] or "a" in mark):
            values = ", ".join(f"{name} {reported_text(*value)}" for name, *value in mark.get("told", ()))
            if values or "l" not in mark:
                parts[mark["k"]] = f"{mark['k']}: {values}" if values else mark["k"]
    axes = "".join(f", {name} {way}" for name, way in ((panel["x"], "across"), (panel["y"], "up")) if name)
    return f"{panel['name']}{axes}. {'; '.join(parts.values())}."


def panel_to_svg(frame: dict[str, Any], number: int, uid: str) -> str:
    """Panel `number` of the frame; `uid` begins the ids of its clip paths."""
    panel = frame["panels"][number]
    left, top, right, bottom = panel["box"]
    more = CLIP_OF_DOTS
    near = (
        f'x="{left - more}" y="{top - more}" '
        f'width="{right - left + 2 * more}" height="{bottom - top + 2 * more}"'
    )
    box = f'x="{left}" y="{top}" width="{right - left}" height="{bottom - top}"'
    body = "".join(element(mark, uid) for mark in frame["marks"] if mark["p"] == number)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {panel["w"]} {panel["h"]}" role="img" '
        f'aria-label="{escape(description(frame, number))}" fill="currentColor">'
        f'<clipPath id="{uid}-{number}-box"><rect {box}/></clipPath>'
        f'<clipPath id="{uid}-{number}-near"><rect {near}/></clipPath>{body}</svg>'
    )


def element(mark: dict[str, Any], uid: str) -> str:
    """A mark as an element."""
    tag, found = tag_and_attributes(mark, uid)
    written = "".join(f' {name}="{escape(str(value))}"' for name, value in found.items())
    return f"<{tag}{written}>{content(mark)}</{tag}>"


def all_panels_to_svg(frame: dict[str, Any], uid: str) -> str:
    """All panels side by side as one picture, a file of its own."""
    at, panels = 0, ""
    for number, panel in enumerate(frame["panels"]):
        panels += panel_to_svg(frame, number, uid).replace(
            "<svg ", f'<svg x="{at}" width="{panel["w"]}" height="{panel["h"]}" ', 1
        )
        at += panel["w"]
    high = max(panel["h"] for panel in frame["panels"])
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {at} {high}" width="{at}" height="{high}" '
        f'style="stroke-linecap:butt"><style>{STYLE_OF_FILE}</style>{panels}</svg>'
    )
