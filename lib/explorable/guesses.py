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

UPWARDS = 90  # degrees: where the guess points before the reader turns it, as in browser/guess.js
Guess = dict[str, Any]


def guess_of(name: str, prompt: Prompt, frame: Frame) -> Guess:
    """Where the reader draws the arrow of `prompt`, from its frame: panel, start and length in pixels."""
    arrows = {mark["k"]: mark for mark in frame["marks"] if mark["t"] == "arrow"}
    if prompt.draws not in arrows:
        known = ", ".join(arrows) or "none"
        problem = f"the prompt {prompt.question!r} asks for the arrow {prompt.draws!r}; its arrows: {known}"
        raise figure_error(name, problem, values=prompt.at)
    arrow = arrows[prompt.draws]
    x, y, x_tip, y_tip = (number / TENTHS for number in arrow["n"])
    length = math.hypot(x_tip - x, y_tip - y)
    return {
        "arrow": prompt.draws,
        "panel": arrow["p"],
        "aside": arrow.get("a", ""),
        "at": dict(prompt.at),
        "from": [x, y],
        "length": length,
    }


def knob(guess: Guess, panel: Mapping[str, Any]) -> str:
    """The guess on its panel: a dashed arrow, and its tip, which the reader drags; a slider of one angle."""
    (x, y), length = guess["from"], guess["length"]
    left, tip = f"left:{100 * x / panel['w']:.2f}%", f"top:{100 * (y - length) / panel['h']:.2f}%"
    shaft = f"{left};top:{100 * y / panel['h']:.2f}%;width:{100 * length / panel['w']:.2f}%"
    return (
        f'<div class="explorable-guess-shaft" aria-hidden="true" style="{shaft}"></div>'
        f'<div class="explorable-guess" data-arrow="{escape(guess["arrow"])}" role="slider" tabindex="0" '
        f'aria-label="Your guess of {escape(guess["arrow"])}" aria-valuemin="-180" aria-valuemax="180" '
        f'aria-valuenow="{UPWARDS}" aria-valuetext="{UPWARDS}°" style="{left};{tip}"></div>'
    )


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
