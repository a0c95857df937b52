"""What a source says, whole: `{said} ID ...` folds the sentences of `book/quotations.yml` away until a tap.

A box quotes a part of a sentence; below it the directive shows all of it, with its source and place.
"""

import re

from docutils import nodes
from sphinx.errors import ExtensionError

from extensions.pages.dropdowns import fold
from extensions.pages.tree import GeneratingDirective
from margins_book.sources.quotations import QUOTATIONS_FILE, Quotation, read_quotations

FORMULA = re.compile(r"\s*(\$\$.+?\$\$)\s*")
SOURCES = {  # as a reader calls them who has not met the names of the ledger
    "equivalence": "the Chinese-language chapter",
    "newsletter": "the newsletter",
    "news": "the news report",
    "summary": "the structured summary",
    "poster": "the poster",
}


class Said(GeneratingDirective):
    """`{said} ID ...`: a folded box for each sentence."""

    required_arguments = 1
    final_argument_whitespace = True

    def run(self):
        self.env.note_dependency(str(QUOTATIONS_FILE))
        return [self.folded(quotation) for quotation in named(self.arguments[0])]

    def folded(self, quotation):
        """The sentence, and its translation if it is not English, below a line that names its place."""
        box = fold(
            "", nodes.title("", f"The whole sentence: {place_of(quotation)}"), classes=["fold", "said"]
        )
        return self.parsed(box, markdown(quotation))


def named(ids: str) -> list[Quotation]:
    """The quotations with these ids."""
    known = read_quotations()
    if unknown := [name for name in ids.split() if name not in known]:
        raise ExtensionError(
            f"said: {QUOTATIONS_FILE.name} has no quotation {unknown[0]!r}; add it there first"
        )
    return [known[name] for name in ids.split()]


def place_of(quotation: Quotation) -> str:
    """Source and place in the words of a sentence: `the news report, on Section 5.2`."""
    return f"{SOURCES[quotation.source]}, {quotation.place}"


def whole(quotation: Quotation) -> str:
    """The whole sentence, with our translation and what is to be known of our copy."""
    parts = [displayed(quotation.text)]
    if quotation.english:
        parts.append(f"*In our translation:* {displayed(quotation.english)}")
    if quotation.note:
        parts.append(f"(Of our copy: {quotation.note}.)")
    return "\n\n".join(parts)


def markdown(quotation: Quotation) -> str:
    """The whole sentence as a block quotation."""
    return "\n".join(f"> {line}".rstrip() for line in whole(quotation).split("\n"))


def displayed(text: str) -> str:
    """The text with displayed formulas on lines of their own, and no bracket that begins a link."""
    apart = re.sub(r"\n{3,}", "\n\n", FORMULA.sub(r"\n\n\1\n\n", text)).strip()
    return re.sub(r"^\[", r"\\[", apart)


def setup(app):
    app.add_directive("said", Said)
