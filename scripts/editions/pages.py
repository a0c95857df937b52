"""The pages and the style sheet of the offline edition.

The modules of pages are SystemJS's, which comes first. No font is asked for ahead of the style sheet: from a
disk a browser refuses that, and complains. So text waits for its font, which a disk brings in a moment.
"""

import re

from scripts.editions.modules import MODULES, STATIC

LOADERS = ("from_disk/system.js", "from_disk/from_disk.js")
FIRST = re.compile(r'<script defer src="([^"]*)_static/reader\.js')  # the first script of a page
PRELOAD = re.compile(r'<link rel="preload"[^>]*>\n')
MODULE = re.compile(r'<script type="module" src="([^"]*)"')


def offline(page, name):
    """The text of a page with the loaders before its scripts, and its modules left to them."""
    first = FIRST.search(page)
    if not first:
        raise ValueError(f"{name} does not load _static/reader.js, as every page of the site does")
    for address in MODULE.findall(page):
        check_module(address.partition("?")[0], name)
    loaders = "".join(f'<script src="{first[1]}{STATIC}/{loader}"></script>\n' for loader in LOADERS)
    page = page[: first.start()] + loaders + page[first.start() :]
    return PRELOAD.sub("", MODULE.sub(r'<script type="systemjs-module" src="\1"', page))


def check_module(address, page):
    """Refuses a module that would not be written for the offline edition."""
    if address.partition(f"{STATIC}/")[2] not in MODULES:
        remedy = "name it in MODULES of scripts/editions/modules.py"
        raise ValueError(f"{page} loads the module {address}: {remedy}")


def waiting_for_fonts(style):
    """The style sheet whose text waits for its font; on the site a slow connection would keep it waiting."""
    return style.replace("font-display: optional", "font-display: block")
