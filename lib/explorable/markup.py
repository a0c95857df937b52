"""The HTML of a figure, the same in built pages and in live cells; its script and its style sheet."""

import base64
import json
import math
import re
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from explorable.asides import without_asides
from explorable.controls import Control, Handle, Prompt
from explorable.drawing import Frame
from explorable.formulas import markdown_to_html
from explorable.guesses import comparison, knobs
from explorable.palette import with_literal_colours
from explorable.picture import all_panels_to_svg, panel_to_svg
from explorable.text import with_minus_signs, with_readable_numbers

PACKAGE = Path(__file__).parent
STYLE_SHEET = PACKAGE / "explorable.css"
# the JavaScript modules in browser/, each after those that it imports
MODULES = (
    "text", "positions", "table", "sources", "marks", "description", "panel", "numbers", "controls", "handle",
    "guess", "asides", "motion", "figure", "pointing", "states", "drawing", "share", "page", "main",
)  # fmt: skip
COMMENT = re.compile(r"^ */\*\*.*?\*/\n", re.M | re.S)
Spec = dict[str, Any]


def script() -> str:
    """The modules in browser/ as one, without their imports and the comments that have lines of their own.

    One file, because a page then asks once, and anywidget takes no more.
    """
    texts = [(PACKAGE / "browser" / f"{module}.js").read_text("utf8") for module in MODULES]
    lines = [line for text in texts for line in text.splitlines() if not line.startswith(("import ", "//"))]
    return COMMENT.sub("", "\n".join(lines) + "\n")


def as_json(data: Any) -> str:
    """JSON that can stand in a <script>; its keys are sorted, because the cache does not keep their order."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False).replace("<", "\\u003c")


def spec_of(name: str, parameters: Mapping[str, Control], handles: Mapping[str, Handle]) -> Spec:
    """What the script needs to know of a figure, as plain JSON: its controls and handles."""
    controls = [
        {
            "name": key,
            "kind": control.kind,
            "values": list(control.values),
            "position": control.position,
            "log": control.log,
            "label": control.label or key,
        }
        | ({"brings": brought_positions(control, parameters)} if control.brings else {})
        for key, control in parameters.items()
    ]
    points = [{"name": k, "label": h.label or k, "x": h.x, "y": h.y} for k, h in handles.items()]
    return {"name": name, "parameters": controls, "handles": points, "guesses": []}


def brought_positions(control: Control, parameters: Mapping[str, Control]) -> list[dict[str, int]]:
    """The positions of other controls that come with each value of a choice."""
    return [
        {name: parameters[name].values.index(value) for name, value in brings.items()}
        for brings in control.brings
    ]


def body(spec: Spec, frame: Frame, longest: int = 0) -> str:
    """Panels, controls, sentence and table of numbers of the figure at its default.

    `longest` is the number of characters of its longest sentence, for which a page keeps room.
    """
    of_handles = {handle[axis] for handle in spec["handles"] for axis in "xy"}
    controls = "".join(_control(c) for c in spec["parameters"] if c["name"] not in of_handles)
    title = "Controls of the figure"
    reports = any(mark.get("told") for mark in frame["marks"])
    return (
        panels(spec, frame)
        + f'<fieldset class="explorable-controls" disabled><legend>{title}</legend>{controls}'
        + '<button type="button" class="explorable-reset">Reset</button></fieldset>'
        + f'<output aria-live="polite" style="--longest:{longest or len(frame["text"])}">'
        + f"{escape(with_minus_signs(frame['text']))}</output>"
        + '<p class="explorable-note" role="status" hidden></p>'
        + f'<details class="explorable-numbers"{"" if reports else " hidden"}>'
        + "<summary>Show the numbers</summary><div></div></details>"
    )


def panels(spec: Spec, frame: Frame) -> str:
    """The drawing: its panels, side by side where there is room."""
    drawn = "".join(_panel(spec, frame, number) for number in range(len(frame["panels"])))
    ratios = [panel["h"] / panel["w"] for panel in frame["panels"]]
    return f'<div class="explorable-frame" style="{proportions(ratios)}">{drawn}</div>'


def proportions(ratios: Sequence[float]) -> str:
    """Height over width of a drawing, its panels below each other and in pairs, for pages that fit it."""
    pairs = sum(max(ratios[i : i + 2]) for i in range(0, len(ratios), 2))
    return f"--tall:{sum(ratios):.3f};--pairs:{pairs:.3f};--panels:{len(ratios)}"


def _panel(spec: Spec, frame: Frame, number: int) -> str:
    """One panel with the handles on it, in a box that has its size before anything is loaded."""
    panel = frame["panels"][number]
    handles = [h for h in spec["handles"] if frame["places"][h["name"]]["panel"] == number]
    points = "".join(_handle(handle, spec, frame) for handle in handles)
    return (
        f'<div class="explorable-panel" style="aspect-ratio:{panel["w"]}/{panel["h"]}">'
        f"{panel_to_svg(without_asides(frame), number, spec['name'])}{points}"
        f"{knobs(spec['guesses'], frame, number)}</div>"
    )


def _control(control: Mapping[str, Any]) -> str:
    """The native, labelled element of one parameter."""
    name, label, values = escape(control["name"]), escape(control["label"]), control["values"]
    caption = f'<span class="explorable-label">{label}</span>'
    if control["kind"] == "choice":
        options = "".join(
            f'<option value="{i}"{" selected" * (i == control["position"])}>{escape(text)}</option>'
            for i, text in enumerate(map(value_text, values))
        )
        return f'<label>{caption}<select name="{name}">{options}</select></label>'
    if control["kind"] == "toggle":
        checked = " checked" if control["position"] else ""
        return f'<label><input type="checkbox" name="{name}"{checked}>{caption}</label>'
    now = escape(value_text(values[control["position"]]))
    step = "any" if control["kind"] == "slider" else "1"
    scale = (
        f'<label>{caption}<input type="range" name="{name}" min="0" max="{len(values) - 1}" step="{step}" '
        f'value="{control["position"]}" aria-valuetext="{now}">'
        f'<span class="explorable-value" style="min-width:{_widest(values)}ch" aria-hidden="true">'
        f"{now}</span></label>"
    )
    if control["kind"] == "slider":
        return scale
    back, forth = (
        f'<button type="button" class="explorable-step" data-step="{step}" '
        f'aria-label="{verb} {label}"></button>'
        for step, verb in ((-1, "Previous"), (1, "Next"))
    )
    button = f'<button type="button" name="{name}" aria-label="Play {label}"></button>'
    return f'<span class="explorable-play">{back}<label>{button}</label>{forth}{scale}</span>'


def _widest(values: Sequence[Any]) -> int:
    """The letters of the longest value that a control comes to, so that the row does not jump as it grows.

    A slider stops between its values, too, where it shows three digits: those of a number near this one.
    """
    near = [1.01 * v for v in values if isinstance(v, float)]
    return max(len(value_text(v)) for v in (*values, *near))


def _handle(handle: Mapping[str, Any], spec: Spec, frame: Frame) -> str:
    """The draggable point at its place on the default frame: a slider of two coordinates."""
    defaults = {c["name"]: c["values"][c["position"]] for c in spec["parameters"]}
    places, panel = frame["places"][handle["name"]], frame["panels"][frame["places"][handle["name"]]["panel"]]
    at = {axis: defaults.get(handle[axis], handle[axis]) for axis in "xy"}
    left, top = (100 * pixel(places[axis], at[axis]) / panel[size] for axis, size in (("x", "w"), ("y", "h")))
    main = next(c for c in spec["parameters"] if c["name"] in (handle["x"], handle["y"]))
    moves = "".join(axis for axis in "xy" if isinstance(handle[axis], str))
    return (
        f'<div class="explorable-handle" data-handle="{escape(handle["name"])}" data-moves="{moves}" '
        f'role="slider" tabindex="0" '
        f'aria-label="{escape(handle["label"])}" aria-valuemin="0" aria-valuemax="{len(main["values"]) - 1}" '
        f'aria-valuenow="{main["position"]}" aria-valuetext="{value_text(at["x"])}, {value_text(at["y"])}" '
        f'style="left:{left:.2f}%;top:{top:.2f}%"></div>'
    )


def pixel(axis: Sequence[Any], value: float) -> float:
    """The pixel at which `value` lies on an axis [a, b, log]."""
    a, b, log = axis
    return a + b * (math.log10(value) if log else value)


def value_text(value: Any) -> str:
    """A value beside its control: a number to three digits, or to all before its point."""
    if isinstance(value, float):
        value = f"{value:.0f}" if abs(value) >= 1000 else f"{float(f'{value:.3g}'):g}"
    return with_minus_signs(with_readable_numbers(str(value)))


def show_button(prompt: Prompt) -> str:
    """The button of an answer that shows it on the figure."""
    if not prompt.at:
        return ""
    at = escape(json.dumps(prompt.at))
    return f'<button type="button" class="explorable-jump" data-at="{at}">Show it</button>'


def figure(spec: Spec, frame: Frame, caption: str, prompts: Sequence[Prompt]) -> str:
    """The whole figure for a live kernel, its caption in Markdown, and its prompts below."""
    asked = [
        (markdown_to_html(p.question), markdown_to_html(p.answer), show_button(p), comparison(p))
        for p in prompts
    ]
    return (
        f'<figure class="explorable" id="ex-{escape(spec["name"])}" data-source="kernel">{body(spec, frame)}'
        f"<figcaption>{markdown_to_html(caption)}</figcaption></figure>{prompt_list(asked)}"
    )


def prompt_list(prompts: Sequence[tuple[str, ...]]) -> str:
    """The list below a figure; a prompt is question, answer, button of the answer, comparison of a guess."""
    items = "".join(
        f'<li><p>{question}</p>{compared}<details class="explorable-answer"><summary>Answer</summary>'
        f"<p>{answer}</p>{button}</details></li>"
        for question, answer, button, compared in prompts
    )
    return f'<ul class="explorable-prompts">{items}</ul>' if items else ""


def static_body(svg: str) -> str:
    """A static drawing in a box that has its size before anything is loaded."""
    width, height = svg.split('viewBox="0 0 ')[1].split('"')[0].split()
    pixels = svg.split(' width="')[1].split('"')[0]
    shape = proportions([float(height) / float(width)])
    style = f"max-width:{pixels}px;aspect-ratio:{width}/{height};{shape}"
    return f'<div class="figure-stage" style="{style}">{svg}</div>'


def static_figure(svg: str, caption: str) -> str:
    """A static figure, for a live kernel; its caption is Markdown."""
    words = markdown_to_html(caption)
    return f'<figure class="figure">{static_body(svg)}<figcaption>{words}</figcaption></figure>'


def picture(svg: str, text: str, caption: str) -> str:
    """What GitHub, nbviewer and nbconvert show: an image, because their sanitisers damage inline SVG."""
    source = base64.b64encode(with_literal_colours(svg).encode()).decode()
    return (
        f'<figure><img alt="{escape(text)}" src="data:image/svg+xml;base64,{source}">'
        f"<figcaption>{escape(caption)}</figcaption></figure>"
    )


def picture_of_frame(spec: Spec, frame: Frame, caption: str) -> str:
    """The same for a frame of a figure that moves."""
    return picture(
        all_panels_to_svg(without_asides(frame), spec["name"]), with_minus_signs(frame["text"]), caption
    )
