"""Students' formulas set by Temml in a sandboxed process: no network, no files but node's and Temml's.

One process serves one answer. It is thrown away when it hangs, dies or says too much; what it says is taken
as text only. Without node, Temml or bubblewrap no formula is set, and pages show its TeX.
"""

import contextlib
import json
import os
import select
import shutil
import subprocess
import tempfile
import time
from functools import cache

from margins_book.formulas import temml
from margins_course import CourseProblem
from margins_course.book import formula_macros
from margins_course.sandbox import bubblewrap
from margins_course.sandbox.bubblewrap import seccomp_filter
from margins_course.sandbox.limits import memory_limit
from margins_course.sandbox.process import popen

TEMML = temml.PACKAGES / "temml" / "dist" / "temml.cjs"
LIMITS = {"data": 512 << 20, "cpu": 20, "nproc": 64, "fsize": 0, "core": 0, "nofile": 64}
BOUNDS = {"maxExpand": 500, "maxSize": [20, 200]}  # expansions of macros; em, pt
LONGEST, LARGEST = 4000, 300_000  # characters of a formula, bytes of its MathML
SECONDS, ALL_SECONDS = 1.0, 4.0  # for one formula, for all of an answer
START_SECONDS, TRIAL = 20.0, '{"tex": "x", "display": false}'  # node starts slowly on a busy machine


class FormulaProcess(contextlib.AbstractContextManager):
    """The sandboxed process for the formulas of one answer, started when the first one comes."""

    def __init__(self) -> None:
        self.process: subprocess.Popen[bytes] | None = None
        self.left, self.started = ALL_SECONDS, 0

    def __exit__(self, *_) -> None:
        self.close()

    def mathml(self, tex: str, display: bool) -> str | None:
        """The MathML of a formula as the process said it; None if it cannot be set within the limits."""
        if len(tex) > LONGEST or self.left <= 0 or not can_set_formulas():
            return None
        began = time.monotonic()
        try:
            if self.started == 0:  # that takes no formula's time; who ends the process pays for the next
                self._answer(TRIAL, START_SECONDS)
                began = time.monotonic()
            return self._answer(json.dumps({"tex": tex, "display": display}), min(SECONDS, self.left))
        except (OSError, ValueError, EOFError):  # it hangs, has ended, or answered no JSON
            self.close()
            return None
        except BaseException:  # an alarm: the next answer would be the one to this question
            self.close()
            raise
        finally:
            self.left -= time.monotonic() - began

    def _answer(self, question: str, seconds: float) -> str | None:
        if self.process is None:
            self.process, self.started = _started(), self.started + 1
        self.process.stdin.write(question.encode() + b"\n")  # type: ignore[union-attr]
        said = json.loads(self._line(self.process, time.monotonic() + seconds))
        markup = said.get("html") if type(said) is dict else None
        return markup if type(markup) is str else None

    def _line(self, process: subprocess.Popen[bytes], until: float) -> bytes:
        """The next line of the process; an error if it is late, long or missing."""
        line, pipe = bytearray(), process.stdout.fileno()  # type: ignore[union-attr]
        while not line.endswith(b"\n"):
            if not select.select([pipe], [], [], max(0.0, until - time.monotonic()))[0]:
                raise TimeoutError
            piece = os.read(pipe, 1 << 16)
            if not piece or len(line) > LARGEST:
                raise EOFError
            line += piece
        return bytes(line)

    def close(self) -> None:
        """The end of the process; the kernel ends with it what is in the sandbox."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            for pipe in (self.process.stdin, self.process.stdout):
                with contextlib.suppress(OSError):
                    pipe.close()  # type: ignore[union-attr]
            self.process = None


@cache
def can_set_formulas() -> bool:
    """Whether node, Temml and bubblewrap are here and make a sandbox in which a formula can be set."""
    programs = all(shutil.which(program) for program in ("bwrap", "prlimit", "choom"))
    if not (programs and TEMML.is_file() and temml.NODE.is_file()):
        return False
    trial = FormulaProcess()
    try:
        return "<math" in (trial._answer(TRIAL, START_SECONDS) or "")
    except (OSError, ValueError, EOFError, CourseProblem):
        return False
    finally:
        trial.close()


def _started() -> subprocess.Popen:
    with memory_limit(None), contextlib.ExitStack() as opened:
        files = {inside: _kept(content, opened) for inside, content in _program().items()}
        calls = _kept(seccomp_filter(), opened)
        return popen(_command(files, calls), subprocess.DEVNULL, [*files.values(), calls])


@cache
def _program() -> dict[str, bytes]:
    """The files that the sandbox sees besides node, by the path at which it sees them."""
    own = {f"/{module.name}": module for module in temml.HERE.glob("temml_*.mjs")}
    return {path: file.read_bytes() for path, file in (own | {"/node_modules/temml/index.js": TEMML}).items()}


def _kept(content: bytes, opened: contextlib.ExitStack) -> int:
    """The descriptor of a nameless file with some content: so the sandbox needs no folder of ours."""
    file = opened.enter_context(tempfile.TemporaryFile())  # noqa: SIM115 - the stack closes it
    file.write(content)
    file.seek(0)
    return file.fileno()


def _command(files: dict[str, int], calls: int) -> list[str]:
    """Node under its limits, without its compiler, inside bubblewrap."""
    command = ["bwrap", "--unshare-all", "--die-with-parent", "--new-session", "--clearenv"]
    command += ["--cap-drop", "ALL"]
    command += ["--uid", bubblewrap.NOBODY_ID, "--gid", bubblewrap.NOBODY_ID, "--hostname", "sandbox"]
    command += ["--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache"]  # and the libraries that node needs
    command += bubblewrap.system_folders("/usr/lib", "/usr/lib64", "/lib", "/lib64")
    command += ["--ro-bind", str(temml.NODE), "/node", "--ro-bind", str(shutil.which("prlimit")), "/prlimit"]
    for path, descriptor in files.items():
        command += ["--ro-bind-data", str(descriptor), path]
    command += ["--remount-ro", "/", "--chdir", "/", "--seccomp", str(calls)]
    command += ["/prlimit", *(f"--{name}={value}" for name, value in LIMITS.items()), "--"]
    command += ["/node", "--jitless", "--max-old-space-size=128", "/temml_server.mjs", "/program"]
    command = [*bubblewrap.KILLED_FIRST, *command, formula_macros(), json.dumps(BOUNDS)]
    return [*bubblewrap.unprivileged_command(), *command] if os.geteuid() == 0 else command
