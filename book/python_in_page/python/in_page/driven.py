"""A figure of the chapter, drawn with the reader's answer to an exercise."""

from explorable.errors import ExplorableError
from in_page.answers import answered, error
from in_page.cells import execute, new_space
from in_page.figures import new_figures
from in_page.runs import prepare

FIGURE = "the figure"
EMPTY = "Nothing is written here yet: there is nothing to draw with."


def draw(setup, code, functions, needs, figure):
    """The figure that the code `figure` makes with the `functions` of the answer `code`.

    `setup` is the code that the chapter has before the exercise, `needs` are the sources of the cells that
    the figure rests on. Only the functions come from the answer: its other names do not meet the figure's.
    """
    answer, refusal = answered(setup, code, functions)
    if refusal:
        return {**refusal, "figures": []}
    space = new_space()
    prepare(needs, space)
    space |= {name: answer[name] for name in functions}
    before = dict(space)
    try:
        shown = execute(figure, FIGURE, space, show=True)
        figures = new_figures(before, {**space, FIGURE: shown})
        return {"verdict": "ran", "text": "", "detail": "", "figures": figures}
    except BaseException as reason:
        return {**_refused(reason.__cause__ or reason), "figures": []}


def _refused(reason):
    """What to say of an answer that stopped when the figure called it, or gave what cannot be drawn."""
    if isinstance(reason, NotImplementedError):
        return {"verdict": "wrong", "text": EMPTY, "detail": ""}
    if isinstance(reason, ExplorableError):
        said = f"The figure cannot be drawn with what your function gives: {str(reason).split(': ', 1)[-1]}."
        return {"verdict": "error", "text": said, "detail": ""}
    return error(reason)
