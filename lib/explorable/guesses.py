"""Guesses that the reader draws: the direction of an arrow, before the figure shows it.

A prompt with `draws` names an arrow; `browser/guess.js` compares the guess with it at the prompt's position,
as angles on the screen. An arrow of an aside is hidden until then.
"""

import math
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from explorable.controls import Prompt
from explorable.drawing import Frame
from explorable.errors import figure_error
from explorable.marks import TENTHS

UPWARDS = 90  # degrees: where the guess points before the reader turns it, if that is a good place
AWAY = 45  # degrees from the answer, at least
RING, LABEL = 14, (64, 28)  # pixels: around the tip, and how far its label reaches to the right and down
Guess = dict[str, Any]


def guess_of(name: str, prompt: Prompt, frame: Frame, first: Frame) -> Guess:
    """Where the reader draws the arrow of `prompt`, from its frame: panel, start and length in pixels.

    `first` is the frame that the reader sees; there the guess begins at an angle where it covers little.
    """
    arrows = {mark["k"]: mark for mark in frame["marks"] if mark["t"] == "arrow"}
    if prompt.draws not in arrows:
        known = ", ".join(arrows) or "none"
        problem = f"the prompt {prompt.question!r} asks for the arrow {prompt.draws!r}; its arrows: {known}"
        raise figure_error(name, problem, values=prompt.at)
    arrow = arrows[prompt.draws]
    x, y, x_tip, y_tip = (number / TENTHS for number in arrow["n"])
    guess = {
        "arrow": prompt.draws,
        "panel": arrow["p"],
        "aside": arrow.get("a", ""),
        "at": dict(prompt.at),
        "from": [x, y],
        "length": math.hypot(x_tip - x, y_tip - y),
    }
    return {**guess, "begins": beginning(guess, math.degrees(math.atan2(y - y_tip, x_tip - x)), first)}


def beginning(guess: Guess, answer: float, first: Frame) -> int:
    """The angle nearest to upwards where the tip is inside its panel, covers least and gives nothing away."""
    panel = first["panels"][guess["panel"]]
    seen = [mark for mark in first["marks"] if mark["p"] == guess["panel"] and not mark.get("a")]
    places = [(mark["n"][0] / TENTHS, mark["n"][1] / TENTHS) for mark in seen if mark["t"] in ("dot", "text")]

    def faults(angle: int) -> tuple[bool, int, float]:
        x, y = tip(guess, angle)
        is_inside = RING <= x <= panel["w"] - RING and RING <= y <= panel["h"] - RING
        met = sum(-RING <= at - x <= LABEL[0] and -RING <= down - y <= LABEL[1] for at, down in places)
        return not is_inside, met, apart(angle, UPWARDS)

    return min((angle for angle in range(-165, 181, 15) if apart(angle, answer) >= AWAY), key=faults)


def apart(angle: float, other: float) -> float:
    """The angle between two directions, in degrees."""
    return abs((angle - other + 180) % 360 - 180)


def tip(guess: Guess, angle: float) -> tuple[float, float]:
    """Where the guess ends if it points at an angle."""
    (x, y), turn, length = guess["from"], math.radians(angle), guess["length"]
    return x + length * math.cos(turn), y - length * math.sin(turn)


def knob(guess: Guess, panel: Mapping[str, Any]) -> str:
    """The guess on its panel: a dashed arrow, and its tip, which the reader drags; a slider of one angle."""
    angle, (x, y), text = guess["begins"], guess["from"], f"{guess['begins']}°".replace("-", "−")
    shaft = f"{place(x, y, panel)};width:{100 * guess['length'] / panel['w']:.2f}%;rotate:{-angle}deg"
    return (
        f'<div class="explorable-guess-shaft" aria-hidden="true" style="{shaft}"></div>'
        f'<div class="explorable-guess" data-arrow="{escape(guess["arrow"])}" role="slider" tabindex="0" '
        f'aria-label="Your guess of {escape(guess["arrow"])}" aria-valuemin="-180" aria-valuemax="180" '
        f'aria-valuenow="{angle}" aria-valuetext="{text}" style="{place(*tip(guess, angle), panel)}"></div>'
    )


def place(x: float, y: float, panel: Mapping[str, Any]) -> str:
    """The style that puts something at a point of a panel."""
    return f"left:{100 * x / panel['w']:.2f}%;top:{100 * y / panel['h']:.2f}%"


def knobs(guesses: Sequence[Guess], frame: Frame, number: int) -> str:
    """All guesses on the panel with this number."""
    return "".join(knob(guess, frame["panels"][number]) for guess in guesses if guess["panel"] == number)


def comparison(prompt: Prompt) -> str:
    """What stands below a question that is answered by drawing: a button that shows it, and the verdict."""
    if not prompt.draws:
        return ""
    return (
        f'<p class="explorable-compare" data-guess="{escape(prompt.draws)}">'
        '<button type="button" class="explorable-run">Compare</button> <span role="status"></span></p>'
    )
