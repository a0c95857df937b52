"""What JupyterLab writes into a chapter's source: the lines that were edited, and no others.

Jupytext writes a notebook's text anew: it drops what it does not know of the head, adds its version, and sets
empty lines as it likes. `make lab SOURCE=1` saves through `KeptLines`, which carries over edits alone.
"""

import re
from difflib import SequenceMatcher
from pathlib import Path

import jupytext
from jupyter_server.services.contents.largefilemanager import AsyncLargeFileManager

FORMAT = "md:myst"
HEAD = re.compile(r"\A---\n.*?^---\n", re.DOTALL | re.MULTILINE)
OF_JUPYTEXT = "jupytext_version:"  # in the head of what it writes, and in no source


class KeptLines(AsyncLargeFileManager):
    """A contents manager below that of Jupytext, which gives it the text of a notebook to be saved."""

    async def save(self, model, path=""):
        """Saves a file; of a chapter that Jupytext wrote, the lines that were edited."""
        file = Path(self._get_os_path(path))
        if file.suffix == ".md" and file.is_file() and is_by_jupytext(model.get("content")):
            model = {**model, "content": edited(file.read_text("utf8"), model["content"])}
        return await super().save(model, path)


def is_by_jupytext(text):
    """Whether a text was written by Jupytext, and not by an editor of text."""
    head = HEAD.match(text) if isinstance(text, str) else None
    return head is not None and OF_JUPYTEXT in head[0]


def edited(source, written):
    """The text of a file with the edits that `written`, by Jupytext, has over what it makes of the file."""
    head = HEAD.match(source)[0]
    unedited = jupytext.writes(jupytext.reads(source, fmt=FORMAT), fmt=FORMAT)
    before, after = (HEAD.sub("", text).split("\n") for text in (unedited, written))
    return head + "\n".join(carried_over(source.removeprefix(head).split("\n"), before, after))


def carried_over(lines, before, after):
    """The lines with the edits that lead from `before`, which has another layout, to `after`."""
    starts, ends = places(before, lines)
    made, done = [], 0
    for kind, first, last, start, end in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind == "equal":
            continue
        place = ends[first] if kind == "insert" else starts[first]
        made += [*lines[done:place], *after[start:end]]
        done = max(place, ends[last])
    return made + lines[done:]


def places(before, lines):
    """For each line of `before`, where it begins among `lines`, and where what stands above it ends."""
    starts, ends = [len(lines)] * (len(before) + 1), [0] * (len(before) + 1)
    for block in SequenceMatcher(None, before, lines, autojunk=False).get_matching_blocks():
        for step in range(block.size):
            starts[block.a + step] = block.b + step
            ends[block.a + step + 1] = block.b + step + 1
    for place in range(len(before)):
        ends[place + 1] = max(ends[place + 1], ends[place])
        back = len(before) - 1 - place
        starts[back] = min(starts[back], starts[back + 1])
    return starts, ends
