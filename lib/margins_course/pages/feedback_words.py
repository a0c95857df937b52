"""What the feedback says in sentences: the total, lateness, and what a refusal means.

(book: Teaching with this book, Feedback)
"""

from datetime import datetime

from margins_course.assignments.dates import in_words
from margins_course.grading.totals import Total
from margins_course.pages.student_text import words_html
from margins_course.words import duration, number


def total_sentence(total: Total) -> str:
    """What the points come to, in one sentence."""
    waiting = sum(1 for score in total.exercises if score.points is None)
    if waiting:
        rest = "1 exercise waits" if waiting == 1 else f"{waiting} exercises wait"
        return f"These are the points so far: {rest} to be read by your teacher."
    if total.before_lateness >= total.out_of:
        return "Every exercise has full points. Congratulations!"
    if not total.score and not total.before_lateness:
        return "No points yet. Each exercise below says what to try next."
    full = [score for score in total.exercises if score.points is not None and score.points >= score.out_of]
    if not full:
        return "Each exercise below says what went well and what to try next."
    counted = "1 exercise has" if len(full) == 1 else f"{len(full)} exercises have"
    return f"{counted} full points; the others say what to try next."


def lateness_sentences(total: Total, extension: datetime | None) -> list[str]:
    """An extension, and how late the work came and what this costs."""
    said = []
    if extension is not None:
        said.append(f"You had an extension until {words_html(in_words(extension))}.")
    if total.standing.seconds_late > 0:
        said.append(f"Your work came {duration(total.standing.seconds_late)} late; {_cost(total)}.")
    return said


def _cost(total: Total) -> str:
    """What lateness costs, as the end of a sentence; nobody knows before everything is marked."""
    if total.score is None:
        return "the assignment's rule for late work is applied when everything is marked"
    if total.factor >= 1:
        return "this costs nothing"
    if total.factor <= 0:
        return "by the assignment's rule this is too late for points"
    cost = f"by the assignment's rule this costs {number(100 * (1 - total.factor))} %"
    return f"{cost}, so {number(total.before_lateness)} became {number(total.score)}"


REFUSED = """\
<section class="score refused">
<p class="points"><strong>Not marked</strong></p>
<p>Your file came, but it could not be marked: {reason}.</p>
</section>
<section class="card">
<h2>What you can do</h2>
<ol>
<li>Open your notebook where you wrote it, and save it there.</li>
<li>Check that it is this assignment's notebook ({title}), that its name ends in <code>.ipynb</code>,
and that it has fewer than 1,000 cells and 2 MB; <em>Clear All Outputs</em> makes it smaller.</li>
<li>Hand it in again where you handed it in before. If the time is over, write to your teacher
and attach the notebook. Nothing of your work is lost.</li>
</ol>
</section>
"""


def refusal(title: str, reason: str) -> str:
    """Why a file was refused, and what to do."""
    return REFUSED.format(
        title=words_html(title), reason=words_html(reason).rstrip(". ") or "no reason is known"
    )
