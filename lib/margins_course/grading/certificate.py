"""The certificate of a canary class: when and where it was marked, and which submission got which points.

(book: Teaching with this book, Grade)
"""

import platform
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from margins_course.grading.environment import environment
from margins_course.tables import one_line

TIME = "%Y-%m-%d %H:%M:%S %Z (UTC%z)"
SANDBOXED = """\
Before any student's work was marked, these submissions passed through the same sandbox, and each got the
points that were known beforehand. The hostile ones cost their own exercise at most. None of them read or
changed the file that was laid out for them, called the listener, ended the process beside it or left a
program running."""
UNSAFE = """\
Before any student's work was marked, these submissions were marked in the same way, and each got the
points that were known beforehand. There was no sandbox (--unsafe): nothing hostile was tried, and students'
code could read and change whatever the person who marked could."""


@dataclass(frozen=True)
class Tried:
    """One canary: the points that each check had to give (None: any), and their sum as it came."""

    who: str
    expected: dict[str, float | None]
    came: float

    @property
    def words(self) -> str:
        """The expected sum."""
        known = sum(points or 0.0 for points in self.expected.values())
        return f"{known:g}" + (" or more" if None in self.expected.values() else "")


def text(name: str, key: str, tried: list[Tried], *, unsafe: bool, moment: datetime) -> str:
    """The certificate."""
    versions = [f"  {what}: {value}" for what, value in environment(unsafe=unsafe).items()]
    rows = [f"{one.words:>10}  {one.came:>6g}  {one_line(one.who)}" for one in tried]
    parts = [
        f"Certificate of marking: {name}",
        f"Made: {moment.strftime(TIME)}\nMachine: {platform.node()}\nKey: {key}",
        "\n".join(["Environment", *versions]),
        UNSAFE if unsafe else SANDBOXED,
        "\n".join([f"{'expected':>10}  {'came':>6}  submission", *rows]),
    ]
    return "\n\n".join(parts) + "\n"


def is_current(path: Path, key: str) -> bool:
    """Whether a certificate is of today, of this machine and of this key."""
    if not path.is_file():
        return False
    lines = path.read_text(encoding="utf-8").splitlines()
    today = datetime.now().astimezone().strftime("%Y-%m-%d")
    is_todays = any(line.startswith(f"Made: {today}") for line in lines)
    return is_todays and f"Machine: {platform.node()}" in lines and f"Key: {key}" in lines
