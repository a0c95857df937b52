"""Imports of optional packages: errors name the user, what is missing and the extra that brings it."""

import pytest

from margins._extras import extra


def test_a_missing_package_is_named_with_the_extra_that_brings_it():
    words = r"^margins\.svm\.dual_qp needs nowhere_to_be_found: pip install 'margins\[solvers\]'$"
    with pytest.raises(ModuleNotFoundError, match=words), extra("solvers", "margins.svm.dual_qp"):
        import nowhere_to_be_found.inside  # noqa: F401


def test_an_error_of_the_library_itself_passes():
    with pytest.raises(ModuleNotFoundError, match="No module named"), extra("a", "b"):
        import margins.nothing  # noqa: F401
