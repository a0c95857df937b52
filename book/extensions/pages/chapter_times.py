"""How long each chapter takes: at each depth, its sections, its excursions, its exercises, as a lecture.

What any page says of these times is measured here, once after a chapter was read: the switch, the card, the
contents, the map, the table for teachers, the routes. `{reading-time}`chapters`` says how long all chapters
take, `{chapter-times}`06_attention_svm`` tells the times of one.
"""

from functools import partial

from docutils import nodes
from sphinx.errors import ExtensionError
from sphinx.transforms import SphinxTransformer
from sphinx.transforms.post_transforms import SphinxPostTransform

from explorable.sphinx_ext.scopes import ancestors
from extensions.pages.depth_folds import FoldByDepth
from extensions.pages.depths import DEPTHS, is_chapter, is_open, minutes_by_depth
from extensions.pages.dropdowns import FoldDropdowns, NameOpenProofs
from extensions.pages.excursions import WriteExcursions, is_excursion
from extensions.pages.reading_time import exact_minutes, exercise_minutes, short
from extensions.pages.tree import LaterRole, of_class
from margins_book.page import ChapterProblem
from margins_book.page.chapter import read_chapter

FOLDING = [FoldDropdowns, NameOpenProofs, WriteExcursions, FoldByDepth]
OPENING = "opening"  # as routes call what stands before the first section
SPOKEN = 39  # words a minute of a lecture, its formulas and figures included
RUNNING = "Running:"  # begins the part of a card behind which the times belong


def times_of_chapters(env):
    """The times by the page of a chapter, in the order of the book."""
    return {name: env.metadata[name]["times"] for name in sorted(env.found_docs) if is_chapter(name)}


def measure(app, env):
    """Measures the chapters that were read; the pages that show such things are written in every build."""
    for name in filter(is_chapter, sorted(env.found_docs)):
        if "times" not in env.metadata[name]:
            env.metadata[name]["times"] = measured(app, env, name)
            tell_in_contents(env, name)
    return [name for name, known in env.metadata.items() if "shows_others" in known]


def measured(app, env, name):
    """The times of a chapter in minutes, of its page with the folds that it will have."""
    page = folded_page(app, env, name)
    sections = [part for part in page.findall(nodes.section) if isinstance(part.parent, nodes.section)]
    aside = list(page.findall(is_excursion))
    of_spine, of_excursions = exercise_minutes(coursework(env.doc2path(name)))
    by_place = {place: told(part) for part in sections for place in part["ids"]}
    return minutes_by_depth(page) | {
        "sections": {OPENING: opening(page)} | by_place,
        "excursions": {part["excursion"]: part["minutes"] for part in aside},
        "uses": {part["excursion"]: part["uses"] for part in aside},
        "exercises": of_spine,
        "exercises_aside": of_excursions,
    }


def coursework(path):
    """The chapter as coursework reads it."""
    try:
        return read_chapter(path)
    except ChapterProblem as problem:
        raise ExtensionError(str(problem)) from None


def folded_page(app, env, name):
    """The page as it was read, with the folds that writing it will make."""
    page, before = env.get_doctree(name), env.temp_data.get("docname", "")
    env.temp_data["docname"] = name
    try:
        transformer = SphinxTransformer(page)
        transformer.set_environment(env)
        transformer.add_transforms(FOLDING)
        transformer.apply_transforms()
    finally:
        env.temp_data["docname"] = before
    return page


def told(section):
    """The title of a section, and its minutes by depth: of an excursion those of all of it."""
    if is_excursion(section):
        return section.children[0].astext(), dict.fromkeys(DEPTHS, section["minutes"])
    times = {depth: exact_minutes(section, partial(is_open, depth=depth)) for depth in DEPTHS}
    return section.children[0].astext(), times


def opening(page):
    """What a page has before its first section, as `told`."""

    def stands_there(node, depth):
        sections = sum(isinstance(one, nodes.section) for one in ancestors(node))
        return sections == 1 and is_open(node, depth)

    return "the opening", {d: exact_minutes(page, partial(stands_there, depth=d)) for d in DEPTHS}


def tell_in_contents(env, name):
    """Adds the minutes of excursions to their lines in the contents."""
    times = env.metadata[name]["times"]
    for item in env.tocs[name].findall(nodes.list_item):
        if "excursion" in item["classes"]:
            link = next(item.findall(nodes.reference))
            time = times["excursions"][link.astext().partition(" ")[0]]
            link += [nodes.Text(" "), nodes.inline("", f"{time}\N{NO-BREAK SPACE}min", classes=["minutes"])]


def lecture(env, name):
    """The minutes of a lecture on the spine of a chapter."""
    return round(env.metadata[name]["spine_words"] / SPOKEN)


def reading(times):
    """`chapter 1 h, everything 2 h; exercises 3 h, with excursions another 2 h`."""
    depths = ", ".join(f"{depth} {short(times[depth])}" for depth in DEPTHS)
    spine, aside = times["exercises"], times["exercises_aside"]
    parts = [f"exercises {short(spine)}"] if spine else []
    parts += [f"with excursions another {short(aside)}"] if aside else []
    return "; ".join(filter(None, [depths, ", ".join(parts)]))


def hours(env):
    """`40 hours`, which all chapters take."""
    total = sum(times["everything"] for times in times_of_chapters(env).values())
    return f"{round(total / 60)} hours"


def write_all(transform, place):
    """The time that all chapters take."""
    return nodes.Text(hours(transform.env))


def write_one(transform, place):
    """A chapter's times in two sentences."""
    env, name = transform.env, f"chapters/{place['text']}"
    if name not in times_of_chapters(env):
        raise ExtensionError(f"{env.docname}: chapter-times: there is no page {name!r}")
    read = reading(times_of_chapters(env)[name])
    return nodes.Text(f"Lecture: {lecture(env, name)} min. Reading: {read}.")


class WriteOnCard(SphinxPostTransform):
    """Puts the times of a chapter before what its card says of running."""

    default_priority = 968  # when excursions are written

    def run(self):
        for card in of_class(self.document, "card") if is_chapter(self.env.docname) else ():
            for label in card.findall(nodes.emphasis):
                if label.astext() == RUNNING:
                    times = reading(times_of_chapters(self.env)[self.env.docname])
                    words = [nodes.emphasis("", "Reading:"), nodes.Text(f" {times}. ")]
                    label.parent.insert(label.parent.index(label), words)
                    return


def setup(app):
    app.add_role("reading-time", LaterRole(write_all))
    app.add_role("chapter-times", LaterRole(write_one))
    app.add_post_transform(WriteOnCard)
    app.connect("env-get-updated", measure)
    return {"env_version": 3}
