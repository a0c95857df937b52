"""A student's work on one exercise as HTML: text and code, what was printed, errors, pictures.

The pages of feedback, of review and of similar answers share it, and the styles in answer.css.
(book: Teaching with this book, How pages stay harmless)
"""

import base64
import binascii
import time
from pathlib import Path

from margins_course.grading.results import Piece, Work
from margins_course.pages.formula_box import FormulaBox
from margins_course.pages.student_text import code_html, error_html, markdown_html, output_html

ANSWER_CSS = Path(__file__).with_name("answer.css").read_text(encoding="utf-8")
SECONDS = 15.0  # for all pieces of one answer; what comes later is shown as it was written
MOST_PIECES, MOST_PICTURES = 100, 12
LARGEST_PICTURE, WIDEST_PICTURE = 2_000_000, 4000  # bytes, pixels
SIGNATURE, HEADER = b"\x89PNG\r\n\x1a\n", b"\x00\x00\x00\rIHDR"
NOTHING = '<p class="note">Nothing is written here.</p>'


def answer_html(work: Work, seconds: float = SECONDS) -> str:
    """A student's work on one exercise as HTML that can do nothing, made in at most some seconds."""
    end = time.monotonic() + seconds
    with FormulaBox() as box:
        pieces = [_piece(piece, box, end) for piece in work.pieces[:MOST_PIECES] if not _is_empty(piece)]
    if (left_out := len(work.pieces) - MOST_PIECES) > 0:
        pieces.append(f'<p class="note">{left_out} more cells are not shown; the notebook has them.</p>')
    return f'<div class="answer">{"".join(pieces) or NOTHING}</div>'


def _is_empty(piece: Piece) -> bool:
    return not (piece.source.strip() or piece.printed or piece.error or piece.pictures)


def _piece(piece: Piece, box: FormulaBox, end: float) -> str:
    """One cell, and what it did when it ran."""
    left = min(5.0, end - time.monotonic())
    if piece.kind == "markdown":
        return f'<div class="written">{markdown_html(piece.source, left, box.mathml)}</div>'
    html = code_html(piece.source, left)
    if piece.printed:
        html += output_html(piece.printed)
    html += "".join(map(picture_html, piece.pictures[:MOST_PICTURES]))
    return html + (error_html(*piece.error) if piece.error else "")


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
