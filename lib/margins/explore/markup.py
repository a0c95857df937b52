"""The HTML of an explorable, written once: pages carry it from the first byte, live cells show the same."""

import base64
from html import escape

from margins.explore.places import place
from margins.explore.svg import plain


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
        for key, control in parameters.items()
    ]
    points = [{"name": k, "label": h.label or k, "x": h.x, "y": h.y} for k, h in handles.items()]
    return {"name": name, "parameters": controls, "handles": points}


def body(spec, frame):
    """Stage, controls and sentence of the explorable at its default."""
    held = {handle[axis] for handle in spec["handles"] for axis in "xy"}
    controls = "".join(_control(c) for c in spec["parameters"] if c["name"] not in held)
    if controls:  # disabled until a script has them answer
        controls = f'<fieldset class="explorable-controls" disabled>{controls}</fieldset>'
    return (
        stage(frame["svg"], "".join(_handle(h, spec, frame) for h in spec["handles"]))
        + controls
        + f'<output aria-live="polite">{escape(frame["text"])}</output>'
        + '<p class="explorable-note" role="status" hidden></p>'
    )


def stage(svg, handles=""):
    """The drawing in a box that has its size before anything is loaded."""
    width, height = svg.split('viewBox="0 0 ')[1].split('"')[0].split()
    pixels = svg.split(' width="')[1].split('"')[0]
    return (
        f'<div class="explorable-stage" style="max-width:{pixels}px">'
        f'<div class="explorable-frame" style="aspect-ratio:{width}/{height}">{svg}</div>{handles}</div>'
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
    scale = (
        f'<label>{caption}<input type="range" name="{name}" min="0" max="{len(values) - 1}" step="1" '
        f'value="{control["position"]}" aria-valuetext="{now}">'
        f'<span class="explorable-value" aria-hidden="true">{now}</span></label>'
    )
    if control["kind"] == "slider":
        return scale
    button = f'<button type="button" name="{name}" aria-label="Play {label}"></button>'
    return f'<span class="explorable-play"><label>{button}</label>{scale}</span>'


def _handle(handle, spec, frame):
    """The draggable point, where it stands on the default frame."""
    defaults = {c["name"]: c["values"][c["position"]] for c in spec["parameters"]}
    width, height = map(float, frame["svg"].split('viewBox="0 0 ')[1].split('"')[0].split())
    at = {axis: defaults.get(handle[axis], handle[axis]) for axis in "xy"}
    places = {axis: place(frame["places"][handle["name"]][axis], at[axis]) for axis in "xy"}
    left, top = 100 * places["x"] / width, 100 * places["y"] / height
    label = f"{handle['label']}: {shown(at['x'])}, {shown(at['y'])}; arrow keys move it"
    return (
        f'<button type="button" class="explorable-handle" data-handle="{escape(handle["name"])}" disabled '
        f'aria-label="{escape(label)}" style="left:{left:.2f}%;top:{top:.2f}%"></button>'
    )


def shown(value):
    """A value as the reader sees it, numbers to three digits."""
    return f"{float(f'{value:.3g}'):g}" if isinstance(value, float) else str(value)


def figure(spec, frame, caption, prompts):
    """The whole figure for a live kernel."""
    tries = "".join(f"<li>{escape(prompt)}</li>" for prompt in prompts)
    return (
        f'<figure class="explorable" id="ex-{escape(spec["name"])}" data-source="kernel">{body(spec, frame)}'
        + (f'<ul class="explorable-prompts">{tries}</ul>' if tries else "")
        + f"<figcaption>{escape(caption)}</figcaption></figure>"
    )


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
