"""`make zip`: the built site as one archive that a reader unpacks and opens from a disk."""

import string
import time
from pathlib import Path

from scripts.editions import archive, from_disk
from scripts.editions.site import ROOT, SITE, settings
from scripts.editions.whole_book import citation

NAME = "margins-of-attention"  # of the archive and of the folder in it
TARGET = ROOT / "_build" / f"{NAME}.zip"
HERE = Path(__file__).parent
NOTE = "READ-ME-FIRST.txt"
NOT_FOUND = "404.html"  # only a host shows it, and its addresses begin at the host's root
# what is of no use without a host, by the beginnings of its names; figures' own pages are for frames
ONLINE = (NOT_FOUND, "llms.txt", "sitemap.xml", "_images/previews/", "figures/")
CHANGED = {
    f"{from_disk.STATIC}/reader.js": from_disk.importing_by_system,
    f"{from_disk.STATIC}/margins.css": from_disk.waiting_for_fonts,
}


def edition(site, seconds):
    """The files of the offline edition of a site by name, with their bytes."""
    files = published(site)
    files |= from_disk.scripts(files) | from_disk.registering(site) | loaders()
    for name in (name for name in files if name.endswith(".html")):
        files[name] = from_disk.page_from_disk(files[name].decode("utf8"), name).encode()
    for name, change in CHANGED.items():
        files[name] = change(files[name].decode("utf8")).encode()
    return files | {NOTE: note(seconds)}


def published(site):
    """The files of a site by name, without what needs a host and what Sphinx hides for its next build."""
    if not (site / "index.html").exists():
        raise FileNotFoundError(f"{site} has no index.html: build the site with `make book`")
    found = (file for file in site.rglob("*") if file.is_file() and not file.name.startswith("."))
    named = ((file.relative_to(site).as_posix(), file) for file in found)
    return {name: file.read_bytes() for name, file in named if not name.startswith(ONLINE)}


def loaders():
    """SystemJS with its licence, and the script that lets it read from a disk."""
    system = from_disk.package("systemjs")
    taken = {
        "system.js": system / "dist" / "s.js",
        "system-licence.txt": system / "LICENSE",
        "from_disk.js": HERE / "from_disk.js",
    }
    return {f"{from_disk.STATIC}/from_disk/{name}": file.read_bytes() for name, file in taken.items()}


def note(seconds):
    """What a reader is told first."""
    cited = citation()
    known = {
        "title": settings()["title"],
        "version": cited["version"],
        "date": time.strftime("%Y-%m-%d", time.gmtime(seconds)),
        "home": settings()["html"]["baseurl"],
    }
    return string.Template((HERE / NOTE).read_text("utf8")).substitute(known).encode()


def make(files, target, seconds):
    """Writes the archive: the files of the edition in one folder."""
    archive.pack({f"{NAME}/{name}": content for name, content in files.items()}, target, seconds)


def main():
    begun, seconds = time.monotonic(), archive.moment()
    files = edition(SITE, seconds)
    make(files, TARGET, seconds)
    size, took = TARGET.stat().st_size / 1e6, time.monotonic() - begun
    print(f"The offline edition: {TARGET} ({size:.1f} MB, {len(files)} files, {took:.0f} s)")


if __name__ == "__main__":
    main()
