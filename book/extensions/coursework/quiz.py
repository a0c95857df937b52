"""Questions of a quiz: admonitions of class `quiz`, set as native fieldsets with radio buttons.

In a notebook and on paper they stay what they are in the source: a numbered list of alternatives, and the
same numbers explained in a folded box. On the page, a script shows the explanation of the chosen one.
"""

from docutils import nodes
from sphinx.errors import ExtensionError
from sphinx.transforms import SphinxTransform

from extensions.pages.tree import tags

RIGHT = "Right"
FEWEST = 2
SHORTEST = 20  # characters of an explanation


class Question(nodes.General, nodes.Element):
    """A question: its legend, what stands before the alternatives, those, the folded box of answers."""


class Legend(nodes.General, nodes.TextElement):
    """The question's words."""


class Alternative(nodes.General, nodes.TextElement):
    """One of the answers that can be chosen."""


class Questions(SphinxTransform):
    """Every admonition of class `quiz` as a Question, refused if it could not be answered."""

    default_priority = 250  # before anything looks into admonitions

    def apply(self, **kwargs):
        boxes = [node for node in self.document.findall(nodes.admonition) if "quiz" in node["classes"]]
        for number, box in enumerate(boxes, 1):
            name = nodes.make_id(f"question-{self.env.docname}-{number}")
            made = question(box, name, f"{self.env.doc2path(self.env.docname)}:{box.line}")
            made["ids"] = [f"quiz-{number}"]
            box.replace_self(made)


def question(box, name, place):
    """The Question that an admonition holds; `name` ties its radio buttons together."""
    title, *body = box.children
    if len(body) < 2 or not is_list(body[-2]) or "dropdown" not in body[-1].get("classes", ()):
        raise ExtensionError(f"{place}: a quiz ends in a numbered list and a box `Answers` of class dropdown")
    *before, choices, answers = body
    if [is_list(node) for node in answers.children[1:]] != [True]:
        raise ExtensionError(f"{place}: the answers of a quiz are one numbered list and nothing else")
    check_answers(choices, [item.astext() for item in answers.children[1].children], place)
    alternatives = (alternative(item, name, place) for item in choices.children)
    return Question("", Legend("", "", *title.children), *before, *alternatives, answers)


def is_list(node):
    return isinstance(node, nodes.enumerated_list)


def check_answers(choices, explanations, place):
    """Raises an error unless each alternative has its explanation and exactly one of them is right."""
    if len(choices.children) < FEWEST or len(choices.children) != len(explanations):
        got = f"{len(choices.children)} alternatives and {len(explanations)} answers"
        raise ExtensionError(f"{place}: {got}; expected as many, and at least {FEWEST}")
    right = [text for text in explanations if text.startswith(RIGHT)]
    if len(right) != 1:
        raise ExtensionError(f"{place}: {len(right)} answers begin with {RIGHT!r}; expected exactly one")
    if short := [text for text in explanations if len(text) < SHORTEST]:
        raise ExtensionError(f"{place}: the answer {short[0]!r} explains nothing; say why")


def alternative(item, name, place):
    """An item of the list as an Alternative: one paragraph, because a label holds no more."""
    if len(item.children) != 1 or not isinstance(item.children[0], nodes.paragraph):
        raise ExtensionError(f"{place}: an alternative is one paragraph, but got {item.astext()!r}")
    return Alternative("", "", *item.children[0].children, name=name)


def setup(app):
    app.add_node(Question, html=tags('<fieldset class="quiz" id="{ids[0]}">\n', "</fieldset>\n"))
    app.add_node(Legend, html=tags("<legend>", "</legend>\n"))
    label = '<label><input type="radio" name="{name}"> <span>', "</span></label>\n"
    app.add_node(Alternative, html=tags(*label))
    app.add_transform(Questions)
