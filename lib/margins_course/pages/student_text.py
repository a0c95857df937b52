"""Students' text as HTML that can do nothing: Markdown, code, printed text and errors, each within limits.

Whatever goes wrong or takes long costs the formatting: the text is then shown as it was written.
(book: Teaching with this book, Review)
"""

import re
import time
from collections.abc import Callable
from functools import cache
from html import escape

from margins_course.pages.formula_box import FormulaBox
from margins_course.pages.formulas import authors_mathml
from margins_course.pages.markdown import Setter, rendered
from margins_course.pages.visible import shortened, visible
from margins_course.pages.whitelist import AUTHORS, STUDENTS
from margins_course.sandbox.bounds import alarm

LONGEST, MOST_LINES = 100_000, 4000  # of one cell
LONGEST_OUTPUT, MOST_OUTPUT_LINES = 20_000, 300
SECONDS = 5.0
NOT_FORMATTED = "This is shown as it was written: it could not be formatted."
TOO_SLOW = "This is shown as it was written: to format it takes longer than {:g} seconds."
CUT = "Cut here: {} characters and {} lines are shown at most."
ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]?|\][^\x07\x1b]{0,500}(?:\x07|\x1b\\)?|[@-Z\\^_])")


def markdown_html(text: str, seconds: float = SECONDS, setter: Setter | None = None) -> str:
    """A student's Markdown as clean HTML, in at most some seconds; `setter` sets its formulas."""
    if setter is None:
        with FormulaBox() as box:
            return markdown_html(text, seconds, box.mathml)
    kept, note = _shortened(text, LONGEST, MOST_LINES)
    return _within(seconds, kept, lambda: STUDENTS.clean(rendered(kept, setter))) + note


@cache
def authors_html(text: str) -> str:
    """Markdown of the book's authors (statement, rubric, solution) as HTML, with links to https."""
    return AUTHORS.clean(rendered(text, authors_mathml, authors=True))


def authors_line(text: str) -> str:
    """One paragraph of the authors' Markdown without its <p>, for a title or a line of a list."""
    html = authors_html(text).strip()
    return html[3:-4] if html.startswith("<p>") and html.count("<p>") == 1 and html.endswith("</p>") else html


def code_html(source: str, seconds: float = SECONDS) -> str:
    """Python code in colours, never run or compiled."""
    kept, note = _shortened(source, LONGEST, MOST_LINES)
    coloured = _within(seconds, kept, lambda: f'<pre class="code"><code>{_coloured(kept)}</code></pre>')
    return coloured + note


def output_html(text: str) -> str:
    """What code printed, without the codes of a terminal."""
    kept, note = _shortened(without_colours(text), LONGEST_OUTPUT, MOST_OUTPUT_LINES)
    return f'<pre class="printed">{escape(kept)}</pre>{note}'


def error_html(kind: str, message: str, traceback: str = "") -> str:
    """An error that ended a cell: its kind and message, its traceback in a fold."""
    said, note = _shortened(without_colours(f"{kind}: {message}"), 2000, 40)
    html = f'<pre class="error">{escape(said)}</pre>{note}'
    if traceback.strip():
        html += f'<details class="traceback"><summary>Traceback</summary>{output_html(traceback)}</details>'
    return html


def words_html(text: str, longest: int = 2000) -> str:
    """A few words of a stranger's for the middle of a sentence: a name, a message, a reason."""
    return escape(shortened(visible(without_colours(text)), longest, 40))


def plain_html(text: str, note: str = "") -> str:
    """The beginning of a text as it was written, with a sentence that says why."""
    return _plain(_shortened(text, LONGEST, MOST_LINES)[0], note)


def _plain(text: str, note: str = "") -> str:
    """Text as it was written, with a sentence that says why."""
    return f'<pre class="plain">{escape(text)}</pre>' + (f'<p class="note">{note}</p>' if note else "")


def without_colours(text: str) -> str:
    """Text without a terminal's codes."""
    return ESCAPES.sub("", text)


def _shortened(text: str, characters: int, lines: int) -> tuple[str, str]:
    """Visible text cut to a length, and the sentence that says so."""
    text = visible(text)
    kept = shortened(text, characters, lines)
    return kept, "" if kept == text else f'<p class="note">{CUT.format(characters, lines)}</p>'


def _within(seconds: float, text: str, make: Callable[[], str]) -> str:
    """What `make` returns, or the plain text if it fails or is too slow."""
    if seconds <= 0:
        return _plain(text, TOO_SLOW.format(SECONDS))
    began = time.monotonic()
    try:
        with alarm(seconds):
            return make()
    except Exception:
        late = time.monotonic() - began >= seconds
        return _plain(text, TOO_SLOW.format(seconds) if late else NOT_FORMATTED)


def _coloured(source: str) -> str:
    return "".join(_token(kind, escape(value)) for kind, value in _lexer().get_tokens(source))


@cache
def _lexer():
    from pygments.lexers import PythonLexer

    return PythonLexer(stripnl=False, ensurenl=False)


def _token(kind, value: str) -> str:
    for name, kinds in _kinds().items():
        if any(kind in group for group in kinds):
            return f'<span class="{name}">{value}</span>'
    return value


@cache
def _kinds() -> dict:
    from pygments.token import Comment, Keyword, Name, Number, Operator, String

    names = (Name.Function, Name.Class, Name.Decorator)
    return {"k": (Keyword, Operator.Word), "s": (String,), "n": (Number,), "c": (Comment,), "f": names}
