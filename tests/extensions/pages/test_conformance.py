"""The accessibility page: a verdict that its record or its tests do not bear stops the build."""

import pytest
from sphinx.errors import ExtensionError

from extensions.pages.conformance import refuse_what_is_not_known, rules_of, summary, table

TEST = "test_pages.py::test_figures_have_words"
RECORD = {
    "measured": "2026-11-29", "axe": "4", "browser": "Chromium 150", "pages": 2,
    "rules": {
        "image-alt": {"criteria": ["1.1.1"], "seen": ["index.html", "desktop"]},
        "target-size": {"criteria": ["2.5.8"], "seen": ["index.html", "desktop"]},
    },
    "faults": {"target-size": {"criteria": ["2.5.8"], "phone": ["other.html"]}},
    "undecided": {"image-alt": {"criteria": ["1.1.1"]}},
}  # fmt: skip


def refused(number, **told):
    with pytest.raises(ExtensionError) as refusal:
        refuse_what_is_not_known(number, told, rules_of(number, RECORD))
    return str(refusal.value)


def test_what_is_broken_or_has_neither_rule_nor_test_is_not_supported():
    assert "not known to be supported" in refused("2.5.8", verdict="supports", tests=[TEST], note="There.")
    assert "no note" in refused("2.5.8", verdict="partly")
    refuse_what_is_not_known("2.5.8", {"verdict": "partly", "note": "There."}, rules_of("2.5.8", RECORD))
    assert "not known to be supported" in refused("1.3.3", verdict="supports")
    assert "names no test" in refused("1.3.3", verdict="supports", tests=["test_pages.py::test_nothing"])
    refuse_what_is_not_known("1.1.1", {"verdict": "supports"}, rules_of("1.1.1", RECORD))


def test_a_row_tells_rules_tests_and_note_and_the_summary_counts():
    criteria = {
        "1.1.1": {"level": "A", "name": "Words", "verdict": "supports", "tests": [TEST]},
        "2.5.8": {"level": "AA", "name": "Targets", "verdict": "partly", "note": "On a phone."},
    }
    words, targets = list(table(criteria, RECORD, "https://host/blob/main"))[2:]
    link = "[`test_figures_have_words`](https://host/blob/main/tests/book/test_pages.py)"
    found = f"{link}, axe-core: `image-alt`, not always decided: `image-alt`."
    assert words == f"| 1.1.1 Words (A) | supports | {found} |"
    assert targets == "| 2.5.8 Targets (AA) | partially supports | broken: `target-size`. On a phone. |"
    said = " ".join(summary(criteria, RECORD))
    assert "looked at 2 pages" in said
    assert "1 of its rules are met wherever they apply. Broken somewhere: `target-size`." in said
    assert "1 supports, 1 partially supports, 0 does not support" in said
