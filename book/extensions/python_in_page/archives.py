"""The two archives that a page's Python unpacks: packages by others, and the book's library.

The same files give the same bytes: entries are sorted, and all bear one date. What a page never needs of
NumPy (tests, headers, stubs, compilers' tools) is left out, which halves it. Of the book's library it is the
modules alone: no test, no known wrong answer, nothing that marks coursework.
"""

import io
import re
import zipfile
from pathlib import Path

BOOK = Path(__file__).resolve().parents[2]
LIBRARY = BOOK.parent / "lib"
IN_PAGE = BOOK / "python_in_page"
DATE = (1980, 1, 1, 0, 0, 0)
# of NumPy's wheel
LEFT_OUT = re.compile(
    r"\.(pyi|a|h|pxd|pyx|ini|pkl|csv|npz)$|py\.typed$|/tests/|/_core/include/|/f2py/|/distutils/|/_examples/"
    r"|/doc/|/npy-pkg-config/|_umath_tests|_multiarray_tests|_rational_tests|_struct_ufunc_tests"
    r"|_operand_flag_tests|/_simd\.|/testing/_private/extbuild|conftest|_pyinstaller|__config__\.py\.in"
    r"|/core/(?!__init__|_)|RECORD$"
)
OF_CONTOURPY = re.compile(r"\.so$|LICENSE$|^contourpy/(?!util/).*\.py$|^contourpy/util/__init__\.py$")
LICENCE = re.compile(r"dist-info/.*(LICENSE|METADATA)")
# of the library: what is left out by the name of a folder, and what there is of `margins_book`
NOT_FOR_PAGES = {"tests", "exercises", "example", "browser", "sphinx_ext", "__pycache__", "new"}
STAND_INS = ("explorable", "scipy")
KINDS = {".py", ".csv"}
NOT_OF_THE_BOOK = {"sources"}


def packages(numpy, contourpy):
    """The archive of NumPy and contourpy, from their wheels."""
    return archive([*_wanted(numpy, _of_numpy), *_wanted(contourpy, OF_CONTOURPY.search)])


def _wanted(wheel, is_wanted):
    """The files of a wheel that a page needs, by name."""
    with zipfile.ZipFile(wheel) as whole:
        names = [name for name in whole.namelist() if not name.endswith("/") and is_wanted(name)]
        return [(name, whole.read(name)) for name in names]


def _of_numpy(name):
    return LICENCE.search(name) or not (LEFT_OUT.search(name) or "LICENSE" in name)


def library():
    """The archive of the book's library and the page's own modules, with what stands in for others."""
    kept = [(LIBRARY, name) for name in ("margins", "explorable", "margins_book")]
    kept += [(IN_PAGE / "python", "in_page"), *((IN_PAGE / "stand_ins", name) for name in STAND_INS)]
    files = {name: content for base, package in kept for name, content in _modules(base, package)}
    return archive(files.items())  # the stand-in for a module of ours is the last of that name


def _modules(base, package):
    """The files of a package that a page needs, by their names below `base`."""
    for file in (base / package).rglob("*"):
        inside = file.relative_to(base)
        if file.suffix in KINDS and not NOT_FOR_PAGES & set(inside.parts) and _has_use(inside):
            yield inside.as_posix(), file.read_bytes()


def _has_use(inside):
    """Whether a file is a module, its data, or a part of `margins_book` that chapters import."""
    if inside.parts[0] != "margins_book":
        return True
    if len(inside.parts) == 2:
        return inside.name in ("__init__.py", "chapters.py")
    is_data = inside.suffix != ".py"
    return inside.parts[1] not in NOT_OF_THE_BOOK and (not is_data or inside.parts[1] == "experiments")


def archive(files):
    """A zip archive of pairs of a name and bytes: the same pairs give the same bytes."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as made:
        for name, content in sorted(files):
            entry = zipfile.ZipInfo(name, DATE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            made.writestr(entry, content)
    return target.getvalue()
