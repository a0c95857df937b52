"""What hostile canaries aim at, made for the purpose and looked at afterwards: a file, a port, a process.

(book: Teaching with this book, Grade)
"""

import secrets
import select
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path

from margins_course.grading.hostile import Targets


class Watch:
    """A file in the course folder, a listener on the loopback, a process, a name for programs left over."""

    def __init__(self, folder: Path):
        self.word = f"canary-{secrets.token_hex(8)}"
        self.folder = Path(tempfile.mkdtemp(dir=folder, prefix=".canary-"))
        self.file = self.folder / "file.txt"
        self.file.write_text(self.word, encoding="utf-8")
        self.stream = socket.create_server(("127.0.0.1", 0))
        port = self.stream.getsockname()[1]
        self.letters = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.letters.bind(("127.0.0.1", port))
        self.process = subprocess.Popen(["sleep", "86400"], start_new_session=True)
        argument = f"{3600 + secrets.randbelow(3600)}.{secrets.randbelow(10**9)}"
        self.targets = Targets(str(self.file), port, self.process.pid, argument)

    def __enter__(self) -> "Watch":
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.stream.close()
        self.letters.close()
        shutil.rmtree(self.folder)

    def damage(self) -> str:
        """What was reached from the sandbox, "" if nothing was."""
        if self.file.read_text(encoding="utf-8") != self.word or len(list(self.folder.iterdir())) != 1:
            return "it changed a file"
        if select.select([self.stream, self.letters], [], [], 0)[0]:
            return "it sent something to a port of this machine"
        if self.process.poll() is not None:
            return "it ended a process of yours"
        if any(self.targets.argument in command for command in _commands()):
            return "a program that it started is still running"
        return ""


def _commands():
    """The command lines of all processes that can be seen."""
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            yield path.read_bytes().decode(errors="replace")
        except OSError:  # it has ended meanwhile
            continue
