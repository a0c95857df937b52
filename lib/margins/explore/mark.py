"""A mark: what is drawn under one key of a panel."""

from dataclasses import dataclass

WIDTH = 360  # of every panel, in pixels: a phone's, so that no text is scaled down to be unreadable


@dataclass(slots=True, eq=False)
class Mark:
    """What is drawn under one key: kind, look, numbers in pixels, what it is tied to and what it tells."""

    key: str
    kind: str  # line, area, dot, bar, text, arrow or image
    style: dict  # one object for all marks of this look
    numbers: list
    z: float
    link: str = ""
    told: dict | None = None
