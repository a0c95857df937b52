"""What a page opened from a disk has: modules as scripts, files handed over by scripts, its loaders."""

import base64
import json
import subprocess

import pytest

from scripts.editions import from_disk
from scripts.editions.from_disk import page_from_disk, waiting_for_fonts

FIRST = (
    "export const name = new URL(import.meta.url).pathname;\nexport const pause = await Promise.resolve(3);\n"
)
OTHERS = "export default import(new URL('explorable.js', import.meta.url));\n"
RUN = """globalThis.System = {register: (needed, declare) => Object.assign(globalThis, {needed, declare})};
const told = {};
const put = (name, value) => Object.assign(told, typeof name === "string" ? {[name]: value} : name);
import(process.argv[1]).then(async () => {
  await declare(put, {meta: {url: "file:///_static/a.js"}, import: ({href}) => `asked: ${href}`}).execute();
  console.log(JSON.stringify({needed, ...told}));
});"""


@pytest.fixture
def site(tmp_path):
    for name in from_disk.MODULES:
        file = tmp_path / from_disk.STATIC / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(FIRST if name == "explorable.js" else OTHERS)
    return tmp_path


def ran(script, folder):
    """What a module puts out when its script runs."""
    (folder / "script.js").write_bytes(script)
    node = from_disk.node()
    run = subprocess.run([node, "--eval", RUN, folder / "script.js"], capture_output=True, text=True)
    return json.loads(run.stdout)


def test_each_module_becomes_a_script_that_does_the_same(site, tmp_path):
    made = from_disk.registering(site)
    assert sorted(made) == sorted(f"_static/{name}.js" for name in from_disk.MODULES)
    first, other = (ran(made[f"_static/{name}.js"], tmp_path) for name in ("explorable.js", "ledger.js"))
    assert first == {"needed": [], "name": "/_static/a.js", "pause": 3}
    assert other == {"needed": [], "default": "asked: file:///_static/explorable.js"}


def test_a_module_that_cannot_be_read_is_named(site):
    (site / "_static" / "ledger.js").write_text("const = 3;\n")
    with pytest.raises(RuntimeError, match=r"(?s)could not write the modules of .*ledger\.js"):
        from_disk.registering(site)


def test_a_missing_package_has_its_remedy():
    with pytest.raises(FileNotFoundError, match="nothing is missing: run `make zip`"):
        from_disk.package("nothing")


def test_a_plain_script_asks_system_for_modules():
    changed = from_disk.importing_by_system("const a = () => import(b); reimport(c); d.import(e);")
    assert changed == "const a = () => System.import(b); reimport(c); d.import(e);"
    with pytest.raises(ValueError, match="imports nothing"):
        from_disk.importing_by_system("const a = 1;")


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
    assert sorted(from_disk.scripts(SITE)) == [
        "_static/explorables/01.json.js",
        "_static/search/all.js",
        "book/page.html.js",
        "index.html.js",
    ]


def test_texts_are_handed_over_as_they_are_and_bytes_in_base64():
    made = from_disk.scripts(SITE)
    assert handed(made["index.html.js"]) == {"index.html": TEXT}
    assert handed(made["book/page.html.js"]) == {"page.html": "<p>"}
    assert handed(made["_static/explorables/01.json.js"]) == {"01.json": "[1]"}
    index = handed(made["_static/search/all.js"])
    assert index.pop("words.json") == "{}"
    assert base64.b64decode(index.pop("index/en.pf_index")["base64"]) == b"\x1f\x8b\xff"
    assert not index


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


POLL = '<a href="../../figures/03_softmax_kernel/votes.html?lecture&amp;ask=2">'
FIGURE = '<figure id="ex-a" data-frames="a.json"{}></figure>'


@pytest.mark.parametrize(
    ("part", "there"),
    [
        ("", ""),
        (FIGURE.format(' data-alone="../figures/page/a.html"'), FIGURE.format("")),
        (POLL, '<a href="../../chapters/03_softmax_kernel.html?lecture#ex-votes">'),
    ],
)
def test_loaders_come_first_figures_have_no_pages_and_polls_open_in_chapters(part, there):
    assert page_from_disk(PAGE + part, "book/page.html") == OFFLINE + there


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("explorable.js", r"loads the module ../_static/another.js: name it in"),
        ("reader.js", r"does not load _static/reader.js"),
    ],
)
def test_a_page_with_a_module_of_its_own_or_without_the_reader_s_script_is_refused(script, said):
    with pytest.raises(ValueError, match=f"book/page.html {said}"):
        page_from_disk(PAGE.replace(script, "another.js"), "book/page.html")


def test_text_waits_for_its_font():
    style = "@font-face{src:url(a);font-display: optional}@font-face{src:url(b);font-display: swap}"
    assert waiting_for_fonts(style) == style.replace("optional", "block")
