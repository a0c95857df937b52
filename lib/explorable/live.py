"""A figure in a running kernel: an anywidget that asks the kernel for each frame."""

from typing import TYPE_CHECKING, Any

import anywidget
import traitlets

from explorable.drawing import Frame
from explorable.markup import STYLE_SHEET, script

if TYPE_CHECKING:
    from explorable.figures import Explorable


class View(anywidget.AnyWidget):
    """The browser's part of one displayed figure."""

    _esm = script()
    _css = STYLE_SHEET
    spec = traitlets.Dict().tag(sync=True)
    markup = traitlets.Unicode().tag(sync=True)


def view(explorable: "Explorable", markup: str, first: Frame) -> dict[str, Any]:
    """The MIME data of a new view of `explorable`, which keeps a reference to it."""
    spec = {**explorable.spec, "places": first.get("places", {})}
    new = explorable.view = View(spec=spec, markup=markup)
    new.on_msg(lambda widget, message, _: widget.send(answer(explorable, message)))
    data: Any = new._repr_mimebundle_()  # and metadata behind it
    return {mime: content for mime, content in data[0].items() if "widget-view" in mime}


def answer(explorable: "Explorable", message: dict[str, Any]) -> dict[str, Any]:
    """The frame that `message` asks for under its number, or the error in its place."""
    try:
        return {"id": message["id"], "frame": explorable.frame(message["values"])}
    except Exception as error:
        return {"id": message["id"], "error": str(error)}
