"""Modules as scripts: registered with SystemJS, and refused with the file and the line."""

import json
import subprocess

import pytest

from scripts.editions import modules

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
    for name in modules.MODULES:
        file = tmp_path / modules.STATIC / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(FIRST if name == "explorable.js" else OTHERS)
    return tmp_path


def ran(script, folder):
    """What a module puts out when its script runs."""
    (folder / "script.js").write_bytes(script)
    node = modules.node()
    run = subprocess.run([node, "--eval", RUN, folder / "script.js"], capture_output=True, text=True)
    return json.loads(run.stdout)


def test_each_module_becomes_a_script_that_does_the_same(site, tmp_path):
    made = modules.registering(site)
    assert sorted(made) == sorted(f"_static/{name}.js" for name in modules.MODULES)
    first, other = (ran(made[f"_static/{name}.js"], tmp_path) for name in ("explorable.js", "ledger.js"))
    assert first == {"needed": [], "name": "/_static/a.js", "pause": 3}
    assert other == {"needed": [], "default": "asked: file:///_static/explorable.js"}


def test_a_module_that_cannot_be_read_is_named(site):
    (site / "_static" / "ledger.js").write_text("const = 3;\n")
    with pytest.raises(RuntimeError, match=r"(?s)could not write the modules of .*ledger\.js"):
        modules.registering(site)


def test_a_missing_package_has_its_remedy():
    with pytest.raises(FileNotFoundError, match="nothing is missing: run `make zip`"):
        modules.package("nothing")


def test_a_plain_script_asks_system_for_modules():
    changed = modules.importing_by_system("const a = () => import(b); reimport(c); d.import(e);")
    assert changed == "const a = () => System.import(b); reimport(c); d.import(e);"
    with pytest.raises(ValueError, match="imports nothing"):
        modules.importing_by_system("const a = 1;")
