"""Every module that connects to Sphinx is set up, by the list or by another module."""

import re
from pathlib import Path

import extensions

FOLDER = Path(extensions.__file__).parent
SOURCES = {file: file.read_text("utf8") for file in sorted(FOLDER.rglob("*.py"))}


def test_every_module_with_a_setup_is_set_up_once():
    connecting = {
        ".".join(file.relative_to(FOLDER.parent).with_suffix("").parts)
        for file, source in SOURCES.items()
        if file.parent != FOLDER and "\ndef setup(app)" in source
    }
    by_others = set(re.findall(r'setup_extension\("(extensions\.[\w.]+)"\)', "".join(SOURCES.values())))
    own = [module for module in extensions.MODULES if module.startswith("extensions.")]
    assert len(own) == len(set(own))
    assert set(own) | by_others == connecting
    assert not set(own) & by_others
