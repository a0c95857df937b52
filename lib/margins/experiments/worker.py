"""A worker process: it measures cells on one thread each, and ends with the process that started it.

(book: The paper in a minute, What ran)
"""

import functools
import os
import threading
import time

import numpy as np
from threadpoolctl import threadpool_limits

# numbers; once an array of this size has come and gone, Linux's C library keeps the memory of smaller ones
# for the next, instead of giving it back and asking for it again with every step of a training
KEPT = 3 << 20


def measured_cell(number, measure, settings, cell, owner):
    """The number, rows and seconds of a cell, measured on one thread: there is one process a core already.

    `owner` is the process that started this one, None where a cluster looks after its workers.
    """
    if owner is not None:
        end_with(owner)
    begin = time.process_time()
    np.empty(KEPT)
    with threadpool_limits(1):
        return number, measure(settings, **cell), time.process_time() - begin


@functools.cache
def end_with(owner):
    """The watch that ends this process within a second of the process `owner` that started it."""
    if os.getpid() != owner:
        threading.Thread(target=_outlive_by_a_second, args=(owner,), daemon=True).start()


def _outlive_by_a_second(owner):
    """The end of this process once it is no longer a child of `owner`."""
    while os.getppid() == owner:
        time.sleep(1)
    os._exit(1)
