"""What came: the files in an LMS's zip or in a folder, and whose they are, without trusting a name or a size.

(book: Teaching with this book, Collect)
"""

import lzma
import os
import re
import stat
import zipfile
import zlib
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path, PurePosixPath

from margins_course.collecting.submissions import LARGEST
from margins_course.problems import CourseProblem

MOST_FILES, MOST_BYTES = 50_000, 2_000_000_000
DAMAGED = zipfile.BadZipFile, zlib.error, lzma.LZMAError
MOODLE = re.compile(r"(?P<name>.+?)_(?P<number>\d+)_assignsubmission_")
CANVAS = re.compile(r"[^_/]+(?P<late>_LATE)?_(?P<number>\d+)_\d+_")


@dataclass(frozen=True)
class Delivery:
    """One file that came: its name, when, its content or why it is refused unread."""

    name: str
    received: datetime
    content: bytes = b""
    refusal: str = ""

    @property
    def is_notebook(self):
        return self.name.lower().endswith(".ipynb")


def deliveries(where):
    """Every file in a zip or a folder."""
    where = Path(where)
    if where.is_dir():
        return list(_in_folder(where))
    if not where.is_file() or not zipfile.is_zipfile(where):
        raise CourseProblem(
            f"{where} is neither a folder nor a zip; expected the LMS's download of all submissions"
        )
    try:
        archive = zipfile.ZipFile(where)
    except zipfile.BadZipFile as reason:
        raise CourseProblem(f"{where} is a damaged zip ({reason}); download it again") from None
    with archive:
        members = [member for member in archive.infolist() if not member.is_dir()]
        size = sum(min(member.file_size, LARGEST) for member in members)
        if len(members) > MOST_FILES or size > MOST_BYTES:
            expected = f"expected at most {MOST_FILES} and {MOST_BYTES}"
            raise CourseProblem(f"{where} holds {len(members)} files of {size} bytes; {expected}")
        return [_in_zip(archive, member) for member in members if "__MACOSX" not in member.filename]


def owner(delivery, students):
    """The student whose file it is, by id, by the LMS's number, or by the full name; None if nobody's."""
    first = PurePosixPath(delivery.name).parts[0] if delivery.name else ""
    by_id = {student.id: student for student in students}
    if found := by_id.get(first) or by_id.get(first.removesuffix(".ipynb")):
        return found
    matches = [found for pattern in (MOODLE, CANVAS) if (found := pattern.match(first))]
    if len(matches) != 1:  # a student's own file name comes last, and could pretend to be the LMS's part
        return None
    (match,) = matches
    numbered = [student for student in students if student.lms_id and student.lms_id == match["number"]]
    named = [student for student in students if student.name == match.groupdict().get("name")]
    found = numbered or named
    return found[0] if len(found) == 1 else None


def _in_folder(folder):
    for directory, subfolders, names in os.walk(folder):
        links = [name for name in subfolders if os.path.islink(os.path.join(directory, name))]
        for name in sorted([*names, *links]):
            path = Path(directory, name)
            yield _from_disk(path, path.relative_to(folder).as_posix())


def _from_disk(path, name):
    found = path.lstat()
    received = _moment(found.st_mtime)
    if not stat.S_ISREG(found.st_mode):
        kind = "a symbolic link" if stat.S_ISLNK(found.st_mode) else "no ordinary file"
        return Delivery(name, received, refusal=f"it is {kind}; expected the notebook itself")
    if found.st_size > LARGEST:
        return Delivery(name, received, refusal=_too_large(found.st_size))
    try:
        with open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as file:
            return Delivery(name, received, file.read(LARGEST + 1))  # whatever it has become meanwhile
    except OSError as reason:
        return Delivery(name, received, refusal=f"it cannot be read: {reason.strerror}")


def _moment(seconds):
    """The time that a file gives itself; the beginning of 1970 if that is no time."""
    try:
        return datetime.fromtimestamp(seconds).astimezone()
    except (ValueError, OverflowError, OSError):
        return datetime.fromtimestamp(0).astimezone()


def _in_zip(archive, member):
    name = member.filename
    try:
        received = datetime(*member.date_time).astimezone()
    except ValueError:
        received = _moment(0)
    parts = PurePosixPath(name.replace("\\", "/")).parts
    if name.startswith(("/", "\\")) or ".." in parts:
        return Delivery(name, received, refusal="its path leads out of the archive")
    if stat.S_ISLNK(member.external_attr >> 16):
        return Delivery(name, received, refusal="it is a symbolic link; expected the notebook itself")
    if member.file_size > LARGEST:
        return Delivery(name, received, refusal=_too_large(member.file_size))
    try:
        with archive.open(member) as file:
            content = file.read(LARGEST + 1)  # whatever size the archive claims
    except (*DAMAGED, RuntimeError, NotImplementedError, EOFError, OSError) as reason:
        return Delivery(name, received, refusal=f"it cannot be unpacked: {reason}")
    if len(content) > LARGEST:
        return Delivery(name, received, refusal=_too_large(len(content)))
    return Delivery(name, received, content)


def _too_large(size):
    return f"the file has {size} bytes; at most {LARGEST} are accepted (clear the outputs)"
