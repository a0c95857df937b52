"""Stand-in until the journal of hand marks is merged: the interface of the design, nothing more."""

import dataclasses
import json
import math
import os
from dataclasses import dataclass
from datetime import datetime

from margins_course.problems import CourseProblem


@dataclass(frozen=True)
class HandMark:
    """The points and the comment that a person gave one answer."""

    student: str
    exercise: str
    fingerprint: str
    lines: tuple[float, ...] | None
    adjust: float = 0.0
    comment: str = ""
    when: str = ""


def read_hand_marks(course, name):
    path = course.hand_marks(name)
    kept = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    marks = [json.loads(line) for line in kept]
    return {
        (m["student"], m["exercise"]): HandMark(
            **{**m, "lines": None if m["lines"] is None else tuple(m["lines"])}
        )
        for m in marks
    }


def append_hand_mark(course, name, mark, sheet):
    if mark.exercise not in {exercise.label for exercise in sheet.exercises}:
        raise CourseProblem(f"{mark.exercise!r} is no exercise of {name}")
    rubric = sheet.exercise(mark.exercise).rubric
    if mark.lines is not None:
        if len(mark.lines) != len(rubric):
            raise CourseProblem(f"{len(mark.lines)} lines came; the rubric has {len(rubric)}")
        for points, line in zip(mark.lines, rubric, strict=True):
            if not (math.isfinite(points) and 0 <= points <= line.points):
                raise CourseProblem(f"{points} points came; expected 0 to {line.points:g}")
    if not math.isfinite(mark.adjust) or len(mark.comment) > 20000:
        raise CourseProblem("expected a finite number and at most 20000 characters")
    made = dataclasses.replace(mark, when=datetime.now().astimezone().isoformat())
    path = course.hand_marks(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(dataclasses.asdict(made)) + "\n")
        file.flush()
        os.fsync(file.fileno())
    return made
