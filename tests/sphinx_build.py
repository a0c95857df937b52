"""Sphinx as tests of small books start it: each build is a fork of a process that has loaded it already."""

import multiprocessing
import os
import sys

FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(["tests.sphinx_loaded"])


def sphinx(arguments, library, said, **variables):
    """The exit code of a build whose library is in the folder `library`; what it says is in `said`."""
    variables |= {"PYTHONPATH": str(library), "NO_COLOR": "1", "OMP_NUM_THREADS": "1"}
    process = FORKS.Process(target=_build, args=([*map(str, arguments)], str(said), variables))
    process.start()
    process.join()
    return process.exitcode


def _build(arguments, said, variables):
    """Ends this process as Sphinx's own command would."""
    from sphinx.cmd.build import main

    os.environ.update(variables)
    sys.path.insert(0, variables["PYTHONPATH"])
    output = os.open(said, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    for stream in (1, 2):
        os.dup2(output, stream)
    sys.exit(main(arguments))
