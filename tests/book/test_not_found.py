"""The page for an address at which there is none, as the forge's pages serve it, however deep that is."""

from urllib.parse import urlsplit

import pytest
import yaml

from scripts.serving import QuietHandler, serve
from tests.book.conftest import NOT_FOUND, ROOT, SITE, Faults, parsed

BASE = urlsplit(yaml.safe_load((ROOT / "_config.yml").read_text("utf8"))["html"]["baseurl"]).path.rstrip("/")


class Forge(QuietHandler):
    """A host with the site below its path, which answers with the site's own page where a file is missing."""

    def translate_path(self, path):
        below = path.partition("?")[0]
        return super().translate_path(below.removeprefix(BASE) if below.startswith(BASE) else "/nowhere")

    def send_error(self, code, message=None, explain=None):
        body = (SITE / NOT_FOUND).read_bytes()
        self.send_response(code)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture(scope="module")
def forge():
    with serve(SITE, Forge) as origin:
        yield origin


MISSING = {
    "/chapters/06_attention_svm_old.html": "attention svm old",
    "/a/b/Nadaraya-Watson": "Nadaraya Watson",
}


@pytest.mark.parametrize(("missing", "words"), MISSING.items())
def test_a_missing_address_is_searched_for_its_words(browser, forge, missing, words):
    with browser.new_page() as page:
        faults = Faults(forge)
        faults.watch(page)
        answer = page.goto(f"{forge}{BASE}{missing}")
        page.wait_for_selector("#search-results a")
        assert f"“{words}”" in page.inner_text("#search-progress")
        assert faults.missing == [answer.url]
        page.locator("#search-results a").first.click()
        page.wait_for_url(f"{forge}{BASE}/*/*.html*")
        assert page.locator("article h1").count() == 1
        faults.missing.clear()
        faults.console.clear()  # the answer's own code
        page.goto(answer.url)
        page.get_by_role("link", name="The first page").click()
        page.wait_for_url(f"{forge}{BASE}/index.html")
        faults.missing.remove(answer.url)
        faults.console.pop()
        faults.none_seen()


def test_no_address_of_the_page_begins_at_its_own_folder():
    page = parsed(NOT_FOUND)
    found = [tag[name] for name in ("href", "src", "action") for tag in page.select(f"[{name}]")]
    assert len(found) > 20
    assert not [address for address in found if not address.startswith((f"{BASE}/", "https://", "#"))]
