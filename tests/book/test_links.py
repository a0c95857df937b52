"""Links into the repository lead to a file of it."""

import yaml

from tests.book.conftest import EVERY, ROOT, parsed

CONFIG = yaml.safe_load((ROOT / "_config.yml").read_text("utf8"))


def test_links_into_the_repository_lead_to_its_files():
    place = f"{CONFIG['repository']['url']}/blob/{CONFIG['repository']['branch']}/"
    links = {
        a["href"].partition("#")[0] for path in EVERY for a in parsed(path).select(f"a[href^='{place}']")
    }
    assert len(links) > 50
    assert not [link for link in links if not (ROOT / link.removeprefix(place)).is_file()]
