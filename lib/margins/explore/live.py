"""The same figure in a live kernel: an anywidget that draws what the reader asks for."""

from pathlib import Path

import anywidget
import traitlets

HERE = Path(__file__).parent


class View(anywidget.AnyWidget):
    """The reader's side of one displayed explorable."""

    _esm = HERE / "explorable.js"
    _css = HERE / "explorable.css"
    spec = traitlets.Dict().tag(sync=True)
    markup = traitlets.Unicode().tag(sync=True)


def view(explorable, markup, first):
    """The mime data of a new view on `explorable`, which stays alive with it."""
    spec = {**explorable.spec, "places": first.get("places", {})}
    explorable.view = View(spec=spec, markup=markup)
    explorable.view.on_msg(lambda widget, message, _: widget.send(answer(explorable, message)))
    data = explorable.view._repr_mimebundle_()
    data = data[0] if isinstance(data, tuple) else data
    return {mime: content for mime, content in data.items() if "widget-view" in mime}


def answer(explorable, message):
    """The frame that `message` asks for under its number, or the error in its place."""
    try:
        return {"id": message["id"], "frame": explorable.frame(message["values"])}
    except Exception as reason:
        return {"id": message["id"], "error": str(reason)}
