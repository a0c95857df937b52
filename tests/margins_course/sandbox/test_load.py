"""Time is the processor time of a box: what the machine does besides costs nobody a point."""

import subprocess
import sys

import pytest

from margins_course.sandbox.answers import Answers, Limits, StudentError
from margins_course.sandbox.process import NoAnswer, SandboxProcess
from tests.margins_course.sandbox.test_answers import SLOW
from tests.margins_course.sums_assignment import require_sandbox

LOAD = (
    10  # processes for each of two cores, every one in a session of its own: no group of them counts as one
)


@pytest.fixture(autouse=True, scope="module")
def boxes():
    require_sandbox()


@pytest.fixture
def load():
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


def test_all_threads_of_a_box_count():
    hashing = "import hashlib\nhashlib.pbkdf2_hmac('sha256', b'', b'', 10**9)"
    code = f"import threading\ndef turn():\n    {hashing.splitlines()[1]}\nimport hashlib\n"
    code += "for _ in range(3):\n    threading.Thread(target=turn, daemon=True).start()\nturn()"
    box = SandboxProcess()
    with pytest.raises(NoAnswer, match=r"no answer after 0\.5 seconds"):
        box.ask({"run": code, "name": "cell"}, 0.5, 1000.0)
    assert 0.5 <= box.processor_time() < 3


def test_who_sleeps_is_ended_by_the_clock():
    box = SandboxProcess()
    with pytest.raises(NoAnswer, match=r"no answer after 0\.2 seconds"):
        box.ask({"run": "import time\ntime.sleep(600)", "name": "cell"}, 0.2, 2.0)
    assert box.processor_time() < 20


def test_a_fourth_thread_is_the_last():
    start = "import threading\nlock = threading.Event()\nfor _ in range(20):\n"
    start += "    threading.Thread(target=lock.wait).start()"
    box = SandboxProcess()
    reply = box.ask({"run": start, "name": "cell"}, 20)
    box.close()
    assert "limit of 4 threads" in reply["error"][1]
