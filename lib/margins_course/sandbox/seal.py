"""The command line of a box: no network, no files to change, limits, and gone when we are gone.

Made by bubblewrap. Whoever is root gives up the account first, because limits on processes do not bind root.
(book: Teaching with this book, How marking works)
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from margins_course.problems import CourseProblem
from margins_course.sandbox.calls import call_filter

NOBODY = "65534"
LIMITS = {"as": 2 << 30, "nproc": 16, "fsize": 64 << 20, "cpu": 120, "core": 0, "nofile": 128}
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
SERVER = [sys.executable, "-m", "margins_course.sandbox.inside"]
FIRST_TO_DIE = ["choom", "--adjust", "1000", "--"]  # should the machine run out of memory


def limited():
    """The server under its limits."""
    return ["prlimit", *(f"--{name}={value}" for name, value in LIMITS.items()), "--", *SERVER]


def environment():
    """The few variables that the code in the box sees."""
    made = {"PATH": f"{Path(sys.executable).parent}:/usr/bin", "LANG": "C.UTF-8", "HOME": "/tmp"}
    return made | dict.fromkeys(THREADS, "1") | {"MPLBACKEND": "agg", "NBGRADER_EXECUTION": "autograde"}


def readable_folders():
    """Where Python, its packages and this library lie."""
    library = Path(__file__).resolve().parents[2]
    found = dict.fromkeys([os.path.realpath(sys.base_prefix), sys.prefix, str(library)])
    return [folder for folder in found if not Path(folder).is_relative_to("/usr")]


def sealed(info, calls):
    """The server inside bubblewrap, which tells the descriptor `info` the process id of the box.

    The filter of calls is read from the descriptor `calls`.
    """
    command = ["bwrap", "--unshare-all", "--die-with-parent", "--new-session", "--clearenv"]
    command += ["--cap-drop", "ALL", "--uid", NOBODY, "--gid", NOBODY, "--hostname", "box"]
    command += [*_files(), "--seccomp", str(calls), "--info-fd", str(info)]
    for name, value in environment().items():
        command += ["--setenv", name, value]
    command = [*FIRST_TO_DIE, *command, "--chdir", "/tmp", *limited()]
    return [*unprivileged(), *command] if os.geteuid() == 0 else command


def _files():
    """What the box sees of files: programs to read, and 65 MB of memory to write."""
    options = ["--ro-bind", "/usr", "/usr"]
    for folder in ("/bin", "/sbin", "/lib", "/lib64"):
        if os.path.islink(folder):
            options += ["--symlink", os.readlink(folder), folder]
        else:
            options += ["--ro-bind-try", folder, folder]
    for part in ("/etc/ld.so.cache", "/etc/alternatives"):
        options += ["--ro-bind-try", part, part]
    options += ["--proc", "/proc", "--dev", "/dev", "--size", str(1 << 20), "--tmpfs", "/dev/shm"]
    options += ["--size", str(64 << 20), "--tmpfs", "/tmp"]
    for folder in readable_folders():
        options += ["--ro-bind", folder, folder]
    for closed in ("/dev", "/proc", "/"):  # they are memory too, and /proc changes who dies first
        options += ["--remount-ro", closed]
    return options


def callers_environment():
    """The variables that bubblewrap itself gets: the code in the box can read its first process's."""
    return {"PATH": os.environ.get("PATH", os.defpath)}


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


def require_out_of_sight(folder):
    """Nothing, if no box can read the course folder; else where it lies."""
    for seen in (*readable_folders(), "/usr"):
        if Path(folder).is_relative_to(seen):
            problem = f"{folder} lies in {seen}, which students' code can read because Python needs it"
            raise CourseProblem(f"{problem}; move the course folder elsewhere")


def require_bubblewrap():
    """Nothing, if boxes can be made here; else what is missing."""
    remedy = "`--unsafe` marks without a box: students' code could then read and change whatever you can."
    for program in ("bwrap", "prlimit", "choom"):
        if not shutil.which(program):
            install = "apt-get install bubblewrap util-linux"
            raise CourseProblem(
                f"the program {program} is missing, so no box can be made: {install}. {remedy}"
            )
    command = [*sealed(info=2, calls=0)[: -len(SERVER)], "true"]
    tried = subprocess.run(command, input=call_filter(), capture_output=True, env=callers_environment())
    if tried.returncode:
        said = tried.stderr.decode(errors="replace").strip()
        raise CourseProblem(f"bubblewrap cannot make a box on this machine; it says: {said}. {remedy}")
