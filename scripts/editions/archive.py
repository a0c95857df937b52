"""An archive whose bytes depend on nothing but the files and one moment."""

import os
import subprocess
import time
import zipfile
from datetime import UTC, datetime

from scripts.editions.site import ROOT

OLDEST = 315_532_800  # the beginning of 1980, before which an archive has no dates
PERMISSIONS = 0o100644 << 16  # a plain file that its owner may write


def moment():
    """Seconds since 1970: SOURCE_DATE_EPOCH, else when the last commit was made."""
    given = os.environ.get("SOURCE_DATE_EPOCH") or last_commit()
    if not given.isdecimal() or int(given) < OLDEST:
        expected = "give the seconds from 1970 to a day after 1980, or unset it"
        raise ValueError(f"SOURCE_DATE_EPOCH is {given!r}: {expected}")
    return int(given)


def date():
    """The moment as a date, in UTC: when an edition was last changed."""
    return datetime.fromtimestamp(moment(), UTC)


def last_commit():
    """When the last commit was made, as git says it."""
    command = ["git", "log", "-1", "--format=%ct"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if run.returncode:
        raise RuntimeError(f"git does not know the last commit: {run.stderr.strip()}; set SOURCE_DATE_EPOCH")
    return run.stdout.strip()


def pack(files, target, seconds):
    """Writes `files`, names with their bytes, into the archive `target`, all dated to that moment."""
    with zipfile.ZipFile(target, "w") as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, time.gmtime(seconds)[:6])
            entry.external_attr, entry.create_system = PERMISSIONS, 3  # 3: permissions are those of Unix
            archive.writestr(entry, files[name], zipfile.ZIP_DEFLATED, 9)
