"""Pages and style sheet of the offline edition: what comes first, what is left out, what is refused."""

import pytest

from scripts.editions.pages import offline, waiting_for_fonts

PAGE = """<meta charset="utf-8">
<link rel="preload" as="font" type="font/woff2" crossorigin href="../_static/fonts/serif.woff2">
<link rel="stylesheet" href="../_static/margins.css?v=1">
<script defer src="../_static/reader.js?v=2"></script>
<script type="module" src="../_static/explorable.js?v=3"></script>
<script type="application/json">{}</script>
"""
OFFLINE = """<meta charset="utf-8">
<link rel="stylesheet" href="../_static/margins.css?v=1">
<script src="../_static/from_disk/system.js"></script>
<script src="../_static/from_disk/from_disk.js"></script>
<script defer src="../_static/reader.js?v=2"></script>
<script type="systemjs-module" src="../_static/explorable.js?v=3"></script>
<script type="application/json">{}</script>
"""


def test_the_loaders_come_first_and_modules_are_left_to_them():
    assert offline(PAGE, "book/page.html") == OFFLINE


def test_a_module_that_is_not_written_for_the_edition_is_refused():
    page = PAGE.replace("explorable.js", "another.js")
    with pytest.raises(
        ValueError, match=r"book/page.html loads the module ../_static/another.js: name it in"
    ):
        offline(page, "book/page.html")


def test_a_page_without_the_reader_s_script_is_refused():
    with pytest.raises(ValueError, match=r"book/page.html does not load _static/reader.js"):
        offline(PAGE.replace("reader.js", "writer.js"), "book/page.html")


def test_text_waits_for_its_font():
    style = "@font-face{src:url(a);font-display: optional}@font-face{src:url(b);font-display: swap}"
    assert waiting_for_fonts(style) == style.replace("optional", "block")
