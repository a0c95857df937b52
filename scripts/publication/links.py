"""`make links`: lists the links of the built site that leave it, with the day on which each was last seen.

The record is `book/links.csv`. `make links ASK=1` asks every address once, writes today's date beside those
that answer, and prints the rest. Addresses of this repository and of services that open it are left out.
"""

import argparse
import csv
import datetime
import sys
import urllib.error
import urllib.request
from urllib.parse import urldefrag, urlsplit

from bs4 import BeautifulSoup, SoupStrainer

from scripts.editions.site import ROOT, SITE, settings

RECORD = ROOT / "book" / "links.csv"
HEADINGS = ("address", "seen")
NEVER = ""
SECONDS = 30  # for an answer
# hosts that answer programs with these are up: they keep programs out, or ask them to come again later
KEPT_OUT = {401, 403, 405, 418, 429}


def own_addresses(config):
    """The beginnings of addresses that are the book's own: its site, its repository, what opens that."""
    repository, buttons = config["repository"]["url"], config["launch_buttons"]
    openers = [buttons["binderhub_url"], f"{buttons['colab_url']}/github", buttons["jupyterhub_url"]]
    return tuple(filter(None, [config["html"]["baseurl"], repository, *openers]))


def outside(site, own):
    """The addresses of all links of a site that leave it, sorted."""
    found = set()
    for page in site.rglob("*.html"):
        links = BeautifulSoup(page.read_text("utf8"), "html.parser", parse_only=SoupStrainer("a", href=True))
        found |= {urldefrag(link["href"]).url for link in links.select("a[href*='://']")}
    return sorted(address for address in found if not address.startswith(own))


def is_well_formed(address):
    """Whether an address is one of the web, of a named host, without characters that have to be quoted."""
    parts = urlsplit(address)
    is_quoted = address.isascii() and not set(' "<>\\^`{|}') & set(address)
    return parts.scheme in ("http", "https") and "." in (parts.hostname or "") and is_quoted


def answers(address):
    """Whether the host answers, as far as a program can see."""
    request = urllib.request.Request(address, headers={"User-Agent": "Mozilla/5.0 (links of a book)"})
    try:
        with urllib.request.urlopen(request, timeout=SECONDS):
            return True
    except urllib.error.HTTPError as error:
        return error.code in KEPT_OUT
    except OSError:
        return False


def read(record=RECORD):
    """By address, the day on which it was last seen."""
    with record.open(encoding="utf8", newline="") as file:
        return {row["address"]: row["seen"] for row in csv.DictReader(file)}


def write(seen, record=RECORD):
    with record.open("w", encoding="utf8", newline="") as file:
        lines = csv.writer(file, lineterminator="\n")
        lines.writerows([HEADINGS, *sorted(seen.items())])


def listed(addresses, known, ask):
    """By address, the day on which it was last seen: today's, if `ask` finds it now."""
    today = datetime.date.today().isoformat()
    return {address: today if ask(address) else known.get(address, NEVER) for address in addresses}


def asked(addresses):
    """The record with today's date beside those that answer; prints those that do not."""
    seen, today = listed(addresses, read(), answers), datetime.date.today().isoformat()
    for address, day in seen.items():
        if day != today:
            print(f"no answer: {address} (last seen: {day or 'never'})")
    return seen


def main():
    parser = argparse.ArgumentParser(prog="python -m scripts.publication.links", description=__doc__)
    parser.add_argument("--ask", action="store_true", help="ask every address")
    options = parser.parse_args()
    if not (SITE / "index.html").is_file():
        sys.exit(f"{SITE} holds no site; run `make book` first")
    addresses = outside(SITE, own_addresses(settings()))
    seen = asked(addresses) if options.ask else listed(addresses, read(), lambda _: False)
    write(seen)
    count = sum(map(bool, seen.values()))
    print(f"{len(seen)} addresses in {RECORD.relative_to(ROOT)}, {count} of them seen at some time")


if __name__ == "__main__":
    main()
