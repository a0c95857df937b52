"""The kernel calls that the sandbox refuses: those that reach beyond it or around its limits.

Namespaces do not hold them: the keys of whoever marks are inherited, memory can be kept where no limit on a
process counts it, a new user namespace brings rights of its own. Sockets, new processes and calls that are
newer than this list are closed by whitelist: sockets of the family AF_UNIX alone, threads alone, known calls
alone. The filter is written here step by step, and not with libseccomp, because so the box needs no system
library that a teacher would have to install, and the whole of it is these few lines.
(book: Teaching with this book, How marking works)
"""

import platform
import struct

from margins_course.problems import CourseProblem

ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}  # as the kernel's audit.h numbers them
REFUSED = {  # each with its number on x86_64 and on aarch64
    "add_key": (248, 217),  # keys: another box or the marker's session would share them
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "memfd_create": (319, 279),  # memory that belongs to no process
    "memfd_secret": (447, 447),
    "shmget": (29, 194),
    "semget": (64, 190),
    "msgget": (68, 186),
    "mq_open": (240, 180),
    "connect": (42, 203),  # services that listen in a folder which the box can read
    "flock": (73, 32),  # locks on files that all boxes see, by which two students could talk while marked
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
FORKS = (57, 58)  # fork and vfork, which aarch64 does not have
CLONE, CLONE3 = (56, 220), (435, 435)
NEW_USER, THREAD = 0x10000000, 0x00010000  # flags of clone
SOCKETS = ((41, 198), (53, 199))  # socket and socketpair
AF_UNIX = 1
FCNTL = (72, 25)
SET_LOCKS = (6, 7, 37, 38, 1024, 1026)  # its commands for locks, leases and notes of changes
UNKNOWN = 453  # from here on calls are newer than this list; the C library takes an older one

LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
NUMBER, ARCHITECTURE, FIRST_ARGUMENT, SECOND_ARGUMENT = 0, 4, 16, 24  # places in the kernel's seccomp_data
KILL, FAIL, ALLOW = 0x80000000, 0x00050000, 0x7FFF0000
NOT_PERMITTED, AGAIN, NOT_THERE = 1, 11, 38  # EPERM; EAGAIN; ENOSYS, at which the C library takes another
FOREIGN = 0x40000000  # from here on x86_64 counts its 32-bit calls


def call_filter() -> bytes:
    """The filter of this machine's calls, a program for the kernel."""
    machine = platform.machine()
    if machine not in ARCHITECTURES:
        expected = " or ".join(ARCHITECTURES)
        raise CourseProblem(
            f"the sandbox works on {expected}, but this machine is {machine}; mark on another one"
        )
    column = list(ARCHITECTURES).index(machine)
    steps = [(LOAD, 0, 0, ARCHITECTURE), (EQUAL, 1, 0, ARCHITECTURES[machine]), (RETURN, 0, 0, KILL)]
    steps += [(LOAD, 0, 0, NUMBER), *_failing(AT_LEAST, FOREIGN, NOT_PERMITTED)]
    steps += _failing(AT_LEAST, UNKNOWN, NOT_THERE)
    for numbers in REFUSED.values():
        steps += _failing(EQUAL, numbers[column], NOT_PERMITTED)
    for number in FORKS if machine == "x86_64" else ():
        steps += _failing(EQUAL, number, AGAIN)
    steps += _failing(EQUAL, CLONE3[column], NOT_THERE)  # its flags lie where no filter can read them
    steps += _by_argument(column)
    return b"".join(struct.pack("HBBI", *step) for step in [*steps, (RETURN, 0, 0, ALLOW)])


def _by_argument(column):
    """The steps for the calls that are refused only with certain arguments."""
    steps, refuse = [], (RETURN, 0, 0, FAIL | NOT_PERMITTED)
    for numbers in SOCKETS:
        steps += _only(numbers[column], FIRST_ARGUMENT, [(EQUAL, 1, 0, AF_UNIX), refuse])
    locks = [step for command in SET_LOCKS for step in _failing(EQUAL, command, NOT_PERMITTED)]
    steps += _only(FCNTL[column], SECOND_ARGUMENT, locks)
    threads = [*_failing(ANY_BIT, NEW_USER, NOT_PERMITTED), (ANY_BIT, 1, 0, THREAD)]
    return steps + _only(CLONE[column], FIRST_ARGUMENT, [*threads, (RETURN, 0, 0, FAIL | AGAIN)])


def _failing(test, value, error):
    """The two steps that let a call fail if a test holds of what was loaded."""
    return [(test, 0, 1, value), (RETURN, 0, 0, FAIL | error)]


def _only(number, argument, steps):
    """The steps for one call: what `steps` make of an argument of it, allowed if they let it through."""
    steps = [(LOAD, 0, 0, argument), *steps, (RETURN, 0, 0, ALLOW)]
    return [(EQUAL, 0, len(steps), number), *steps]
