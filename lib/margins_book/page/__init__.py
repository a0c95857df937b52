"""A chapter's page: its text, cells and exercises as data, its cells run in order, the tests of its words."""

import sys

# jsonschema, below jupytext, would compile this grammar for seconds; no notebook has what it checks
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]


class ChapterProblem(Exception):  # noqa: N818 - its message is printed as it stands
    """A chapter that cannot be read; the message says what it has, what was expected and what to do."""
