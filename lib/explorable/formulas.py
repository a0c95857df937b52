"""Formulas and Markdown of captions and prompts as HTML that needs no script: TeX becomes MathML.

A notebook sets the mathematics of its text cells, not that of a widget. What captions use is set here:
letters, signs, scripts, fractions, roots, accents, alphabets.
"""

import re
import unicodedata
from functools import lru_cache
from html import escape

from explorable.errors import ExplorableError
from explorable.text import SIGNS, formula_to_text, greek_letter

TOKEN = re.compile(r"\\[A-Za-z]+|\\.|\S", re.DOTALL)
SPACES = {",": "0.17em", ";": "0.28em", ":": "0.22em", " ": "0.33em", "quad": "1em", "qquad": "2em"}
FUNCTIONS = {
    "arg", "cos", "det", "dim", "exp", "inf", "lim", "ln", "log", "max", "min", "sin", "sup", "tan", "tanh",
}  # fmt: skip
ACCENTS = {"bar": "¯", "hat": "^", "tilde": "~", "vec": "→", "dot": "˙", "overline": "¯"}
ALPHABETS = {"mathbb": "DOUBLE-STRUCK", "mathcal": "SCRIPT", "mathbf": "BOLD", "mathfrak": "FRAKTUR"}
SIGN_FOLLOWS = {f"<mo>{sign}</mo>" for sign in ("(", "[", "|", ",", "=", "≤", "≥", "≈", "·", "⟨")}
UPRIGHT = {"mathrm", "operatorname", "text", "mathsf"}
SILENT = {"left", "right", "bigl", "bigr", "Bigl", "Bigr", "displaystyle", "textstyle", "!"}
MORE_SIGNS = {"star": "⋆", "ast": "∗", "circ": "∘", "prime": "′", "cdots": "⋯", "{": "{", "}": "}", "|": "‖"}


@lru_cache(1024)
def mathml(tex: str) -> str:
    """A formula as MathML; an ExplorableError names what cannot be set."""
    reader = _Reader(tex)
    row = reader.row()
    if reader.tokens:
        raise reader.error("a closing brace without its partner")
    return f'<math class="explorable-math">{_row(row)}</math>'


def markdown_to_html(markdown: str) -> str:
    """The HTML of a line of Markdown: emphasis, code and formulas; links and roles are their words alone."""
    formulas: list[str] = []

    def kept(found: re.Match[str]) -> str:
        formulas.append(_formula(found[1]))
        return f"\0{len(formulas) - 1}\0"

    text = escape(re.sub(r"\$([^$]+)\$", kept, markdown))
    text = re.sub(r"\{[\w:-]+\}`(.*?)\s*(?:&lt;[^`]*&gt;)?`", r"\1", text)
    text = re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", text)
    for mark, tag in ((r"\*\*", "strong"), (r"\*", "em"), ("`", "code")):
        text = re.sub(rf"{mark}(?=\S)(.+?)(?<=\S){mark}", rf"<{tag}>\1</{tag}>", text)
    return re.sub("\0(\\d+)\0", lambda found: formulas[int(found[1])], text)


def _formula(tex: str) -> str:
    """A formula as MathML, or in characters if it has a sign that is not known here."""
    try:
        return mathml(tex)
    except ExplorableError:
        return escape(formula_to_text(tex))


class _Reader:
    """Reads TeX from left to right; `tokens` are those to come, the next one last."""

    def __init__(self, tex: str):
        self.tex = tex
        self.tokens = TOKEN.findall(tex)[::-1]

    def error(self, problem: str) -> ExplorableError:
        return ExplorableError(f"the formula ${self.tex}$ cannot be set: {problem}")

    def row(self) -> list[str]:
        """Elements up to a closing brace or the end, each with its scripts."""
        found: list[str] = []
        while self.tokens and self.tokens[-1] != "}":
            if self.tokens[-1] in "_^'":
                found.append(self.scripts(found.pop() if found else "<mrow></mrow>"))
            elif self.tokens[-1] == "-":
                found.append(self.minus(found[-1] if found else ""))
            elif self.tokens[-1].isdigit():
                found.append(self.number())
            else:
                found += filter(None, [self.element()])
        return found

    def minus(self, before: str) -> str:
        """The sign of a number, or between two terms, by what stands before it."""
        self.tokens.pop()
        is_sign = not before or before in SIGN_FOLLOWS
        return '<mo form="prefix">\N{MINUS SIGN}</mo>' if is_sign else "<mo>\N{MINUS SIGN}</mo>"

    def number(self) -> str:
        """Digits, with a point between them or a comma in braces."""
        digits = ""
        while self.tokens and (self.tokens[-1].isdigit() or self._separates()):
            digits += self.tokens.pop()
            if self.tokens[-3:] == ["}", ",", "{"]:
                del self.tokens[-3:]
                digits += ","
        return f"<mn>{digits}</mn>"

    def _separates(self) -> bool:
        return self.tokens[-1] == "." and len(self.tokens) > 1 and self.tokens[-2].isdigit()

    def scripts(self, base: str) -> str:
        """A base with what stands below and above it."""
        below, above = "", ""
        while self.tokens and self.tokens[-1] in "_^'":
            sign = self.tokens.pop()
            if sign == "_":
                below = self.argument()
            else:
                above += "<mo>′</mo>" if sign == "'" else self.argument()
        above = above if above.count("<") <= 2 else f"<mrow>{above}</mrow>"
        if below and above:
            return f"<msubsup>{base}{below}{above}</msubsup>"
        return f"<msub>{base}{below}</msub>" if below else f"<msup>{base}{above}</msup>"

    def argument(self) -> str:
        """One sign, one digit or a group, as one element."""
        if not self.tokens:
            raise self.error("the end comes where something is expected")
        if self.tokens[-1].isdigit():
            return f"<mn>{self.tokens.pop()}</mn>"
        return self.element() or "<mrow></mrow>"

    def element(self) -> str:
        """What one sign, command or group makes, "" for a command that changes nothing here."""
        token = self.tokens.pop()
        if token == "{":
            return self.group()
        if token.startswith("\\"):
            return self.command(token[1:])
        if token.isalpha():
            return f"<mi>{token}</mi>"
        return f"<mo>{escape(token)}</mo>"

    def group(self) -> str:
        inside = _row(self.row())
        if not self.tokens:
            raise self.error("an opening brace without its partner")
        self.tokens.pop()
        return inside

    def command(self, name: str) -> str:
        if name in SILENT:
            return ""
        if name in SPACES:
            return f'<mspace width="{SPACES[name]}"></mspace>'
        if name in ("frac", "tfrac", "dfrac"):
            return f"<mfrac>{self.argument()}{self.argument()}</mfrac>"
        if name == "sqrt":
            return f"<msqrt>{self.argument()}</msqrt>"
        if name in ACCENTS:
            return f'<mover accent="true">{self.argument()}<mo>{ACCENTS[name]}</mo></mover>'
        if name in ALPHABETS or name in UPRIGHT:
            return f'<mi mathvariant="normal">{self.letters(ALPHABETS.get(name, ""))}</mi>'
        if name in FUNCTIONS:
            return f"<mi>{name}</mi>"
        return self.sign(name)

    def letters(self, alphabet: str) -> str:
        """The letters of a group in an alphabet."""
        words = [self.tokens.pop()] if self.tokens else []
        if words == ["{"]:
            words = []
            while self.tokens and self.tokens[-1] != "}":
                words.append(self.tokens.pop())
            self.group()
        return "".join(_letter(word, alphabet) for word in words)

    def sign(self, name: str) -> str:
        """A Greek letter or another sign."""
        if letter := greek_letter(name):
            upright = ' mathvariant="normal"' if name[0].isupper() else ""
            return f"<mi{upright}>{letter}</mi>"
        if found := MORE_SIGNS.get(name) or SIGNS.get(name):
            return f"<mo>{found}</mo>"
        raise self.error(f"\\{name} is not known")


def _row(elements: list[str]) -> str:
    return elements[0] if len(elements) == 1 else f"<mrow>{''.join(elements)}</mrow>"


def _letter(letter: str, alphabet: str) -> str:
    """A letter or digit in an alphabet of mathematics; as it is where that has none."""
    if not alphabet or len(letter) != 1 or not letter.isalnum():
        return escape(letter)
    kind = "DIGIT" if letter.isdigit() else "CAPITAL" if letter.isupper() else "SMALL"
    name = unicodedata.name(letter).rpartition(" ")[2]
    for start in (alphabet, f"MATHEMATICAL {alphabet}"):
        try:
            return unicodedata.lookup(f"{start} {kind} {name}")
        except KeyError:
            pass
    return letter
