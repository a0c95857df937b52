"""Listing and asking links: a small site, and a host on this machine that answers in several ways."""

import datetime
from http.server import BaseHTTPRequestHandler

import pytest

from scripts.publication import links
from scripts.publication.links import answers, is_well_formed, listed, outside, own_addresses
from scripts.serving import serve

CONFIG = {
    "html": {"baseurl": "https://us.example.org/book/"},
    "repository": {"url": "https://forge.example.org/us/book"},
    "launch_buttons": {
        "binderhub_url": "https://b.example.org",
        "colab_url": "https://c.example.org",
        "jupyterhub_url": "",
    },
}


class Host(BaseHTTPRequestHandler):
    """Answers with the code that the path names."""

    def __init__(self, *arguments, directory):
        super().__init__(*arguments)

    def do_GET(self):
        self.send_response(int(self.path.strip("/")))
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


def test_links_that_leave_the_site_are_found_once_each(tmp_path):
    (tmp_path / "below").mkdir()
    page = """<a href="https://a.example.org/x#part"></a><a href="page.html"></a><link href="https://b.org/">
        <a href="https://us.example.org/book/page.html"></a><a href="https://c.example.org/github/us/book/x"></a>"""
    for file in (tmp_path / "index.html", tmp_path / "below" / "page.html"):
        file.write_text(page)
    assert outside(tmp_path, own_addresses(CONFIG)) == ["https://a.example.org/x"]


@pytest.mark.parametrize(
    ("code", "is_up"), [(200, True), (403, True), (429, True), (404, False), (500, False)]
)
def test_a_host_that_answers_is_up_and_one_that_has_no_such_page_is_not(code, is_up):
    with serve(".", Host) as address:
        assert answers(f"{address}/{code}") == is_up


def test_a_host_that_does_not_exist_gives_no_answer():
    assert not answers("http://127.0.0.1:9/")


def test_today_is_noted_beside_those_that_answer_alone():
    known = {"https://old.org/": "2026-01-02", "https://gone.org/": "2026-01-02"}
    found = listed(["https://old.org/", "https://new.org/", "https://dead.org/"], known, lambda a: "new" in a)
    today = datetime.date.today().isoformat()
    assert found == {"https://old.org/": "2026-01-02", "https://new.org/": today, "https://dead.org/": ""}


def test_the_record_is_read_as_it_was_written(tmp_path):
    seen = {"https://b.org/": "2026-01-02", "https://a.org/?x=1,2": ""}
    links.write(seen, tmp_path / "links.csv")
    assert links.read(tmp_path / "links.csv") == seen


@pytest.mark.parametrize(
    "address",
    ["ftp://a.org/", "https://localhost/", "https://a.org/x y", "https://a.org/é", "https:a.org", "a.org"],
)
def test_addresses_that_are_none_of_the_web_are_seen(address):
    assert not is_well_formed(address)
