"""The page of the claims ledger, book/claims.md, written from book/claims.yml."""

import re
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parent.parent
LEDGER = ROOT / "book" / "claims.yml"
PAGE = ROOT / "book" / "claims.md"
THEOREM = re.compile(r"-(thm|cor|prop|lem|def)-")  # such labels are numbered by sphinx-proof

HEAD = """---
myst:
  html_meta:
    description: "What the sources of this book claim of SVMs, kernels and the Transformer, and what holds."
---

# The claims ledger

This book grew from texts that call attention a kernel machine and Transformers support vector machines.
Here is what they claim, one by one, and what became of it.
The *verdict* judges the statement as its source makes it; what follows is what holds instead;
the last line says how we know and where to look.
Each test named here runs with the book's tests and fails if its statement does.
Behind a test's name stands the last comparison of two numbers that it made when the tests last ran,
if it made one: what was measured, and the bound that it had to keep.
This page is written from `book/claims.yml` by `python scripts/claims.py`.

:::{admonition} The sources, by the names used here
:class: dropdown

"""


def load():
    """The ledger: its sources by name, and its claims in order."""
    ledger = yaml.safe_load(LEDGER.read_text(encoding="utf-8"))
    return ledger["sources"], ledger["claims"]


def page(sources, claims):
    """The whole page as MyST Markdown."""
    parts, chapter = [HEAD + legend(sources)], None
    for claim in claims:
        if chapter_of(claim) != chapter:
            chapter = chapter_of(claim)
            parts.append(f"\n## Chapter {chapter}\n")
        parts.append(entry(claim, sources))
    return "\n".join(parts)


def legend(sources):
    """The short name of each source, and what it is."""
    return (
        "".join(f"{name}\n: {source[0].upper()}{source[1:]}.\n\n" for name, source in sources.items())
        + ":::\n"
    )


def chapter_of(claim):
    return claim["id"][1:].split(".")[0]


def entry(claim, sources):
    """One claim: what is said and by whom, the verdict, what holds, how we know."""
    name, place = claim["source"]
    source = sources[name] + (f", {place}" if place else "")
    return (
        f"({anchor(claim)})=\n\n"
        f"::::{{container}} claim {kinds(claim)}\n"
        f"**{claim['id']}** ({claim['verdict']}). {claim['statement']}\n"
        f": {source[0].upper()}{source[1:]}.\n"
        f": **What holds.** {claim['correction']}\n"
        f": {known(claim)}.\n"
        "::::\n"
    )


def kinds(claim):
    """What the page's filter goes by, as classes: `chapter-1 verdict-true-if` and so on."""
    kinds = {"chapter": chapter_of(claim), "verdict": claim["verdict"], "source": claim["source"][0]}
    kinds["status"] = claim["status"]
    return " ".join(f"{kind}-{value}".replace(" ", "-") for kind, value in kinds.items())


def known(claim):
    """How we know, with links to the place in the book and to the tests."""
    role = "prf:ref" if THEOREM.search(claim["section"]) else "ref"
    place = f"*{claim['status'].capitalize()}*, see {{{role}}}`{claim['section']}`"
    return "; ".join([place, ", ".join(f"{{claim-test}}`{test}`" for test in claim["tests"])]).removesuffix(
        "; "
    )


def anchor(claim):
    """The label of a claim on the page, as `claim-c1-05`."""
    return "claim-" + claim["id"].lower().replace(".", "-")


if __name__ == "__main__":
    PAGE.write_text(page(*load()), encoding="utf-8")
    print(f"wrote {PAGE.relative_to(ROOT)}")
