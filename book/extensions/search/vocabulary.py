"""Words that the search knows: synonyms, those that say nothing, and the book's own, to mend slips by."""

import json
import re
from collections import Counter
from functools import cache
from pathlib import Path

import yaml

SYNONYMS = Path(__file__).with_name("synonyms.yml")
WORD = re.compile(r"\w{2,}")
COMPOUND = re.compile(r"\w+(?:-\w+)+")


@cache
def known():
    """The file of synonyms: `synonyms`, what each name means, and `silent`, the words that say nothing."""
    read = yaml.safe_load(SYNONYMS.read_text("utf8"))
    return {"synonyms": read["synonyms"], "silent": read["silent"].split()}


def telling(text):
    """The words of a text that say something."""
    return [word for word in re.findall(r"[\w']+", text.lower()) if word not in known()["silent"]]


def vocabulary(texts):
    """All words of these texts, those in most texts first; a word with hyphens also without them."""
    found = Counter()
    for text in map(str.lower, texts):
        joined = (word.replace("-", "") for word in COMPOUND.findall(text))
        found.update({word for word in (*WORD.findall(text), *joined) if not word.isdigit()})
    return [word for word, _ in sorted(found.items(), key=lambda entry: (-entry[1], entry[0]))]


def publish(texts, file):
    """Writes all that the browser needs to know of words."""
    content = {**known(), "vocabulary": vocabulary(texts)}
    file.write_text(json.dumps(content, ensure_ascii=False, separators=(",", ":")), "utf8")
