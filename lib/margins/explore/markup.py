"""The HTML of an explorable, written once: pages carry it from the first byte, live cells show the same."""

import base64
import json
import math
from html import escape

from margins.explore.colours import plain
from margins.explore.lettering import signed
from margins.explore.picture import sheet, to_svg
from margins.explore.readable import readable


def described(name, parameters, handles):
    """What the reader's side needs to know of an explorable, as plain JSON."""
    controls = [
        {
            "name": key,
            "kind": control.kind,
            "values": list(control.values),
            "position": control.position,
            "log": control.log,
            "label": control.label or key,
        }
        | ({"brings": brought(control, parameters)} if control.brings else {})
        for key, control in parameters.items()
    ]
    points = [{"name": k, "label": h.label or k, "x": h.x, "y": h.y} for k, h in handles.items()]
    return {"name": name, "parameters": controls, "handles": points}


def brought(control, parameters):
    """The positions of other controls that come with each value of a choice."""
    return [
        {name: parameters[name].values.index(value) for name, value in brings.items()}
        for brings in control.brings
    ]


def body(spec, frame):
    """Panels, controls, sentence and the numbers of the explorable at its default."""
    held = {handle[axis] for handle in spec["handles"] for axis in "xy"}
    controls = "".join(_control(c) for c in spec["parameters"] if c["name"] not in held)
    title = "Controls of the figure"
    return (
        panels(spec, frame)
        + f'<fieldset class="explorable-controls" disabled><legend>{title}</legend>{controls}'
        + '<button type="button" class="explorable-reset">Reset</button></fieldset>'
        + f'<output aria-live="polite">{escape(signed(frame["text"]))}</output>'
        + '<p class="explorable-note" role="status" hidden></p>'
        + '<details class="explorable-numbers"><summary>Show the numbers</summary><div></div></details>'
    )


def panels(spec, frame):
    """The drawing: its panels, side by side where there is room."""
    drawn = "".join(_panel(spec, frame, number) for number in range(len(frame["panels"])))
    return f'<div class="explorable-frame">{drawn}</div>'


def _panel(spec, frame, number):
    """One panel with the handles on it, in a box that has its size before anything is loaded."""
    panel = frame["panels"][number]
    handles = [h for h in spec["handles"] if frame["places"][h["name"]]["panel"] == number]
    return (
        f'<div class="explorable-panel" style="aspect-ratio:{panel["w"]}/{panel["h"]}">'
        f"{to_svg(frame, number, spec['name'])}{''.join(_handle(h, spec, frame) for h in handles)}</div>"
    )


def _control(control):
    """The native, labelled element of one parameter."""
    name, label, values = escape(control["name"]), escape(control["label"]), control["values"]
    caption = f'<span class="explorable-label">{label}</span>'
    if control["kind"] == "choice":
        options = "".join(
            f'<option value="{i}"{" selected" * (i == control["position"])}>{escape(shown(value))}</option>'
            for i, value in enumerate(values)
        )
        return f'<label>{caption}<select name="{name}">{options}</select></label>'
    if control["kind"] == "toggle":
        checked = " checked" if control["position"] else ""
        return f'<label><input type="checkbox" name="{name}"{checked}>{caption}</label>'
    now = escape(shown(values[control["position"]]))
    step = "any" if control["kind"] == "slider" else "1"
    scale = (
        f'<label>{caption}<input type="range" name="{name}" min="0" max="{len(values) - 1}" step="{step}" '
        f'value="{control["position"]}" aria-valuetext="{now}">'
        f'<span class="explorable-value" aria-hidden="true">{now}</span></label>'
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


def _handle(handle, spec, frame):
    """The draggable point, where it stands on the default frame: a slider of two coordinates."""
    defaults = {c["name"]: c["values"][c["position"]] for c in spec["parameters"]}
    places, panel = frame["places"][handle["name"]], frame["panels"][frame["places"][handle["name"]]["panel"]]
    at = {axis: defaults.get(handle[axis], handle[axis]) for axis in "xy"}
    left, top = (100 * place(places[axis], at[axis]) / panel[size] for axis, size in (("x", "w"), ("y", "h")))
    main = next(c for c in spec["parameters"] if c["name"] in (handle["x"], handle["y"]))
    return (
        f'<div class="explorable-handle" data-handle="{escape(handle["name"])}" role="slider" tabindex="0" '
        f'aria-label="{escape(handle["label"])}" aria-valuemin="0" aria-valuemax="{len(main["values"]) - 1}" '
        f'aria-valuenow="{main["position"]}" aria-valuetext="{shown(at["x"])}, {shown(at["y"])}" '
        f'style="left:{left:.2f}%;top:{top:.2f}%"></div>'
    )


def place(axis, value):
    """The pixel at which `value` lies on an axis [a, b, log]."""
    a, b, log = axis
    return a + b * (math.log10(value) if log else value)


def shown(value):
    """A value as the reader sees it: a number to three digits, or to all before its point."""
    if isinstance(value, float):
        value = f"{value:.0f}" if abs(value) >= 1000 else f"{float(f'{value:.3g}'):g}"
    return signed(str(value))


def jump(prompt):
    """The button of an answer that shows it on the figure."""
    if not prompt.at:
        return ""
    at = escape(json.dumps(prompt.at))
    return f'<button type="button" class="explorable-jump" data-at="{at}">Show it</button>'


def figure(spec, frame, caption, prompts):
    """The whole figure for a live kernel, and behind it what there is to try."""
    tries = "".join(
        f"<li><p>{escape(readable(p.question))}</p>"
        f'<details class="explorable-answer"><summary>Answer</summary>'
        f"<p>{escape(readable(p.answer))}</p>{jump(p)}</details></li>"
        for p in prompts
    )
    return (
        f'<figure class="explorable" id="ex-{escape(spec["name"])}" data-source="kernel">{body(spec, frame)}'
        f"<figcaption>{escape(caption)}</figcaption></figure>"
        + (f'<ul class="explorable-prompts">{tries}</ul>' if tries else "")
    )


def stage(svg):
    """A still drawing in a box that has its size before anything is loaded."""
    width, height = svg.split('viewBox="0 0 ')[1].split('"')[0].split()
    pixels = svg.split(' width="')[1].split('"')[0]
    return f'<div class="figure-stage" style="max-width:{pixels}px;aspect-ratio:{width}/{height}">{svg}</div>'


def still(svg, caption):
    """A figure that stays still, for a live kernel."""
    return f'<figure class="figure">{stage(svg)}<figcaption>{escape(caption)}</figcaption></figure>'


def picture(svg, text, caption):
    """What GitHub, nbviewer and nbconvert show: an image, because their sanitisers damage inline SVG."""
    source = base64.b64encode(plain(svg).encode()).decode()
    return (
        f'<figure><img alt="{escape(text)}" src="data:image/svg+xml;base64,{source}">'
        f"<figcaption>{escape(caption)}</figcaption></figure>"
    )


def moving_picture(spec, frame, caption):
    """The same for a frame of an explorable."""
    return picture(sheet(frame, spec["name"]), signed(frame["text"]), caption)
