"""The box: students' code without network, without files to change, with limits, and gone when we are gone.

Made by bubblewrap. Whoever is root gives up the account first, because limits on processes do not bind root.
(book: Teaching with this book, How marking works)
"""

import contextlib
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

from margins_course import wire
from margins_course.problems import CourseProblem

NOBODY = "65534"
LIMITS = {"as": 4 << 30, "nproc": 64, "fsize": 64 << 20, "cpu": 120, "core": 0, "nofile": 128}
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
SERVER = [sys.executable, "-m", "margins_course.inside"]


class BoxFailure(Exception):  # noqa: N818 - what the code in the box did, not an error of ours
    """The code in the box ended its process, said nothing in time, or answered nonsense."""


def limited():
    """The server under its limits."""
    return ["prlimit", *(f"--{name}={value}" for name, value in LIMITS.items()), "--", *SERVER]


def environment():
    """The few variables that the code in the box sees."""
    made = {"PATH": f"{Path(sys.executable).parent}:/usr/bin", "LANG": "C.UTF-8", "HOME": "/tmp"}
    return made | dict.fromkeys(THREADS, "1") | {"MPLBACKEND": "agg", "NBGRADER_EXECUTION": "autograde"}


def readable_folders():
    """Where Python, its packages and this library lie."""
    library = Path(__file__).resolve().parents[1]
    found = dict.fromkeys([os.path.realpath(sys.base_prefix), sys.prefix, str(library)])
    return [folder for folder in found if not Path(folder).is_relative_to("/usr")]


def sealed(info):
    """The server inside bubblewrap, which tells the descriptor `info` the process id of the box."""
    command = [
        "bwrap",
        "--unshare-all",
        "--die-with-parent",
        "--new-session",
        "--clearenv",
        "--cap-drop",
        "ALL",
    ]
    command += ["--uid", NOBODY, "--gid", NOBODY, "--hostname", "box", "--ro-bind", "/usr", "/usr"]
    for folder in ("/bin", "/sbin", "/lib", "/lib64"):
        if os.path.islink(folder):
            command += ["--symlink", os.readlink(folder), folder]
        else:
            command += ["--ro-bind-try", folder, folder]
    for part in ("/etc/ld.so.cache", "/etc/alternatives"):
        command += ["--ro-bind-try", part, part]
    command += ["--proc", "/proc", "--dev", "/dev", "--size", str(64 << 20), "--tmpfs", "/tmp"]
    for folder in readable_folders():
        command += ["--ro-bind", folder, folder]
    for name, value in environment().items():
        command += ["--setenv", name, value]
    command += ["--chdir", "/tmp", "--info-fd", str(info), *limited()]
    return [*unprivileged(), *command] if os.geteuid() == 0 else command


def unprivileged():
    """What comes before the box when root calls: an account without rights, able to read what is needed."""
    folders = readable_folders()
    hidden = sorted({"/" + Path(folder).parts[1] for folder in folders if not _open_to_all(folder)})
    view = ["bwrap", "--die-with-parent", "--dev-bind", "/", "/"]
    for top in hidden:
        view += ["--perms", "0755", "--tmpfs", top]
    for folder in folders:
        if "/" + Path(folder).parts[1] in hidden:
            for parent in list(Path(folder).parents)[-3::-1]:
                view += ["--perms", "0755", "--dir", str(parent)]
            view += ["--ro-bind", folder, folder]
    drop = ["setpriv", "--reuid", NOBODY, "--regid", NOBODY, "--clear-groups", "--pdeathsig", "KILL", "--"]
    return [*view, "--", *drop]


def _open_to_all(folder):
    """Whether every account can enter a folder."""
    return all(parent.stat().st_mode & 0o001 for parent in [Path(folder), *Path(folder).parents])


def require_bubblewrap():
    """Nothing, if boxes can be made here; else what is missing."""
    remedy = "`--unsafe` marks without a box: students' code could then read and change whatever you can."
    for program in ("bwrap", "prlimit"):
        if not shutil.which(program):
            install = "apt-get install bubblewrap util-linux"
            raise CourseProblem(
                f"the program {program} is missing, so no box can be made: {install}. {remedy}"
            )
    tried = subprocess.run([*sealed(2)[: -len(SERVER)], "true"], capture_output=True, text=True, check=False)
    if tried.returncode:
        said = tried.stderr.strip()
        raise CourseProblem(f"bubblewrap cannot make a box on this machine; it says: {said}. {remedy}")


class Box:
    """One process of a student's code, behind a pipe."""

    def __init__(self, *, unsafe=False):
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        options = pipes | {"bufsize": 0, "start_new_session": True}
        told, tell = os.pipe()
        if unsafe:
            self.process = subprocess.Popen(limited(), env=environment(), **options)
        else:
            self.process = subprocess.Popen(sealed(tell), pass_fds=[tell], **options)
        os.close(tell)
        with os.fdopen(told) as info:  # ends when bubblewrap has said it, or is gone
            self.inside = None if unsafe else _first_process(info.read())
        self.writable, self.readable = select.poll(), select.poll()
        self.writable.register(self.process.stdin, select.POLLOUT)
        self.readable.register(self.process.stdout, select.POLLIN)
        os.set_blocking(self.process.stdin.fileno(), False)

    def ask(self, request, seconds):
        """The answer to a request; without one in time, the box is closed and a BoxFailure raised."""
        until, frame = time.monotonic() + seconds, wire.pack(request)
        try:
            self._send(frame, until)
            text, arrays = wire.lengths(self._receive(wire.HEADER.size, until))
            return wire.unpack(self._receive(text, until), self._receive(arrays, until))
        except TimeoutError:
            self.close()
            raise BoxFailure(f"no answer after {seconds:.3g} seconds") from None
        except (OSError, EOFError):
            self.close()
            raise BoxFailure("the code ended its own Python process") from None
        except wire.WireError as reason:
            self.close()
            raise BoxFailure(f"the answer cannot be read: {reason}") from None
        except BaseException:  # an interruption: what comes next would be the answer to an earlier question
            self.close()
            raise

    def _send(self, frame, until):
        frame, pipe = memoryview(frame), self.process.stdin.fileno()
        while len(frame):
            _wait(self.writable, until)
            frame = frame[os.write(pipe, frame) :]

    def _receive(self, length, until):
        received, pipe = bytearray(), self.process.stdout.fileno()
        while len(received) < length:
            _wait(self.readable, until)
            piece = os.read(pipe, min(length - len(received), 1 << 20))
            if not piece:
                raise EOFError
            received += piece
        return bytes(received)

    @property
    def is_alive(self):
        return self.process.poll() is None

    def close(self):
        """The end of the box and of every process in it, waited for."""
        if self.inside is not None:  # the first process of the box: the kernel ends the others with it
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self.inside, signal.SIGKILL)
            select.select([self.inside], [], [])
            os.close(self.inside)
            self.inside = None
        if self.is_alive:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()


def _first_process(info):
    """A handle of the box's first process, from what bubblewrap says; None if there is no box."""
    try:
        return os.pidfd_open(json.loads(info)["child-pid"])
    except (ValueError, ProcessLookupError):
        return None


def _wait(pipe, until):
    """Until something can be done with a polled pipe; a TimeoutError if that takes too long."""
    if not pipe.poll(max(0.0, 1000 * (until - time.monotonic()))):
        raise TimeoutError
