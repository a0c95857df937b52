"""A seeded sample of mutants of a module of the library, and which of them change a formula."""

import ast
from dataclasses import dataclass

from margins_book.mutants import LIBRARY
from tests.mutants.slips import TOLERANCES, changed, difference, mistakes

PACKAGES = ("validation", "least_distance", "descent", "kernels", "softmax_kernel", "attention")
PACKAGES += ("random_features", "svm", "attention_svm", "in_context", "prompt_network", "estimators")
FORMULAS = ast.BinOp | ast.UnaryOp | ast.AugAssign | ast.Name | ast.Attribute  # operators, signs, twins
LOOSER = 1e4


@dataclass(frozen=True)
class Mutant:
    """One small mistake in a module of the library."""

    module: str  # as it is imported
    function: str  # that holds it, by its qualified name; "" for what runs as the module is imported
    change: str  # the lines that changed, `old -> new`
    formula: bool
    source: str

    @property
    def place(self):
        """Where it is, from the library's root on."""
        return ".".join(filter(None, (self.module.removeprefix("margins."), self.function)))

    @property
    def name(self):
        """Its line in `reasons.txt`."""
        return f"{self.place}: {self.change}"


def modules(package):
    """The files of a package of the library, or of a module that is one file."""
    folder = LIBRARY / package
    files = folder.rglob("*.py") if folder.is_dir() else [folder.with_suffix(".py")]
    return sorted(path for path in files if path.name != "__init__.py")


def imported_as(path):
    """The dotted name of a file of the library."""
    return ".".join(("margins", *path.relative_to(LIBRARY).with_suffix("").parts))


def sampled(path, number, rng):
    """At most `number` mutants of a file, no two alike, drawn without replacement."""
    source = path.read_text(encoding="utf-8")
    plain = ast.unparse(ast.parse(source))
    made, seen = [], {plain}
    places = slips_of(source)
    for place in rng.permutation(len(places)):
        node, choice, function, formula = places[place]
        mutant = changed(source, node, choice, slips)
        if mutant not in seen:
            seen.add(mutant)
            made.append(Mutant(imported_as(path), function, difference(plain, mutant), formula, mutant))
        if len(made) == number:
            break
    return made


def slips(node):
    """The mistakes at a node, and a tolerance that is far too generous."""
    yield from mistakes(node)
    if isinstance(node, ast.Constant) and isinstance(node.value, float) and abs(node.value) in TOLERANCES:
        yield ast.Constant(node.value * LOOSER)


def slips_of(source):
    """Every slip in a source: the number of its node in `ast.walk`, its choice, function, if a formula."""
    tree = ast.parse(source)
    words, homes = set(map(id, wordings(tree))), dict(functions(tree))
    return [
        (number, choice, homes.get(id(node), ""), isinstance(node, FORMULAS))
        for number, node in enumerate(ast.walk(tree))
        if id(node) not in words
        for choice in range(len(list(slips(node))))
    ]


def wordings(tree):
    """All nodes that only word a message or a type: raised errors, warnings, texts, annotations, imports."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Raise | ast.JoinedStr | ast.Import | ast.ImportFrom) or is_warning(node):
            yield from ast.walk(node)
        for name in ("annotation", "returns", "decorator_list"):
            part = getattr(node, name, None)
            for root in part if isinstance(part, list) else filter(None, [part]):
                yield from ast.walk(root)


def is_warning(node):
    return isinstance(node, ast.Call) and ast.unparse(node.func) == "warnings.warn"


def functions(node, function="", prefix=""):
    """Pairs of a node's identity and the qualified name of the innermost function that it is in."""
    for child in ast.iter_child_nodes(node):
        inside, below = function, prefix
        if isinstance(child, ast.FunctionDef):
            inside, below = prefix + child.name, f"{prefix}{child.name}.<locals>."
        elif isinstance(child, ast.ClassDef):
            below = f"{prefix}{child.name}."
        yield id(child), inside
        yield from functions(child, inside, below)
