"""Asks Binder for the image of the branch of notebooks, so that the next reader does not wait for it.

Binder answers with a stream of events, each a line `data: {"phase": ..., "message": ...}`; the image is kept
as soon as Binder begins to launch it.
"""

import json
import os
import sys
import urllib.request
from pathlib import Path

import yaml

from scripts.publication.notebooks import BRANCH

ROOT = Path(__file__).resolve().parents[2]
KEPT = {"built", "launching", "ready"}
PATIENCE = 3000  # seconds without a word from Binder


def build_address(config, repository, branch):
    """The address at which Binder builds the branch of a repository, named as `owner/name`."""
    return f"{config['launch_buttons']['binderhub_url'].rstrip('/')}/build/gh/{repository}/{branch}"


def events(lines):
    """The events of a stream, by its lines."""
    for line in lines:
        kind, _, data = line.decode("utf8").partition(":")
        if kind == "data":
            yield json.loads(data)


def ask(address):
    """Prints what Binder says until the image is kept; the program ends with its message if it is not."""
    request = urllib.request.Request(address, headers={"Accept": "text/event-stream"})
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
        for event in events(answer):
            print(f"{event.get('phase', '')}: {event.get('message', '').strip()}", flush=True)
            if event.get("phase") in KEPT:
                return
            if event.get("phase") == "failed":
                sys.exit(f"Binder could not build {address}: {event.get('message', '').strip()}")
    sys.exit(f"Binder ended its answer before the image was built; ask again: {address}")


def main():
    config = yaml.safe_load((ROOT / "_config.yml").read_text("utf8"))
    ask(build_address(config, os.environ["GITHUB_REPOSITORY"], BRANCH))


if __name__ == "__main__":
    main()
