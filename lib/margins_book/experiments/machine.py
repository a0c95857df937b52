"""The computer that numbers were measured on.

(book: The paper in a minute, What ran)
"""

import platform
import re
from pathlib import Path


def processor() -> str:
    """The processor's name as the operating system knows it."""
    information = Path("/proc/cpuinfo")
    if information.exists():
        names = re.findall(r"^model name\s*:\s*(.+)$", information.read_text(encoding="utf-8"), re.MULTILINE)
        if names:
            return " ".join(names[0].split())
    return platform.processor() or platform.machine()
