"""What code in a box can see, keep and call: nothing of whoever marks, nothing beyond its limits."""

import sys
from pathlib import Path

import pytest

from margins_course.problems import CourseProblem
from margins_course.sandbox.box import Box
from margins_course.sandbox.seal import require_out_of_sight
from tests.coursework.boxes import require_boxes

SECRET = "CANARY-OF-THE-ENVIRONMENT"
INSIDE = """
import ctypes, glob, os

kernel = ctypes.CDLL(None, use_errno=True)
x86 = os.uname().machine == "x86_64"

def environments():
    return "".join(open(path, errors="replace").read() for path in glob.glob("/proc/[0-9]*/environ"))

def writable():
    found = {}
    for folder in ("/", "/dev", "/dev/shm", "/etc", "/tmp", "/usr"):
        try:
            open(folder + "/own", "w").close()
        except OSError:
            continue
        state = os.statvfs(folder)
        found[folder] = state.f_blocks * state.f_frsize >> 20
    return found

def order_to_die():
    try:
        open("/proc/self/oom_score_adj", "w").write("0")
    except OSError:
        pass
    return int(open("/proc/self/oom_score_adj").read())

def first_process_opened():
    try:
        open("/proc/1/mem", "r+b").close()
    except OSError:
        return False
    return True

def errors():
    made = {
        "a key": (248 if x86 else 217, b"user", b"canary", b"kept", 4, ctypes.c_int(-3)),
        "keys": (250 if x86 else 219, 0, ctypes.c_int(-3), 1),
        "a file in memory": (319 if x86 else 279, b"canary", 0),
        "shared memory": (29 if x86 else 194, 0, 1 << 20, 0o1600),
        "a user namespace": (272 if x86 else 97, 0x10000000),
        "a process in one": (56 if x86 else 220, 0x10000000 | 17, 0, 0, 0, 0),
        "the newer way to it": (435, 0, 0),
        "tracing": (101 if x86 else 117, 0, 0, 0, 0),
    }
    return {kind: os.strerror(ctypes.get_errno()) if kernel.syscall(*call) < 0 else "done"
            for kind, call in made.items()}
"""


@pytest.fixture(scope="module")
def call():
    """A caller of the functions above, in a box that was made by somebody with a secret."""
    require_boxes()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CANARY", SECRET)
        box = Box()
    assert "error" not in box.ask({"run": INSIDE, "name": "cell"}, 20)
    yield lambda name: box.ask({"call": name, "arguments": [[], {}]}, 20)["value"]
    box.close()


def test_no_process_in_the_box_has_the_environment_of_whoever_marks(call):
    assert "NBGRADER_EXECUTION" in call("environments")
    assert SECRET not in call("environments")


def test_what_can_be_written_is_small(call):
    assert call("writable") == {"/dev/shm": 1, "/tmp": 64}


def test_the_box_dies_first_when_memory_is_short_and_cannot_change_that(call):
    assert call("order_to_die") == 1000


def test_calls_that_reach_beyond_the_box_or_around_its_limits_are_refused(call):
    refused = call("errors")
    assert refused.pop("the newer way to it") == "Function not implemented"
    assert set(refused.values()) == {"Operation not permitted"}, refused
    assert not call("first_process_opened")


def test_a_course_folder_that_boxes_could_read_is_refused(tmp_path):
    require_out_of_sight(tmp_path)
    with pytest.raises(CourseProblem, match="move the course folder elsewhere"):
        require_out_of_sight(Path(sys.prefix) / "course")


def test_a_box_that_cannot_be_made_is_no_answers_fault(monkeypatch):
    monkeypatch.setattr("margins_course.sandbox.box.sealed", lambda *_: ["false"])
    with pytest.raises(CourseProblem, match="could not make another box"):
        Box()
