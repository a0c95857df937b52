"""What became of checks in draws: the outcome of one in one draw, the rows of a record, a report."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from margins_book.draws import Row

LONGEST_TEXT = 160  # letters of an assertion in the record


@dataclass
class Outcome:
    """What became of one check in one draw."""

    denied: list[tuple[str, str]] = field(default_factory=list)  # what failed, with what it compared
    unreached: str = ""  # what an exception before it left unset
    compared: str = ""  # a digest of all values that it compared


def rows_of(kind: str, codes: Mapping[str, str], drawn: Sequence[Mapping[str, Outcome]]) -> list[Row]:
    """The rows of the record for the outcomes of all draws; `codes` are the digests, by name."""
    tried = {name: code for name, code in codes.items() if name in drawn[0]}
    return [row(kind, name, [draw[name] for draw in drawn], code) for name, code in tried.items()]


def row(kind: str, name: str, outcomes: Sequence[Outcome], code: str) -> Row:
    """One row of the record: of a check, or of a test, whose code has the digest `code`."""
    denials = [
        (draw, ": ".join(outcome.denied[0])) for draw, outcome in enumerate(outcomes) if outcome.denied
    ]
    lost = sum(bool(outcome.unreached) for outcome in outcomes if not outcome.denied)
    if not is_random(outcomes) and not denials and not lost:
        return Row(kind, name, 0, 0, 0, "", "", code)
    draw, text = denials[0] if denials else ("", "")
    held = len(outcomes) - len(denials) - lost
    return Row(kind, name, len(outcomes), held, lost, str(draw), text[:LONGEST_TEXT], code)


def is_random(outcomes: Sequence[Outcome]) -> bool:
    """Whether a check compared other values in some draw than in the first."""
    return len({outcome.compared for outcome in outcomes if not outcome.unreached}) > 1


def report(kind: str, rows: Sequence[Row], drawn: Sequence[Mapping[str, Outcome]]) -> str:
    """Lines about a chapter: how many checks hold, and each assertion that fails, with the draws."""
    random = [row for row in rows if row.draws]
    always = sum(row.held == row.draws for row in random)
    lines = [f"{len(rows)} {kind}s, {len(random)} with random numbers, {always} of these hold in all draws"]
    for row in random:
        lines += [f"  {row.name}: {row.words}", *_failures([draw[row.name] for draw in drawn])]
    lines += _failures([draw.get("", Outcome()) for draw in drawn], "between the checks, ")
    return "\n".join(lines)


def _failures(outcomes: Sequence[Outcome], where: str = "") -> Iterator[str]:
    """A line for each assertion that failed, with what it compared first; one for each name not reached."""
    failed: dict[str, tuple[str, list[int]]] = {}
    unreached: dict[str, list[int]] = {}
    for draw, outcome in enumerate(outcomes):
        for text, values in reversed(dict(reversed(outcome.denied)).items()):
            failed.setdefault(text, (values, []))[1].append(draw)
        if outcome.unreached:
            unreached.setdefault(outcome.unreached, []).append(draw)
    for text, (values, draws) in failed.items():
        yield f"    {where}denied in {_listed(draws)}: {text}: {values}"
    for name, draws in unreached.items():
        yield f"    {where}not reached in {_listed(draws)}: {name} failed before"


def _listed(draws):
    return f"draw{'s' * (len(draws) > 1)} {', '.join(map(str, draws))}"
