"""Explorables on their way into pages: what is run, published and cleared away after every kind of edit."""

import re
import shutil

import pytest

from explorable.markup import script
from tests.explorable.conftest import STEPS, new_project

RUNS = "Executing notebook using"
IMPORTS = "from explorable import Drawing, explore, play, prompt, slider, toggle\n"


def frames_of(page):
    return re.findall(r'data-frames="([^"]+)"', page)


def figures_of(project):
    pages = [project.page("chapters/one"), project.page("chapters/two")]
    return [re.findall(r"<figure.*?</figure>", page, re.DOTALL) for page in pages]


def test_page_holds_the_figures_and_their_frames_are_published(book):
    page = book.page("chapters/curves")
    assert len(re.findall(r'<figure class="explorable" id="ex-[\w-]+" data-source="baked"', page)) == 2
    assert [f"../_static/explorables/{name}" for name in sorted(book.tables())] == sorted(
        {
            name
            for each in ("curves", "points", "guesses", "told")
            for name in frames_of(book.page(f"chapters/{each}"))
        }
    )
    assert re.search(r"<figcaption>.*?Figure 1 </span>A <em>curve</em> with <i>a &gt; 0</i></span>", page)
    assert re.search(
        r"<li><p>Raise <i>a</i>\.</p>\s*<details class=.*?<p>It <em>rises</em>\.</p>\s*<button", page
    )


@pytest.mark.full
def test_script_is_linked_where_it_is_needed(book, draft):
    assert book.page("chapters/curves").count('<script type="module" src="../_static/explorable.js?v=') == 1
    assert "explorable.js" not in book.page("index")
    assert "explorable.js" not in draft.page("plain")
    assert (book.site / "_static" / "explorable.js").read_text() == script()


@pytest.mark.full
def test_frames_are_right_after_every_kind_of_rebuild(draft):
    tables, figures = draft.tables(), figures_of(draft)
    assert (len(tables), [len(page) for page in figures]) == (2, [1, 2])
    build = draft.folder / "_build"
    for gone in ([], ["html"], ["html", "doctrees"], ["doctrees"]):
        for folder in gone:
            shutil.rmtree(build / folder)
        assert RUNS not in draft.build()
        assert draft.tables() == tables
        assert figures_of(draft) == figures


def test_words_name_figures_and_marks_and_a_mark_that_is_not_there_stops_the_build(draft):
    tables = draft.tables()
    draft.write("plain", "Plain", text="As {numref}`ex-steps` shows.")
    draft.write("chapters/one", "One", STEPS, text='The [way up](#ex-steps "way") is short.')
    assert RUNS not in draft.build()  # new prose runs nothing
    assert 'href="#ex-steps" title="way">' in draft.page("chapters/one")
    number = 'href="chapters/one.html#ex-steps"><span class="std std-numref">Figure 1</span></a> shows'
    assert number in draft.page("plain")
    assert draft.tables() == tables
    wrong = '[Up](#ex-steps "path"), [down](#ex-steps "back").'
    draft.write("chapters/one", "One", STEPS, text=wrong)
    said = draft.build(succeeds=False)  # names all that is wrong
    for name in ("path", "back"):
        assert re.search(rf"one\.md: .*ex-steps has no mark '{name}'; it has way", said), said
    draft.write("chapters/one", "One", STEPS)


@pytest.mark.full
def test_two_pages_cannot_have_figures_of_one_name(draft):
    before = (draft.folder / "source/chapters/two.md").read_text()
    draft.write("chapters/two", "Two", STEPS)
    assert "its figure 'ex-steps' has the name of one of" in draft.build(succeeds=False)
    (draft.folder / "source/chapters/two.md").write_text(before)


def test_new_code_runs_its_page_and_drops_the_outdated_frames_and_a_new_script_runs_nothing(draft):
    before = draft.tables()
    draft.write("chapters/one", "One", STEPS.replace("range(5)", "range(4)"))
    assert draft.build().count(RUNS) == 1
    changed = draft.tables()
    assert len(changed) == 2
    assert len(set(changed) & set(before)) == 1
    draft.write("chapters/one", "One", STEPS)
    assert RUNS not in draft.build()
    assert draft.tables() == before
    module = draft.library / "browser" / "main.js"
    module.write_text(module.read_text() + "const added = 1;\n")
    assert RUNS not in draft.build()
    assert (draft.site / "_static" / "explorable.js").read_text().endswith("const added = 1;\n")


def test_what_is_wrong_stops_the_build_and_says_where(tmp_path):
    project = new_project(tmp_path, ["chapters/one"])
    project.write("chapters/one", "One", STEPS.replace("return drawing", "1 / (step - 2); return drawing"))
    said = project.build(succeeds=False)
    assert "one.md" in said
    assert re.search(r"'steps' \(Cell In\[2\]\) at step=2: drawing it raised ZeroDivisionError", said)
    assert "the function must draw whatever the controls offer; the line: 1 / (step - 2);" in said
    project.write("chapters/one", "One", STEPS, STEPS)
    said = project.build(succeeds=False)
    assert re.search(r"one\.md:\d+: the page has two figures 'ex-steps'; give one another name", said), said


@pytest.mark.full
def test_copies_of_a_figure_share_its_table_and_have_no_number(draft):
    """The last of this file: it leaves the book as it is."""
    (draft.library.parent / "shared.py").write_text(IMPORTS + STEPS)
    draft.write("chapters/one", "One", "from shared import steps", "steps", "steps.at(step=2)")
    draft.write("chapters/two", "Two", "from shared import steps", "steps.at(step=3)", "steps.at(step=4)")
    draft.build()
    (original, copy), others = figures_of(draft)
    frames = {frames_of(figure)[0].rpartition("/")[2] for figure in (original, copy, *others)}
    assert frames == {*draft.tables()}
    assert len(frames) == 1
    ids = [re.search(r'id="([\w-]+)"', figure)[1] for figure in (original, copy, *others)]
    assert ids == [
        "ex-steps",
        "ex-chapters-one-steps-1",
        "ex-chapters-two-steps-1",
        "ex-chapters-two-steps-2",
    ]
    assert ["caption-number" in figure for figure in (original, copy, *others)] == [True] + 3 * [False]
    starts = [int(re.search(r'"position":(\d)', figure)[1]) for figure in (copy, *others)]
    assert starts == [2, 3, 4]
