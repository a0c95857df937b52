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
    return int(open("/proc/self/oom_score_adj").read())

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

def call_by_name(call):
    return os.strerror(ctypes.get_errno()) if kernel.syscall(*call) < 0 else "done"

def refused():
    numbers = {
        "add_key": (248, 217), "request_key": (249, 218), "keyctl": (250, 219), "memfd_create": (319, 279),
        "memfd_secret": (447, 447), "shmget": (29, 194), "semget": (64, 190), "msgget": (68, 186),
        "mq_open": (240, 180), "sync": (162, 81), "syncfs": (306, 267), "connect": (42, 203),
        "flock": (73, 32), "inotify_add_watch": (254, 27), "inotify_init": (253, 26),
        "inotify_init1": (294, 26), "fanotify_init": (300, 262), "io_setup": (206, 0), "syslog": (103, 116),
        "unshare": (272, 97), "setns": (308, 268), "ptrace": (101, 117), "process_vm_writev": (311, 271),
        "pidfd_getfd": (438, 438), "bpf": (321, 280), "perf_event_open": (298, 241),
        "userfaultfd": (323, 282), "io_uring_setup": (425, 425),
    }
    calls = {name: (both[0] if x86 else both[1], 0, 0, 0, 0) for name, both in numbers.items()}
    calls |= {
        "a lock on a part of a file": (72 if x86 else 25, 0, 6, 0),
        "a process in a new user namespace": (56 if x86 else 220, 0x10000000 | 17, 0, 0, 0, 0),
        "datagrams": (41 if x86 else 198, 1, 2, 0),
        "datagrams that do not wait": (41 if x86 else 198, 1, 2 | 0o4000 | 0o2000000, 0),
        "a pair for datagrams": (53 if x86 else 199, 1, 2, 0, (ctypes.c_int * 2)()),
        "packets in order": (53 if x86 else 199, 1, 5, 0, (ctypes.c_int * 2)()),
    }
    return {name: call_by_name(call) for name, call in calls.items()}

def opened():
    text = ctypes.create_string_buffer(4096)
    calls = {
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
        "pidfd_open of the first process's parent": (434, 0, 0),
        "open_by_handle_at": (304, -100, text, 0),
    }
    return [name for name, call in calls.items() if x86 and call_by_name(call) == "done"]

def seen_of_the_kernel():
    told = ["keys", "key-users", "locks", "kmsg", "kcore", "1/mem.x"]
    taken = ["/proc/sys/kernel/core_pattern", "/proc/self/oom_score_adj", "/proc/sysrq-trigger"]
    taken += ["/dev/x", "/proc/1/mem"]
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

def fork_in_a_newer_way():
    return call_by_name((435, 0, 0))
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
    "opened": [],
    "sockets": ["1"],  # none of a virtual machine's host, of the network, of the kernel's own services
    "processes": ([errno.EAGAIN] * 5, ["1"], 1),
    "fork_in_a_newer_way": "Function not implemented",
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


def test_calls_that_reach_beyond_the_box_or_around_its_limits_are_refused(call):
    refused = call("refused")
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
        ("process.bubblewrap_command", without_the_right, f"remounting /tmp: {EPERM}"),
        ("bubblewrap.SERVER_COMMAND", [sys.executable, "-m", "no.server"], "No module named"),
    ],
    ids=["no right to bound its files", "no server"],
)
def test_a_box_that_does_not_start_is_no_answers_fault(boxes, monkeypatch, name, value, said):
    """It stops the marking and says why: else a whole class would get no points."""
    monkeypatch.setattr(f"margins_course.sandbox.{name}", value)
    with pytest.raises(CourseProblem, match=said):
        SandboxProcess()


THREADS = "import threading as t\n[t.Thread(target=t.Event().wait).start() for _ in range(20)]"
STRIKES = {
    "bytearray(3 << 30)": ("MemoryError", "limit of 2 GB of memory"),
    "open('/tmp/large', 'wb').write(bytes(65 << 20))": ("OSError", "limit of 64 MB a file"),
    "for n in range(5000):\n    open(f'/tmp/{n}', 'w').close()": ("OSError", "64 MB and 4000 files"),
    "[open('/dev/null') for _ in range(200)]": ("OSError", "limit of 64 open files"),
    "import os\nos.fork()": ("BlockingIOError", "limit of one process"),
    "import socket\nsocket.socket()": ("PermissionError", "the sandbox has no network"),
    "open('/usr/own', 'w')": ("OSError", "only /tmp can be written"),
    THREADS: ("RuntimeError", "limit of 4 threads"),
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
import os, time
from margins_course.grading.grade import worker_pool
from margins_course.sandbox.process import SandboxProcess
with worker_pool() as pool:
    print(pool.submit(os.getpid).result(), SandboxProcess().process.pid, flush=True)
    time.sleep(600)
"""


def test_a_worker_and_a_box_end_with_the_process_that_marks(boxes):
    """Also when that process is killed and can close nothing."""
    marker = subprocess.Popen([sys.executable, "-c", MARKER], stdout=subprocess.PIPE, text=True)
    worker, box = (psutil.Process(int(number)) for number in marker.stdout.readline().split())
    inside = box.children(recursive=True)
    marker.kill()
    _, alive = psutil.wait_procs([worker, box, *inside], timeout=60)
    assert inside
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
