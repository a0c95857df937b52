"""The example in the engine's README runs; the modules and functions that INSIDE.md names exist."""

import importlib
import re

from explorable.figures import Explorable
from explorable.markup import PACKAGE

README = (PACKAGE / "README.md").read_text("utf8")
INSIDE = (PACKAGE / "INSIDE.md").read_text("utf8")
IMPORT = re.compile(r'^import \{ (.*) \} from "\./(\w+)\.js";$', re.MULTILINE)
EXPORT = re.compile(r"^export (?:const|function|class) (\w+)", re.MULTILINE)
MODULES = {".".join(file.relative_to(PACKAGE).with_suffix("").parts) for file in PACKAGE.rglob("*.py")}


def test_its_example_is_a_figure_that_says_what_its_answer_claims():
    names = {}
    exec(re.search(r"```python\n(.*?)```", README, re.DOTALL)[1], names)
    bell = names["bell"]
    assert isinstance(bell, Explorable)
    (asked,) = bell.prompts
    assert asked.says in bell.frame(asked.at)["text"]


def test_every_function_that_it_names_exists():
    named = [name for name in re.findall(r"`([a-z_]+(?:\.\w+)+)`", INSIDE) if f"{name}.py" not in INSIDE]
    found = [name for name in named if name.split(".")[0] in MODULES | {"sphinx_ext"}]
    assert len(found) >= 12
    for name in found:
        parts = name.split(".")
        length = next(k for k in range(len(parts), 0, -1) if ".".join(parts[:k]) in MODULES)
        value = importlib.import_module(f"explorable.{'.'.join(parts[:length])}")
        for part in parts[length:]:
            value = getattr(value, part)


def test_its_list_of_other_modules_names_all_that_are_not_named_before():
    before, others = INSIDE.split("The other modules: ")
    top = {name for name in MODULES if "." not in name} - {"__init__"}
    assert set(re.findall(r"`(\w+)`", others)) == top - set(re.findall(r"`(\w+)\.\w", before))


def test_every_class_and_function_of_the_script_that_it_names_exists():
    for file, name in re.findall(r"`(browser/\w+\.js)` `(\w+)`", INSIDE):
        assert re.search(rf"(class|function) {name}\b", (PACKAGE / file).read_text("utf8")), name


def test_the_modules_of_the_script_are_joined_after_those_that_they_import():
    from explorable.markup import MODULES as JOINED

    assert sorted(JOINED) == sorted(file.stem for file in (PACKAGE / "browser").glob("*.js"))
    texts = {module: (PACKAGE / "browser" / f"{module}.js").read_text("utf8") for module in JOINED}
    exported: dict[str, str] = {}  # by name, of the modules before
    for module, text in texts.items():
        imported = {n: home for names, home in IMPORT.findall(text) for n in names.split(", ")}
        assert imported.items() <= exported.items(), module
        called = {name for name in exported if re.search(rf"(?<![\w.]){name}\(", text)}
        assert called <= set(imported), module
        exported |= dict.fromkeys(EXPORT.findall(text), module)
