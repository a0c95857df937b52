"""Asking Binder for an image: a local server answers as Binder does."""

import contextlib
import json
from http.server import BaseHTTPRequestHandler

import pytest
import yaml

from scripts.publication.binder import ROOT, ask, build_address
from scripts.serving import serve


def binder(*phases):
    """The address of a server that answers every request with events of these phases."""
    asked = []

    class Binder(BaseHTTPRequestHandler):
        def __init__(self, *arguments, directory):
            super().__init__(*arguments)

        def do_GET(self):
            asked.append((self.path, self.headers["Accept"]))
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.end_headers()
            for phase in phases:
                event = json.dumps({"phase": phase, "message": f"it is {phase}\n"})
                self.wfile.write(f": keepalive\n\ndata: {event}\n\n".encode())

        def log_message(self, *_):
            pass

    @contextlib.contextmanager
    def running():
        with serve(".", Binder) as address:
            yield address, asked

    return running()


def test_binder_is_asked_for_the_branch_of_the_repository():
    config = yaml.safe_load((ROOT / "_config.yml").read_text("utf8"))
    address = build_address(config, "owner/book", "main")
    assert address == "https://mybinder.org/build/gh/owner/book/main"


def test_the_answer_is_read_until_the_image_is_kept(capsys):
    with binder("waiting", "building", "launching", "failed") as (address, asked):
        ask(f"{address}/build/gh/owner/book/main")
    assert asked == [("/build/gh/owner/book/main", "text/event-stream")]
    phases = [line.partition(":")[0] for line in capsys.readouterr().out.splitlines()]
    assert phases == ["waiting", "building", "launching"]


@pytest.mark.parametrize(
    ("phases", "said"),
    [
        (["building", "failed"], "could not build .*: it is failed$"),
        (["building"], "ended its answer before"),
    ],
)
def test_an_image_that_is_not_built_ends_the_program(phases, said):
    with binder(*phases) as (address, _), pytest.raises(SystemExit, match=said):
        ask(f"{address}/build/gh/owner/book/main")
