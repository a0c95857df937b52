"""What code in a box can see, keep and call: nothing of whoever marks, nothing beyond its limits."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import psutil
import pytest

from margins_book.chapters import chapters
from margins_course import CourseProblem
from margins_course.sandbox import process
from margins_course.sandbox.bubblewrap import require_unreadable
from margins_course.sandbox.process import SandboxFailure, SandboxProcess
from margins_course.sandbox.server import MOST_FILES

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

def files_of_the_book():
    import margins_book
    book = os.path.dirname(margins_book.__file__)
    found = glob.glob(book + "/**", recursive=True)
    return [os.path.relpath(path, book) for path in found if os.path.isfile(path)]

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

def rights():
    status = open("/proc/self/status").read()
    kinds = ("CapPrm", "CapEff", "CapInh", "CapAmb")
    held = {line.split()[1] for line in status.splitlines() if line.startswith(kinds)}
    again = kernel.mount(b"tmpfs", b"/tmp", b"tmpfs", 32 | 4 | 2, b"nr_inodes=1000000")
    refused = os.strerror(ctypes.get_errno())
    return [*held], again, refused, "NoNewPrivs:\\t1\\nSeccomp:\\t2" in status

def files(folder):
    made = 0
    try:
        for made in range(1_000_000):
            os.mkdir(f"{folder}/{made}") if made % 2 else os.symlink("nowhere", f"{folder}/{made}")
    except OSError as reason:
        for number in range(made):
            os.rmdir(f"{folder}/{number}") if number % 2 else os.unlink(f"{folder}/{number}")
        return made, reason.errno

def sockets():
    opened = []
    for family in range(64):
        for kind in (1, 2, 3, 5):
            for call in (41 if x86 else 198, 53 if x86 else 199):
                if kernel.syscall(call, family, kind, 0, (ctypes.c_int * 2)()) >= 0:
                    opened.append(family)
                elif ctypes.get_errno() != 1:
                    opened.append((family, os.strerror(ctypes.get_errno())))
    return sorted(set(map(str, opened)))

def processes():
    import multiprocessing, subprocess
    tried = [os.fork, lambda: subprocess.Popen("true"), lambda: os.posix_spawn("/bin/true", ["true"], {}),
             multiprocessing.get_context("spawn").Process(target=print).start,
             lambda: kernel.syscall(58 if x86 else 220, 0x4111, 0, 0, 0, 0) >= 0 or stop()]
    return [started(attempt) for attempt in tried], os.listdir("/proc/self/task"), os.getpid()

def stop():
    raise OSError(ctypes.get_errno(), "")

def started(attempt):
    try:
        attempt()
    except OSError as reason:
        return reason.errno
    return "started"

def devices():
    return sorted(os.listdir("/dev"))

def newest():
    return tuple({kernel.syscall(number, 0, 0, 0) for number in range(453, 500)}), ctypes.get_errno()

def opened():
    context, text = ctypes.c_ulong(0), ctypes.create_string_buffer(4096)
    calls = {
        "fanotify_init": (300, 0x200, 0),
        "inotify_init": (253,),
        "inotify_init1": (294, 0),
        "io_setup": (206, 100, ctypes.byref(context)),
        "syslog": (103, 3, text, 4096),
        "mount": (165, b"x", b"/tmp", b"tmpfs", 0, 0),
        "umount": (166, b"/tmp", 2),
        "pivot_root": (155, b"/tmp", b"/tmp"),
        "chroot": (161, b"/tmp"),
        "open_tree": (428, -100, b"/", 1),
        "fsopen": (430, b"tmpfs", 0),
        "swapon": (167, b"/tmp/x", 0),
        "reboot": (169, 0xFEE1DEAD, 672274793, 0, 0),
        "init_module": (175, text, 10, b""),
        "kexec_load": (246, 0, 0, 0, 0),
        "settimeofday": (164, text, 0),
        "sethostname": (170, b"x", 1),
        "setpriority": (141, 0, 0, -5),
        "sched_setscheduler": (144, 0, 2, ctypes.byref(ctypes.c_int(1))),
        "userfaultfd": (323, 0),
        "io_uring_setup": (425, 4, text),
        "bpf": (321, 0, text, 64),
        "pidfd_open of the first process's parent": (434, 0, 0),
        "open_by_handle_at": (304, -100, text, 0),
    }
    return [name for name, call in calls.items() if x86 and kernel.syscall(*call) >= 0]

def seen_of_the_kernel():
    told = ["keys", "key-users", "locks", "kmsg", "kcore", "1/mem.x"]
    taken = ["/proc/sys/kernel/core_pattern", "/proc/self/oom_score_adj", "/proc/sysrq-trigger", "/dev/x"]
    tried = [*((f"/proc/{name}", "rb") for name in told), *((path, "r+b") for path in taken)]
    found = []
    for path, mode in tried:
        try:
            with open(path, mode) as file:
                if mode == "r+b" or file.read(100):
                    found.append(path)
        except OSError:
            pass
    return found

def passed_on():
    import socket
    one, other = socket.socketpair()
    sent = 0
    try:
        for sent in range(5000):
            pair = os.pipe()
            socket.send_fds(one, [b"x"], pair)
            os.close(pair[0]), os.close(pair[1])
    except OSError:
        pass
    return sent

def errors():
    made = {
        "a key": (248 if x86 else 217, b"user", b"canary", b"kept", 4, ctypes.c_int(-3)),
        "keys": (250 if x86 else 219, 0, ctypes.c_int(-3), 1),
        "a file in memory": (319 if x86 else 279, b"canary", 0),
        "shared memory": (29 if x86 else 194, 0, 1 << 20, 0o1600),
        "semaphores": (64 if x86 else 190, 0, 1, 0o1600),
        "queues": (68 if x86 else 186, 0, 0o1600),
        "named queues": (240 if x86 else 180, b"canary", 0o102, 0o600, 0),
        "a lock": (73 if x86 else 32, 0, 2),
        "a lock on a part": (72 if x86 else 25, 0, 6, 0),
        "watching files": (254 if x86 else 27, 0, 0, 0),
        "another's service": (42 if x86 else 203, 0, 0, 0),
        "a user namespace": (272 if x86 else 97, 0x10000000),
        "a process in one": (56 if x86 else 220, 0x10000000 | 17, 0, 0, 0, 0),
        "the newer way to it": (435, 0, 0),
        "writing all disks": (162 if x86 else 81,),
        "writing one disk": (306 if x86 else 267, 0),
        "datagrams": (41 if x86 else 198, 1, 2, 0),
        "datagrams that do not wait": (41 if x86 else 198, 1, 2 | 0o4000 | 0o2000000, 0),
        "a pair for datagrams": (53 if x86 else 199, 1, 2, 0, (ctypes.c_int * 2)()),
        "packets in order": (53 if x86 else 199, 1, 5, 0, (ctypes.c_int * 2)()),
        "tracing": (101 if x86 else 117, 0, 0, 0, 0),
    }
    return {kind: os.strerror(ctypes.get_errno()) if kernel.syscall(*call) < 0 else "done"
            for kind, call in made.items()}
"""


@pytest.fixture(scope="module")
def call(boxes):
    """A caller of the functions above, in a box that was made by somebody with a secret."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CANARY", SECRET)
        patch.setenv("PATH", f"{os.environ['PATH']}:/nowhere/of-the-teacher")
        box = SandboxProcess()
    assert "error" not in box.ask({"run": INSIDE, "name": "cell"}, 20)
    yield lambda name, *arguments: box.ask({"call": name, "arguments": [list(arguments), {}]}, 20)["value"]
    box.close()


def test_no_process_in_the_box_has_the_environment_of_whoever_marks(call):
    seen = call("environments")
    assert "NBGRADER_EXECUTION" in seen
    assert not any(secret in seen for secret in (SECRET, "of-the-teacher"))


def test_known_answers_and_tests_of_the_chapters_are_out_of_sight(call):
    """Checks are imported from the folders in which these lie."""
    seen = set(call("files_of_the_book"))
    assert {f"{chapter.topic}/checks.py" for chapter in chapters()} <= seen
    assert [path for path in seen if "/exercises/" in path or "/tests/" in path] == []
    assert all(any(chapter.exercises.rglob("wrong.py")) for chapter in chapters())


EPERM = "Operation not permitted"
SEEN = {
    "writable": {"/dev/shm": 1, "/tmp": 64},
    "rights": (["0000000000000000"], -1, EPERM, True),  # no program that the code becomes gets one back
    "devices": ["full", "null", "random", "shm", "urandom", "zero"],  # and no terminal
    "newest": ((-1,), errno.ENOSYS),  # calls newer than the list
    "order_to_die": 1000,  # first, when memory is short
    "first_process_opened": False,
    "opened": [],  # calls of which some told a box what the others open, or use up what is scarce
    "seen_of_the_kernel": [],
}


@pytest.mark.parametrize("what", SEEN)
def test_what_the_box_has_is_little_and_cannot_be_changed(call, what):
    assert call(what) == SEEN[what]


@pytest.mark.parametrize("folder", ["/tmp", "/dev/shm"])
def test_the_number_of_files_is_bounded(call, folder):
    made, error = call("files", folder)
    assert 1000 < made < MOST_FILES
    assert error == errno.ENOSPC


def test_sockets_are_of_one_family(call):
    """Of the others none: a virtual machine's host, the network, the kernel's own services."""
    allowed = call("sockets")
    assert [family for family in allowed if not family.startswith(("1", "(1,"))] == []
    assert "1" in allowed


def test_a_box_holds_one_process(call):
    attempts, tasks, number = call("processes")
    assert attempts == [errno.EAGAIN] * 5
    assert tasks == [str(number)] == ["1"]


def test_calls_that_reach_beyond_the_box_or_around_its_limits_are_refused(call):
    refused = call("errors")
    assert refused.pop("the newer way to it") == "Function not implemented"
    assert set(refused.values()) == {EPERM}, refused
    assert call("passed_on") < 200


def test_a_course_folder_that_boxes_could_read_is_refused(tmp_path):
    require_unreadable(tmp_path)
    with pytest.raises(CourseProblem, match="move the course folder elsewhere"):
        require_unreadable(Path(sys.prefix) / "course")


def without_the_right(*pipes, made=process.bubblewrap_command):
    return ["CAP_NET_BIND_SERVICE" if word == "CAP_SYS_ADMIN" else word for word in made(*pipes)]


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("process.bubblewrap_command", lambda *_: ["false"], "cannot start a sandbox on this machine"),
        ("process.bubblewrap_command", without_the_right, f"remounting /tmp: {EPERM}"),
        ("bubblewrap.SERVER_COMMAND", [sys.executable, "-m", "no.server"], "No module named"),
    ],
    ids=["no box", "no right to bound its files", "no server"],
)
def test_a_box_that_does_not_start_is_no_answers_fault(boxes, monkeypatch, name, value, said):
    """It stops the marking and says why: else a whole class would get no points."""
    monkeypatch.setattr(f"margins_course.sandbox.{name}", value)
    with pytest.raises(CourseProblem, match=said):
        SandboxProcess()


STRIKES = {
    "bytearray(3 << 30)": ("MemoryError", "limit of 2 GB of memory"),
    "open('/tmp/large', 'wb').write(bytes(65 << 20))": ("OSError", "limit of 64 MB a file"),
    "for n in range(5000):\n    open(f'/tmp/{n}', 'w').close()": ("OSError", "64 MB and 4000 files"),
    "[open('/dev/null') for _ in range(200)]": ("OSError", "limit of 64 open files"),
    "import os\nos.fork()": ("BlockingIOError", "limit of one process"),
    "import socket\nsocket.socket()": ("PermissionError", "the sandbox has no network"),
    "open('/usr/own', 'w')": ("OSError", "only /tmp can be written"),
}
CLEARED = "import glob, os\nfor path in filter(os.path.isfile, glob.glob('/tmp/*')):\n    os.unlink(path)"


def test_a_limit_that_strikes_names_itself(run):
    for code, (kind, said) in STRIKES.items():
        found, message, *_ = run(code)["error"]
        assert found == kind, code
        assert said in message
        assert "error" not in run(CLEARED)


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("import os\nos._exit(3)", "ended its own Python process$"),
        ("import os\nos.closerange(3, 50)", "ended its own Python process"),
        ("import ctypes\nctypes.string_at(0)", "access to memory that it does not have"),
    ],
)
def test_a_process_that_ends_says_how(box, run, code, said):
    with pytest.raises(SandboxFailure, match=said):
        run(code, 0.5)
    assert not box.is_alive


LARGE = {
    "np.ones(10**7)": "the answer has 80000000 bytes of numbers in arrays; at most",
    "np.broadcast_to(1.0, (10**6, 10**6))": "at most 33554432",
    "[1.5] * 10**6": "at most 4194304: return long lists of numbers as arrays",
}


def test_an_answer_that_is_too_large_says_so(box, run):
    for value, said in LARGE.items():
        run(f"import numpy as np\ndef f():\n    return {value}")
        assert said in box.ask({"call": "f", "arguments": [[], {}]}, 20)["error"][1]


MARKER = """
import sys, time
from margins_course.sandbox.process import SandboxProcess
print(SandboxProcess().process.pid, flush=True)
time.sleep(60)
"""


def test_a_box_ends_with_the_process_that_marks(boxes):
    """Also when that process is killed and can close nothing."""
    marker = subprocess.Popen([sys.executable, "-c", MARKER], stdout=subprocess.PIPE, text=True)
    started = psutil.Process(int(marker.stdout.readline()))
    inside = [started, *started.children(recursive=True)]
    marker.kill()
    marker.communicate()
    _, alive = psutil.wait_procs(inside, timeout=10)
    assert len(inside) >= 2
    assert alive == []


SCIPY = """
import importlib, sys
import numpy as np
from scipy.optimize import nnls
late = "scipy.spatial.distance" not in sys.modules
from numpy.testing import assert_allclose
assert_allclose(1, 1)
parts = "cluster fft integrate interpolate io linalg ndimage optimize signal sparse spatial special stats"
for part in parts.split():
    importlib.import_module(f"scipy.{part}")
from scipy import optimize, stats
def answers():
    minimum = optimize.nnls(np.eye(2), np.array([1.0, -1.0]))[0]
    evolved = optimize.differential_evolution(lambda x: x @ x, [(-1, 1)], rng=0)
    return late, minimum, evolved.success, stats.norm.cdf(0.0)
"""


def test_all_of_scipy_works_in_a_box_that_reads_no_docstrings_and_loads_late_what_is_seldom_used(box, run):
    reply = run(SCIPY, 30)
    assert "error" not in reply, reply
    late, minimum, success, half = box.ask({"call": "answers", "arguments": [[], {}]}, 20)["value"]
    assert (late, minimum.tolist(), bool(success), float(half)) == (True, [1.0, 0.0], True, 0.5)


def test_a_million_numbers_go_in_and_come_back(box, run):
    run("def back(x):\n    return x[::-1]")
    sent = np.random.default_rng(1).normal(size=1_000_000)
    assert np.array_equal(box.ask({"call": "back", "arguments": [[sent], {}]}, 20)["value"], sent[::-1])
