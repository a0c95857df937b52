"""Points, lengths of time and quoted text as people read them, in the same words on every page.

(book: Teaching with this book, Feedback)
"""

import re

UNITS = (("day", 86_400), ("hour", 3600), ("minute", 60))


def number(value: float) -> str:
    """Points without needless digits."""
    return f"{round(value, 2):g}".replace("-", "\N{MINUS SIGN}")


def points(value: float) -> str:
    """A number of points with its unit."""
    return f"{number(value)} point" + ("" if abs(value) == 1 else "s")


def duration(seconds: float) -> str:
    """A length of time in its two largest units."""
    parts, left = [], int(seconds)
    for unit, size in UNITS:
        count, left = divmod(left, size)
        if count:
            parts.append(f"{count} {unit}" + ("" if count == 1 else "s"))
    return " and ".join(parts[:2]) or "less than a minute"


def fenced(text: str, language: str) -> str:
    """Text as a block of Markdown that shows it as it is: no backticks in it can close the block."""
    longest = max(map(len, re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"
