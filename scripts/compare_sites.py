"""What differs between two built sites: pages and files, ids, links inside the site, visible text, notebooks.

    .venv/bin/python scripts/compare_sites.py OLD NEW     # two folders like _build/html

Prints one line for each difference and ends with code 1 if there are any. Names and query strings that hold a
hash of the content (tables of figures, `?v=...`, Pagefind's files) do not count.
"""

import difflib
import re
import sys
from pathlib import Path

from bs4 import BeautifulSoup

HASHED = re.compile(r"_static/(search|explorables|pygments|sphinx_proof|fonts)/|_images/|\.doctrees")
QUERY = re.compile(r"\?[^#]*")
TEXT_SHOWN = 160  # characters of each differing piece of text


def files_of(site):
    """The paths of a site's files, without those that are named by their content."""
    paths = (file.relative_to(site).as_posix() for file in site.rglob("*") if file.is_file())
    return {path for path in paths if not HASHED.search(path)}


def differing_sets(place, what, old, new):
    """A line for each member that one of two sets lacks."""
    yield from (f"{place}: {what} missing: {member}" for member in sorted(old - new))
    yield from (f"{place}: {what} new: {member}" for member in sorted(new - old))


def ids_of(page):
    return {tag["id"] for tag in page.select("[id]")}


def links_of(page):
    """The addresses inside the site that a page leads to or loads."""
    found = [tag.get("href") or tag.get("src") for tag in page.select("[href], [src]")]
    inside = (link for link in found if "://" not in link and not HASHED.search(link))
    return {QUERY.sub("", link) for link in inside}


def text_of(page):
    """The pieces of text that a reader sees, in their order."""
    for hidden in page.select("script, style"):
        hidden.decompose()
    return [" ".join(text.split()) for text in page.stripped_strings]


def differing_text(place, old, new):
    """A line for each run of pieces that differs."""
    matcher = difflib.SequenceMatcher(None, old, new)
    for kind, i, j, k, l in matcher.get_opcodes() if old != new else ():
        if kind != "equal":
            before, after = (" ".join(pieces)[:TEXT_SHOWN] for pieces in (old[i:j], new[k:l]))
            yield f"{place}: text: {before!r} -> {after!r}"


def differing_pages(path, old, new):
    """A line for each difference between two versions of the page `path`."""
    pages = [BeautifulSoup((site / path).read_bytes(), "html.parser") for site in (old, new)]
    yield from differing_sets(path, "id", *map(ids_of, pages))
    yield from differing_sets(path, "link", *map(links_of, pages))
    yield from differing_text(path, *map(text_of, pages))


def differences(old, new):
    """A line for each difference between two sites."""
    before, after = files_of(old), files_of(new)
    yield from differing_sets("site", "file", before, after)
    for path in sorted(before & after):
        if path.endswith(".html"):
            yield from differing_pages(path, old, new)
        elif path.endswith(".ipynb") and (old / path).read_bytes() != (new / path).read_bytes():
            yield f"{path}: the notebook differs"


def main(folders):
    sites = [Path(folder) for folder in folders]
    if len(sites) != 2 or not all((site / "index.html").is_file() for site in sites):
        sys.exit("usage: python scripts/compare_sites.py OLD NEW, two folders with an index.html each")
    found = list(differences(*sites))
    print(*found, sep="\n")
    print(f"{len(found)} differences between {sites[0]} and {sites[1]}")
    sys.exit(bool(found))


if __name__ == "__main__":
    main(sys.argv[1:])
