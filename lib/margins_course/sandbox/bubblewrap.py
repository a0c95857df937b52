"""The bubblewrap command that starts the sandbox, and the filter of the kernel calls that it refuses.

There is no network, no file to change and nothing of the caller's environment. The sandbox holds one process,
the server of the student's code, and ends with the process that started it. Whoever is root gives up the
account first, because limits on processes do not bind root.

Namespaces do not stop every call that reaches beyond the sandbox or around its limits: the keys of whoever
marks are inherited, memory can be kept where no limit on a process counts it, a new user namespace brings
rights of its own. Sockets, new processes and calls newer than the list below are refused by whitelist:
streams of the family AF_UNIX alone (a datagram would need no `connect`), threads alone, known calls alone.
"""

import os
import platform
import shutil
import struct
import sys
from pathlib import Path

from margins_course import CourseProblem
from margins_course.sandbox.server import WRITABLE

LIBRARY = Path(__file__).resolve().parents[2]
NOBODY_ID = "65534"
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
SERVER_COMMAND = [sys.executable, "-m", "margins_course.sandbox.server"]
DEVICES = ("null", "zero", "full", "random", "urandom")
KILLED_FIRST = [shutil.which("choom") or "choom", "--adjust", "1000", "--"]  # should memory run out


def sandbox_environment() -> dict[str, str]:
    """The few variables that the code in the sandbox sees."""
    made = {"PATH": f"{Path(sys.executable).parent}:/usr/bin", "LANG": "C.UTF-8", "HOME": "/tmp"}
    made |= {"MPLBACKEND": "agg", "NBGRADER_EXECUTION": "autograde"}
    made["PYTHONPATH"] = str(LIBRARY)  # what runs inside is of the same version as what marks outside
    made |= {"JOBLIB_MULTIPROCESSING": "0", "LOKY_MAX_CPU_COUNT": "1"}  # n_jobs=-1: one process, one thread
    return made | dict.fromkeys(THREADS, "1")


def readable_folders() -> list[str]:
    """Where Python, its packages and this library lie."""
    found = dict.fromkeys([os.path.realpath(sys.base_prefix), sys.prefix, str(LIBRARY)])
    return [folder for folder in found if not Path(folder).is_relative_to("/usr")]


def hidden_folders() -> list[str]:
    """The chapters' exercises and tests, which stand beside what checks import: they say what answers are."""
    folders = (LIBRARY.glob(f"margins_book/*/{name}") for name in ("exercises", "tests"))
    return sorted(str(path) for found in folders for path in found)


def bubblewrap_command(info: int, calls: int) -> list[str]:
    """The server inside bubblewrap, which tells the descriptor `info` the process id of the sandbox.

    The filter of calls is read from the descriptor `calls`. The one capability is for `confine`.
    """
    command = [_program("bwrap"), "--unshare-all", "--as-pid-1", "--die-with-parent", "--new-session"]
    command += ["--clearenv", "--cap-drop", "ALL", "--cap-add", "CAP_SYS_ADMIN"]
    command += ["--uid", NOBODY_ID, "--gid", NOBODY_ID, "--hostname", "sandbox"]
    command += [*_files(), "--seccomp", str(calls), "--info-fd", str(info)]
    for name, value in sandbox_environment().items():
        command += ["--setenv", name, value]
    command = [*KILLED_FIRST, *command, "--chdir", "/tmp", *SERVER_COMMAND]
    return [*unprivileged_command(), *command] if os.geteuid() == 0 else command


def _files():
    """What the sandbox sees of files: programs to read, and a little memory to write."""
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
    hidden = hidden_folders()
    for folder in hidden:
        options += ["--tmpfs", folder]
    closed = [*hidden, "/dev", "/proc", "/"]  # they are memory too, and /proc changes who dies first
    if os.path.isdir("/usr/share/fonts"):  # matplotlib would read them all, in every sandbox anew
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


def unprivileged_command() -> list[str]:
    """The command before bubblewrap's when root calls: an account without rights that reads what it needs."""
    folders = readable_folders()
    hidden = sorted({"/" + Path(folder).parts[1] for folder in folders if not _open_to_all(folder)})
    drop = [_program("setpriv"), "--reuid", NOBODY_ID, "--regid", NOBODY_ID, "--clear-groups"]
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
    """Where a program lies: it is looked for here, so that no search path need go into the sandbox."""
    return shutil.which(name) or name


def _open_to_all(folder):
    """Whether every account can enter a folder."""
    return all(parent.stat().st_mode & 0o001 for parent in [Path(folder), *Path(folder).parents])


def require_unreadable(folder: Path) -> None:
    """A CourseProblem, if the course folder lies where students' code could read it."""
    for seen in (*readable_folders(), "/usr"):
        if Path(folder).is_relative_to(seen):
            problem = f"{folder} lies in {seen}, which students' code can read because Python needs it"
            raise CourseProblem(f"{problem}; move the course folder elsewhere")


def require_bubblewrap() -> None:
    """A CourseProblem that says what is missing, unless the sandbox works here."""
    from margins_course.sandbox.process import SandboxProcess  # which imports this module

    for program in ("bwrap", "choom", *(["setpriv"] if os.geteuid() == 0 else [])):
        if not shutil.which(program):
            install = "apt-get install bubblewrap util-linux"
            raise CourseProblem(f"the program {program} is missing, so there is no sandbox: {install}")
    SandboxProcess().close()


ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}  # as the kernel's audit.h numbers them
REFUSED_CALLS = {  # each with its number on x86_64 and on aarch64
    "add_key": (248, 217),  # keys: another sandbox or the marker's session would share them
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "memfd_create": (319, 279),  # memory that belongs to no process
    "memfd_secret": (447, 447),
    "shmget": (29, 194),
    "semget": (64, 190),
    "msgget": (68, 186),
    "mq_open": (240, 180),
    "sync": (162, 81),  # disks, for which everybody on the machine would wait
    "syncfs": (306, 267),
    "connect": (42, 203),  # services that listen in a folder which the sandbox can read
    "flock": (73, 32),  # locks on files that all sandboxes see, by which two students could talk while marked
    "inotify_add_watch": (254, 27),  # what others do with such files
    "fanotify_init": (300, 262),
    "inotify_init": (253, 26),  # of which an account has few, as of the contexts of io_setup the machine
    "inotify_init1": (294, 26),
    "io_setup": (206, 0),
    "syslog": (103, 116),  # the kernel's messages
    "unshare": (272, 97),  # namespaces in which rights could be had again
    "setns": (308, 268),
    "ptrace": (101, 117),  # other processes
    "process_vm_writev": (311, 271),
    "pidfd_getfd": (438, 438),
    "bpf": (321, 280),  # large parts of the kernel that no exercise needs
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
}
FORK_NUMBERS = (57, 58)  # fork and vfork, which aarch64 does not have
CLONE_NUMBERS, CLONE3_NUMBERS = (56, 220), (435, 435)
NEW_USER, THREAD = 0x10000000, 0x00010000  # flags of clone
SOCKET_NUMBERS = ((41, 198), (53, 199))  # socket and socketpair
AF_UNIX, SOCK_STREAM, SOCK_KINDS = 1, 1, 0xF  # the bits of the type that are no flags
FCNTL_NUMBERS = (72, 25)
FCNTL_LOCK_COMMANDS = (6, 7, 37, 38, 1024, 1026)  # its commands for locks, leases and notes of changes
FIRST_UNKNOWN_CALL = 453  # from here on calls are newer than this list; the C library takes an older one

LOAD, AND, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x54, 0x15, 0x35, 0x45, 0x06
NUMBER, ARCHITECTURE, FIRST_ARGUMENT, SECOND_ARGUMENT = 0, 4, 16, 24  # places in the kernel's seccomp_data
KILL, FAIL, ALLOW = 0x80000000, 0x00050000, 0x7FFF0000
NOT_PERMITTED, AGAIN, NOT_THERE = 1, 11, 38  # EPERM; EAGAIN; ENOSYS, at which the C library takes another
FIRST_32_BIT_CALL = 0x40000000  # from here on x86_64 counts its 32-bit calls


def seccomp_filter() -> bytes:
    """The filter of this machine's calls, a program for the kernel."""
    machine = platform.machine()
    if machine not in ARCHITECTURES:
        problem = f"the sandbox works on {' or '.join(ARCHITECTURES)}, but this machine is {machine}"
        raise CourseProblem(f"{problem}; mark on another one")
    column = list(ARCHITECTURES).index(machine)
    steps = [(LOAD, 0, 0, ARCHITECTURE), (EQUAL, 1, 0, ARCHITECTURES[machine]), (RETURN, 0, 0, KILL)]
    steps += [(LOAD, 0, 0, NUMBER), *_fail_if(AT_LEAST, FIRST_32_BIT_CALL, NOT_PERMITTED)]
    steps += _fail_if(AT_LEAST, FIRST_UNKNOWN_CALL, NOT_THERE)
    for numbers in REFUSED_CALLS.values():
        steps += _fail_if(EQUAL, numbers[column], NOT_PERMITTED)
    for number in FORK_NUMBERS if machine == "x86_64" else ():
        steps += _fail_if(EQUAL, number, AGAIN)
    steps += _fail_if(EQUAL, CLONE3_NUMBERS[column], NOT_THERE)  # its flags lie where no filter can read them
    steps += _by_argument(column)
    return b"".join(struct.pack("HBBI", *step) for step in [*steps, (RETURN, 0, 0, ALLOW)])


def _by_argument(column):
    """The steps for the calls that are refused only with certain arguments."""
    steps, refuse = [], (RETURN, 0, 0, FAIL | NOT_PERMITTED)
    for numbers in SOCKET_NUMBERS:
        stream = [(LOAD, 0, 0, SECOND_ARGUMENT), (AND, 0, 0, SOCK_KINDS), (EQUAL, 1, 0, SOCK_STREAM), refuse]
        steps += _for_call(numbers[column], FIRST_ARGUMENT, [(EQUAL, 1, 0, AF_UNIX), refuse, *stream])
    locks = [step for command in FCNTL_LOCK_COMMANDS for step in _fail_if(EQUAL, command, NOT_PERMITTED)]
    steps += _for_call(FCNTL_NUMBERS[column], SECOND_ARGUMENT, locks)
    threads = [*_fail_if(ANY_BIT, NEW_USER, NOT_PERMITTED), (ANY_BIT, 1, 0, THREAD)]
    return steps + _for_call(CLONE_NUMBERS[column], FIRST_ARGUMENT, [*threads, (RETURN, 0, 0, FAIL | AGAIN)])


def _fail_if(test, value, error):
    """The two steps that let a call fail if a test holds of what was loaded."""
    return [(test, 0, 1, value), (RETURN, 0, 0, FAIL | error)]


def _for_call(number, argument, steps):
    """The steps for one call: what `steps` make of an argument of it, allowed if they let it through."""
    steps = [(LOAD, 0, 0, argument), *steps, (RETURN, 0, 0, ALLOW)]
    return [(EQUAL, 0, len(steps), number), *steps]
