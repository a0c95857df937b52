"""Time is the processor time of a box: what the machine does besides costs nobody a point."""

import resource
import subprocess
import sys

import pytest

from margins_course.sandbox.answers import Answers, Limits, StudentError
from margins_course.sandbox.limits import memory_limit
from margins_course.sandbox.process import NoAnswer
from tests.margins_course.sandbox.test_answers import SLOW

LOAD = 10  # processes, every one in a session of its own: no group of them counts as one


@pytest.fixture
def load(boxes):
    command = [sys.executable, "-S", "-c", "while True: pass"]
    busy = [subprocess.Popen(command, start_new_session=True) for _ in range(LOAD)]
    yield
    for process in busy:
        process.kill()
        process.wait()


@pytest.mark.full
def test_a_busy_machine_costs_an_answer_nothing(load):
    with Answers([("cell", SLOW)], Limits(call=1.0, check=2.0, patience=100.0)) as answers:
        answers.begin_check()
        assert answers.function("slow")(0.5) == 0.5
        assert not answers.time_budget.ran_out
        with pytest.raises(StudentError, match=r"no answer after 1 seconds$"):
            answers.function("slow")(60)
        assert answers.time_budget.ran_out


def test_all_threads_of_a_box_count(box, run):
    code = "import hashlib, threading\ndef turn():\n    hashlib.pbkdf2_hmac('sha256', b'', b'', 10**9)\n"
    code += "for _ in range(3):\n    threading.Thread(target=turn, daemon=True).start()\nturn()"
    with pytest.raises(NoAnswer, match=r"no answer after 0\.5 seconds"):
        run(code, 0.5, 1000.0)
    assert 0.5 <= box.processor_time() < 3


def test_who_sleeps_is_ended_by_the_clock(box, run):
    with pytest.raises(NoAnswer, match=r"no answer after 0\.2 seconds"):
        run("import time\ntime.sleep(600)", 0.2, 2.0)
    assert box.processor_time() < 20
    assert not box.is_alive


def test_what_is_started_outside_of_a_limit_does_not_inherit_it():
    unlimited = resource.getrlimit(resource.RLIMIT_AS)
    with memory_limit(1 << 20):
        assert resource.getrlimit(resource.RLIMIT_AS)[0] > 0
        with memory_limit(None):
            assert resource.getrlimit(resource.RLIMIT_AS)[0] == unlimited[1]
        assert resource.getrlimit(resource.RLIMIT_AS) != unlimited
    assert resource.getrlimit(resource.RLIMIT_AS) == unlimited
