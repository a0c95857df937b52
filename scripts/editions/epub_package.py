"""An EPUB as a file: metadata, the list of what it holds, and an archive that its content decides."""

import uuid
import zipfile
from dataclasses import dataclass
from datetime import datetime
from html import escape

from scripts.editions import archive
from scripts.editions.edition import TITLE
from scripts.editions.front_matter import citation

FOLDER = "EPUB"
CONTAINER = (
    '<?xml version="1.0" encoding="utf-8"?>\n'
    '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" version="1.0"><rootfiles>'
    f'<rootfile full-path="{FOLDER}/package.opf" media-type="application/oebps-package+xml"/>'
    "</rootfiles></container>\n"
)
MEDIA_TYPES = {
    "css": "text/css",
    "ncx": "application/x-dtbncx+xml",
    "png": "image/png",
    "txt": "text/plain",
    "woff2": "font/woff2",
    "xhtml": "application/xhtml+xml",
}
ACCESSIBILITY = {
    "accessMode": ("textual", "visual"),
    "accessModeSufficient": ("textual",),
    "accessibilityFeature": ("MathML", "alternativeText", "displayTransformability", "tableOfContents"),
    "accessibilityHazard": ("none",),
    "accessibilitySummary": (
        "Formulas are MathML with their TeX; each drawing has its description in words.",
    ),
}


@dataclass
class Metadata:
    """What the package says of the book."""

    identifier: str
    title: str
    authors: list[str]
    released: str
    rights: str
    keywords: list[str]
    modified: datetime
    source: str


def metadata(home):
    """The book's metadata, from CITATION.cff and the commit; `home` is the address of the site."""
    cited = citation()
    return Metadata(
        identifier=f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, home)}",
        title=TITLE,
        authors=[author["name"] for author in cited["authors"]],
        released=str(cited["date-released"]),
        rights=", ".join(cited["license"]),
        keywords=cited["keywords"],
        modified=archive.date(),
        source=home,
    )


def described(about):
    """The metadata as elements of the package."""
    element = "<dc:{0}>{1}</dc:{0}>".format
    said = [
        f'<dc:identifier id="book">{about.identifier}</dc:identifier>',
        element("title", escape(about.title)),
        *(element("creator", escape(author)) for author in about.authors),
        element("language", "en"),
        element("date", about.released),
        element("rights", escape(about.rights)),
        *(element("subject", escape(word)) for word in about.keywords),
        element("source", about.source),
        f'<meta property="dcterms:modified">{about.modified:%Y-%m-%dT%H:%M:%SZ}</meta>',
        '<meta name="cover" content="cover.png"/>',  # where readers of EPUB 2 look for it
    ]
    for name, values in ACCESSIBILITY.items():
        said += [f'<meta property="schema:{name}">{value}</meta>' for value in values]
    return "".join(said)


def item(name, content):
    """A file in the package's list, with what a reader has to know to show it."""
    text = content.decode("utf8") if name.endswith(".xhtml") else ""
    kinds = {"mathml": "<math" in text, "svg": "<svg" in text, "nav": name == "nav.xhtml"}
    kinds["cover-image"] = name == "cover.png"
    properties = " ".join(kind for kind, holds in kinds.items() if holds)
    shown = f' properties="{properties}"' if properties else ""
    media = MEDIA_TYPES[name.rpartition(".")[2]]
    return f'<item id="{name.replace("/", "-")}" href="{name}" media-type="{media}"{shown}/>'


def package(about, files, spine):
    """package.opf: metadata, all files, and the order in which they are read."""
    manifest = "".join(item(name, content) for name, content in sorted(files.items()))
    order = "".join(f'<itemref idref="{name}"/>' for name in spine)
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        '<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="book" xml:lang="en">'
        f'<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">{described(about)}</metadata>'
        f'<manifest>{manifest}</manifest><spine toc="toc.ncx">{order}</spine></package>\n'
    )


def write(target, about, files, spine):
    """Writes the archive: the type first and plain, then all files by name, each with the commit's date."""
    inside = {f"{FOLDER}/{name}": content for name, content in files.items()}
    inside[f"{FOLDER}/package.opf"] = package(about, files, spine).encode("utf8")
    inside["META-INF/container.xml"] = CONTAINER.encode("utf8")
    when = about.modified.timetuple()[:6]
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr(zipfile.ZipInfo("mimetype", when), b"application/epub+zip", zipfile.ZIP_STORED)
        for name, content in sorted(inside.items()):
            archive.writestr(zipfile.ZipInfo(name, when), content, zipfile.ZIP_DEFLATED, compresslevel=9)
