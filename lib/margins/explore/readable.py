"""Markdown with mathematics as plain text, for live cells, where nothing typesets a widget's caption."""

import re
import unicodedata

SIGNS = {
    "le": "≤", "leq": "≤", "ge": "≥", "geq": "≥", "ne": "≠", "neq": "≠", "in": "∈", "times": "×",
    "cdot": "·", "pm": "±", "infty": "∞", "to": "→", "mapsto": "↦", "sum": "∑", "prod": "∏",
    "approx": "≈", "sim": "∼", "propto": "∝", "top": "⊤", "perp": "⊥", "ldots": "…", "dots": "…",
    "ell": "ℓ", "partial": "∂", "nabla": "∇", "sqrt": "√", "ll": "≪", "gg": "≫", "langle": "⟨",
    "rangle": "⟩", "lVert": "‖", "rVert": "‖", "Vert": "‖", "mid": "|", "forall": "∀", "exists": "∃",
    "subset": "⊂", "cup": "∪", "cap": "∩", "quad": " ", "qquad": " ",
}  # fmt: skip
SILENT = {
    "left",
    "right",
    "mathbf",
    "mathbb",
    "mathrm",
    "mathcal",
    "operatorname",
    "text",
    "bar",
    "hat",
    "tilde",
}
VARIANTS = {"lambda": "lamda", "varepsilon": "epsilon", "varphi": "phi"}  # as Unicode names the letters


def readable(markdown):
    """The text of `markdown`: emphasis, links and roles without their marks, formulas in Unicode."""
    text = re.sub(r"\$([^$]+)\$", lambda m: _formula(m[1]), markdown)
    text = re.sub(r"\{[\w:-]+\}`([^`<]*?)\s*(?:<[^`]*>)?`", r"\1", text)
    text = re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", text)
    return re.sub(r"(\*\*|\*|`)(?=\S)(.+?)(?<=\S)\1", r"\2", text)


def _formula(tex):
    """TeX as Unicode, as far as that goes: `\\alpha_i \\le C/2` is α_i ≤ C/2."""
    tex = re.sub(r"\\[dt]?frac\{([^{}]*)\}\{([^{}]*)\}", r"\1/\2", tex)
    tex = re.sub(r"\\([A-Za-z]+)", lambda m: _symbol(m[1]), tex)
    tex = re.sub(
        r"\\([^A-Za-z])", lambda m: {",": " ", ";": " ", ":": " ", "!": "", "|": "‖"}.get(m[1], m[1]), tex
    )
    return " ".join(tex.replace("{", "").replace("}", "").split())


def _symbol(name):
    """The character that a TeX command stands for, nothing, or its name."""
    if name in SIGNS or name in SILENT:
        return SIGNS.get(name, "")
    size = "CAPITAL" if name[0].isupper() else "SMALL"
    letter = VARIANTS.get(name.lower(), name)
    try:
        return unicodedata.lookup(f"GREEK {size} LETTER {letter.upper()}")
    except KeyError:
        return name
