"""The scripts that hand files over: for which files, and that they hold exactly these."""

import base64
import json

from scripts.editions import hand_over

TEXT = "<p>“Quoted” and 'quoted' \\ </script> \u2028 α</p>\n"
SITE = {
    "index.html": TEXT.encode(),
    "book/page.html": b"<p>",
    "_static/explorables/01.json": b"[1]",
    "_static/search/words.json": b"{}",
    "_static/search/index/en.pf_index": b"\x1f\x8b\xff",
    "_static/search/pagefind.js": b"import.meta",
    "_static/margins.css": b"",
    "_static/python/index.json": b"{}",
}


def handed(script):
    """What a script hands over: its only argument."""
    return json.loads(script.decode("ascii").removeprefix("handOver(").removesuffix(");\n"))


def test_pages_and_figures_have_a_script_each_and_the_search_has_one():
    assert sorted(hand_over.scripts(SITE)) == [
        "_static/explorables/01.json.js",
        "_static/search/all.js",
        "book/page.html.js",
        "index.html.js",
    ]


def test_texts_are_handed_over_as_they_are_and_bytes_in_base64():
    made = hand_over.scripts(SITE)
    assert handed(made["index.html.js"]) == {"index.html": TEXT}
    assert handed(made["book/page.html.js"]) == {"page.html": "<p>"}
    assert handed(made["_static/explorables/01.json.js"]) == {"01.json": "[1]"}
    index = handed(made["_static/search/all.js"])
    assert index.pop("words.json") == "{}"
    assert base64.b64decode(index.pop("index/en.pf_index")["base64"]) == b"\x1f\x8b\xff"
    assert not index
