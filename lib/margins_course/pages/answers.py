"""A student's work on one exercise as HTML: text and code, what was printed, errors, pictures.

The pages of feedback and of review share it; all pages share the styles in answer.css.
(book: Teaching with this book, Review)
"""

import base64
import binascii
import time
from pathlib import Path

from margins_course.grading.results import Piece, Work
from margins_course.pages.formula_box import FormulaBox
from margins_course.pages.markdown import Setter
from margins_course.pages.student_text import code_html, error_html, markdown_html, output_html, plain_html

ANSWER_CSS = Path(__file__).with_name("answer.css").read_text(encoding="utf-8")
SECONDS = 6.0  # for all pieces of one answer; what comes later is shown as it was written
MOST_PIECES, MOST_PICTURES = 100, 12
MOST_TAGS = 50_000  # of an answer: all answers to an exercise stand on one page
LARGEST_PICTURE, WIDEST_PICTURE = 2_000_000, 4000  # bytes, pixels
SIGNATURE, HEADER = b"\x89PNG\r\n\x1a\n", b"\x00\x00\x00\rIHDR"
TOO_LARGE = "This is shown as it was written: the answer is too large to be formatted."
NOTHING = '<p class="note">Nothing is written here.</p>'


def answer_html(work: Work, seconds: float = SECONDS, setter: Setter | None = None) -> str:
    """A student's work on one exercise as HTML that can do nothing, made in at most some seconds.

    `setter` sets the formulas: the `mathml` of a FormulaBox that all answers of one student may share.
    """
    if setter is None:
        with FormulaBox() as box:
            return answer_html(work, seconds, box.mathml)
    end, shown = time.monotonic() + seconds, work.pieces[:MOST_PIECES]
    pieces, tags = [], MOST_TAGS
    for piece in shown:
        if not _is_empty(piece):
            html = _piece(piece, setter, end)
            tags -= html.count("<")
            pieces.append(html if tags >= 0 else _unformatted(piece))
    if (left_out := len(work.pieces) - MOST_PIECES) > 0:
        pieces.append(f'<p class="note">{left_out} more cells are not shown; the notebook has them.</p>')
    return f'<div class="answer">{"".join(pieces) or NOTHING}</div>'


def _is_empty(piece: Piece) -> bool:
    return not (piece.source.strip() or piece.printed or piece.error or piece.pictures)


def _piece(piece: Piece, setter: Setter, end: float) -> str:
    """One cell, and what it did when it ran."""
    left = min(5.0, end - time.monotonic())
    if piece.kind == "markdown":
        return f'<div class="written">{markdown_html(piece.source, left, setter)}</div>'
    html = code_html(piece.source, left)
    if piece.printed:
        html += output_html(piece.printed)
    html += "".join(map(picture_html, piece.pictures[:MOST_PICTURES]))
    return html + (error_html(*piece.error) if piece.error else "")


def _unformatted(piece: Piece) -> str:
    """One cell and what it printed, as they were written."""
    return plain_html(piece.source, TOO_LARGE) + (output_html(piece.printed) if piece.printed else "")


def picture_html(encoded: str) -> str:
    """A picture in base64 as an <img> with its data, if it is a PNG of reasonable size."""
    try:
        content = base64.b64decode(encoded, validate=True)
    except (binascii.Error, ValueError):
        content = b""
    if not is_png(content):
        return '<p class="note">A picture is not shown: it is no PNG, or too large.</p>'
    data = base64.b64encode(content).decode()
    return f'<img class="drawn" alt="A figure that this code drew" src="data:image/png;base64,{data}">'


def is_png(content: bytes) -> bool:
    """Whether bytes begin as a PNG does, and are not too many or too wide."""
    if len(content) > LARGEST_PICTURE or content[:8] != SIGNATURE or content[8:16] != HEADER:
        return False
    width, height = int.from_bytes(content[16:20], "big"), int.from_bytes(content[20:24], "big")
    return 0 < width <= WIDEST_PICTURE and 0 < height <= WIDEST_PICTURE
