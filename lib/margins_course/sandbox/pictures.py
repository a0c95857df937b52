"""Pixels from the sandbox as pictures for a page: whatever came is checked, and the PNG is written here.

(book: Teaching with this book, How marking works)
"""

import base64
import io

import numpy as np

MOST_IN_A_CELL, MOST, LARGEST = 4, 12, 1200  # pictures of a cell, of a submission; pixels of a side
MOST_BYTES = 400_000  # of a PNG; noise takes more, and is made smaller until it does not


def pictures_in(value: object, most: int) -> tuple[str, ...]:
    """PNGs in base64 of those parts of a reply that are pixels, at most so many."""
    parts = value if type(value) is list else []
    return tuple(_as_png(part) for part in parts[:most] if _is_pixels(part))


def _is_pixels(part):
    """Whether a part of a reply is an array of colours of an allowed size."""
    if type(part) is not np.ndarray or part.dtype != np.uint8 or part.ndim != 3 or part.shape[2] != 4:
        return False
    return all(1 <= side <= LARGEST for side in part.shape[:2])


def _as_png(pixels):
    """Pixels on white as a PNG in base64."""
    from PIL import Image  # here, because few submissions hold a picture

    opacity = pixels[:, :, 3:] / np.float32(255)
    picture = Image.fromarray((pixels[:, :, :3] * opacity + 255 * (1 - opacity)).astype(np.uint8))
    while True:
        file = io.BytesIO()
        picture.save(file, "PNG")
        if file.tell() <= MOST_BYTES:
            return base64.b64encode(file.getvalue()).decode()
        picture = picture.reduce(2)
