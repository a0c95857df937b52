"""The processes that mark: one submission a job, on all cores, by the same function for class and canaries.

(book: Teaching with this book, Grade)
"""

import concurrent.futures
import contextlib
import multiprocessing
from concurrent.futures.process import BrokenProcessPool

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
def workers():
    """Processes for as many jobs at once as there are cores; an interruption leaves the rest undone."""
    processes = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(mp_context=processes) as pool:
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


def each(jobs, progress):
    """The results of jobs as they come, each with its key in `jobs`, counted by `progress`."""
    keys = {job: key for key, job in jobs.items()}
    for done, job in enumerate(concurrent.futures.as_completed(keys), 1):
        yield keys[job], job.result()
        progress(done, len(jobs))
