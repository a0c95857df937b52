"""Plans of sessions (`book/sessions/`): ninety minutes on a chapter, for whoever teaches it.

A plan has the name of its chapter's page. Its sections are `SECTIONS`; the first is a numbered list of
steps, `**Show, 10 min.**`, whose minutes are summed here. `{poll}`ex-votes: Move the query`` asks the prompt
of a figure that begins with these words, and links to the figure's own page with this question alone;
`{poll}`ex-votes?q=2: Move the query`` opens the figure in that state, where its own start would tell the
answer. `{poll}`quiz: You want`` asks a question of the quiz, in its chapter. All links have `?lecture`, which
locks answers. `{session-plan}`03_softmax_kernel`` links to a plan.
"""

import json
import re
from urllib.parse import parse_qsl

from docutils import nodes
from sphinx.errors import ExtensionError

from explorable.sphinx_ext.figures import FigureNode
from explorable.sphinx_ext.register import number_of
from extensions.coursework.quiz import Legend
from extensions.pages.figure_pages import own_page
from extensions.pages.tree import LaterRole, link_to

FOLDER, CHAPTERS = "book/sessions/", "chapters/"
SECTIONS = [
    "Ninety minutes",
    "What students get wrong",
    "Three questions to ask",
    "Objectives and exercises",
]
STEP = re.compile(r"(?:Ask|Show|Let guess|Prove|Exercise), (\d+) min\.")
MINUTES = 90
QUIZ = "quiz"  # the place of a chapter's quiz


def way_to_plan(transform, place):
    """A link to a chapter's plan, if it has one."""
    page = FOLDER + place["text"]
    known = page in transform.env.found_docs
    return [link_to(transform, page, "", "A plan for ninety minutes")] if known else []


def check_plan(app, doctree):
    """Refuses a plan with other sections or another sum, and tells when each of its steps begins."""
    docname = app.env.docname
    if not docname.startswith(FOLDER):
        return
    place, sections = app.env.doc2path(docname), list(doctree.findall(nodes.section))[1:]
    titles = [section.next_node(nodes.title).astext() for section in sections]
    if titles != SECTIONS:
        raise ExtensionError(f"{place}: the sections are {titles}; expected {SECTIONS}")
    total = 0
    lists = (part for part in sections[0].children if isinstance(part, nodes.enumerated_list))
    for step in (item for part in lists for item in part.children):
        lead = step.next_node(nodes.strong)
        told = STEP.fullmatch(lead.astext() if lead else "")
        if not told:
            raise ExtensionError(
                f"{place}: the step {step.astext()[:40]!r}; expected '**Show, 10 min.** ...'"
            )
        lead.insert(0, nodes.Text(f"{total // 60}:{total % 60:02} "))
        total += int(told[1])
    if total != MINUTES:
        raise ExtensionError(f"{place}: the steps take {total} minutes; expected {MINUTES}")


def asked(transform, poll):
    """`Figure 3.2 asks: Which of the two still tells the keys apart?`"""
    place, _, words = poll["text"].partition(":")
    (figure, _, state), words = place.strip().partition("?"), " ".join(words.split())
    chapter = CHAPTERS + transform.env.docname.rpartition("/")[2]
    page = transform.env.get_doctree(chapter)
    found = [one for one in enumerate(questions(page, figure), 1) if one[1].astext().startswith(words)]
    if not words or len(found) != 1:
        has = ", ".join(repr(one.astext()[:40]) for one in questions(page, figure)) or "none"
        problem = f"{figure!r} has {len(found)} questions that begin with {words!r}; it has {has}"
        raise refused(transform.env, problem)
    ((number, question),) = found
    if figure == QUIZ:
        place = locked(transform, chapter, "The quiz", f"?lecture#quiz-{number}")
    else:
        place = figure_asking(transform, chapter, figure_named(page, figure), number, state)
    return [place, nodes.Text(" asks: "), nodes.emphasis("", "", *question.deepcopy().children)]


def figure_asking(transform, chapter, figure, number, state):
    """A link to the figure's own page with one question, where the figure stands in this state."""
    (name,), known = figure["ids"], [p["name"] for p in json.loads(figure["spec"])["parameters"]]
    for key, _ in parse_qsl(state):
        if key not in known:
            raise refused(transform.env, f"{name!r} has no {key!r}; it has {', '.join(known)}")
    words, place = f"Figure {number_of(transform.env, chapter, figure)}", f"#{name}?{state}" if state else ""
    return locked(transform, own_page(chapter, name), words, f"?lecture&ask={number}{place}")


def locked(transform, page, words, query):
    """A link to a page on which answers are locked."""
    there = link_to(transform, page, "", words)
    there["refuri"] += query
    return there


def refused(env, problem):
    return ExtensionError(f"{env.doc2path(env.docname)}: poll: {problem}")


def figure_named(page, name):
    """The figure of a page with this id, None if it has none."""
    return next((figure for figure in page.findall(FigureNode) if name in figure["ids"]), None)


def questions(page, figure):
    """The questions of a figure's prompts, or of the quiz."""
    if figure == QUIZ:
        return list(page.findall(Legend))
    element = figure_named(page, figure)
    prompts = element.next_node(nodes.bullet_list) if element else None
    return [item.next_node(nodes.paragraph) for item in prompts.children] if prompts else []


def setup(app):
    app.add_role("poll", LaterRole(asked))
    app.add_role("session-plan", LaterRole(way_to_plan))
    app.connect("doctree-read", check_plan)
