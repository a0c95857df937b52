"""Texts of a figure: numbers as readers write them, TeX as styled characters, widths, Markdown as text."""

import functools
import re
import unicodedata
from collections.abc import Iterator
from decimal import Decimal

from explorable.errors import ExplorableError

PIECE = re.compile(
    r"([_^])(\{[^{}]*\}|\\[A-Za-z]+|[^\s{}\\])|(\\[A-Za-z]+|\\[,;: ]|[A-Za-z]|[^A-Za-z_^\\{}$]+)"
)
NEGATIVE = re.compile(r"(?<![\w.])-(?=\d)")  # the hyphen before a negative number
SCIENTIFIC = re.compile(r"(?<![\w.])(\d(?:\.\d+)?)e([-+]\d\d)(?!\w)")  # as Python prints 0.29: 2.9e-01
NEGATIVE_ZERO = re.compile(r"(?<![\w.])-(?=0(?:\.0+)?(?![\d.]*\d))")
DECIMAL_EXPONENTS = range(-4, 7)  # of numbers that are written without a power of ten
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
SPACES = {"\\,": "\N{THIN SPACE}", "\\;": " ", "\\:": " ", "\\ ": " "}
WIDTHS = {**dict.fromkeys("iljtfrI.,:;|!'()[] ", 0.34), **dict.fromkeys("mwMW@%\N{EM DASH}", 0.9)}  # em
CAPITAL_WIDTH, OTHER_WIDTH, SCRIPT_SCALE = 0.7, 0.58, 0.75  # em, em, of a sub- or superscript's size

SIGNS = {
    "le": "≤", "leq": "≤", "ge": "≥", "geq": "≥", "ne": "≠", "neq": "≠", "in": "∈", "times": "×",
    "cdot": "·", "pm": "±", "infty": "∞", "to": "→", "mapsto": "↦", "sum": "∑", "prod": "∏",
    "approx": "≈", "sim": "∼", "propto": "∝", "top": "⊤", "perp": "⊥", "ldots": "…", "dots": "…",
    "ell": "ℓ", "partial": "∂", "nabla": "∇", "sqrt": "√", "ll": "≪", "gg": "≫", "langle": "⟨",
    "rangle": "⟩", "lVert": "‖", "rVert": "‖", "Vert": "‖", "mid": "|", "forall": "∀", "exists": "∃",
    "subset": "⊂", "cup": "∪", "cap": "∩", "quad": " ", "qquad": " ",
}  # fmt: skip
DROPPED = {
    "left", "right", "mathbf", "mathbb", "mathrm", "mathcal", "operatorname", "text", "bar", "hat", "tilde",
}  # fmt: skip
UNICODE_NAMES = {"lambda": "lamda", "varepsilon": "epsilon", "varphi": "phi"}  # where TeX has another


def with_minus_signs(text: str) -> str:
    """A sentence with a minus sign, not a hyphen, before its negative numbers."""
    return NEGATIVE.sub("\N{MINUS SIGN}", text)


def with_readable_numbers(text: str) -> str:
    """A sentence without forms that only programs write: 0.29 for 2.9e-01, 2.9·10⁻⁶, 0.00 for -0.00.

    >>> with_readable_numbers("off by 2.9e-01, then 2.9e-06, then 1e-12, then -0.00.")
    'off by 0.29, then 2.9·10⁻⁶, then 10⁻¹², then 0.00.'
    """
    return NEGATIVE_ZERO.sub("", SCIENTIFIC.sub(_power_of_ten, text))


def _power_of_ten(number: re.Match[str]) -> str:
    """A number of Python's form 2.9e-06 as decimals or with a power of ten."""
    digits, exponent = number[1], int(number[2])
    if exponent in DECIMAL_EXPONENTS or not float(digits):
        return f"{Decimal(number[0]):f}"
    power = "10" + str(exponent).translate(SUPERSCRIPTS)
    return power if digits == "1" else f"{digits}·{power}"


# -- texts on a drawing ------------------------------------------------------------------------------


@functools.lru_cache(4096)
def text_runs(text: str) -> tuple[tuple[str, str], ...]:
    """`text` as ((characters, style), ...).

    A style is empty (upright text) or a word of these letters: m of the mathematical font, i italic,
    b subscript, p superscript. Between dollars stand Latin and Greek letters, signs, sub- and superscripts.
    """
    parts = text.split("$")
    if len(parts) % 2 == 0:
        raise ExplorableError(f"the text {text!r} cannot be set: a dollar sign without its partner")
    runs: list[tuple[str, str]] = []
    for k, part in enumerate(parts):
        if part:
            runs += _formula_runs(part) if k % 2 else [(part, "")]
    return tuple(runs)


def _formula_runs(tex: str) -> Iterator[tuple[str, str]]:
    """The runs of one formula."""
    end = 0
    for match in PIECE.finditer(tex):
        if match.start() != end:
            break
        shift, script, bare = match.groups()
        if script and set("_^") & set(script):
            break
        end = match.end()
        for characters, style in _characters(script.strip("{}") if script else bare):
            yield characters, "m" + style + {"_": "b", "^": "p", None: ""}[shift]
    if end != len(tex):
        raise ExplorableError(
            f"the formula ${tex}$ cannot be set on a drawing: {tex[end:]!r} is more than letters, signs, "
            "subscripts and superscripts"
        )


def _characters(tex: str) -> Iterator[tuple[str, str]]:
    """(characters, "" or "i") of TeX without sub- and superscripts.

    Latin and small Greek letters are italic.
    """
    for part in re.findall(r"\\[A-Za-z]+|\\.|[A-Za-z]|[^A-Za-z\\]+", tex):
        sign = SPACES.get(part) or (_sign(part[1:]) if part.startswith("\\") else part)
        italic = len(sign) == 1 and sign.isalpha() and "GREEK CAPITAL" not in unicodedata.name(sign, "")
        yield sign.replace("-", "\N{MINUS SIGN}"), "i" if italic else ""


def _sign(command: str) -> str:
    """The character that a TeX command stands for."""
    if sign := SIGNS.get(command) or greek_letter(command):
        return sign
    raise ExplorableError(
        f"the formula sign \\{command} cannot be set on a drawing; use letters, signs, sub- and superscripts"
    )


def greek_letter(command: str) -> str:
    """The Greek letter of a TeX command, or nothing."""
    size = "CAPITAL" if command[0].isupper() else "SMALL"
    letter = UNICODE_NAMES.get(command.lower(), command)
    try:
        return unicodedata.lookup(f"GREEK {size} LETTER {letter.upper()}")
    except KeyError:
        return ""


@functools.lru_cache(4096)
def text_width(text: str, size: float) -> float:
    """About how many pixels `text` takes at this size; a little more than most fonts need."""
    width = 0.0
    for characters, style in text_runs(text):
        ems = sum(WIDTHS.get(c, CAPITAL_WIDTH if c.isupper() else OTHER_WIDTH) for c in characters)
        width += size * ems * (SCRIPT_SCALE if style.endswith(("b", "p")) else 1)
    return width


def plain_text(text: str) -> str:
    """The characters of `text` without their styles, for descriptions that are read aloud."""
    return "".join(characters for characters, _ in text_runs(text))


# -- captions ----------------------------------------------------------------------------------------


def markdown_to_text(markdown: str) -> str:
    """Plain text of `markdown`, for places that show no HTML of ours.

    Emphasis, links and roles lose their marks; formulas are written in Unicode.
    """
    text = re.sub(r"\$([^$]+)\$", lambda m: formula_to_text(m[1]), markdown)
    text = re.sub(r"\{[\w:-]+\}`([^`<]*?)\s*(?:<[^`]*>)?`", r"\1", text)
    text = re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", text)
    return re.sub(r"(\*\*|\*|`)(?=\S)(.+?)(?<=\S)\1", r"\2", text)


def formula_to_text(tex: str) -> str:
    """TeX in Unicode, `\\alpha_i \\le C/2` as α_i ≤ C/2; a command that has no character keeps its name."""
    tex = re.sub(r"\\[dt]?frac(?:\{([^{}]*)\}|(\w))(?:\{([^{}]*)\}|(\w))", _quotient, tex)
    tex = re.sub(r"\\([A-Za-z]+)", lambda m: _command_to_text(m[1]), tex)
    spaces = {",": " ", ";": " ", ":": " ", "!": "", "|": "‖"}
    tex = re.sub(r"\\([^A-Za-z])", lambda m: spaces.get(m[1], m[1]), tex)
    return " ".join(tex.replace("{", "").replace("}", "").split())


def _quotient(found: re.Match[str]) -> str:
    """A fraction on one line."""
    above, below = (a or b for a, b in (found.groups()[:2], found.groups()[2:]))
    return f"{above}/{below}"


def _command_to_text(command: str) -> str:
    """The character of a TeX command, nothing for one that only styles, else its name."""
    if command in DROPPED:
        return ""
    return SIGNS.get(command) or greek_letter(command) or command
