"""Python of the page, run in node from the built site: many requests in one process."""

import json
import subprocess
from pathlib import Path

from tests.node import NODE

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "_build/html/_static/python"
SCRIPT = Path(__file__).with_name("in_node.mjs")


def answers(requests):
    """The answers to requests, pairs of a kind and arguments, with what was printed and the seconds taken."""
    assert (FOLDER / "index.json").exists(), "the site is not built: run `make book` first"
    asked = json.dumps({"folder": str(FOLDER), "requests": list(requests)})
    process = subprocess.run([NODE, SCRIPT], input=asked, capture_output=True, text=True)
    assert process.returncode == 0, process.stderr[-2000:]
    return [json.loads(line) for line in process.stdout.splitlines()]


def chapter_data(name):
    """What the built site tells a page of its chapter."""
    files = json.loads((FOLDER / "index.json").read_text("utf8"))
    return json.loads((FOLDER / files["chapters"][name]).read_text("utf8"))
