"""The places of a page that a search finds: what they are called, and the words that they say.

Places are sections, statements, exercises, figures and the glossary's terms. Code but for commands, answers
and long formulas would only litter what is found: they are left out.
"""

from docutils import nodes
from sphinx import addnodes
from sphinx_exercise.nodes import (
    exercise_enumerable_node,
    exercise_node,
    exercise_title,
    solution_node,
)

from explorable.sphinx_ext.figures import AnswerNode, CaptionNode, CopyNode, FigureNode
from explorable.sphinx_ext.register import number_of
from explorable.sphinx_ext.scopes import section_of
from extensions.coursework.quiz import Question
from extensions.pages.depths import fold_line
from extensions.pages.dropdowns import fold
from extensions.pages.excursions import is_excursion
from extensions.pages.statements import is_proof, unwrapped
from extensions.pages.statements import name_of as name_of_statement
from extensions.search.formulas import plain

SILENT = (nodes.raw, nodes.comment, AnswerNode, CopyNode, Question, solution_node, exercise_title, fold_line)
COMMANDS = "bash"  # the language of blocks that people look for


def is_place(node):
    kinds = FigureNode, exercise_node, exercise_enumerable_node
    is_copy = isinstance(node, CopyNode)  # the figure itself is found where it has its number
    return (isinstance(node, kinds) and not is_copy) or is_proof(node) or is_entry(node)


def is_entry(node):
    """Whether a node is a term of the glossary with its definition."""
    return isinstance(node, nodes.definition_list_item) and isinstance(node.parent.parent, addnodes.glossary)


def words(node, formula=plain):
    """The text of a node without silent nodes, places and sections inside it; formulas by that function."""
    if isinstance(node, nodes.Text):
        return str(node)
    if isinstance(node, nodes.math | nodes.math_block):
        return formula(node)
    if "whereabouts" in node["classes"]:
        return ""
    inside = (child for child in node.children if not is_hidden(child))
    text = "".join(words(child, formula) for child in inside)
    is_apart = not isinstance(node, nodes.Inline) or "column" in node["classes"]  # before a cell
    return f"{text} " if is_apart else text


def name_of(place, env, docname, formula=plain):
    """What a place is called in a list of results."""
    if isinstance(place, nodes.section):
        called = words(place.next_node(nodes.title), formula)
        return f"Excursion {called}" if is_excursion(place) else called
    if is_entry(place):
        return words(place.next_node(nodes.term), formula)
    if isinstance(place, FigureNode):
        number = number_of(env, docname, place)
        return f"Figure {number}: {words(place.next_node(CaptionNode), formula)}"
    if is_proof(place):
        called = "".join(words(part, formula) for part in unwrapped(place.next_node(nodes.title)))
        return f"{name_of_statement(env, place['label'])}: {called}"
    number = ".".join(map(str, env.toc_fignumbers[docname]["exercise"][place["ids"][0]]))
    return f"Exercise {number}: {words(place.next_node(nodes.title), formula).strip(' ()')}"


def anchor(place):
    """The name at which a link to a place ends."""
    return (place.next_node(nodes.term) if is_entry(place) else place)["ids"][0]


def text_of(place, formula):
    """The words of a place without its name: of a section its own, of a term its definition."""
    if isinstance(place, nodes.section):
        return "".join(words(part, formula) for part in place.children[1:] if not is_hidden(part))
    parts = (part for part in place.children if not isinstance(part, nodes.title | nodes.term))
    return "".join(words(part, formula) for part in parts if not is_silent(part))


def is_hidden(node):
    """Whether a node's words belong to another place, or to none."""
    return isinstance(node, nodes.section) or is_silent(node) or is_place(node)


def is_silent(node):
    """Whether a node's words are of no use in a search, as those of code that is no command."""
    is_code = isinstance(node, nodes.literal_block) and node.get("language") != COMMANDS
    return is_code or isinstance(node, SILENT)


def places(section):
    """A section, the places in it, and so the sections in it."""
    yield section
    yield from (place for place in section.findall(is_place) if section_of(place) is section)
    boxes = [section, *(child for child in section.children if is_folded_excursion(child))]
    for child in (child for box in boxes for child in box.children):
        if isinstance(child, nodes.section):
            yield from places(child)


def is_folded_excursion(node):
    """Whether a node is the fold of an excursion, in which its sections stand."""
    return isinstance(node, fold) and "excursion-fold" in node["classes"]
