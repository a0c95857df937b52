"""The pages for contributors name what exists: files, modules and functions, verbs of make, commands.

In `ARCHITECTURE.md` everything in code type must be found. In `CONTRIBUTING.md` and `README.md` it is what
looks like a file of the repository, like a name with a package of ours in front, or like a command.
"""

import importlib
import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
ANY = re.compile(r"(?<![A-Za-z])(TOPIC|LABEL|NAME|NN)(?![A-Za-z])")  # stands for any name
FENCE = re.compile(r"^(````?|~~~)(\w*)\n(.*?)^\1$", re.MULTILINE | re.DOTALL)
PACKAGES = ("margins", "explorable", "margins_book", "margins_course")
VERBS = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf8"), re.MULTILINE))
SCRIPTS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf8"))["project"]["scripts"]
KINDS = {"chapter", "figure", "exercise", "claim", "kernel"}
FOLDERS = ("", "book/extensions", "lib/margins_book/TOPIC")  # in which a short name of a file may lie
FILE = re.compile(r"[\w.-]*[\w./*-]*(/|\.(py|md|yml|toml|txt|csv|js|css|bib|json))")


def code(text):
    """What a page sets in code type, without its blocks of code."""
    return re.findall(r"(?<!`)`([^`\n]+)`(?!`)", FENCE.sub("", text))


def is_file(name):
    """Whether a file or folder of that name exists; TOPIC, LABEL and others stand for any name."""
    patterns = (f"{folder}/{name}".strip("/") for folder in FOLDERS)
    return any(next(ROOT.glob(ANY.sub("*", pattern)), None) for pattern in patterns)


def is_name(name):
    """Whether a dotted name is a module of ours, or something that one defines."""
    parts = name.split(".")
    for count in range(len(parts), 0, -1):
        try:
            found = importlib.import_module(".".join(parts[:count]))
        except ModuleNotFoundError:
            continue
        for part in parts[count:]:
            found = getattr(found, part, None)
        return found is not None
    return False


def is_command(words):
    """Whether it begins with a verb of make, a kind of `margins new`, or a command of ours."""
    first, *rest = words.removeprefix(".venv/bin/").split()
    if first == "make":
        return bool(rest) and rest[0] in VERBS
    if first == "margins" and rest:
        return rest[0] == "new" and (len(rest) == 1 or rest[1] in KINDS)
    return first in SCRIPTS


def looks_like_ours(name):
    """Whether a page means a file, a name or a command of the repository by it."""
    is_ours = name.split(".")[0] in PACKAGES and re.fullmatch(r"\w+(\.\w+)*", name)
    is_command = name.startswith(("make ", "margins new", "margins-course"))
    in_a_folder = name.startswith(
        ("lib/", "book/", "tests/", "chapters/", "stories/", "scripts/", "benchmarks/")
    )
    return bool(is_ours or is_command or (in_a_folder and FILE.fullmatch(name)))


def unknown(names):
    """Those that are neither file nor name nor command."""
    return [name for name in names if not (is_file(name) or is_command(name) or is_name(name))]


def test_every_name_of_the_architecture_exists():
    names = code((ROOT / "ARCHITECTURE.md").read_text("utf8"))
    assert len(names) > 60
    missing = unknown(names)
    assert not missing, f"ARCHITECTURE.md names what does not exist: {', '.join(missing)}"


def test_files_names_and_commands_of_the_pages_for_contributors_exist():
    for page in (
        "CONTRIBUTING.md",
        "README.md",
        *(f"book/library/{n}.md" for n in ("authors", "explore", "checks")),
    ):
        names = [name for name in code((ROOT / page).read_text("utf8")) if looks_like_ours(name)]
        missing = unknown(names)
        assert names, page
        assert not missing, f"{page} names what does not exist: {', '.join(missing)}"
