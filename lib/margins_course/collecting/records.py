"""Stand-in until the records of deliveries are merged: the interface of the design, nothing more."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class Standing:
    """What became of a student's delivery."""

    student: str
    status: str
    reason: str = ""
    received: datetime | None = None
    seconds_late: float = 0.0
    file: str = ""
