"""What notebooks are made of: ids of cells, imports by themselves, and Markdown that any program shows."""

import pytest
from nbformat.v4 import new_markdown_cell
from sphinx.errors import ExtensionError

from extensions.coursework.notebook_names import require_plain
from extensions.coursework.notebooks import with_ids
from extensions.pages.figure_code import imports_apart


def ids(*sources):
    return [cell.id for cell in with_ids([new_markdown_cell(source) for source in sources])]


def test_an_edit_changes_the_id_of_its_cell_alone():
    before, after = ids("one", "two", "three", "one"), ids("one", "other", "three", "one")
    assert len(set(before)) == 4
    assert [old != new for old, new in zip(before, after, strict=True)] == [False, True, False, False]


def test_imports_are_told_from_the_rest_of_a_cell():
    assert imports_apart("import a\nx = 1\nfrom b import (\n    c,\n)\n\ny = 2") == (
        "import a\nfrom b import (\n    c,\n)",
        "x = 1\n\ny = 2",
    )


@pytest.mark.parametrize(
    "source",
    ["::: {note}", ":::", "```{note}\n```", "see {ref}`x`", "<!-- x -->", "(a)=", "% uses: x", "$$ (eq)"],
)
def test_what_a_program_would_show_raw_is_refused(source):
    with pytest.raises(ExtensionError, match="raw, in the line"):
        require_plain("page", f"Words.\n\n{source}\n\nWords.")


def test_code_may_say_everything():
    require_plain("page", "`{ref}` and ``{ref}`x` ``\n\n```yaml\n% x\n:::\n```")
