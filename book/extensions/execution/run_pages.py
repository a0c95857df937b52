"""Pages that run side by side, each in a kernel of its own, and fill the caches that MyST-NB reads.

A page that fails does not keep the others from running: the build ends with all failures.
"""

import contextlib
import os
import signal
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import NamedTuple

import nbformat
from jupyter_cache import get_cache
from jupyter_cache.base import CacheBundleIn
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from sphinx.errors import ExtensionError
from sphinx.util import logging

LOGGER = logging.getLogger(__name__)
# one thread a kernel: the cores are busy with other pages, and sums do not depend on how many there are
ONE_THREAD = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"), "1"
)
# on a busy machine an output comes long after its cell is done; nbclient goes on without it after 4 seconds
WHOLE = {"iopub_timeout": 120, "raise_on_iopub_timeout": True}  # seconds
FAILURES = (CellExecutionError, CellTimeoutError, DeadKernelError)
SLOWEST_NAMED = 3


class Page(NamedTuple):
    """A page as MyST-NB will read it, what its cells may do, and the cache of the state it depends on."""

    name: str
    path: Path
    notebook: nbformat.NotebookNode
    limits: dict  # of nbclient: timeout, allow_errors
    cache: Path


def fill_caches(pages):
    """Runs the pages that their caches do not hold, as many at a time as there are cores."""
    held, waiting = [], []
    for page in pages:
        (held if is_cached(page) else waiting).append(page)
    if not waiting:
        return
    for page in held:
        LOGGER.info("[run] %s: cached", page.name)
    seconds, failed = run_side_by_side(waiting)
    slowest = sorted(seconds, key=seconds.get, reverse=True)[:SLOWEST_NAMED]
    LOGGER.info("[run] slowest: %s", ", ".join(f"{name} ({seconds[name]:.0f} s)" for name in slowest))
    if failed:
        raise ExtensionError(f"{len(failed)} of {len(waiting)} pages failed: {', '.join(sorted(failed))}")


def is_cached(page):
    """Whether the cache holds what the page shows: a record without its file, cut off, does not count."""
    cache = get_cache(page.cache)
    try:
        cache.get_cache_bundle(cache.match_cache_notebook(page.notebook).pk)
    except KeyError:
        return False
    return True


def run_side_by_side(pages):
    """The seconds of each page, and the names of those that failed."""
    from joblib import cpu_count  # what a container may use, not what the machine has

    seconds, failed = {}, []
    clients = {page.name: new_client(page) for page in pages}
    pool = ThreadPoolExecutor(min(cpu_count(), len(pages)))
    try:
        runs = {pool.submit(run, page, clients[page.name]): page for page in pages}
        for done in as_completed(runs):
            page, (took, failure) = runs[done], done.result()
            seconds[page.name] = took
            keep(page, took, failure)
            if failure:
                failed.append(page.name)
            verdict, place = "failed" if failure else "done", f"{len(seconds)} of {len(pages)}"
            LOGGER.info("[run] %s: %s in %.0f s (%s)", page.name, verdict, took, place)
    except KeyboardInterrupt:
        stop(clients.values())
        raise
    finally:
        pool.shutdown(cancel_futures=True)
    return seconds, failed


def new_client(page):
    """What runs the page's cells. The clock decides whether a kernel sends a print in one part or in two:
    put together they are the same at every run."""
    where = {"metadata": {"path": str(page.path.parent)}}
    same = {"coalesce_streams": True, "record_timing": False}  # times in the cells would change their key
    return NotebookClient(page.notebook, resources=where, **same, **WHOLE, **page.limits)


def run(page, client):
    """Runs all cells of the page, whose notebook then holds the outputs: the seconds, and what failed."""
    LOGGER.info("[run] %s: Executing notebook using a kernel of its own", page.name)
    start, failure = time.perf_counter(), None
    try:
        client.execute(env=os.environ | ONE_THREAD)
    except FAILURES as error:
        failure = f"{type(error).__name__}\n{error}"
    return time.perf_counter() - start, failure


def stop(clients):
    """Ends the kernels that are running, so that Ctrl-C does not wait for their pages."""
    for client in clients:
        if client.km and client.km.has_kernel:
            with contextlib.suppress(ProcessLookupError):
                os.kill(client.km.provisioner.pid, signal.SIGKILL)


def keep(page, seconds, failure):
    """Puts the outputs of a page into the cache, or its failure into the log."""
    if failure:
        LOGGER.warning("Executing notebook failed: %s", failure, location=page.name)
        return
    bundle = CacheBundleIn(page.notebook, str(page.path), data={"execution_seconds": seconds})
    get_cache(page.cache).cache_notebook_bundle(bundle, check_validity=False, overwrite=True)
