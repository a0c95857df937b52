"""Previews of pages: 1200 by 630 pixels with the title and the first figure of the page."""

import io

from bs4 import BeautifulSoup
from PIL import Image

SCREEN = {"width": 1200, "height": 630}
COLOURS = 48  # enough for a figure, and a third of the bytes
PAGES = ("index.html", "book/library/gallery.html", "chapters/*.html", "stories/*.html")
# the page as its title and its first figure alone, without panels as low as legends
ALONE = """() => {
    const words = document.querySelector("h1").cloneNode(true), book = document.querySelector(".brand");
    words.querySelectorAll(".headerlink").forEach(link => link.remove());
    const figure = document.querySelector("article figure :is(.explorable-frame, .figure-stage)");
    figure.querySelectorAll("[data-handle], button").forEach(tool => tool.remove());
    const boxOf = panel => panel.querySelector("svg").viewBox.baseVal;
    const panels = [...figure.querySelectorAll(".explorable-panel")];
    const high = Math.max(...panels.map(panel => boxOf(panel).height));
    for (const panel of panels)
        if (boxOf(panel).height < high / 2) panel.remove();
        else panel.style.flexGrow = boxOf(panel).width;
    document.body.className = "taken";
    document.body.replaceChildren(...(words.textContent === book.textContent ? [] : [book]), words, figure);
}"""
STYLE = """
body.taken { display: flex; flex-direction: column; gap: 14px; width: 1200px; height: 630px; min-height: 0;
  margin: 0; padding: 34px 56px; overflow: hidden; }
.taken > :not(.brand, h1, div) { display: none; }
.taken h1 { margin: 0; max-width: none; font-size: 44px; line-height: 1.15; }
.taken .brand { font-size: 24px; }
.taken :is(.explorable-frame, .figure-stage) { flex: 1; display: flex; flex-flow: row nowrap; gap: 40px;
  min-height: 0; width: 100%; max-width: none; justify-content: center; align-items: stretch; margin: 0; }
.taken :is(.explorable-panel, .figure-stage > *) { flex: 1 1 0; min-width: 0; max-width: none;
  aspect-ratio: auto !important; }
.taken svg { width: 100%; height: 100%; max-height: none; }
"""


def pages(site):
    """The pages that have a preview."""
    found = sorted(page for pattern in PAGES for page in site.glob(pattern))
    return [
        page
        for page in found
        if BeautifulSoup(page.read_text("utf8"), "html.parser").select("article figure")
    ]


def take(browser, address, site, target):
    """Takes the previews of all pages of the site that is served at an address into a folder."""
    view = browser.new_page(viewport=SCREEN, color_scheme="light")
    for page in pages(site):
        name = page.relative_to(site).with_suffix("")
        view.goto(f"{address}/{name}.html", wait_until="networkidle")
        view.add_style_tag(content=STYLE)
        view.evaluate(ALONE)
        picture = target / f"{name}.png"
        picture.parent.mkdir(parents=True, exist_ok=True)
        picture.write_bytes(small(view.screenshot()))
    view.close()


def small(png):
    """The picture with few colours."""
    few = Image.open(io.BytesIO(png)).convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    packed = io.BytesIO()
    few.save(packed, "PNG", optimize=True)
    return packed.getvalue()
