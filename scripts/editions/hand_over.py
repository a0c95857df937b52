"""Scripts that hand files over to a page: a browser that opens it from a disk can load them in no other way.

`from_disk.js` runs the script beside a file when something asks for the file.
"""

import base64
import json

FIGURES, INDEX = "_static/explorables/", "_static/search/"
WHOLE_INDEX = f"{INDEX}all.js"  # one script for two thousand small files, which are needed together


def scripts(files):
    """By name the scripts for what pages load of `files`: pages, figures' tables, the index of the search."""
    alone = [name for name in files if name.endswith(".html") or name.startswith(FIGURES)]
    made = {f"{name}.js": handing_over({name.rpartition("/")[2]: files[name]}) for name in alone}
    index = {name.removeprefix(INDEX): files[name] for name in files if is_of_index(name)}
    return made | {WHOLE_INDEX: handing_over(index)}


def is_of_index(name):
    """Whether a file is data of the search; its scripts are loaded as scripts."""
    return name.startswith(INDEX) and not name.endswith(".js")


def handing_over(files):
    """A script that hands over files by name."""
    return f"handOver({json.dumps({name: written(name, files[name]) for name in sorted(files)})});\n".encode()


def written(name, content):
    """The content of a file as JSON can hold it: a text as it is, anything else in base64."""
    if name.endswith((".html", ".json")):
        return content.decode("utf8")
    return {"base64": base64.b64encode(content).decode("ascii")}
