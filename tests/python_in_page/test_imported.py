"""What code imports is found, as deep as it goes."""

from tests.python_in_page.imported import LIBRARY, imported_files


def names(*sources):
    return {file.relative_to(LIBRARY).as_posix() for file in imported_files(sources)}


def test_modules_and_what_they_import_are_found():
    found = names("from margins.svm import smo")
    assert {"margins/__init__.py", "margins/svm/__init__.py", "margins/svm/smo.py"} <= found
    assert "margins/validation.py" in found
    assert not any(name.startswith("margins_book/") for name in found)


def test_imports_of_functions_and_names_of_modules_count():
    assert names("def f():\n    import margins.descent as d\n    return d") > {"margins/descent.py"}
    assert "margins/descent.py" in names("from margins.descent import something")
    assert names("import json, numpy.linalg") == set()


def test_data_beside_a_module_counts_and_the_records_of_a_chapter_do_not():
    assert "margins/data/heads.csv" in names("from margins.data import heads")
    assert not any(name.endswith("draws.csv") for name in names("from margins_book.kernels import facts"))
