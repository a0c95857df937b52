"""The files in an LMS's zip or in a folder, read one by one; no name or size in it is trusted.

Times in a zip carry no zone and are read in the assignment's; a folder's file times are moments. Canvas and
older versions of Moodle write the time of the download into their zips, not that of handing in.
"""

import hashlib
import os
import stat
import struct
import time
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from zoneinfo import ZoneInfo

from margins_course import CourseProblem
from margins_course.collecting.submissions import LARGEST, too_large

MOST_FILES, MOST_BYTES, MOST_SECONDS = 50_000, 2_000_000_000, 600.0  # the last in seconds
MOST_EACH, BYTES_EACH, DEEPEST = 200, 20_000_000, 20  # of one folder, so that no student fills those above
LONGEST_NAME = 500
DAMAGED = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, RuntimeError, ValueError)
COPY_FOLDERS = {"__macosx", ".ipynb_checkpoints"}  # programs fill them by themselves: nobody handed them in


@dataclass(frozen=True)
class Delivery:
    """One file that came: its name, when, its content or why it is refused unread."""

    name: str
    received: datetime
    content: bytes = b""
    refusal: str = ""

    @property
    def sha256(self) -> str:
        """The hash of the content; nothing where the file was refused unread."""
        return "" if self.refusal else hashlib.sha256(self.content).hexdigest()


def deliveries(
    where: Path | str, zone: ZoneInfo, is_owners_folder: Callable[[str], bool] = lambda _: True
) -> Iterator[Delivery]:
    """Every file in a zip or a folder; folders around all that are no student's are left out of the names."""
    where = Path(where)
    if where.is_dir():
        yield from _within_limits(where, _in_folder(_inner_folder(where, is_owners_folder)))
        return
    expected = "expected a folder, or the LMS's download of all submissions"
    if not where.is_file():
        raise CourseProblem(f"{where} is not there; {expected}")
    try:
        archive = zipfile.ZipFile(where)
    except DAMAGED as reason:
        problem = f"{where} is no zip, or a damaged one ({reason})"
        raise CourseProblem(f"{problem}; {expected}: download it again") from None
    with archive:
        members = [m for m in archive.infolist() if not m.filename.endswith("/") and not _is_copy(m.filename)]
        _check_size(where, len(members), sum(min(member.file_size, LARGEST) for member in members))
        around = _folder_around([member.filename for member in members], is_owners_folder)
        files = (_in_zip(archive, member, zone, around) for member in members)
        yield from _within_limits(where, files)


def _inner_folder(folder: Path, is_owners_folder: Callable[[str], bool]) -> Path:
    """The folder that holds the files, where it stands alone in others."""
    for _ in range(DEEPEST):
        inside = [path for path in folder.iterdir() if not _is_copies(path)]
        alone = len(inside) == 1 and inside[0].is_dir() and not inside[0].is_symlink()
        if not alone or is_owners_folder(inside[0].name):
            break
        folder = inside[0]
    return folder


def _folder_around(names: list[str], is_owners_folder: Callable[[str], bool]) -> str:
    """The folders in which all files of an archive lie and that are no student's, such as "class/"."""
    around = ""
    for _ in range(DEEPEST if names else 0):
        first, slash, _ = names[0].removeprefix(around).partition("/")
        outer = around + first + slash
        if not slash or is_owners_folder(first) or not all(name.startswith(outer) for name in names):
            break
        around = outer
    return around


def _within_limits(where: Path, files: Iterable[Delivery]) -> Iterator[Delivery]:
    """The files, until they are too many, too large together or too slow."""
    end, size = time.monotonic() + MOST_SECONDS, 0
    for number, file in enumerate(files, 1):
        size += len(file.content)
        _check_size(where, number, size)
        if time.monotonic() > end:
            problem = f"{where}: reading {number} files took longer than {MOST_SECONDS:g} s"
            remedy = "nothing was recorded; copy it to a disk of this computer or collect it in parts"
            raise CourseProblem(f"{problem}; {remedy}")
        yield file


def _check_size(where: Path, number: int, size: int) -> None:
    if number > MOST_FILES or size > MOST_BYTES:
        expected = f"expected at most {MOST_FILES} files and {MOST_BYTES} bytes; collect it in parts"
        raise CourseProblem(f"{where} holds {number} files of {size} bytes or more; {expected}")


def _is_copy(name: str) -> bool:
    return any(part.lower() in COPY_FOLDERS for part in name.replace("\\", "/").split("/")[:-1])


def _in_folder(folder: Path) -> Iterator[Delivery]:
    for path in sorted(folder.iterdir()):
        number, size = 0, 0
        for file in () if _is_copies(path) else _below(path, path.name):
            number, size = number + 1, size + len(file.content)
            if number > MOST_EACH or size > BYTES_EACH:
                reason = f"its folder has over {MOST_EACH} files or {BYTES_EACH} bytes; the rest is not read"
                yield Delivery(file.name, file.received, refusal=reason)
                break
            yield file


def _below(path: Path, name: str, depth: int = 0) -> Iterator[Delivery]:
    """The file at a path; or those in the folder there, before those in its folders."""
    if os.path.islink(path) or not os.path.isdir(path):
        yield _from_disk(path, _readable(name))
    elif depth >= DEEPEST:
        yield Delivery(_readable(name), _moment(0), refusal=f"it lies more than {DEEPEST} folders deep")
    else:
        try:
            inside = sorted(path.iterdir(), key=lambda entry: (os.path.isdir(entry), entry.name))
        except OSError as reason:
            inside = []
            yield Delivery(_readable(name), _moment(0), refusal=f"it cannot be read: {reason.strerror}")
        for entry in inside:
            if not _is_copies(entry):
                yield from _below(entry, f"{name}/{entry.name}", depth + 1)


def _is_copies(path: Path) -> bool:
    return path.name.lower() in COPY_FOLDERS and os.path.isdir(path)


def _from_disk(path: Path, name: str) -> Delivery:
    try:
        found = path.lstat()
    except OSError as reason:
        return Delivery(name, _moment(0), refusal=f"it cannot be read: {reason.strerror}")
    received = _moment(found.st_mtime)
    if not stat.S_ISREG(found.st_mode):
        kind = "a symbolic link" if stat.S_ISLNK(found.st_mode) else "no ordinary file"
        return Delivery(name, received, refusal=f"it is {kind}; expected the notebook itself")
    if found.st_size > LARGEST:
        return Delivery(name, received, refusal=too_large(found.st_size))
    try:
        with open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as file:
            return Delivery(name, received, file.read(LARGEST + 1))  # whatever it has become meanwhile
    except OSError as reason:
        return Delivery(name, received, refusal=f"it cannot be read: {reason.strerror}")


def _moment(seconds: float) -> datetime:
    """The time that a file gives itself; the beginning of 1970 if that is no time."""
    try:
        return datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError, OSError):
        return datetime.fromtimestamp(0, UTC)


def _in_zip(archive: zipfile.ZipFile, member: zipfile.ZipInfo, zone: ZoneInfo, around: str) -> Delivery:
    name = _readable(member.filename.removeprefix(around))
    try:
        received = datetime(*member.date_time, tzinfo=zone)
    except ValueError:
        received = _moment(0)
    if refusal := _refusal_unread(member):
        return Delivery(name, received, refusal=refusal)
    try:
        with archive.open(member) as file:
            content = file.read(LARGEST + 1)  # whatever size the archive claims
    except DAMAGED as reason:
        return Delivery(name, received, refusal=f"it cannot be unpacked: {reason}")
    if len(content) > LARGEST:
        return Delivery(name, received, refusal=too_large(len(content)))
    return Delivery(name, received, content)


def _refusal_unread(member: zipfile.ZipInfo) -> str:
    parts = PurePosixPath(member.filename.replace("\\", "/")).parts
    if member.filename.startswith(("/", "\\")) or ".." in parts:
        return "its path leads out of the archive"
    if stat.S_ISLNK(member.external_attr >> 16):
        return "it is a symbolic link; expected the notebook itself"
    if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        return f"it is packed by method {member.compress_type}; expected an LMS's zip (stored or deflated)"
    return too_large(member.file_size) if member.file_size > LARGEST else ""


def _readable(name: str) -> str:
    """A name that can be written as UTF-8, shortened where it is too long."""
    text = name.encode("utf-8", "backslashreplace").decode("utf-8")
    if len(text) <= LONGEST_NAME:
        return text
    digest = hashlib.sha256(text.encode()).hexdigest()[:8]
    return f"{text[: LONGEST_NAME - 20]}~{digest}{PurePosixPath(text[-20:]).suffix}"
