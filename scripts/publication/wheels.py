"""`make wheels`: the wheels of the four packages of lib/, in _build/wheels."""

import shutil
from pathlib import Path

from hatchling.builders.wheel import WheelBuilder

ROOT = Path(__file__).resolve().parents[2]
TARGET = ROOT / "_build" / "wheels"


def packages():
    """The folders of the packages that have metadata of their own."""
    return sorted(file.parent for file in (ROOT / "lib").glob("*/pyproject.toml"))


def build_wheels(target):
    """The files of the wheels, built into the empty folder `target`."""
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    return [Path(next(WheelBuilder(str(folder)).build(directory=str(target)))) for folder in packages()]


def main():
    for wheel in build_wheels(TARGET):
        print(f"{wheel.relative_to(ROOT)} ({wheel.stat().st_size / 1e3:.0f} kB)")


if __name__ == "__main__":
    main()
