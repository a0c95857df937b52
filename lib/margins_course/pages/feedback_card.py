"""One exercise on the page of feedback: the answer, what the checks said, the rubric, what to try next.

Of a hidden check it tells whether it passed, and the case that it missed in the author's words; never more.
(book: Teaching with this book, Feedback)
"""

from margins_course.assignments.sheet import Check, Exercise, Line
from margins_course.grading.results import HandMark, Result, Work
from margins_course.grading.totals import CHANGED, NOT_MARKED, RUBRIC_CHANGED, ExerciseScore
from margins_course.pages.markdown import FormulaRenderer
from margins_course.pages.student_html import answer_html, authors_line, inline_html, markdown_html
from margins_course.wording import format_points, points_in_words

GOOD, BAD, OPEN = "good", "bad", "open"
VERDICT_SIGNS = {GOOD: "✓", BAD: "✗", OPEN: "–"}
WAITING_WORDS = {
    NOT_MARKED: "Your teacher has not marked this answer yet.",
    CHANGED: "The answer changed after it was marked; your teacher will read it again.",
    RUBRIC_CHANGED: "The rubric changed after this was marked; your teacher will read it again.",
}
# their message says it all
PLAIN_ERRORS = ("AssertionError", "CheckFailed", "NotImplementedError", "StudentError")


def exercise_card(
    place: int,
    exercise: Exercise,
    score: ExerciseScore,
    result: Result,
    mark: HandMark | None,
    seconds: float,
    setter: FormulaRenderer,
) -> str:
    """An exercise's part of the page; `mark` is what a person gave for it, if anything."""
    work = result.work.get(exercise.label, Work())
    if mark is not None and mark.fingerprint != work.fingerprint:
        mark = None  # it belongs to another answer
    parts = [
        f'<section class="card" id="exercise-{place}" aria-labelledby="title-{place}">',
        _head(place, exercise, score),
        _encouragement(exercise, score, result, is_blank=not any(p.source.strip() for p in work.pieces)),
        f"<h3>Your answer</h3>\n{answer_html(work, seconds, setter)}",
        _checks(exercise, result),
        _by_hand(exercise, score, mark, setter),
        _book_link(exercise),
        "</section>",
    ]
    return "\n".join(filter(None, parts))


def state(score: ExerciseScore) -> str:
    """Whether an exercise has all points, some, none, or waits."""
    if score.points is None:
        return "waits"
    return "full" if score.points >= score.out_of else "some" if score.points > 0 else "none"


def points_earned(score: ExerciseScore) -> str:
    """How many points out of how many, in words that a screen reader can say."""
    if score.points is None:
        return f"waits for {points_in_words(score.out_of)}"
    return f"{format_points(score.points)} of {points_in_words(score.out_of)}"


def _head(place: int, exercise: Exercise, score: ExerciseScore) -> str:
    stars = "★" * exercise.stars
    level = (
        f' <span class="stars" role="img" aria-label="{exercise.stars} of 4 stars">{stars}</span>'
        if stars
        else ""
    )
    return (
        f'<header><h2 id="title-{place}">{place}. {authors_line(exercise.title)}</h2>'
        f'<p class="kind">{inline_html(exercise.kind)}{level}</p>'
        f'<p class="earned {state(score)}">{points_earned(score)}</p></header>'
    )


def _encouragement(exercise: Exercise, score: ExerciseScore, result: Result, *, is_blank: bool) -> str:
    """A kind word for full points, the next step for none."""
    if state(score) == "full":
        return '<p class="word good">Full points. Well done!</p>'
    if state(score) != "none":
        return ""
    failed = [check for check in exercise.checks if not check.hidden and result.messages.get(check.name)]
    if is_blank:
        first = "Nothing is written yet: begin with the statement, and write down what you know."
    elif failed:
        first = "Read what the visible check says below, change your code and run it again."
    else:
        first = "Compare your answer with the statement in the book, line by line."
    there = "a hint" if "hint" in exercise.statement.lower() else "what this rests on"
    return f'<p class="word next"><strong>A next step.</strong> {first} The book has {there}.</p>'


def _checks(exercise: Exercise, result: Result) -> str:
    """What each check said, in the order in which students know them."""
    if not exercise.checks:
        return ""
    visible_failed = any(result.messages.get(check.name) for check in exercise.checks if not check.hidden)
    lines = [_check(check, result, visible_failed) for check in exercise.checks]
    return f'<h3>What the checks said</h3>\n<ul class="checks">{"".join(lines)}</ul>'


def _check(check: Check, result: Result, visible_failed: bool) -> str:
    earned = result.points.get(check.name, 0.0)
    name, message = "hidden" if check.hidden else "visible", result.messages.get(check.name)
    worth = f'<span class="worth">{format_points(earned)} of {points_in_words(check.points)}</span>'
    if check.name in result.messages and message is None:
        praise = "" if check.hidden else result.praise.get(check.name, "")
        return _verdict(
            GOOD, f"The {name} check passed.", inline_html(praise) and f"<p>{inline_html(praise)}</p>", worth
        )
    if not check.hidden:
        return _verdict(
            BAD, "The visible check failed. It says:", f"<pre>{_message(message or '')}</pre>", worth
        )
    if visible_failed:
        return _verdict(OPEN, "A hidden check was not tried, because the visible check fails.", "", worth)
    corner = result.corners.get(check.name, "").strip()
    said = f" It looks at this case: {_corner(corner)}" if corner else ""
    return _verdict(BAD, f"A hidden check failed.{said}", "", worth)


def _verdict(kind: str, sentence: str, more: str, worth: str) -> str:
    sign = f'<span class="sign" aria-hidden="true">{VERDICT_SIGNS[kind]}</span>'
    return f'<li class="{kind}">{sign}<div><p>{sentence} {worth}</p>{more}</div></li>\n'


def _message(message: str) -> str:
    """What a check said, without the name of an error that adds nothing."""
    message = message.replace("your function stopped with StudentError: ", "your function stopped: ")
    kind, _, said = message.partition(": ")
    return inline_html(said if kind in PLAIN_ERRORS and said.strip() else message)


def _corner(corner: str) -> str:
    """The author's words for a case, with a full stop."""
    html = authors_line(corner)
    return html if html.endswith((".", "!", "?")) else f"{html}."


def _by_hand(exercise: Exercise, score: ExerciseScore, mark: HandMark | None, setter: FormulaRenderer) -> str:
    """The rubric with the points given, the adjustment and the comment."""
    given = mark.lines if mark is not None and not score.waits else None
    parts = []
    if score.waits:
        parts.append(f'<p class="word next">{WAITING_WORDS[score.waits]}</p>')
    if exercise.rubric:
        rows = [_line(line, given[n] if given else None) for n, line in enumerate(exercise.rubric)]
        parts.append(f'<ul class="rubric">{"".join(rows)}</ul>')
    if mark is not None and mark.adjust:
        parts.append(f"<p>{_adjusted(mark)}</p>")
    if mark is not None and mark.comment.strip():
        said = markdown_html(mark.comment, setter=setter)
        parts.append(f'<div class="comment"><p class="label">Comment</p>{said}</div>')
    title = "What your teacher said" if mark or score.waits else "How this is marked"  # nobody read it
    return f"<h3>{title}</h3>\n{''.join(parts)}" if parts else ""


def _line(line: Line, given: float | None) -> str:
    """A line of the rubric; None where it waits, or where an empty answer was not read."""
    kind = OPEN if given is None else GOOD if given >= line.points else BAD if given <= 0 else "part"
    worth = (
        points_in_words(line.points)
        if given is None
        else f"{format_points(given)} of {points_in_words(line.points)}"
    )
    sign = f'<span class="sign" aria-hidden="true">{VERDICT_SIGNS.get(kind, "◐")}</span>'
    said = f'<p>{authors_line(line.text)} <span class="worth">{worth}</span></p>'
    return f'<li class="{kind}">{sign}<div>{said}</div></li>\n'


def _adjusted(mark: HandMark) -> str:
    done = (
        f"added {points_in_words(mark.adjust)}"
        if mark.adjust > 0
        else f"took off {points_in_words(-mark.adjust)}"
    )
    return f"Your teacher {done} by hand" + ("; the comment says why." if mark.comment.strip() else ".")


def _book_link(exercise: Exercise) -> str:
    if not exercise.page.startswith("https://"):
        return ""
    page = inline_html(exercise.page)
    return (
        f'<p class="book"><a href="{page}" rel="noopener noreferrer">This exercise in the book</a>, '
        "with its statement, its hint and the section around it</p>"
    )
