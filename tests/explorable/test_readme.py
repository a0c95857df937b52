"""The example in the engine's README runs; the modules and functions that INSIDE.md names exist."""

import importlib
import re

from explorable.figures import Explorable
from explorable.markup import PACKAGE

README = (PACKAGE / "README.md").read_text("utf8")
INSIDE = (PACKAGE / "INSIDE.md").read_text("utf8")
MODULES = {".".join(file.relative_to(PACKAGE).with_suffix("").parts) for file in PACKAGE.rglob("*.py")}


def test_its_example_is_a_figure_that_says_what_its_answer_claims():
    names = {}
    exec(re.search(r"```python\n(.*?)```", README, re.DOTALL)[1], names)
    bell = names["bell"]
    assert isinstance(bell, Explorable)
    (asked,) = bell.prompts
    assert asked.says in bell.frame(asked.at)["text"]


def test_every_function_class_and_module_that_it_names_exists():
    named = [name for name in re.findall(r"`([a-z_]+(?:\.\w+)+)`", INSIDE) if f"{name}.py" not in INSIDE]
    found = [name for name in named if name.split(".")[0] in MODULES | {"sphinx_ext"}]
    assert len(found) >= 12
    for name in found:
        parts = name.split(".")
        length = next(k for k in range(len(parts), 0, -1) if ".".join(parts[:k]) in MODULES)
        value = importlib.import_module(f"explorable.{'.'.join(parts[:length])}")
        for part in parts[length:]:
            value = getattr(value, part)
    for file, name in re.findall(r"`(browser/\w+\.js)` `(\w+)`", INSIDE):
        assert re.search(rf"(class|function) {name}\b", (PACKAGE / file).read_text("utf8")), name
