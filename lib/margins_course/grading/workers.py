"""The processes that mark on all cores: each job is one submission, of the class or of the canaries.

(book: Teaching with this book, Grade)
"""

import contextlib
import multiprocessing
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from margins_course.collecting.submissions import Refused
from margins_course.grading.grade import grade
from margins_course.grading.results import Result
from margins_course.problems import CourseProblem
from margins_course.sandbox.answers import Limits


def marked(who: str, content: bytes, source: str, limits: Limits, unsafe: bool = False, **options) -> Result:
    """The result of one submission; this alone runs on other machines too."""
    try:
        return grade(content, source, limits, unsafe=unsafe, **options)
    except Refused as reason:
        raise CourseProblem(f"the file of {who} cannot be marked: {reason}; collect again") from None


@contextlib.contextmanager
def workers() -> Iterator[ProcessPoolExecutor]:
    """Processes for as many jobs at once as there are cores; an interruption leaves the rest undone."""
    processes = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(mp_context=processes) as pool:
        try:
            yield pool
        except BrokenProcessPool:
            raise CourseProblem(
                "a process that marks was killed, probably because the machine ran out of memory; what is "
                "marked is kept, and the same line goes on from there"
            ) from None
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


def each(jobs: dict[Any, Future], progress: Callable[[int, int], None]) -> Iterator[tuple[Any, Any]]:
    """The results of jobs as they come, each with its key in `jobs`, counted by `progress`."""
    keys = {job: key for key, job in jobs.items()}
    for done, job in enumerate(as_completed(keys), 1):
        yield keys[job], job.result()
        progress(done, len(jobs))
