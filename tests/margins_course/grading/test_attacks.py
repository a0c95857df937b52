"""The attacks of the canary class, and the targets that notice whoever reaches them."""

import re
import socket
import subprocess
from pathlib import Path

import pytest

from margins_course.grading.attacks import AttackTargets, attacks, patched
from tests.margins_course.grading.test_canary import TARGETS


@pytest.fixture
def watch(tmp_path):
    with AttackTargets(tmp_path) as made:
        assert made.damage() == ""
        yield made


def call(watch, kind):
    with socket.socket(socket.AF_INET, kind) as caller:
        caller.connect(("127.0.0.1", watch.names["port"]))
        caller.send(b"heard")


def end_the_process(watch):
    watch.process.kill()
    watch.process.wait()


CHANGED, CALLED = "it changed a file", "it sent something to a port of this machine"
REACHED = [
    (CHANGED, lambda watch: watch.file.with_name("other").touch()),
    (CHANGED, lambda watch: watch.file.write_text("spoilt", encoding="utf-8")),
    (CALLED, lambda watch: call(watch, socket.SOCK_STREAM)),
    (CALLED, lambda watch: call(watch, socket.SOCK_DGRAM)),
    ("it ended a process of yours", end_the_process),
]


@pytest.mark.parametrize(("said", "reach"), REACHED)
def test_a_watch_sees_what_was_reached(watch, said, reach):
    reach(watch)
    assert watch.damage() == said


def test_a_watch_sees_a_program_that_was_left_running(watch):
    with subprocess.Popen(["sleep", watch.argument]) as left:
        while watch.argument not in Path(f"/proc/{left.pid}/cmdline").read_text():
            pass  # the kernel shows the name of a new program a moment after it has begun
        said = watch.damage()
        left.kill()
    assert said == "a program that it started is still running"
    assert watch.damage() == ""


@pytest.mark.parametrize("attack", attacks(TARGETS), ids=lambda attack: attack.name)
def test_attacks_are_python_and_define_the_functions_of_their_exercise(attack):
    cell = attack.applied("def one(x):\n    return x\n\n\ndef two(x):\n    return x", ["one", "two"])
    compile(cell, attack.name, "exec")
    assert re.findall(r"^def (\w+)", cell, re.M)[:2] == ["one", "two"]
    assert attack.earns in (0, 1, None)
    compile(patched(["one", "two"]), "patched", "exec")
