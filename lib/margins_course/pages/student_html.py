"""Students' text and answers as HTML that can do nothing, each part within limits of size and time.

Whatever goes wrong or takes long costs the formatting: the text is then shown as it was written. The pages of
feedback, review and similarity share the styles in answer.css and the policy of what a browser may do.
"""

import base64
import hashlib
import re
import time
from collections.abc import Callable
from functools import cache
from html import escape
from pathlib import Path

from margins_course.grading.results import Piece, Work
from margins_course.pages.formula_sandbox import FormulaProcess
from margins_course.pages.markdown import AUTHORS, STUDENTS, FormulaRenderer, authors_mathml, render_markdown
from margins_course.sandbox.limits import memory_limit, time_limit
from margins_course.wording import shortened, visible

LONGEST, MOST_LINES = 100_000, 4000  # of one cell
LONGEST_OUTPUT, MOST_OUTPUT_LINES = 20_000, 300
CELL_SECONDS = 5.0
LARGEST_FORMATTING, LARGEST_HTML = 256 << 20, 5_000_000  # bytes that formatting one cell may take, characters
NOT_FORMATTED = "This is shown as it was written: it could not be formatted."
TOO_SLOW = "This is shown as it was written: to format it takes longer than {:g} seconds."
CUT = "Cut here: {} characters and {} lines are shown at most."
ESCAPES = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]?|\][^\x07\x1b]{0,500}(?:\x07|\x1b\\)?|[@-Z\\^_])"
)  # of a terminal


def markdown_html(text: str, seconds: float = CELL_SECONDS, setter: FormulaRenderer | None = None) -> str:
    """A student's Markdown as clean HTML, in at most some seconds; `setter` sets its formulas."""
    if setter is None:
        with FormulaProcess() as formulas:
            return markdown_html(text, seconds, formulas.mathml)
    kept, note = _shortened(text, LONGEST, MOST_LINES)
    return _within_time(seconds, kept, lambda: _formatted(kept, setter)) + note


def _formatted(text: str, setter: FormulaRenderer) -> str:
    """Markdown as clean HTML; a MemoryError or ValueError where that takes too much."""
    with memory_limit(LARGEST_FORMATTING):
        html = render_markdown(text, setter)
    if len(html) > LARGEST_HTML:  # nh3 cannot be stopped by a limit without the whole process
        raise ValueError("too much HTML")
    return STUDENTS.clean(html)


@cache
def authors_html(text: str) -> str:
    """Markdown of the book's authors (statement, rubric, solution) as HTML, with links to https."""
    return AUTHORS.clean(render_markdown(text, authors_mathml, authors=True))


def authors_line(text: str) -> str:
    """One paragraph of the authors' Markdown without its <p>, for a title or a line of a list."""
    html = authors_html(text).strip()
    return html[3:-4] if html.startswith("<p>") and html.count("<p>") == 1 and html.endswith("</p>") else html


def code_html(source: str, seconds: float = CELL_SECONDS) -> str:
    """Python code in colours, never run or compiled."""
    kept, note = _shortened(source, LONGEST, MOST_LINES)
    coloured = _within_time(seconds, kept, lambda: f'<pre class="code"><code>{_coloured(kept)}</code></pre>')
    return coloured + note


def output_html(text: str) -> str:
    """What code printed, without the codes of a terminal."""
    kept, note = _shortened(ESCAPES.sub("", text), LONGEST_OUTPUT, MOST_OUTPUT_LINES)
    return f'<pre class="printed">{escape(kept)}</pre>{note}'


def error_html(kind: str, message: str, traceback: str = "") -> str:
    """An error that ended a cell: its kind and message, its traceback in a fold."""
    said, note = _shortened(ESCAPES.sub("", f"{kind}: {message}"), 2000, 40)
    html = f'<pre class="error">{escape(said)}</pre>{note}'
    if traceback.strip():
        html += f'<details class="traceback"><summary>Traceback</summary>{output_html(traceback)}</details>'
    return html


def inline_html(text: str, longest: int = 2000) -> str:
    """A few untrusted words, such as a name or a message, escaped for use within a sentence."""
    return escape(shortened(visible(ESCAPES.sub("", text)), longest, 40))


def _plain(text: str, note: str) -> str:
    """Text as it was written, with a sentence that says why."""
    return f'<pre class="plain">{escape(text)}</pre><p class="note">{note}</p>'


def _shortened(text: str, characters: int, lines: int) -> tuple[str, str]:
    """Visible text cut to a length, and the sentence that says so."""
    text = visible(text)
    kept = shortened(text, characters, lines)
    return kept, "" if kept == text else f'<p class="note">{CUT.format(characters, lines)}</p>'


def _within_time(seconds: float, text: str, make: Callable[[], str]) -> str:
    """What `make` returns, or the plain text if it fails or is too slow."""
    if seconds <= 0:
        return _plain(text, TOO_SLOW.format(CELL_SECONDS))
    began = time.monotonic()
    try:
        with time_limit(seconds):
            return make()
    except Exception:
        late = time.monotonic() - began >= seconds
        return _plain(text, TOO_SLOW.format(seconds) if late else NOT_FORMATTED)


def _coloured(source: str) -> str:
    from pygments.lexers import PythonLexer  # here, because only pages need it
    from pygments.token import Comment, Keyword, Name, Number, Operator, String

    names = (Name.Function, Name.Class, Name.Decorator)
    kinds = {"k": (Keyword, Operator.Word), "s": (String,), "n": (Number,), "c": (Comment,), "f": names}

    def token(kind, value):
        found = (name for name, groups in kinds.items() if any(kind in group for group in groups))
        name = next(found, "")
        return f'<span class="{name}">{escape(value)}</span>' if name else escape(value)

    tokens = PythonLexer(stripnl=False, ensurenl=False).get_tokens(source)
    return "".join(token(kind, value) for kind, value in tokens)


ANSWER_CSS = Path(__file__).with_name("answer.css").read_text(encoding="utf-8")
ANSWER_SECONDS = 6.0  # for all pieces of one answer; what comes later is shown as it was written
MOST_PIECES, MOST_PICTURES = 100, 12
MOST_TAGS = 50_000  # of an answer: all answers to an exercise stand on one page
TOO_LARGE = "This is shown as it was written: the answer is too large to be formatted."
NOTHING_WRITTEN = '<p class="note">Nothing is written here.</p>'


def answer_html(work: Work, seconds: float = ANSWER_SECONDS, setter: FormulaRenderer | None = None) -> str:
    """A student's work on one exercise as HTML that can do nothing, made in at most some seconds.

    `setter` sets the formulas: the `mathml` of a FormulaProcess that all answers of one student may share.
    """
    if setter is None:
        with FormulaProcess() as formulas:
            return answer_html(work, seconds, formulas.mathml)
    end, shown = time.monotonic() + seconds, work.pieces[:MOST_PIECES]
    pieces, tags = [], MOST_TAGS
    for piece in shown:
        if piece.source.strip() or piece.printed or piece.error or piece.pictures:
            html = _piece(piece, setter, end)
            tags -= html.count("<")
            pieces.append(html if tags >= 0 else _unformatted(piece))
    if (left_out := len(work.pieces) - MOST_PIECES) > 0:
        pieces.append(f'<p class="note">{left_out} more cells are not shown; the notebook has them.</p>')
    return f'<div class="answer">{"".join(pieces) or NOTHING_WRITTEN}</div>'


def _piece(piece: Piece, setter: FormulaRenderer, end: float) -> str:
    """One cell, and what it did when it ran."""
    left = min(5.0, end - time.monotonic())
    if piece.kind == "markdown":
        pictures = "".join(picture_html(one, "A picture in this answer") for one in piece.pictures)
        return f'<div class="written">{markdown_html(piece.source, left, setter)}</div>{pictures}'
    html = code_html(piece.source, left)
    if piece.printed:
        html += output_html(piece.printed)
    html += "".join(map(picture_html, piece.pictures[:MOST_PICTURES]))
    return html + (error_html(*piece.error) if piece.error else "")


def _unformatted(piece: Piece) -> str:
    """The beginning of one cell and of what it printed, as they were written."""
    kept, _ = _shortened(piece.source, LONGEST, MOST_LINES)
    return _plain(kept, TOO_LARGE) + (output_html(piece.printed) if piece.printed else "")


def picture_html(encoded: str, said: str = "A figure that this code drew") -> str:
    """A PNG in base64, which was made outside of the sandbox, as an <img> with its data."""
    if not encoded:
        return '<p class="note">A picture is not shown: it cannot be read, or is one too many.</p>'
    return f'<img class="drawn" alt="{said}" src="data:image/png;base64,{escape(encoded)}">'


NOTHING_ELSE = "img-src data:; base-uri 'none'; form-action 'none'"


def content_security_policy(style: str, script: str = "") -> str:
    """The content security policy of a page with a style, and perhaps a script that may ask its server."""
    scripts = f"script-src {_hash(script)}; connect-src 'self'; " if script else ""
    return f"default-src 'none'; {scripts}style-src {_hash(style)}; {NOTHING_ELSE}"


def _hash(text):
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
