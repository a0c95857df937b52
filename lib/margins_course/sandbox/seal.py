"""The command that starts the sandbox: no network, no files to change, nothing of the caller's environment.

Made by bubblewrap. The box holds one process, the server of the student's code, and ends with the process
that started it. Whoever is root gives up the account first, because limits on processes do not bind root.
(book: Teaching with this book, How marking works)
"""

import os
import shutil
import sys
from pathlib import Path

from margins_course.problems import CourseProblem
from margins_course.sandbox.confine import WRITABLE

NOBODY = "65534"
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
SERVER = [sys.executable, "-m", "margins_course.sandbox.inside"]
DEVICES = ("null", "zero", "full", "random", "urandom")
FIRST_TO_DIE = [shutil.which("choom") or "choom", "--adjust", "1000", "--"]  # should memory run out
REMEDY = "`--unsafe` marks without a sandbox: students' code could then read and change whatever you can."


def callers_environment() -> dict[str, str]:
    """The variables of bubblewrap itself: fixed, so that nothing of the caller's can reach a box."""
    return {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}


def environment() -> dict[str, str]:
    """The few variables that the code in the box sees."""
    made = {"PATH": f"{Path(sys.executable).parent}:/usr/bin", "LANG": "C.UTF-8", "HOME": "/tmp"}
    made |= {"MPLBACKEND": "agg", "NBGRADER_EXECUTION": "autograde"}
    made |= {"JOBLIB_MULTIPROCESSING": "0"}  # the box holds one process: n_jobs=-1 works in it by threads
    return made | dict.fromkeys(THREADS, "1")


def readable_folders() -> list[str]:
    """Where Python, its packages and this library lie."""
    library = Path(__file__).resolve().parents[2]
    found = dict.fromkeys([os.path.realpath(sys.base_prefix), sys.prefix, str(library)])
    return [folder for folder in found if not Path(folder).is_relative_to("/usr")]


def sealed(info: int, calls: int) -> list[str]:
    """The server inside bubblewrap, which tells the descriptor `info` the process id of the box.

    The filter of calls is read from the descriptor `calls`. The one capability is for `confine`.
    """
    command = [_program("bwrap"), "--unshare-all", "--as-pid-1", "--die-with-parent", "--new-session"]
    command += ["--clearenv", "--cap-drop", "ALL", "--cap-add", "CAP_SYS_ADMIN"]
    command += ["--uid", NOBODY, "--gid", NOBODY, "--hostname", "box"]
    command += [*_files(), "--seccomp", str(calls), "--info-fd", str(info)]
    for name, value in environment().items():
        command += ["--setenv", name, value]
    command = [*FIRST_TO_DIE, *command, "--chdir", "/tmp", *SERVER, "sealed"]
    return [*unprivileged(), *command] if os.geteuid() == 0 else command


def _files():
    """What the box sees of files: programs to read, and a little memory to write."""
    options = ["--ro-bind", "/usr", "/usr", *system_folders("/bin", "/sbin", "/lib", "/lib64")]
    for part in ("/etc/ld.so.cache", "/etc/alternatives"):
        options += ["--ro-bind-try", part, part]
    options += ["--proc", "/proc", "--tmpfs", "/dev"]
    for name in DEVICES:
        options += ["--dev-bind", f"/dev/{name}", f"/dev/{name}"]
    for folder, size in WRITABLE.items():
        options += ["--size", str(size), "--tmpfs", folder]
    for folder in readable_folders():
        options += ["--ro-bind", folder, folder]
    closed = ["/dev", "/proc", "/"]  # they are memory too, and /proc changes who dies first
    if os.path.isdir("/usr/share/fonts"):  # matplotlib would read them all, in every box anew
        options += ["--tmpfs", "/usr/share/fonts"]
        closed.insert(0, "/usr/share/fonts")
    for folder in closed:
        options += ["--remount-ro", folder]
    return options


def system_folders(*folders: str) -> list[str]:
    """Options that show folders of the system as they are, links as links."""
    options = []
    for folder in folders:
        linked = os.path.islink(folder)
        options += ["--symlink", os.readlink(folder), folder] if linked else ["--ro-bind-try", folder, folder]
    return options


def unprivileged() -> list[str]:
    """What comes before the box when root calls: an account without rights, able to read what is needed."""
    folders = readable_folders()
    hidden = sorted({"/" + Path(folder).parts[1] for folder in folders if not _open_to_all(folder)})
    drop = [_program("setpriv"), "--reuid", NOBODY, "--regid", NOBODY, "--clear-groups"]
    drop += ["--pdeathsig", "KILL", "--"]
    if not hidden:
        return drop
    view = [_program("bwrap"), "--die-with-parent", "--dev-bind", "/", "/"]
    for top in hidden:
        view += ["--perms", "0755", "--tmpfs", top]
    for folder in folders:
        if "/" + Path(folder).parts[1] in hidden:
            for parent in list(Path(folder).parents)[-3::-1]:
                view += ["--perms", "0755", "--dir", str(parent)]
            view += ["--ro-bind", folder, folder]
    return [*view, "--", *drop]


def _program(name):
    """Where a program lies: it is looked for here, so that no search path need go into the box."""
    return shutil.which(name) or name


def _open_to_all(folder):
    """Whether every account can enter a folder."""
    return all(parent.stat().st_mode & 0o001 for parent in [Path(folder), *Path(folder).parents])


def require_out_of_sight(folder: Path) -> None:
    """A CourseProblem, if the course folder lies where students' code could read it."""
    for seen in (*readable_folders(), "/usr"):
        if Path(folder).is_relative_to(seen):
            problem = f"{folder} lies in {seen}, which students' code can read because Python needs it"
            raise CourseProblem(f"{problem}; move the course folder elsewhere")


def require_bubblewrap() -> None:
    """A CourseProblem that says what is missing, unless the sandbox works here."""
    from margins_course.sandbox.box import Box  # which imports this module

    for program in ("bwrap", "choom", *(["setpriv"] if os.geteuid() == 0 else [])):
        if not shutil.which(program):
            install = "apt-get install bubblewrap util-linux"
            raise CourseProblem(
                f"the program {program} is missing, so there is no sandbox: {install}. {REMEDY}"
            )
    try:
        Box().close()
    except CourseProblem as problem:
        raise CourseProblem(f"{problem}. {REMEDY}") from None
