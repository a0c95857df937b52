"""The parts by others: only files with the expected hash are taken."""

import pytest
from sphinx.errors import ExtensionError

from extensions.python_in_page import parts


def test_all_parts_are_there_with_their_licences():
    pyodide, numpy, contourpy = parts.parts()
    assert (pyodide.version, numpy.version, contourpy.version) == ("0.29.5", "2.2.5", "1.4.0")
    assert all(part.licence and part.source for part in (pyodide, numpy, contourpy))


def test_a_file_that_is_missing_or_of_other_bytes_is_refused(tmp_path):
    with pytest.raises(ExtensionError, match=r"is missing: .*nothing\.whl; `make book` fetches it"):
        parts.numpy(str(tmp_path / "nothing.whl"))
    wheel = tmp_path / "numpy-2.2.5-cp313-cp313-pyodide.whl"
    wheel.write_bytes(b"other")
    with pytest.raises(ExtensionError, match=r"has the SHA-256 d9298a10\w+, expected 800c98edc0c8\w+; fetch"):
        parts.numpy(str(wheel))
