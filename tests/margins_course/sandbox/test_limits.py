"""Limits of time name themselves when they are used up."""

import resource
import subprocess
import sys

import psutil
import pytest

from margins_course.sandbox.answers import Limits
from margins_course.sandbox.limits import TimeBudget, TimeUsedUp, memory_limit


def test_time_that_is_used_up_is_named_by_its_limit():
    clocks = TimeBudget(Limits(call=10, check=30, submission=100, exercise=5), {"f": "one", "g": "two"})
    assert clocks.for_call("f") == (5, "5 seconds for an exercise")
    clocks.spend("f", 5)
    with pytest.raises(TimeUsedUp, match="the 5 seconds for an exercise are used up"):
        clocks.for_call("f")
    assert clocks.for_call("g") == (5, "5 seconds for an exercise")
    assert clocks.for_cell_again() == (10, "")


CHILD = "import os, time; from margins_course.sandbox.limits import end_with_parent; end_with_parent();"
CHILD += "print(os.getpid(), flush=True); time.sleep(600)"
PARENT = "import subprocess, sys; subprocess.run([sys.executable, '-c', sys.argv[1]])"


def test_a_worker_ends_with_the_process_that_started_it_however_that_ends():
    parent = subprocess.Popen([sys.executable, "-c", PARENT, CHILD], stdout=subprocess.PIPE, text=True)
    worker = psutil.Process(int(parent.stdout.readline()))
    parent.kill()
    parent.communicate()
    worker.wait(60)


def test_what_is_started_outside_of_a_limit_does_not_inherit_it():
    unlimited = resource.getrlimit(resource.RLIMIT_AS)
    with memory_limit(1 << 20):
        assert resource.getrlimit(resource.RLIMIT_AS)[0] > 0
        with memory_limit(None):
            assert resource.getrlimit(resource.RLIMIT_AS)[0] == unlimited[1]
        assert resource.getrlimit(resource.RLIMIT_AS) != unlimited
    assert resource.getrlimit(resource.RLIMIT_AS) == unlimited
