"""`@explore`: a function from parameters to (drawing, sentence) becomes a figure the reader can move."""

import functools
import inspect
import os

from margins.explore import markup
from margins.explore.bake import bake
from margins.explore.controls import expand
from margins.explore.errors import ExplorableError, refuse
from margins.explore.frames import draw
from margins.explore.lettering import signed
from margins.explore.notebook import shell
from margins.explore.prompts import Prompt
from margins.explore.readable import readable

MIME = "application/vnd.margins.explorable+json"


def baking():
    """Whether figures are computed ahead, at the positions that a page holds; else a kernel answers.

    (book: How to read and run this book, Figures that move)

    >>> baking()  # where somebody types
    False
    """
    return bool(os.environ.get("MARGINS_BAKE"))


def explore(*, caption="", prompts=(), **controls):
    """A decorator that shows the function it is put on as an explorable.

    The function takes the parameters of `controls` by name and returns a `Drawing` and a sentence
    that says what is to be seen. `prompts` are made by `prompt`; the caption, Markdown, is the first
    line of the docstring where it is not given.
    (book: How to read and run this book, Figures that move)

    >>> @explore(R=slider(1, 100, log=True, label="scale, R"), caption="Softmax becomes hard.")
    ... def hardening(R):
    ...     first, drawing = 1 / (1 + np.exp(-R / 10)), Drawing()
    ...     plane = drawing.panel("weights", xlim=(-0.6, 1.6), ylim=(0, 1), xticks={0: "first", 1: "second"})
    ...     plane.bar([0, 1], [first, 1 - first], keys=["first", "second"], tell="weight")
    ...     return drawing, f"At R = {R:.3g} the first key has the weight {first:.3f}."
    >>> hardening.frame({"R": 10.0})["text"]
    'At R = 10 the first key has the weight 0.731.'
    """

    def decorate(function):
        explorable = Explorable(function, controls, caption, prompts)
        if shell():  # a decorated function is a statement: nothing else would show it
            from IPython.display import display

            display(explorable.bundle(), raw=True)  # made here, for the display machinery swallows errors
        return explorable

    return decorate


class Explorable:
    """A drawing function with its controls; called, it is still the function."""

    def __init__(self, function, controls, caption, prompts):
        functools.update_wrapper(self, function)
        self.function = function
        self.name = function.__name__.replace("_", "-")
        self.caption = caption or (inspect.getdoc(function) or "").split("\n")[0]
        self.prompts = list(prompts)
        self.parameters, self.handles = expand(controls)
        self.spec = markup.described(self.name, self.parameters, self.handles)
        self._check()

    def _check(self):
        """Controls and the function's parameters must be the same."""
        takes = inspect.signature(self.function).parameters
        needed = {name for name, p in takes.items() if p.default is p.empty}
        remedy = f"the controls give: {', '.join(self.parameters) or 'nothing'}"
        if unknown := [name for name in self.parameters if name not in takes]:
            raise refuse(self.name, f"the function takes no {', '.join(unknown)}", remedy=remedy)
        if missing := [name for name in needed if name not in self.parameters]:
            raise refuse(self.name, f"no control gives {', '.join(sorted(missing))}", remedy=remedy)
        if not self.parameters:
            raise refuse(
                self.name, "it has no controls", remedy="use show(...) for a figure that stays still"
            )
        for asked in self.prompts:
            if not isinstance(asked, Prompt):
                problem = f"expected prompts made by prompt(question, answer), but {asked!r} came"
                raise refuse(self.name, problem)

    def __call__(self, *args, **kwargs):
        return self.function(*args, **kwargs)

    @property
    def default(self):
        """The parameter values that the figure starts from."""
        return {name: control.default for name, control in self.parameters.items()}

    def frame(self, values):
        """The frame at `values`, which must lie on or between what the controls offer."""
        accepted = {}
        for name, control in self.parameters.items():
            if name not in values:
                raise refuse(self.name, f"no value for {name}", values=values)
            try:
                accepted[name] = control.accept(values[name])
            except ExplorableError as reason:
                raise refuse(self.name, f"{name}: {reason}") from None
        return draw(self.function, self.name, self.handles, accepted)

    def bundle(self):
        """The displayed representations by type, baked or live."""
        first = self.frame(self.default)
        caption = readable(self.caption)
        shown = markup.moving_picture(self.spec, first, caption)
        data = {"text/plain": signed(first["text"]), "text/html": shown}
        if baking():
            return {**data, MIME: self._baked(first)}
        from margins.explore.live import view

        return {**data, **view(self, markup.figure(self.spec, first, caption, self.prompts), first)}

    def _baked(self, first):
        """All that a page needs, as JSON."""
        for asked in self.prompts:
            self._answer_holds(asked)
        return {
            "name": self.name,
            "spec": {**self.spec, "places": first.get("places", {})},
            "body": markup.body(self.spec, first),
            "caption": self.caption,
            "prompts": [[asked.question, asked.answer, markup.jump(asked)] for asked in self.prompts],
            "table": bake(self.name, self.parameters, self.handles, self.frame),
        }

    def _answer_holds(self, asked):
        """At the position that an answer names, one of the grid, the figure says what the answer claims."""
        for name, value in asked.at.items():
            if name not in self.parameters or value not in self.parameters[name].values:
                problem = f"the answer {asked.answer!r} is shown at {name}={value!r}, which is no position"
                raise refuse(self.name, problem, remedy=self._positions(name, value))
        if asked.at and asked.says not in (said := self.frame({**self.default, **asked.at})["text"]):
            problem = f"the answer {asked.answer!r} expects {asked.says!r}, but the figure says {said!r}"
            raise refuse(self.name, problem, values=asked.at)

    def _positions(self, name, value):
        """What an answer may name instead of `value`: a slider's nearest place, else all there is."""
        control = self.parameters.get(name)
        if control and control.kind == "slider" and isinstance(value, int | float):
            return f"the nearest is {min(control.values, key=lambda v: abs(v - value)):g}"
        return f"there are {', '.join(map(str, control.values if control else self.parameters))}"

    def _repr_mimebundle_(self, include=None, exclude=None):
        return self.bundle()
