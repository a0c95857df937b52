"""What the reader is asked to try, with an answer that is folded away and tested against the figure."""

from dataclasses import dataclass, field

from margins.explore.errors import ExplorableError


@dataclass(frozen=True)
class Prompt:
    """A question, its answer, and the values of the controls at which the figure shows it."""

    question: str
    answer: str
    at: dict = field(default_factory=dict)
    says: str = ""


def prompt(question, answer, *, at=None, says=""):
    """A question to the reader, with the answer that is unfolded after the attempt (both Markdown).

    `at` gives values of controls; the answer then offers to show that position, and `says` must be
    part of the figure's sentence there, or the build stops.
    (book: How to read and run this book, Figures that move)

    >>> prompt("Raise $C$.", "The street narrows.", at={"C": 100.0}, says="margin is 0.80").at
    {'C': 100.0}
    """
    for text, what in ((question, "a question"), (answer, "an answer")):
        if not isinstance(text, str) or not text.strip():
            raise ExplorableError(f"prompt: expected {what}, a text, but {text!r} came")
    if says and not at:
        raise ExplorableError("prompt: `says` needs `at`, the values at which the figure says it")
    if at and not says:
        raise ExplorableError("prompt: `at` needs `says`, words of the figure's sentence there")
    return Prompt(question, answer, dict(at or {}), says)
