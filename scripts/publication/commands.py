"""Git, run by the scripts that publish."""

import os
import subprocess


class GitError(Exception):
    """A command of git failed; the message has git's words, not the arguments, which may hold a token."""


def git(folder, *arguments, **variables):
    """What a git command prints, run in a folder with more variables in its environment."""
    done = subprocess.run(
        ["git", *arguments], cwd=folder, env=os.environ | variables, capture_output=True, text=True
    )
    if done.returncode:
        raise GitError(f"git {arguments[0]} failed: {done.stderr.strip()}")
    return done.stdout.strip()
