"""The sentences of a source: its text without markup, cut where a sentence, list item or table row ends.

A sentence is known by its digest. Neither line breaks nor markup nor the form of quotation marks change it;
nor do, inside formulas, spaces and the letters with which one of the copies lost the backslash of a command.
(book: The claims ledger)
"""

import hashlib
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import yaml

BULLET = re.compile(r"^\s*(?:[-*•]|\d+\.)\s+")
LABEL = re.compile(r"^\*\*([^*]+):\*\*\s+")  # a bold label before a sentence, as in "**Claim:** ..."
RULE = re.compile(r"^(?:-{3,}|\|[-:| ]+\||`{3}.*)$")
EMPHASIS = re.compile(r"(?<![*\\])\*{1,2}(?=\S)([^*$]+?)(?<=\S)\*{1,2}|</?sup>|`")
REFERENCE = re.compile(r"\(\d{4}\)\. ")  # a line of a list of references stays one sentence
CHINESE_END = re.compile(r"(?<=[。！？])(?=\S)")
ENGLISH_END = re.compile(r"(?<=[.!?])[”\"’')]?\s+(?=[“\"‘'(]?[A-Z])")
NO_END = re.compile(r"\b(?:e\.g|i\.e|al|vs)\.$")
FORMULA = re.compile(r"(\$\$.+?\$\$|\$[^$]+\$)", re.DOTALL)
LOST = re.compile(
    r"\\[abfnrtv](?=[a-z])|\s+"
)  # of \frac a copy has "rac": \f was read as a control character
SECTION = re.compile(r"\d+(?:\.\d+)+(?= )")
TITLE = "Transformers as Support Vector Machines"
# one source bears its title wherever its pictures of formulas stood; a line of its own was a figure
PICTURE = re.compile(rf"(?<![“\"])\s*{TITLE}\s*(?![”\"])")
QUOTES = str.maketrans("“”‘’", "\"\"''")


class Sentence(NamedTuple):
    """A sentence of a source, and the heading or label under which it stands."""

    place: str
    text: str

    @property
    def digest(self) -> str:
        return digest(self.text)


def digest(text: str) -> str:
    """Twelve hexadecimal digits by which a sentence is known where its source is not at hand."""
    parts = FORMULA.split(without_markup(text).translate(QUOTES))
    parts[1::2] = [LOST.sub("", formula) for formula in parts[1::2]]
    plain = " ".join("".join(parts).split()).strip('"')  # a mark whose partner stands in another sentence
    return hashlib.sha256(plain.encode("utf-8")).hexdigest()[:12]


def without_markup(text: str) -> str:
    """A text without the marks of emphasis and code; what stands between dollars is not touched."""
    parts = FORMULA.split(text)
    parts[::2] = [EMPHASIS.sub(lambda mark: mark[1] or "", part) for part in parts[::2]]
    return "".join(parts)


def sentences(text: str) -> list[Sentence]:
    """All sentences of a source in their order, headings and rows of tables among them."""
    head, body = front_matter(text)
    return [*head, *(Sentence(place, cut) for place, line in joined(body) for cut in cuts(line))]


def front_matter(text: str) -> tuple[list[Sentence], str]:
    """The sentences of the YAML that stands before a text, and the text itself."""
    match = re.match(r"---\n(.*?)\n---\n(.*)", text, re.DOTALL)
    if not match:
        return [], text
    found = []
    for name, value in yaml.safe_load(match[1]).items():
        for item in value if isinstance(value, list) else [value]:
            found += [Sentence(f"head, {name}", cut) for cut in cuts(str(item))]
    return found, match[2]


def joined(text: str) -> Iterator[tuple[str, str]]:
    """The paragraphs with their places; a displayed formula belongs to the words before it."""
    place = paragraph = ""
    for line in lines(text):
        if paragraph and not line.startswith("#") and continues(paragraph, line):
            paragraph = f"{paragraph} {line}"
            continue
        if paragraph:
            yield place_of(place, paragraph)
        if line.startswith("#"):
            place = heading(line)
        paragraph = line
    if paragraph:
        yield place_of(place, paragraph)


def heading(line: str) -> str:
    """The place that a heading names: its section's number if it has one."""
    title = without_markup(line.lstrip("# "))
    number = SECTION.match(title)
    return f"§{number[0]}" if number else title


def lines(text: str) -> Iterator[str]:
    """The lines of a text that are not empty, a displayed formula on one line."""
    formula: list[str] = []
    for line in map(str.strip, text.split("\n")):
        if not line or RULE.match(line):
            continue
        if formula or line.count("$$") == 1:
            formula.append(line)
            if len(formula) > 1 and "$$" in line:
                yield " ".join(formula)
                formula = []
        else:
            yield line
    yield from formula


def continues(paragraph: str, line: str) -> bool:
    """Whether the line is a displayed formula that the paragraph announces, or ends its open formula."""
    announced = line.startswith("$$") and paragraph.endswith((":", "：", "$$"))
    return announced or paragraph.count("$") % 2 == 1


def place_of(place: str, paragraph: str) -> tuple[str, str]:
    """The place with the paragraph's bold label, and the paragraph without it and without its bullet."""
    if paragraph.startswith("#"):
        return place, paragraph
    plain = BULLET.sub("", paragraph).strip("|").strip()
    label = LABEL.match(plain)
    return (f"{place}, {label[1]}", plain[label.end() :]) if label else (place, plain)


def cuts(paragraph: str) -> list[str]:
    """The sentences of a paragraph, without markup and with [formula] for a picture of one."""
    plain = without_markup(with_formulas(paragraph))
    if plain.startswith("#") or REFERENCE.search(plain):
        return [plain.lstrip("# ")]
    ends = [0, *ends_of_sentences(plain), len(plain)]
    return [plain[start:end].strip() for start, end in pairwise(ends)]


def with_formulas(paragraph: str) -> str:
    """The paragraph with [formula] in place of a title that stands where a picture of a formula was."""
    return paragraph if paragraph.lstrip("# ") == TITLE else PICTURE.sub(" [formula] ", paragraph).strip()


def ends_of_sentences(text: str) -> list[int]:
    """Where sentences end: not inside a formula, and not behind an initial or an abbreviation."""
    found = [match.end() for match in CHINESE_END.finditer(text)]
    for match in ENGLISH_END.finditer(text):
        if text[: match.start()].count("$") % 2 == 0 and not NO_END.search(text[: match.start()]):
            found.append(match.end())
    return sorted(found)
