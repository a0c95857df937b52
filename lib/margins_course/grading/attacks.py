"""Attacks for the canary class: hostile answers that fit any exercise, and the targets at which they aim.

Each stands in the answer cell of one exercise. It may cost that exercise its points and nothing else. The
targets are made for the purpose and looked at afterwards: a file, a port, a process.
"""

import contextlib
import secrets
import select
import shutil
import socket
import subprocess
import tempfile
import textwrap
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from margins_course.sandbox.limits import end_with_parent

FULL_POINTS, NO_POINTS, ANY_POINTS = 1.0, 0.0, None  # the share that the attacked exercise itself still earns


@dataclass(frozen=True)
class Attack:
    """Code for an answer cell: after the right answer, or in the place of the body of its functions."""

    name: str
    code: str
    earns: float | None
    inside: bool = False

    def applied(self, solution: str, functions: list[str]) -> str:
        """The answer cell of an exercise with the attack in it."""
        if not self.inside:
            return f"{solution}\n\n{self.code}\n"
        body = textwrap.indent(self.code, "    ")
        return "\n\n".join(f"def {name}(*_, **__):\n{body}\n" for name in functions)


SLEEP = """import time
while True:
    try:
        time.sleep(60)
    except BaseException:
        pass"""
FORKS = """import os, time
for _ in range(1000):
    try:
        if os.fork() == 0:
            time.sleep(600)
            os._exit(0)
    except OSError:
        break"""
FILES = """for number in range(5_000):
    open('/tmp/file-' + str(number), 'w').close()"""
PIPES = """import os
for number in range(3, 64):
    try:
        os.write(number, bytes(range(256)))
    except OSError:
        pass"""
PATCHES = """import builtins
import numpy
numpy.allclose = numpy.array_equal = numpy.isclose = lambda *_, **__: True
numpy.abs = numpy.max = lambda *_, **__: 0.0
builtins.abs = lambda *_: 0
builtins.isinstance = lambda *_: True"""
KILLS = """import os, signal
for number in ({process}, os.getppid(), -1):
    try:
        os.kill(number, signal.SIGKILL)
    except OSError:
        pass"""
OUTLIVES = """import subprocess
subprocess.Popen(["sleep", "{argument}"], start_new_session=True)"""
CALLS = """import socket
for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
    try:
        caller = socket.socket(socket.AF_INET, kind)
        caller.settimeout(1)
        caller.connect(("127.0.0.1", {port}))
        caller.send(b"heard")
    except OSError:
        pass"""
MEMORY = "kept = []\nwhile True:\n    kept.append(bytearray(200_000_000))"
HUGE = "import numpy\nreturn numpy.ones(10_000_000)"
EXIT = "import os\nos._exit(0)"


REACHING = {
    "reads the canary file": "print(open({file!r}).read())",
    "writes into it": "open({file!r}, 'w').write('spoilt')",
    "calls the listener": CALLS,
    "makes many files": FILES,
    "prints 20 million characters": "for _ in range(20):\n    print('x' * 10**6)",
    "starts a program that would outlive it": OUTLIVES,
    "kills what it can": KILLS,
}


def attacks(targets: "AttackTargets") -> list[Attack]:
    """All attacks that leave the other exercises of a submission alone."""
    reaching = "\n".join(_tried(code.format(**targets.names)) for code in REACHING.values())
    return [
        Attack("loops endlessly in a call", SLEEP, NO_POINTS, inside=True),
        Attack(", ".join(REACHING), reaching, FULL_POINTS),
        Attack("exits in a call", EXIT, NO_POINTS, inside=True),
        Attack("takes all memory", MEMORY, NO_POINTS, inside=True),
        Attack("loops endlessly in a cell", SLEEP, NO_POINTS),
        Attack("exits in a cell", EXIT, NO_POINTS),
        Attack("forks without end", FORKS, ANY_POINTS),
        Attack("answers with 80 MB", HUGE, NO_POINTS, inside=True),
        Attack("writes frames of its own", PIPES, ANY_POINTS),
    ]


def _tried(code):
    """Code that catches every exception and continues."""
    return f"try:\n{textwrap.indent(code, '    ')}\nexcept BaseException as reason:\n    print(reason)"


def patched(functions: Iterable[str]) -> str:
    """An answer that is wrong and changes NumPy and Python so that every comparison would hold."""
    return PATCHES + "".join(f"\n\ndef {name}(*_, **__):\n    return 0.0\n" for name in functions)


class AttackTargets(contextlib.AbstractContextManager):
    """What attacks aim at: a file in the course folder, a listener on the loopback, a process, a name."""

    def __init__(self, folder: Path):
        self.secret = f"canary-{secrets.token_hex(8)}"
        self.folder = Path(tempfile.mkdtemp(dir=folder, prefix=".canary-"))
        self.file = self.folder / "file.txt"
        self.file.write_text(self.secret, encoding="utf-8")
        self.stream = socket.create_server(("127.0.0.1", 0))
        port = self.stream.getsockname()[1]
        self.datagrams = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.datagrams.bind(("127.0.0.1", port))
        sleep = ["sleep", "86400"]
        self.process = subprocess.Popen(sleep, start_new_session=True, preexec_fn=end_with_parent)
        self.argument = f"{3600 + secrets.randbelow(3600)}.{secrets.randbelow(10**9)}"
        self.names = {"file": str(self.file), "port": port, "process": self.process.pid}
        self.names["argument"] = self.argument  # of a program that would outlive the sandbox

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.stream.close()
        self.datagrams.close()
        shutil.rmtree(self.folder)

    def damage(self) -> str:
        """What was reached from the sandbox, "" if nothing was."""
        if self.file.read_text(encoding="utf-8") != self.secret or len(list(self.folder.iterdir())) != 1:
            return "it changed a file"
        if select.select([self.stream, self.datagrams], [], [], 0)[0]:
            return "it sent something to a port of this machine"
        if self.process.poll() is not None:
            return "it ended a process of yours"
        if any(self.argument in command for command in _commands()):
            return "a program that it started is still running"
        return ""


def _commands():
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            yield path.read_bytes().decode(errors="replace")
        except OSError:  # it has ended meanwhile
            continue
