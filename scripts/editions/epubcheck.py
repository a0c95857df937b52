"""What epubcheck, the W3C's validator, says of an EPUB."""

import shutil
import subprocess
from pathlib import Path

PROGRAM = "epubcheck"
START_OF_ZIP = b"PK"
SOON = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")  # half the time for a program that runs for seconds


def command():
    """How epubcheck is called: Debian gives the Java archive its name, which few systems can run."""
    path = shutil.which(PROGRAM)
    with Path(path).open("rb") as program:
        is_archive = program.read(2) == START_OF_ZIP
    return ["java", *SOON, "-jar", path] if is_archive else [path]


def complaints(target):
    """The errors and warnings of epubcheck, one a line; empty if there are none."""
    result = subprocess.run([*command(), "--failonwarnings", target], capture_output=True, text=True)
    return (result.stdout + result.stderr).strip() if result.returncode else ""
