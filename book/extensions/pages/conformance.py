"""How far the site conforms to WCAG 2.2: what is said of each criterion, beside what was recorded of it."""

import json
from collections import Counter
from pathlib import Path

import yaml
from docutils import nodes
from sphinx.errors import ExtensionError

from extensions.pages.tree import GeneratingDirective, files_of_repository

BOOK = Path(__file__).parents[2]
CRITERIA, RECORD = BOOK / "accessibility.yml", BOOK / "accessibility.json"  # the second by `make audit`
VERDICTS = {
    "supports": "supports",
    "partly": "partially supports",
    "fails": "does not support",
    "untested": "not tested",
    "absent": "does not apply",
}


class Conformance(GeneratingDirective):
    """`{conformance}`: when and with what pages were looked at, and the table of the criteria."""

    def run(self):
        for file in (CRITERIA, RECORD):
            self.env.note_dependency(str(file))
        criteria, record = yaml.safe_load(CRITERIA.read_text("utf8")), json.loads(RECORD.read_text("utf8"))
        text = [*summary(criteria, record), "", *table(criteria, record, files_of_repository(self.config))]
        place = self.parsed(nodes.container(), "\n".join(text))
        for made in place.findall(nodes.table):
            made["classes"].append("conformance")
        return place.children


def summary(criteria, record):
    """What was looked at, what axe-core found broken, and how many criteria have which verdict."""
    found = Counter(told["verdict"] for told in criteria.values())
    met, broken = set(record["rules"]) - set(record["faults"]), [f"`{rule}`" for rule in record["faults"]]
    yield (
        f"On {record['measured']} axe-core {record['axe']} looked at {record['pages']} pages in "
        f"{record['browser']}, folds open: at a desk in the light theme, on a phone in the dark one. "
        f"{len(met)} of its rules are met wherever they apply. "
        f"Broken somewhere: {', '.join(broken) or 'none'}."
    )
    yield ""
    counted = [f"{found[verdict]} {said}" for verdict, said in VERDICTS.items()]
    yield f"Of {len(criteria)} criteria the site: {', '.join(counted)}."


def table(criteria, record, source):
    """A row for each criterion: its name, the verdict, and what that rests on."""
    yield "| criterion | verdict | how it is known |"
    yield "| --- | --- | --- |"
    for number, told in criteria.items():
        rules = rules_of(number, record)
        refuse_what_is_not_known(number, told, rules)
        known = [*(linked(test, source) for test in told.get("tests", [])), *rules_in_words(rules)]
        note = [told["note"]] if "note" in told else []
        evidence = " ".join([f"{', '.join(known)}." if known else "", *note]).strip()
        yield f"| {number} {told['name']} ({told['level']}) | {VERDICTS[told['verdict']]} | {evidence} |"


def rules_of(number, record):
    """The rules of axe-core about a criterion that were met, broken, and not decided."""
    about = {
        kind: [rule for rule, told in record[kind].items() if number in told["criteria"]]
        for kind in ("rules", "faults", "undecided")
    }
    return {**about, "rules": [rule for rule in about["rules"] if rule not in about["faults"]]}


def rules_in_words(rules):
    """The rules, those that are broken and not decided behind the others."""
    for kind, said in {"rules": "", "faults": "broken: ", "undecided": "not always decided: "}.items():
        if rules[kind]:
            yield f"{said or 'axe-core: '}{', '.join(f'`{rule}`' for rule in rules[kind])}"


def refuse_what_is_not_known(number, told, rules):
    """Stops the build where a verdict says more than the record and the tests."""
    tests, verdict = told.get("tests", []), told["verdict"]
    if missing := [test for test in tests if not is_test(test)]:
        raise ExtensionError(f"accessibility.yml: {number} names no test of the repository: {missing}")
    if verdict == "supports" and (rules["faults"] or not (tests or rules["rules"])):
        raise ExtensionError(f"accessibility.yml: {number} is not known to be supported")
    if rules["faults"] and "note" not in told:
        raise ExtensionError(f"accessibility.yml: {number} is broken, and no note says where")


def file_of(test):
    """The file of a test, from the root of the repository, and its name."""
    file, _, name = test.partition("::")
    return file if "/" in file else f"tests/book/{file}", name


def is_test(test):
    """Whether the file has a function of that name."""
    file, name = file_of(test)
    path = BOOK.parent / file
    return path.is_file() and f"\ndef {name}(" in path.read_text("utf8")


def linked(test, source):
    """The name of a test as a link to its file."""
    file, name = file_of(test)
    return f"[`{name}`]({source}/{file})"


def setup(app):
    app.add_directive("conformance", Conformance)
