"""Reads an untrusted notebook file: its cells of Python and Markdown, or the reason why it is refused."""

import json
import re
from functools import lru_cache
from urllib.parse import unquote

import nbformat
from nbformat import NotebookNode

from margins_book.page.solutions import functions_of
from margins_course.assignments.cells import grade_id, nbgrader_role
from margins_course.sandbox.photographs import MOST_PHOTOGRAPHS

LARGEST, MOST_CELLS = 10_000_000, 1000  # bytes, for photographed proofs; each cell takes milliseconds


class Refused(Exception):  # noqa: N818 - its message is the reason that the student reads
    """A file that cannot be marked."""


def too_large(size: int) -> str:
    return f"the file has {size} bytes; at most {LARGEST} are accepted (clear the outputs)"


def read_submission(content: bytes) -> list[NotebookNode]:
    """The cells of a notebook: kind, source, grade id, pictures in text; nothing else of the file."""
    if len(content) > LARGEST:
        raise Refused(too_large(len(content)))
    parsed = _parsed(content)
    got = parsed.get("nbformat") if isinstance(parsed, dict) else type(parsed).__name__
    if got != 4:
        said = f"this is no notebook of format 4, but {str(got)[:20]!r}"
        raise Refused(f"{said}; save it with a current Jupyter")
    if not isinstance(parsed.get("cells"), list):
        raise Refused("the notebook has no list of cells")
    if len(parsed["cells"]) > MOST_CELLS:
        raise Refused(f"the notebook has {len(parsed['cells'])} cells; at most {MOST_CELLS} are accepted")
    return [made for cell in parsed["cells"] if (made := _cell(cell)) is not None]


def check_belongs(cells: list[NotebookNode], reference_source: str) -> None:
    """Raises Refused unless a notebook answers some exercise of the assignment, with or without metadata."""
    names, functions = _answer_cells(reference_source)
    defined = re.compile(r"^def (\w+)", re.M)
    for cell in cells:
        if grade_id(cell) in names:
            return
        if cell.cell_type == "code" and functions.intersection(defined.findall(cell.source)):
            return
    raise Refused("none of the assignment's answer cells is in it: probably another notebook")


@lru_cache(maxsize=4)
def _answer_cells(reference_source):
    """The names of the cells in which students answer, and of the functions that they define there."""
    cells = nbformat.reads(reference_source, 4).cells
    answers = [cell for cell in cells if nbgrader_role(cell).solution]
    code = [cell.source for cell in answers if cell.cell_type == "code"]
    return {grade_id(cell) for cell in answers}, {name for source in code for name in functions_of(source)}


def _parsed(content):
    if not content.strip():
        raise Refused("the file is empty")
    try:
        return json.loads(content.decode("utf-8-sig"))
    except UnicodeDecodeError as reason:
        raise Refused(f"the file is not UTF-8 text (byte {reason.start}); notebooks are") from None
    except (ValueError, RecursionError):
        raise Refused("the file is not a notebook: it is not JSON, or was cut off") from None


def _cell(cell):
    """A code or Markdown cell as a new one; None for anything else. Raw text is taken for Markdown."""
    if not isinstance(cell, dict) or cell.get("cell_type") not in ("code", "markdown", "raw"):
        return None
    source = cell.get("source", "")
    lines = source if isinstance(source, list) else [source]
    if not all(isinstance(line, str) for line in lines):
        raise Refused("a cell's source is not text")
    text = "".join(lines).encode("utf-8", "replace").decode("utf-8")  # no lone surrogates: no file takes them
    metadata = cell.get("metadata")
    role = metadata.get("nbgrader") if isinstance(metadata, dict) else None
    name = role.get("grade_id") if isinstance(role, dict) else None
    kept = {"nbgrader": {"grade_id": name}} if isinstance(name, str) else {}
    kind = "code" if cell["cell_type"] == "code" else "markdown"
    made = {"cell_type": kind, "source": text, "metadata": kept}
    if kind == "markdown":
        made["source"], made["pictures"] = _pictures(text, cell.get("attachments"))
    return nbformat.from_dict(made)  # nbformat's own makers validate each cell: ten times as long


PICTURE = re.compile(r"data:image/[\w.+-]+;base64,([A-Za-z0-9+/=]*)|attachment:([^\s()\"'<>]+)")


def _pictures(text, attachments):
    """A text without the data of its pictures, and these in base64 in their order, none decoded."""
    attachments = attachments if isinstance(attachments, dict) else {}
    found: list[str] = []

    def named(match):
        data = match[1] if match[2] is None else _data_of(attachments.get(unquote(match[2])))
        if data and len(found) <= MOST_PHOTOGRAPHS:  # one too many is named, no more are kept
            found.append(data)
        return match[0] if match[2] else "attachment:picture"

    return PICTURE.sub(named, text), found


def _data_of(attachment):
    """The first picture of an attachment in base64, "" if there is none."""
    for kind, data in attachment.items() if isinstance(attachment, dict) else ():
        lines = data if isinstance(data, list) else [data]
        if kind.startswith("image/") and all(isinstance(line, str) for line in lines):
            return "".join(lines)
    return ""
