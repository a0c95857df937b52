"""The Python that pages for contributors and the READMEs of repository and engine show runs as it stands."""

import re
from pathlib import Path

import pytest

from explorable import bake

ROOT = Path(__file__).parents[2]
GUIDES = [
    "README.md",
    "CONTRIBUTING.md",
    "ARCHITECTURE.md",
    "lib/explorable/README.md",
    *sorted((ROOT / "book" / "library").glob("*.md")),
]
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BLOCKS = [
    (Path(page).name, code) for page in GUIDES for code in BLOCK.findall((ROOT / page).read_text("utf8"))
]


@pytest.mark.parametrize(("page", "code"), BLOCKS, ids=[page for page, _ in BLOCKS])
def test_an_example_runs(page, code, monkeypatch):
    """And its figures are displayed as on a page, where words that the facts deny are refused."""
    names = {"__name__": "example"}
    exec(compile(code, page, "exec"), names)
    for figure in [one for one in names.values() if type(one).__name__ == "Explorable"]:
        for asked in figure.prompts:
            assert asked.says in figure.frame(figure.default | asked.at)["text"]
        with monkeypatch.context() as patch:
            patch.setenv("EXPLORABLE_BAKE", "1")
            patch.setattr(bake, "spent", [])
            assert figure.bundle()
