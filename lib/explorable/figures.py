"""Figures in notebooks: `@explore` for functions whose parameters the reader moves, `show` for static ones.

Each is displayed as several MIME types: HTML with a picture for places without the engine, and either the
data of a built page (`EXPLORABLE_BAKE` is set) or a widget of the running kernel.
"""

import copy
import functools
import inspect
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from explorable import markup
from explorable.asides import checked_asides, require_drawn
from explorable.bake import bake, spent
from explorable.conditions import Condition, Facts, Predicate, as_conditions
from explorable.controls import Control, Prompt, expand
from explorable.drawing import Frame, draw_frame
from explorable.errors import ExplorableError, RefusedFigure, figure_error, running_shell
from explorable.expectations import Words, check_conditions, require, require_position
from explorable.guesses import Guess, comparison, guess_of
from explorable.text import markdown_to_text, with_minus_signs

MIME = "application/vnd.explorable+json"


def baking() -> bool:
    """Whether figures are computed ahead, at the positions that a page holds; else a kernel answers.

    (book: How to read and run this book, Figures that move)

    >>> baking()  # where somebody types
    False
    """
    return bool(os.environ.get("EXPLORABLE_BAKE"))


def explore(
    *, caption: str = "", prompts: Sequence[Prompt] = (),
    expect: Mapping[str, Predicate | Condition | Sequence[Predicate | Condition]] | None = None,
    asides: Mapping[str, str] | None = None, dock: bool = True, until: str = "",
    **controls: Any,
) -> Callable[[Callable[..., Any]], "Explorable"]:  # fmt: skip
    """A decorator that shows the function it is put on as an explorable.

    The function takes the parameters of `controls` by name and returns a `Drawing` and a sentence
    that says what is to be seen, and a dict of facts where conditions ask for them. `prompts` are made by
    `prompt`; the caption, Markdown, is the first line of the docstring where it is not given. `expect` gives
    other words of the page about the figure, from its caption for example, their conditions. `asides` says
    what the marks show that `Panel.aside` keeps until the text speaks of them. A page may show the figure
    beside the text of its section, or further to the section with the label `until`; `dock=False` keeps it
    in the text.
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

    def decorate(function: Callable[..., Any]) -> Explorable:
        explorable = Explorable(function, controls, caption, prompts, expect or {}, asides)
        explorable.place = {"dock": dock, "until": until}
        shell = running_shell()
        if shell and function.__globals__ is shell.user_ns:  # of a cell: nothing else would show a statement
            from IPython.display import display

            display(explorable.bundle(), raw=True)  # made here, for the display machinery swallows errors
        return explorable

    return decorate


class Explorable:
    """A drawing function with its controls; calling it calls the function."""

    def __init__(
        self, function: Callable[..., Any], controls: Mapping[str, Any], caption: str,
        prompts: Sequence[Prompt], expect: Mapping[str, Any], asides: Mapping[str, str] | None = None,
    ) -> None:  # fmt: skip
        functools.update_wrapper(self, function)
        self.function = function
        self.name = function.__name__.replace("_", "-")
        self.caption = caption or (inspect.getdoc(function) or "").split("\n")[0]
        self.prompts = list(prompts)
        self.expect = {words: as_conditions(given) for words, given in self._as_dict(expect).items()}
        self.parameters, self.handles = expand(controls)
        self.asides = checked_asides(self.name, asides)
        self.spec = markup.spec_of(self.name, self.parameters, self.handles) | {"asides": self.asides}
        self.place: dict[str, Any] = {}  # in a page, beside its text
        self.view: Any = None  # the last live view
        self.original, self.copies = self, 0  # of a copy, the figure that `at` was called of
        self._check()

    def _check(self) -> None:
        """Controls and the function's parameters must be the same."""
        takes = inspect.signature(self.function).parameters
        needed = {name for name, p in takes.items() if p.default is p.empty}
        remedy = f"the controls give: {', '.join(self.parameters) or 'nothing'}"
        if unknown := [name for name in self.parameters if name not in takes]:
            raise figure_error(self.name, f"the function takes no {', '.join(unknown)}", remedy=remedy)
        if missing := [name for name in needed if name not in self.parameters]:
            raise figure_error(self.name, f"no control gives {', '.join(sorted(missing))}", remedy=remedy)
        if not self.parameters:
            remedy = "use show(...) for a figure that stays still"
            raise figure_error(self.name, "it has no controls", remedy=remedy)
        for prompt in self.prompts:
            if not isinstance(prompt, Prompt):
                problem = f"expected prompts made by prompt(question, answer), but got {prompt!r}"
                raise figure_error(self.name, problem)

    def _as_dict(self, expect: Any) -> Mapping[str, Any]:
        """`expect`, if it gives conditions to words."""
        if not isinstance(expect, Mapping) or not all(
            isinstance(w, str) and w.strip() and expect[w] for w in expect
        ):
            problem = f"expect: needed a dict {{words of the page: condition}}, but got {expect!r}"
            raise figure_error(self.name, problem)
        return expect

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.function(*args, **kwargs)

    @property
    def default(self) -> dict[str, Any]:
        """The parameter values that the figure starts from."""
        return {name: control.default for name, control in self.parameters.items()}

    def at(self, *, asks: str = "", **values: Any) -> "Explorable":
        """A copy of the figure that starts from other values of its controls, with one prompt or none.

        Built pages hold one table of positions for a figure and all its copies.
        (book: How to read and run this book, Figures that move)

        Parameters
        ----------
        asks
            The first words of the prompt that the copy keeps. Its answer is shown where the figure itself
            shows it, wherever the copy starts.
        **values
            By the names of parameters, `p_x` for a handle `p`; of a slider the grid value nearest is taken.
            What is not named starts as it does here.

        Returns
        -------
        Explorable
            The copy, under a name of its own.

        Raises
        ------
        ExplorableError
            If the figure has no such parameter, or its control does not offer the value; if not exactly one
            prompt begins with these words, or the copy starts at its answer.

        Examples
        --------
        >>> line = explore(a=slider(0, 4), b=slider(0, 1))(lambda a, b: (Drawing(), f"{a}, {b}"))
        >>> line.at(a=3).default
        {'a': 3.0, 'b': 0.5}
        """
        twin = copy.copy(self)
        twin.parameters = self.parameters | {name: self._control_at(name, values[name]) for name in values}
        self.original.copies += 1
        twin.name = f"{self.original.name}-{self.original.copies}"
        twin.prompts = [self._asked(asks, twin.default)] if asks else []
        twin.spec = markup.spec_of(twin.name, twin.parameters, twin.handles) | {"asides": twin.asides}
        return twin

    def _asked(self, words: str, start: Mapping[str, Any]) -> Prompt:
        """The prompt that begins with `words`, for a copy that starts at `start`.

        Its answer is at the position that the figure's table checks, so a copy has nothing to check.
        """
        questions = [one.question for one in self.original.prompts]
        found = [one for one in self.original.prompts if one.question.startswith(words)]
        if len(found) != 1:
            count = len(found) or "none"
            problem = f"asks: {count} of its prompts begin with {words!r}, where one should"
            raise figure_error(self.name, problem, remedy=f"its prompts: {questions}")
        (prompt,) = found
        if not prompt.at:
            return prompt
        away = {name: value for name, value in self.original.default.items() if start[name] != value}
        asked = replace(prompt, at={**away, **prompt.at})
        if {**start, **asked.at} == start:
            problem = f"it starts where the answer to {prompt.question!r} is shown"
            raise figure_error(self.name, problem, values=asked.at, remedy="let it start elsewhere")
        return asked

    def _control_at(self, name: str, value: Any) -> Control:
        """The control of a parameter, which starts from `value`."""
        if name not in self.parameters:
            problem = f"it has no parameter {name}; it has {', '.join(self.parameters)}"
            raise figure_error(self.name, problem)
        try:
            return self.parameters[name].starting_at(value)
        except ExplorableError as error:
            raise figure_error(self.name, f"{name}: {error}") from None

    def frame(self, values: Mapping[str, Any]) -> Frame:
        """The frame at `values`, which must lie on or between what the controls offer."""
        return self._drawn(values)[0]

    def _drawn(self, values: Mapping[str, Any]) -> tuple[Frame, Facts]:
        """The frame at `values`, and the facts that the function returns beside."""
        accepted = {}
        for name, control in self.parameters.items():
            if name not in values:
                raise figure_error(self.name, f"no value for {name}", values=values)
            try:
                accepted[name] = control.accept(values[name])
            except ExplorableError as error:
                raise figure_error(self.name, f"{name}: {error}") from None
        return draw_frame(self.function, self.name, self.handles, accepted)

    def bundle(self) -> dict[str, Any]:
        """The displayed representations by MIME type: for a built page, or with a live widget."""
        first = self.frame(self.default)
        self.spec["guesses"] = self._guesses()
        caption = markdown_to_text(self.caption)
        picture = markup.picture_of_frame(self.spec, first, caption)
        data = {"text/plain": with_minus_signs(first["text"]), "text/html": picture}
        if baking():
            return {**data, MIME: self._for_a_page(first)}
        from explorable.live import view

        return {**data, **view(self, markup.figure(self.spec, first, self.caption, self.prompts), first)}

    def save(self, path: str | os.PathLike[str], *, home: str = "") -> None:
        """Writes a page with this figure alone into one file, which needs nothing beside it.

        A browser opens it from a disk, any site may show it in a frame. All positions are computed, within
        the limits of a built page. `figure.at(...).save(...)` saves it as it is there.
        (book: How to read and run this book, Figures that move)

        Parameters
        ----------
        path
            The file, `bell.html` for example.
        home
            An address to which a link below the figure leads.

        Raises
        ------
        ExplorableError
            If a built page would refuse the figure.

        Examples
        --------
        >>> two = explore(n=play(range(2)), caption="Two")(lambda n: (Drawing(), f"{n} of 2"))
        >>> two.save("two.html")  # doctest: +SKIP
        """
        from explorable.alone import page

        first = self.frame(self.default)
        self.spec["guesses"] = self._guesses()
        if not baking():
            spent.clear()  # each file is a page
        Path(path).write_text(page(self._for_a_page(first), home), "utf8")

    def _for_a_page(self, first: Frame) -> dict[str, Any]:
        """All that a built page needs, as JSON."""
        table, longest = self.original.baked
        prompts = [
            [prompt.question, prompt.answer, markup.show_button(prompt), comparison(prompt)]
            for prompt in self.prompts
        ]
        return {
            "name": self.name,
            "is_copy": self is not self.original,
            "spec": {**self.spec, "places": first.get("places", {})},
            "body": markup.body(self.spec, first, longest),
            "caption": self.caption,
            "prompts": prompts,
            "place": self.place,
            "table": table,
        }

    @functools.cached_property
    def baked(self) -> tuple[dict[str, Any], int]:
        """The table of all positions, which must keep what the page says, and the length of a sentence."""
        for prompt in self.prompts:
            self._check_answer(prompt)
        for words in self._words():
            check_conditions(self.name, words, self.parameters)
        places: list[Facts] = []
        longest = 0

        def draw(values: Mapping[str, Any]) -> Frame:
            nonlocal longest
            frame, facts = self._drawn(values)
            longest = max(longest, len(frame["text"]))
            places.append(facts)
            return frame

        table = bake(self.name, self.parameters, self.handles, draw)
        require_drawn(self.name, self.asides, table["marks"])
        for words in self._words():
            require(self.name, words, places)
        return table, longest

    def _check_answer(self, prompt: Prompt) -> None:
        """Refuses an answer whose position is not computed, or where the figure says something else."""
        for name, value in prompt.at.items():
            words = f"the answer {prompt.answer!r} is shown"
            require_position(self.name, words, self.parameters, name, value)
        if not prompt.at:
            return
        text = self.frame({**self.default, **prompt.at})["text"]
        if prompt.says not in text:
            problem = f"the answer {prompt.answer!r} expects {prompt.says!r}, but the figure says {text!r}"
            raise figure_error(self.name, problem, values=prompt.at)

    def _guesses(self) -> list[Guess]:
        """The arrows that the reader draws: one for each prompt with `draws`."""
        asked = [prompt for prompt in self.prompts if prompt.draws]
        return [
            guess_of(self.name, one, self.frame({**self.default, **one.at}), self.frame(self.default))
            for one in asked
        ]

    def _words(self) -> list[Words]:
        """What the page says of the figure and has conditions."""
        start = self.default
        answers = [Words(f"the answer {p.answer!r}", p.expect, {**start, **p.at}) for p in self.prompts]
        return [*answers, *(Words(f"the words {w!r}", one, start) for w, one in self.expect.items())]

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        """What shows the figure of a module where a cell ends with its name."""
        try:
            return self.bundle()
        except Exception as error:
            if baking():
                raise RefusedFigure(error) from error
            raise


def show(
    figure: Any, *, name: str, caption: str, alt: str, dock: bool = True, until: str = "",
) -> None:  # fmt: skip
    """Display of `figure` with its `caption` (Markdown) and `alt`, the sentence for who cannot see it.

    `name` makes its anchor `fig-<name>` and keeps its bytes the same from build to build; `dock` and `until`
    are those of `explore`.
    (book: How to read and run this book, Figures that move)

    >>> from explorable.style import new_axes
    >>> figure, axes = new_axes()
    >>> show(figure, name="nothing", caption="No data.", alt="Axes without data.")
    {'text/plain': 'Axes without data.', 'text/html': ...}
    """
    from IPython.display import display
    from matplotlib import rc_context

    from explorable.matplotlib_svg import to_svg
    from explorable.style import STYLE

    if not alt.strip():
        raise figure_error(name, "alt is empty", remedy="say in a sentence what is to be seen")
    name, text = name.replace("_", "-"), markdown_to_text(caption)
    with rc_context(STYLE):  # type: ignore[arg-type]
        svg = to_svg(figure, name, alt)
    _close_in_pyplot(figure)
    data: dict[str, Any] = {"text/plain": alt, "text/html": markup.static_figure(svg, caption)}
    if baking():
        data["text/html"] = markup.picture(svg, alt, text)
        place = {"dock": dock, "until": until}
        content = {"name": name, "body": markup.static_body(svg), "caption": caption, "prompts": []}
        data[MIME] = {**content, "place": place}
    display(data, raw=True)


def _close_in_pyplot(figure: Any) -> None:
    """Removes `figure` from pyplot; the notebook would show it a second time and memory would fill."""
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close(figure)
