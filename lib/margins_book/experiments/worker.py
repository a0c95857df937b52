"""A worker process: it measures cells on one thread each, and ends with the process that started it.

(book: The paper in a minute, What ran)
"""

import functools
import os
import threading
import time

import numpy as np
from threadpoolctl import threadpool_limits

from margins_book.experiments.types import Cell, Measure, Row, Settings

# numbers in an array: once one of this size was allocated and freed, glibc keeps the freed memory of smaller
# arrays for the next ones, instead of returning it and requesting it again at every step of a training
LARGE_ARRAY = 3 << 20


def measured_cell(
    number: int, measure: Measure, settings: Settings, cell: Cell, owner: int | None
) -> tuple[int, list[Row], float]:
    """The number, rows and seconds of a cell, measured on one thread: there is one process a core already.

    `owner` is the number of the process that started this one, None where a cluster ends its workers itself.
    """
    if owner is not None:
        end_with(owner)
    begin = time.process_time()
    np.empty(LARGE_ARRAY)
    with threadpool_limits(1):
        return number, measure(settings, **cell), time.process_time() - begin


@functools.cache
def end_with(owner: int) -> None:
    """Starts a thread that ends this process within a second after the process `owner` has ended."""
    if os.getpid() != owner:
        threading.Thread(target=_exit_without, args=(owner,), daemon=True).start()


def _exit_without(owner: int) -> None:
    """Ends this process once it is no longer a child of `owner`."""
    while os.getppid() == owner:
        time.sleep(1)
    os._exit(1)
