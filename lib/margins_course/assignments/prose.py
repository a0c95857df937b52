"""The statements of exercises as Markdown that every notebook program renders.

MyST's directives and roles become headings, folded details and links into the published book.
"""

import re

EXERCISE = re.compile(
    r"^(:{3,})\{exercise-start\} *(?P<title>[^\n]*)\n:label: *(?P<label>\S+)\n(?::[^\n]*\n)*?\1[ \t]*\n"
    r"(?P<body>.*?)^\1\{exercise-end\}[ \t]*\n\1[ \t]*$",
    re.M | re.S,
)
FOLDED = re.compile(r"^(:{3,})\{admonition\} *([^\n]*)\n(?::\w+:[^\n]*\n)+(.*?)^\1[ \t]*$", re.M | re.S)
TITLED = re.compile(r"^:{3,}\{prf:(\w+)\} *(.*)\n:label: *(\S+)", re.M)
SECTION = re.compile(r"^\((\S+)\)=\n#+ (.+)", re.M)
ROLE = re.compile(r"\{(prf:ref|ref|numref|eq|cite:\w+)\}`(?:([^`<]*)<)?([^`>]+)>?`")

UNTITLED = {"eq": "(equation)", "numref": "the figure"}  # what has a number in the book and no other name


class Linker:
    """What a chapter's labels are called, and where the published book has them."""

    def __init__(self, text, page):
        self.page, self.book = page, page.rsplit("chapters/", 1)[0]
        self.titles = {
            label: f"{kind} ({title})" if title else kind for kind, title, label in TITLED.findall(text)
        }
        self.titles |= {match["label"]: match["title"].split(" · ")[0] for match in EXERCISE.finditer(text)}
        self.titles |= dict(SECTION.findall(text))

    def markdown(self, role):
        """A MyST role as an ordinary link."""
        kind, given, target = role[1], (role[2] or "").strip(), role[3]
        if kind.startswith("cite"):
            return f"[{target}]({self.book}book/references.html#{target.split(',')[0].strip()})"
        anchor = f"equation-{target}" if kind == "eq" else target
        said = given or UNTITLED.get(kind) or self.titles.get(target, target)
        return f"[{said}]({self.page}#{anchor})"

    def plain(self, text):
        """A piece of a chapter without directives and roles."""
        text = FOLDED.sub(r"<details><summary>\2</summary>\n\n\3\n</details>", text)
        return ROLE.sub(self.markdown, text).strip()


def statements(text, linker):
    """Label and Markdown of each exercise that is stated in `text`."""
    for found in EXERCISE.finditer(text):
        yield found["label"], f"## {found['title']}\n\n{linker.plain(found['body'])}"
