"""The local web server: plain files, gzipped texts for the audit, pages that reload for `make serve`."""

import gzip
from urllib.request import urlopen

import pytest

from scripts.audit import CompressingHandler
from scripts.serve import ReloadingHandler
from scripts.serving import QuietHandler, serve

PAGE = "<head><title>A page</title></head>"


@pytest.fixture
def site(tmp_path):
    (tmp_path / "index.html").write_text(PAGE)
    (tmp_path / "font.woff2").write_bytes(b"bytes")
    return tmp_path


@pytest.mark.parametrize("handler", [QuietHandler, CompressingHandler, ReloadingHandler])
def test_files_come_as_they_are(site, handler):
    with serve(site, handler) as address, urlopen(f"{address}/font.woff2") as answer:
        assert answer.read() == b"bytes"


def test_the_audit_gets_texts_gzipped(site):
    with serve(site, CompressingHandler) as address, urlopen(f"{address}/index.html") as answer:
        assert answer.headers["Content-Encoding"] == "gzip"
        assert gzip.decompress(answer.read()).decode() == PAGE


def test_pages_that_are_being_written_load_a_script_that_asks_for_the_last_build(site):
    with serve(site, ReloadingHandler) as address:
        with urlopen(f"{address}/") as answer:
            assert b'<script defer src="/__reload.js"></script></head>' in answer.read()
        with urlopen(f"{address}/__reload.js") as answer:
            assert b"/__built" in answer.read()
        with urlopen(f"{address}/__built") as answer:
            assert answer.read().decode() == ReloadingHandler.built
