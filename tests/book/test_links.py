"""The links that leave the site: listed, well-formed; those into the repository lead to a file of it."""

import yaml

from scripts.publication.links import is_well_formed, outside, own_addresses, read
from tests.book.conftest import EVERY, ROOT, SITE, parsed

CONFIG = yaml.safe_load((ROOT / "_config.yml").read_text("utf8"))


def test_every_link_that_leaves_the_site_is_listed():
    assert list(read()) == outside(SITE, own_addresses(CONFIG)), "links have changed: run `make links`"


def test_every_listed_link_is_well_formed():
    assert len(read()) > 50
    assert not [address for address in read() if not is_well_formed(address)]


def test_links_into_the_repository_lead_to_its_files():
    place = f"{CONFIG['repository']['url']}/blob/{CONFIG['repository']['branch']}/"
    links = {
        a["href"].partition("#")[0] for path in EVERY for a in parsed(path).select(f"a[href^='{place}']")
    }
    assert len(links) > 50
    assert not [link for link in links if not (ROOT / link.removeprefix(place)).is_file()]
