"""Mutants that may survive, from a text file: each on its line, under the `# reason` that it shares."""


def reasons(path):
    """The reason of every line of the file; the lines before the first `# reason` have the empty one."""
    found, reason = {}, ""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("# "):
            reason = line[2:]
        elif line:
            found[line] = reason
    return found
