"""An EPUB as a file: metadata, the list of what it has, and an archive that its content decides."""

import uuid
import zipfile
from html import escape

from scripts.editions import archive
from scripts.editions.site import TITLE
from scripts.editions.whole_book import citation

FOLDER = "EPUB"
CONTAINER = (
    '<?xml version="1.0" encoding="utf-8"?>\n'
    '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" version="1.0"><rootfiles>'
    f'<rootfile full-path="{FOLDER}/package.opf" media-type="application/oebps-package+xml"/>'
    "</rootfiles></container>\n"
)
MEDIA_TYPES = {
    "css": "text/css",
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


def metadata(home):
    """The metadata as elements, from CITATION.cff and the commit; `home` is the address of the site."""
    cited = citation()
    identifier = f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, home)}"
    pairs = [("title", TITLE), *(("creator", author["name"]) for author in cited["authors"])]
    pairs += [("language", "en"), ("date", str(cited["date-released"])), ("source", home)]
    pairs += [("rights", ", ".join(cited["license"])), *(("subject", word) for word in cited["keywords"])]
    elements = [f'<dc:identifier id="book">{identifier}</dc:identifier>']
    elements += [f"<dc:{name}>{escape(value)}</dc:{name}>" for name, value in pairs]
    elements.append(f'<meta property="dcterms:modified">{archive.date():%Y-%m-%dT%H:%M:%SZ}</meta>')
    for name, values in ACCESSIBILITY.items():
        elements += [f'<meta property="schema:{name}">{value}</meta>' for value in values]
    return "".join(elements)


def item(name, content):
    """A file in the package's list, with what a reader has to know to show it."""
    text = content.decode("utf8") if name.endswith(".xhtml") else ""
    kinds = {"mathml": "<math" in text, "svg": "<svg" in text, "nav": name == "nav.xhtml"}
    kinds["cover-image"] = name == "cover.png"
    properties = " ".join(kind for kind, is_so in kinds.items() if is_so)
    shown = f' properties="{properties}"' if properties else ""
    media = MEDIA_TYPES[name.rpartition(".")[2]]
    return f'<item id="{name.replace("/", "-")}" href="{name}" media-type="{media}"{shown}/>'


def package(home, files, spine):
    """package.opf: metadata, all files, and the order in which they are read."""
    manifest = "".join(item(name, content) for name, content in sorted(files.items()))
    order = "".join(f'<itemref idref="{name}"/>' for name in spine)
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        '<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="book" xml:lang="en">'
        f'<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">{metadata(home)}</metadata>'
        f"<manifest>{manifest}</manifest><spine>{order}</spine></package>\n"
    )


def write(target, home, files, spine):
    """Writes the archive: the type first and plain, then all files by name, each with the commit's date."""
    inside = {f"{FOLDER}/{name}": content for name, content in files.items()}
    inside[f"{FOLDER}/package.opf"] = package(home, files, spine).encode("utf8")
    inside["META-INF/container.xml"] = CONTAINER.encode("utf8")
    when = archive.date().timetuple()[:6]
    with zipfile.ZipFile(target, "w") as file:
        file.writestr(zipfile.ZipInfo("mimetype", when), b"application/epub+zip", zipfile.ZIP_STORED)
        for name, content in sorted(inside.items()):
            file.writestr(zipfile.ZipInfo(name, when), content, zipfile.ZIP_DEFLATED, compresslevel=9)
