"""The cells of a chapter as a page runs them: the source of each, the cells that it needs, what is missing.

A cell needs the earlier cells that set or change a name which it uses, and those that they need. Solutions
and checks belong to exercises, and no other cell needs them.
"""

import ast
import builtins
import runpy
from dataclasses import dataclass
from functools import cache

from extensions.pages.figure_code import code_of_figure, imports_apart, module_of
from extensions.python_in_page.archives import IN_PAGE
from margins_book.page.selection import (
    SIMPLE,
    bound_names,
    free_names,
    imported_names,
    mutated_names,
    used_names,
)

# of the package that runs in the page; the build does not have it on its path
MISSING = runpy.run_path(str(IN_PAGE / "python" / "in_page" / "missing.py"))
PACKAGES, PARTLY_HERE = MISSING["PACKAGES"], MISSING["PARTLY_HERE"]
KNOWN = frozenset(dir(builtins))
DRAWN_BY_MATPLOTLIB = {"show", "new_axes", "in_style"}  # of explorable: static figures


@dataclass(frozen=True)
class Names:
    """The global names that a cell uses, sets, sets for certain, and may change in place."""

    used: frozenset
    bound: frozenset
    surely_bound: frozenset
    changed: frozenset


IMPORTS = -1  # the place of the imports of the module of figures, which stands on no page


def cells(chapter, page=""):
    """By its place among the chapter's cells, each that a page can run: `source`, `needs`, `missing`.

    A figure has the code of its module, which rests on the module's imports and the arguments of its call.
    """
    on_page = [cell for cell in chapter.cells if cell.is_on_page]
    own = {place: cell.source for place, cell in enumerate(on_page) if cell.kind == "setup"}
    figures = {place: code for place, one in own.items() if (code := code_of_figure(page, one))}
    imports = {IMPORTS: imports_apart(module_of(str(page)))[0]} if figures else {}
    sources = {**imports, **own, **figures}
    names = {place: names_of(one) for place, one in own.items()}
    # a figure of the module takes the arguments of its call from the page, as of `figures.race(found)`
    names |= {place: Names(names[place].used - {"figures"}, *[frozenset()] * 3) for place in figures}
    modules = frozenset().union(*map(imported_names, sources.values()))
    absent = names_that_are_missing(sources.values())
    found = {}
    for place, source in sources.items():
        needs = list(needed(place, names, modules)) if place in own else []
        needs += imports if place in figures else []  # last: what the module imports keeps its names
        missing = sorted({absent[name] for name in used_names(source) if name in absent})
        found[place] = {"source": source, "needs": needs, "missing": ", ".join(missing)}
    return found


@cache
def names_of(source):
    """The names of a cell."""
    body = ast.parse(source).body
    sure = [bound_names(ast.unparse(node)) for node in body if isinstance(node, SIMPLE)]
    return Names(
        # what it uses and does not set: its functions may use it later
        (free_names(source) | used_names(source) - bound_names(source)) - KNOWN,
        bound_names(source),
        frozenset().union(*sure) if sure else frozenset(),
        mutated_names(source) | _called_on(body) | _increased(body),
    )


def _called_on(body):
    """The names on which a method is called, such as `rng.normal(...)`: it may change them."""
    calls = (node.func for part in body for node in ast.walk(part) if isinstance(node, ast.Call))
    return frozenset(
        call.value.id
        for call in calls
        if isinstance(call, ast.Attribute) and isinstance(call.value, ast.Name)
    )


def _increased(body):
    """The names to which something is added by `+=`."""
    nodes = (node for part in body for node in ast.walk(part) if isinstance(node, ast.AugAssign))
    return frozenset(node.target.id for node in nodes if isinstance(node.target, ast.Name))


def needed(place, names, modules):
    """The places of the earlier cells that the cell at `place` rests on, in order."""
    found, asked = set(), set()
    todo = [(place, name) for name in names[place].used | (names[place].changed - modules)]
    while todo:
        at, name = todo.pop()
        if (at, name) in asked:
            continue
        asked.add((at, name))
        for earlier in setting(name, at, place, names, modules):
            found.add(earlier)
            one = names[earlier]
            todo += [(earlier, other) for other in one.used | (one.changed - modules)]
    return sorted(found)


def setting(name, at, place, names, modules):
    """The cells that give `name` its value in the cell at `at`: the last that sets it, and changes of it.

    A function may use what is set only behind it, before the cell at `place` calls it.
    """
    before = sorted((one for one in names if one < at), reverse=True)
    if not any(name in names[one].bound for one in before):
        before = sorted((one for one in names if one < place and one != at), reverse=True)
    for earlier in before:
        one = names[earlier]
        if name in one.bound or (name in one.changed and name not in modules):
            yield earlier
            if name in one.surely_bound and name not in one.used:
                return


def names_that_are_missing(sources):
    """The names that imports of the chapter bind to what a page does not have, and what that is."""
    found = {}
    for source in sources:
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Import | ast.ImportFrom):
                found |= {
                    alias.asname or alias.name.split(".")[0]: _missing(node, alias) for alias in node.names
                }
    return {name: package for name, package in found.items() if package}


def _missing(node, alias):
    """What is missing for one imported name, "" if nothing is."""
    module = node.module if isinstance(node, ast.ImportFrom) else alias.name
    package = module.partition(".")[0]
    if package in PACKAGES:
        return package
    if package == "explorable" and alias.name in DRAWN_BY_MATPLOTLIB:
        return "matplotlib"
    if package == PARTLY_HERE and alias.name not in stand_in(module):
        return f"{module}.{alias.name}"
    return ""


@cache
def stand_in(module):
    """The names that the page's stand-in for a module of SciPy has."""
    path = IN_PAGE / "stand_ins" / module.replace(".", "/")
    file = next((one for one in (path / "__init__.py", path.with_suffix(".py")) if one.exists()), None)
    if file is None:
        return frozenset()
    listed = [node for node in ast.parse(file.read_text("utf8")).body if isinstance(node, ast.Assign)]
    names = next((ast.literal_eval(node.value) for node in listed if node.targets[0].id == "__all__"), ())
    below = [part.stem for part in path.glob("[!_]*.py")] if path.is_dir() else []
    return frozenset([*names, *below])
