"""The page of a small chapter's figure alone: what it holds, where it leads, and when it goes."""

import re
from types import SimpleNamespace

import pytest

from extensions.pages.figure_pages import drop_others
from tests.small_book import NOTEBOOK, SmallSite

pytestmark = pytest.mark.full  # in `make test` the built site is looked at
MOVES = """
## The factor in the sum

```{code-cell} python
from explorable import Drawing, explore, play, prompt

CAPTION = "A sum over $\\\\sqrt x$; [the hand](#ex-sums \\"hand\\") turns as in {ref}`words`."

@explore(n=play(range(3)), caption=CAPTION,
         prompts=[prompt("Where will it end?", "Above.", at={"n": 2}, says="at 2")])
def sums(n):
    drawing = Drawing()
    drawing.panel("plane", xlim=(0, 3), ylim=(0, 3)).plot([0, n], [0, n], key="hand")
    return drawing, f"at {n}"
```

```{code-cell} python
from explorable import show
from explorable.style import new_axes

figure, axes = new_axes()
axes.plot([0, 1], "o")
show(figure, name="rise", caption="It *rises*", alt="Two points")
```

(words)=
## Words

<!-- figure ex-sums: n=1 -->
One is added.
"""
BEFORE = """
```{code-cell} python
from explorable import show
from explorable.style import new_axes

show(new_axes()[0], name="empty", caption="Before the chapter", alt="Axes")
```
"""


@pytest.fixture(scope="module")
def site(small_book):
    chapters = {"chapters/06_small": NOTEBOOK + MOVES}
    return SmallSite(small_book, chapters).build(NOTEBOOK + BEFORE, numbered=False)


def test_a_figure_has_a_page_with_all_that_belongs_to_it_and_no_more(site):
    page = site.parsed("figures/06_small/sums")
    # the figures of each page without a number count from 1
    assert page.title.string.startswith("Figure 1: A sum over √ x; the hand turns as in Words.")
    assert page.select_one("meta[name=description]")["content"].startswith("A sum over √ x;")
    assert page.select_one("meta[property='og:image']")["content"].endswith("/_images/previews/index.png")
    assert page.select_one("link[rel=canonical]")["href"].endswith("/figures/06_small/sums.html")
    figure, questions, place = page.article.find_all(recursive=False)
    assert (figure["id"], figure["data-alone"]) == ("ex-sums", "")
    frames = re.fullmatch(r"\.\./\.\./(_static/explorables/\w+\.json)", figure["data-frames"])
    assert site.read(frames[1])
    assert figure.figcaption.math is not None
    assert figure.select(".explorable-follows, .headerlink") == []
    links = {link.text: link["href"] for link in figure.select("a")}
    assert links == {"the hand": "#ex-sums", "Words": "../../chapters/06_small.html#words"}
    assert questions.select_one(".explorable-jump")["data-at"] == '{"n": 2}'
    back = place.select_one("a")
    assert (back.text, back["target"]) == ("chapter 6, “The factor in the sum”", "_top")
    assert back["href"] == "../../chapters/06_small.html#ex-sums"
    scripts = [script["src"] for script in page.select("script[src]")]
    names = [script.partition("?")[0].removeprefix("../../_static/") for script in scripts]
    assert names == ["explorable.js", "lecture.js"]
    assert len(page.select("link[rel=preload]")) == 3  # its fonts


def test_the_marks_of_a_figure_that_stays_still_keep_their_shapes(site):
    page = site.parsed("figures/06_small/rise")
    shapes = {use["href"] for use in page.select("figure use")}
    assert shapes
    assert all(page.find(id=shape.removeprefix("#")) for shape in shapes)


def test_the_chapter_says_where_the_page_is(chapter):
    assert chapter.find(id="ex-sums")["data-alone"] == "../figures/06_small/sums.html"


def test_the_page_of_a_figure_that_is_gone_goes(tmp_path):
    """Of two kept pages one is of a figure that the site has still."""
    site, kept = tmp_path / "html", tmp_path / "trees" / "figure-pages" / "chapters" / "one"
    kept.mkdir(parents=True)
    for name in ("here", "gone"):
        (kept / f"ex-{name}.json").write_text("{}")
        (site / "figures" / "one").mkdir(parents=True, exist_ok=True)
        (site / "figures" / "one" / f"{name}.html").write_text("")
    builder = SimpleNamespace(format="html", get_outfilename=lambda page: str(site / f"{page}.html"))
    env = SimpleNamespace(explorables={"chapters/one": {"ex-here": "table.json"}})
    drop_others(SimpleNamespace(builder=builder, env=env, outdir=site, doctreedir=tmp_path / "trees"), None)
    assert [file.name for file in site.rglob("*.html")] == ["here.html"]
