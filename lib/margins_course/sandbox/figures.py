"""Figures and photographs: arrays of pixels inside the sandbox, checked and written as PNG outside.

The functions up to `photograph` run inside, and use matplotlib only if the student's code has imported it:
that takes longer than all the rest. Those below run outside and trust nothing of what came.
"""

import base64
import contextlib
import io
import sys
from typing import Any

import numpy as np

DOTS_PER_INCH, LARGEST_SIDE = 100, 1200  # the second in pixels, of width and of height
_shown: list[Any] = []  # figures that were given to `display` and that pyplot may not know


def keep_figure(value: object) -> bool:
    """Whether a value is a figure of matplotlib's: then it is drawn when its cell has ended."""
    module = sys.modules.get("matplotlib.figure")  # whoever made a figure has imported it
    is_figure = module is not None and isinstance(value, module.Figure)
    _shown.extend([value] if is_figure else [])
    return is_figure


def draw_waiting(most: int) -> list:
    """The pixels of the first figures that wait, at most so many; none waits afterwards."""
    pictures = []
    for figure in waiting()[:most]:
        with contextlib.suppress(Exception):  # a plot that cannot be drawn costs nothing
            pictures.append(_pixels(figure))
    close_all()
    return pictures


def close_all() -> None:
    _shown.clear()
    with contextlib.suppress(Exception):  # also where pyplot was never imported
        sys.modules["matplotlib._pylab_helpers"].Gcf.destroy_all()


def waiting() -> list:
    """All figures that wait to be drawn, each once; those that pyplot knows as they were made."""
    known = []
    with contextlib.suppress(Exception):
        managers = sys.modules["matplotlib._pylab_helpers"].Gcf.get_all_fig_managers()
        known = [manager.canvas.figure for manager in managers]
    return list({id(figure): figure for figure in [*known, *_shown]}.values())


def _pixels(figure):
    """Height x width x (red, green, blue, opacity), no side longer than `LARGEST_SIDE`."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    figure.set_dpi(min(DOTS_PER_INCH, LARGEST_SIDE / max(figure.get_size_inches())))
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    return np.array(canvas.buffer_rgba())[:LARGEST_SIDE, :LARGEST_SIDE]


LARGEST_PHOTOGRAPH = 1600  # pixels, of width and of height


def photograph(content: np.ndarray) -> np.ndarray:
    """The pixels of a picture's file, upright and no side too long."""
    from PIL import Image, ImageOps

    file = Image.open(io.BytesIO(content.tobytes()))
    file.draft("RGB", (LARGEST_PHOTOGRAPH, LARGEST_PHOTOGRAPH))  # a JPEG comes smaller at once
    picture = ImageOps.exif_transpose(file)
    picture.thumbnail((LARGEST_PHOTOGRAPH, LARGEST_PHOTOGRAPH))
    return np.array(picture.convert("RGBA"))


MOST_PICTURES_IN_A_CELL, MOST_PICTURES = 4, 12  # the second of a submission
MOST_PNG_BYTES = 400_000  # of a PNG; noise takes more, and is made smaller until it does not
MOST_PHOTOGRAPH_BYTES, COLOURS = 600_000, 32  # as many colours as handwriting needs


def pictures_in(value: object, most: int) -> tuple[str, ...]:
    """PNGs in base64 of those parts of a reply that are pixels, at most so many."""
    parts = value if type(value) is list else []
    return tuple(_as_png(part) for part in parts[:most] if _is_pixels(part, LARGEST_SIDE))


def photograph_in(value: object) -> str:
    """The PNG in base64 of a reply that is a photograph's pixels, "" of any other."""
    if not _is_pixels(value, LARGEST_PHOTOGRAPH):
        return ""
    return _as_png(value, MOST_PHOTOGRAPH_BYTES, lambda picture: picture.quantize(COLOURS))


def _is_pixels(part, largest):
    """Whether a part of a reply is an array of colours of an allowed size."""
    if type(part) is not np.ndarray or part.dtype != np.uint8 or part.ndim != 3 or part.shape[2] != 4:
        return False
    return all(1 <= side <= largest for side in part.shape[:2])


def _as_png(pixels, most_bytes=MOST_PNG_BYTES, change=lambda picture: picture):
    """Pixels on white as a PNG in base64, after a change."""
    from PIL import Image  # here, because few submissions hold a picture

    opacity = pixels[:, :, 3:] / np.float32(255)
    picture = Image.fromarray((pixels[:, :, :3] * opacity + 255 * (1 - opacity)).astype(np.uint8))
    while True:
        file = io.BytesIO()
        change(picture).save(file, "PNG")
        if file.tell() <= most_bytes:
            return base64.b64encode(file.getvalue()).decode()
        picture = picture.reduce(2)
