"""Texts that try to run, load, link or forge something in a page that shows what students wrote.

They aim at what the test makes: a listener on the loopback, the page's title, a variable of its window.
All pages are tried with this same corpus (watched_page.py opens them). Most texts are in hostile_texts.txt.
"""

import random
from functools import cache
from pathlib import Path

TEXTS = Path(__file__).with_name("hostile_texts.txt")
UNWRITABLE = dict(zip("⏎⇥↵␌␀␁␈␇␛␡␚␦", "\n\t\r\f\x00\x01\b\a\x1b\x7f\x9b\ud800", strict=True))
TURNING = {"‹RLO›": "\u202e", "‹PDF›": "\u202c", "‹LRI›": "\u2066", "‹PDI›": "\u2069"}
IMAGE = "<img src=http://{host}/image onerror={script}>"
FORMS = ["[x](<{}>)", "[x]({})", "![x](<{}>)", "[r]\n\n[r]: <{}>", "<{}>", "<a href='{}'>x</a>"]
FORMS += ["[x](y '{}')"]
DOLLARS = ["${}$", "$$\n{}\n$$", "\\begin{align}\n{}\n\\end{align}"]


def vectors(targets):
    """Hostile texts by name; of `targets`, `port` is the listener's and `canary` the path of a file."""
    read = sections()
    made = {
        "link": [form.replace("{}", address) for address in read["address"] for form in FORMS],
        "tex": [form.replace("{}", tex) for tex in [*read["tex"], *endless_formulas()] for form in DOLLARS],
        "long": long_texts(),
    }
    made |= {kind: texts for kind, texts in read.items() if kind not in ("address", "tex")}
    return {
        f"{kind} {number}": filled(text, targets)
        for kind, texts in made.items()
        for number, text in enumerate(texts, 1)
    }


@cache
def sections():
    """The texts of the file by the kind in the heading above them, a line each."""
    found, lines = {}, TEXTS.read_text(encoding="utf-8").splitlines()
    for line in lines:
        if line.startswith("== "):
            found[line[3:]] = []
        elif line:
            found[list(found)[-1]].append(line)
    return found


def filled(text, targets):
    """A text with the addresses that it aims at, and the characters that no file of text can hold."""
    host = f"127.0.0.1:{targets.port}"
    text = text.replace("{image}", IMAGE).replace("{script}", script("stolen", "title", f"http://{host}/js"))
    text = text.replace("{host}", host).replace("{file}", str(targets.canary))
    for mark, character in (UNWRITABLE | TURNING).items():
        text = text.replace(mark, character)
    return text


def script(*words):
    """A program that leaves a trace in the page and calls the listener, without a character to be escaped."""
    codes = (",".join(str(ord(character)) for character in word) for word in words)
    window, title, address = (f"String.fromCharCode({code})" for code in codes)
    return f"Reflect.set(window,{window},1);Reflect.set(document,{title},1);fetch({address})"


def endless_formulas():
    """Formulas that grow when they are expanded, nested or laid out."""
    nested = [("x^{", "x", "}", 900), ("\\frac{1}{", "1", "}", 300), ("{", "", "", 3000), ("&", "", "", 3000)]
    nested += [("\\sqrt", "", "", 600), ("\\left(", "", "", 500), ("\\begin{matrix}", "", "", 250)]
    nested += [("\\a{", "x", "}", 24)]
    texts = [before * times + middle + after * times for before, middle, after, times in nested]
    table = "\\begin{array}{" + "c" * 900 + "}" + "x&" * 900 + "\\end{array}"
    return [*texts[:-1], "\\def\\a#1{#1#1}" + texts[-1], table, "\\" * 999]


def long_texts():
    """Texts that take a renderer, a browser or a reader long."""
    repeated = [("x", 20_000), ("<b>", 3000), ("[", 3000), ("> ", 3000), ("*a ", 1500), ("`", 3001)]
    repeated += [("&", 3000), ("\n", 3000), ("e\u0301", 2000), ("\u0489", 300), ("![", 2000), ("<!--", 2000)]
    repeated += [("- ", 2000)]
    texts = [text * times for text, times in repeated]
    return [*texts, "e" + "\u0301" * 5000, "|a" * 500 + "\n" + "|-" * 500, "\x1b[" + "9" * 9999, "(" * 3000]


PARTS = ["\n", "\n\n", "\t", "\x00", "|", *"[](){}!<>/\"'`$&;#\\=:"]
PARTS += ["<!--", "-->", "](", "```", "$$", "&colon;", "&#x3c;", "javascript:", "onclick=", "<svg>"]
PARTS += ["<math>", "<style>", "</p>"]


def mutations(targets, seed, count):
    """Texts put together from pieces of the vectors, cut and joined by chance, with an explicit seed."""
    chance, known = random.Random(seed), list(vectors(targets).values())
    texts = []
    for _ in range(count):
        pieces = []
        for _ in range(chance.randint(1, 5)):
            text = chance.choice(known)[:300]
            start = chance.randrange(len(text))
            pieces += [chance.choice(PARTS), text[start : start + chance.randint(1, 120)]]
        text = "".join(pieces)
        texts.append("".join(c.swapcase() if chance.random() < 0.05 else c for c in text))
    return texts
