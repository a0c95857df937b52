"""The page of a figure alone: what of its own page it has, where its links lead, and when it goes."""

from types import SimpleNamespace

from extensions.pages.figure_pages import cut, drop_others, seen_from

OWN, HOME = "figures/06_small/sums.html", "chapters/06_small.html"
PAGE = """<figure id="ex-other"></figure><ul class="explorable-prompts"></ul>
<figure class="explorable" id="ex-sums" data-alone="../figures/06_small/sums.html"
    data-frames="../_static/table.json"><path id="dot"/><use href="#dot"/>
<p class="explorable-follows" role="status"></p>
<figcaption>A <a href="#ex-sums">hand</a> as in <a href="#words">Words</a>, <a href="https://other.org/">see</a>
<a class="headerlink" href="#ex-sums">#</a></figcaption></figure>
<ul class="explorable-prompts">It asks.</ul>
<figure id="ex-last"></figure>"""
ALONE = """<figure class="explorable" id="ex-sums" data-alone=""
    data-frames="../../_static/table.json"><path id="dot"/><use href="#dot"/>

<figcaption>A <a href="#ex-sums">hand</a> as in \
<a href="../../chapters/06_small.html#words" target="_top">Words</a>, \
<a href="https://other.org/" target="_top">see</a>
</figcaption></figure>
<ul class="explorable-prompts">It asks.</ul>"""


def test_a_figure_has_all_that_belongs_to_it_with_addresses_as_they_are_from_there():
    assert seen_from(OWN, HOME, "ex-sums", PAGE) == ALONE


def test_a_long_caption_is_cut_at_the_end_of_a_word():
    assert [cut("one two, three", longest) for longest in (14, 10)] == ["one two, three", "one two …"]


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
