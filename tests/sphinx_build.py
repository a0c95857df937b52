"""Sphinx as tests of small books start it: each build is a fork of a process that has loaded it already."""

import multiprocessing
import os
import runpy
import sys
from pathlib import Path

FONTS = Path(__file__).parents[1] / "_build" / "matplotlib"  # where the list of them is kept
FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(["tests.sphinx_loaded"])


def sphinx(arguments, library, said, **variables):
    """The exit code of a build whose library is in the folder `library`; what it says is in `said`."""
    variables |= {"PYTHONPATH": str(library), "OMP_NUM_THREADS": "1"}
    return _ended(_build, [*map(str, arguments)], said, variables)


def jupyter_book(folder, said):
    """The exit code of Jupyter Book as scripts/build.py in the folder calls it; what it says is in `said`."""
    return _ended(_build_book, str(folder), said, {"MPLCONFIGDIR": str(FONTS)})


def _ended(target, argument, said, variables):
    process = FORKS.Process(target=target, args=(argument, str(said), variables | {"NO_COLOR": "1"}))
    process.start()
    process.join()
    return process.exitcode


def _build(arguments, said, variables):
    """Ends this process as Sphinx's own command would."""
    from sphinx.cmd.build import main

    _prepare(variables["PYTHONPATH"], said, variables)
    sys.exit(main(arguments))


def _build_book(folder, said, variables):
    """Ends this process as Jupyter Book's own command would."""
    from jupyter_book.cli.main import main

    os.chdir(folder)
    _prepare(folder, said, variables)
    runpy.run_path("scripts/build.py")["drop_stale_pages"]()
    main(["build", ".", "-W", "--keep-going", "-n"], prog_name="jupyter-book")


def _prepare(library, said, variables):
    os.environ.update(variables)
    sys.path.insert(0, library)
    output = os.open(said, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    for stream in (1, 2):
        os.dup2(output, stream)
