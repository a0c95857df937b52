"""The still picture of a frame as SVG, element by element what explorable.js draws from the same marks.

It stands in the page before scripts, without them and on paper, and as an image in notebooks and mail.
"""

import math
from html import escape

from margins.explore.colours import VARIABLES

MATH = '"STIX Two Text", STIXGeneral, "Liberation Serif", serif'
ALONE = (
    f"text{{font-family:sans-serif}}.m{{font-family:{MATH}}}.i{{font-style:italic}}.b,.p{{font-size:.75em}}"
)
SHIFT = {"b": 3, "p": -5}
ANCHOR = {"left": "start", "center": "middle", "right": "end"}


def tenth(n):
    """Tenths of a pixel as a number of pixels."""
    return repr(n / 10).removesuffix(".0") if n else "0"


def nearest(value):
    """The nearest whole number, halves upwards, as Math.round has it."""
    return math.floor(value + 0.5)


def marker(shape, x, y, r):
    """The path of a dot."""
    t = nearest(r / 3)
    starts = {
        "o": (-r, 0),
        "D": (-r, 0),
        "+": (-r, 0),
        "s": (-r, -r),
        "x": (-r, -r),
        "v": (0, r),
        "P": (-t, -r),
    }
    dx, dy = starts.get(shape, (0, -r))
    return f"M{tenth(x + dx)} {tenth(y + dy)}{OUTLINES[shape](*(tenth(k) for k in outline_sizes(r, t)))}"


def outline_sizes(r, t):
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


def points(n):
    return "".join(f"{'L' if i else 'M'}{tenth(n[i])} {tenth(n[i + 1])}" for i in range(0, len(n), 2))


def arrow(n):
    """A shaft with a head of nine pixels, shorter where the arrow is."""
    (x0, y0, x1, y1), head = n, 90
    length = math.sqrt((x1 - x0) ** 2 + (y1 - y0) ** 2)
    if not length:
        return points(n)
    size = min(head, length)
    ux, uy = size * (x1 - x0) / length, size * (y1 - y0) / length
    left = [nearest(x1 - ux - 0.45 * uy), nearest(y1 - uy + 0.45 * ux)]
    right = [nearest(x1 - ux + 0.45 * uy), nearest(y1 - uy - 0.45 * ux)]
    return points(n) + points([*left, x1, y1, *right])


def path(mark):
    """The `d` of a mark that is one path."""
    n = mark["n"]
    match mark["t"]:
        case "dot":
            return marker(mark["s"]["marker"], *n)
        case "bar":
            return f"M{tenth(n[0])} {tenth(n[1])}H{tenth(n[2])}V{tenth(n[3])}H{tenth(n[0])}z"
        case "arrow":
            return arrow(n)
        case "area":
            return points(n) + "z"
        case _:
            return points(n)


def attributes(mark, uid):
    """Tag and attributes of a mark, in a fixed order."""
    s, n = mark["s"], mark["n"]
    found = {}
    if mark["t"] == "text":
        found |= {"x": tenth(n[0]), "y": tenth(n[1]), "fill": VARIABLES[s["fill"]]}
        found |= {"text-anchor": ANCHOR[s["ha"]], "font-size": s["size"]}
        if "halo" in s:
            found["class"] = "halo"
    elif mark["t"] != "image":
        found |= {"d": path(mark), "fill": VARIABLES.get(s.get("fill"), "none")}
        found |= {"stroke": VARIABLES.get(s.get("stroke"), "none")}
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
    return {"text": "text", "image": "g"}.get(mark["t"], "path"), found


def inside(mark):
    """What stands between the tags: the letters of a text, the cells of a heat map."""
    if mark["t"] == "text":
        return letters(mark["s"]["runs"])
    return cells(mark) if mark["t"] == "image" else ""


def letters(runs):
    out, shift = "", 0
    for text, look in runs:
        to = SHIFT.get(look[-1:], 0)
        dy, shift = to - shift, to
        kept = f' class="{looks}"' if (looks := " ".join(look)) else ""
        moved = f' dy="{dy}"' if dy else ""
        out += f"<tspan{kept}{moved}>{escape(text)}</tspan>" if look or dy else escape(text)
    return out


def cells(mark):
    """One path a strength: the cells that have it."""
    (x0, y0, x1, y1, *values), columns = mark["n"], mark["s"]["columns"]
    rows, by_level = len(values) // columns, {}
    across = [nearest(x0 + (x1 - x0) * c / columns) for c in range(columns + 1)]
    down = [nearest(y0 + (y1 - y0) * r / rows) for r in range(rows + 1)]
    for i, value in enumerate(values):
        row, column = divmod(i, columns)
        left, right = tenth(across[column]), tenth(across[column + 1])
        cell = f"M{left} {tenth(down[row])}H{right}V{tenth(down[row + 1])}H{left}z"
        by_level.setdefault(nearest(value / 10), []).append(cell)
    colours = {True: VARIABLES[mark["s"]["fill"]], False: VARIABLES[mark["s"]["other"]]}
    return "".join(
        f'<path d="{"".join(by_level[level])}" fill="{colours[level > 0]}" opacity="{abs(level) / 20:g}"/>'
        for level in sorted(by_level)
        if level
    )


def shown(whole, power):
    """The number whole * 10^power as the reader sees it, without needless zeros."""
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


def description(frame, number):
    """A panel in words made from its marks: its name, its axes, each mark once with what it tells."""
    panel, said = frame["panels"][number], {}
    for mark in frame["marks"]:
        if mark["p"] == number and "axis" not in mark["s"] and mark["t"] != "text":
            told = ", ".join(f"{name} {shown(*number)}" for name, *number in mark.get("told", ()))
            if told or "l" not in mark:
                said[mark["k"]] = f"{mark['k']}: {told}" if told else mark["k"]
    axes = "".join(f", {name} {way}" for name, way in ((panel["x"], "across"), (panel["y"], "up")) if name)
    return f"{panel['name']}{axes}. {'; '.join(said.values())}."


def to_svg(frame, number, uid):
    """One panel of the frame."""
    panel = frame["panels"][number]
    left, top, right, bottom = panel["box"]
    near = f'x="{left - 12}" y="{top - 12}" width="{right - left + 24}" height="{bottom - top + 24}"'
    box = f'x="{left}" y="{top}" width="{right - left}" height="{bottom - top}"'
    body = "".join(element(mark, uid) for mark in frame["marks"] if mark["p"] == number)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {panel["w"]} {panel["h"]}" role="img" '
        f'aria-label="{escape(description(frame, number))}" fill="currentColor">'
        f'<clipPath id="{uid}-{number}-box"><rect {box}/></clipPath>'
        f'<clipPath id="{uid}-{number}-near"><rect {near}/></clipPath>{body}</svg>'
    )


def element(mark, uid):
    tag, found = attributes(mark, uid)
    written = "".join(f' {name}="{escape(str(value))}"' for name, value in found.items())
    return f"<{tag}{written}>{inside(mark)}</{tag}>"


def sheet(frame, uid):
    """All panels side by side as one picture that stands alone."""
    at, panels = 0, ""
    for number, panel in enumerate(frame["panels"]):
        panels += to_svg(frame, number, uid).replace(
            "<svg ", f'<svg x="{at}" width="{panel["w"]}" height="{panel["h"]}" ', 1
        )
        at += panel["w"]
    high = max(panel["h"] for panel in frame["panels"])
    whole = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {at} {high}" width="{at}" height="{high}" '
        f'style="stroke-linecap:butt"><style>{ALONE}</style>{panels}</svg>'
    )
    return whole
