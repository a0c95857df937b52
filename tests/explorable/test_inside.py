"""The modules and functions that INSIDE.md names exist."""

import importlib
import re

from explorable.markup import PACKAGE

INSIDE = (PACKAGE / "INSIDE.md").read_text("utf8")
MODULES = {".".join(file.relative_to(PACKAGE).with_suffix("").parts) for file in PACKAGE.rglob("*.py")}


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
