"""What a program for notebooks shows of MyST that it does not know, in the text of a rendered page."""

import re

RAW = {
    "a role": r"\{[\w:-]+\}`|\{(?:ref|eq|doc|term|numref|cite:[pt]|prf:\w+)\}",
    "a fence": r":::|```",
    "an option": r"^:(?:label|class|tags|words|nonumber):",
    "a comment": r"<!--|^% \w",
    "a target": r"^\([\w-]+\)=",
    "a label of an equation": r"\\label\b|\$\$ *\([\w-]+\)",
}


def raw_in(text):
    """What is raw in the text that a reader sees, each with its line."""
    return [
        f"{kind}: {line.strip()[:100]}"
        for line in text.splitlines()
        for kind, pattern in RAW.items()
        if re.search(pattern, line.strip())
    ]
