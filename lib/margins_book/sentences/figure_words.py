"""What the cells of a page say in words: answers of prompts, captions, alternative texts; what holds them.

(book: How to read and run this book, Reading)
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from margins_book.sentences.blocks import Passage

COMMENT = re.compile(r'#[ \t]*The text:[ \t]*"((?:[^"\n]|\n[ \t]*#[ \t]*)*)"')
COMPUTED = "{}"  # stands for what an f-string computes


@dataclass
class Words:
    """Words in a cell: their kind, their line, what the prompt says of itself."""

    kind: str
    line: int
    text: str
    has_condition: bool = False  # its prompt has `holds=`
    says: str = ""


@dataclass
class Quotation:
    """Words of the page that a cell quotes to hold them: above an assertion, or beside a condition."""

    line: int
    words: str
    is_asserted: bool


@dataclass
class CellWords:
    """All that the cells of a page say and quote."""

    words: list[Words] = field(default_factory=list)
    comments: list[Quotation] = field(default_factory=list)
    conditions: list[Quotation] = field(default_factory=list)


def read_cells(cells: list[Passage]) -> CellWords:
    """What the cells say and quote."""
    found = CellWords()
    for cell in cells:
        before, tree = cell.lines[0][0] - 1, ast.parse(cell.text)
        found.comments += comments(cell.text, tree, before)
        for call in [node for node in ast.walk(tree) if isinstance(node, ast.Call)]:
            found.words += words_of(call, before)
            found.conditions += conditions_of(call, before)
    found.words.sort(key=lambda one: one.line)
    return found


def words_of(call: ast.Call, before: int) -> Iterator[Words]:
    """The words that a call of `prompt`, `explore` or `show` displays; its cell is after line `before`."""
    name, given = name_of(call), {word.arg: word.value for word in call.keywords}
    if name == "prompt":
        answer = given.get("answer") or call.args[1]
        says = text_of(given["says"]) if "says" in given else ""
        yield Words("answer of a prompt", before + answer.lineno, text_of(answer), "holds" in given, says)
    if name in ("explore", "show") and "caption" in given:
        yield Words("caption", before + given["caption"].lineno, text_of(given["caption"]))
    if name == "show" and "alt" in given:
        yield Words("alternative text", before + given["alt"].lineno, text_of(given["alt"]))


def conditions_of(call: ast.Call, before: int) -> Iterator[Quotation]:
    """The words of the page that `explore(holds={words: condition})` holds."""
    for word in call.keywords:
        if name_of(call) == "explore" and word.arg == "holds" and isinstance(word.value, ast.Dict):
            for key in filter(None, word.value.keys):
                yield Quotation(before + key.lineno, plain(text_of(key)), is_asserted=True)


def name_of(call: ast.Call) -> str:
    """The last name of what is called."""
    return str(getattr(call.func, "attr", "") or getattr(call.func, "id", ""))


def text_of(node: ast.expr) -> str:
    """The words that an expression writes down; what it computes is left open."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    if isinstance(node, ast.JoinedStr):
        return "".join(text_of(part) if isinstance(part, ast.Constant) else COMPUTED for part in node.values)
    if isinstance(node, ast.BinOp):
        return text_of(node.left) + text_of(node.right)
    return COMPUTED


def comments(code: str, tree: ast.Module, before: int) -> Iterator[Quotation]:
    """The comments of a cell that quote a sentence, and whether an assertion follows each."""
    found = list(COMMENT.finditer(code))
    asserted = [node.lineno for node in ast.walk(tree) if isinstance(node, ast.Assert)]
    for number, match in enumerate(found):
        line, following = code.count("\n", 0, match.start()) + 1, found[number + 1 :]
        ends = [code.count("\n", 0, one.start()) + 1 for one in following if not adjoins(code, match, one)]
        until = ends[0] if ends else code.count("\n") + 2
        yield Quotation(before + line, plain(match[1]), any(line < at < until for at in asserted))


def adjoins(code: str, one: re.Match[str], other: re.Match[str]) -> bool:
    """Whether only comments stand between two comments, so that what follows holds both."""
    between = code[one.end() : other.start()].splitlines()[1:]
    return all(line.strip().startswith("#") or not line.strip() for line in between)


def plain(quoted: str) -> str:
    """Quoted words in one line, without the dots that stand for the rest of the sentence."""
    words = " ".join(re.sub(r"\n[ \t]*#", " ", quoted).split())
    return re.sub(r"\s*(\.\.\.|…)$", "", words)
