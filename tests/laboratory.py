"""JupyterLab on the loopback with the project's own settings, as Binder and `make lab` start it."""

import contextlib
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).parents[1]
TOKEN = "margins"
START_SECONDS = 90
NOTEBOOK = ".jp-NotebookPanel:not(.lm-mod-hidden)"  # the one in view


@contextlib.contextmanager
def jupyterlab(folder, *, python=sys.executable, settings=ROOT / "book" / "jupyter" / "reader", **extra):
    """The function from a file's path in `folder` to the address that opens it, while the server runs.

    Nothing of the user's own Jupyter is read or written; `extra` are environment variables.
    """
    with tempfile.TemporaryDirectory() as scratch:
        port, log = free_port(), Path(scratch, "server.log")
        options = [
            "--no-browser",
            "--allow-root",
            "--ip=127.0.0.1",
            f"--port={port}",
            "--ServerApp.port_retries=0",
        ]
        options += [f"--IdentityProvider.token={TOKEN}", f"--ServerApp.root_dir={folder}"]
        options += ["--LabApp.expose_app_in_browser=True"]  # so that `open_beside` can give it a command
        with log.open("wb") as output:
            server = subprocess.Popen(
                [python, "-m", "jupyterlab", *options],
                env={**surroundings(scratch), "JUPYTER_CONFIG_DIR": str(settings), **extra},
                stdout=output,
                stderr=output,
            )
        try:
            wait_for(f"http://127.0.0.1:{port}/api/status?token={TOKEN}", server, log)
            yield lambda path: f"http://127.0.0.1:{port}/lab/tree/{path}?token={TOKEN}&reset"
        finally:
            server.terminate()
            server.wait(30)


def surroundings(scratch):
    """The environment of a reader's session, with every folder of Jupyter's empty."""
    names = (
        "JUPYTER_DATA_DIR",
        "JUPYTER_RUNTIME_DIR",
        "JUPYTERLAB_SETTINGS_DIR",
        "JUPYTERLAB_WORKSPACES_DIR",
    )
    folders = {name: str(Path(scratch, name.lower())) for name in (*names, "IPYTHONDIR")}
    inherited = {name: value for name, value in os.environ.items() if name != "EXPLORABLE_BAKE"}
    return {**inherited, **folders}


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(address, server, log):
    """Nothing, once the server answers; its log if it does not."""
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and server.poll() is None:
        with contextlib.suppress(OSError), urllib.request.urlopen(address, timeout=2):
            return
        time.sleep(0.2)
    raise RuntimeError(f"JupyterLab did not start:\n{log.read_text()[-3000:]}")


def open_and_run(page, address):
    """Opens the text notebook at `address` in `page` and runs all its cells."""
    page.goto(address)
    run_all_cells(page, address)


def open_beside(page, address):
    """The same in the JupyterLab that `page` shows already, in another tab."""
    path = address.partition("?")[0].partition("/lab/tree/")[2]
    page.evaluate("path => jupyterapp.commands.execute('docmanager:open', {path}).then(() => null)", path)
    run_all_cells(page, address)


def run_all_cells(page, address):
    """Runs the notebook that is in view.

    JupyterLab calls a notebook idle before it has a kernel, and asks for one if it is run then:
    the server knows better.
    """
    page.wait_for_selector(f"{NOTEBOOK} .jp-Cell", timeout=60_000)
    server, _, path = address.partition("?")[0].partition("/lab/tree/")
    deadline = time.monotonic() + START_SECONDS
    while not kernel_is_ready(page, server, path):
        if time.monotonic() > deadline:
            raise RuntimeError(f"{path}: no kernel after {START_SECONDS} s")
        page.wait_for_timeout(200)
    page.wait_for_selector(f'{NOTEBOOK} [data-status="idle"]', timeout=60_000)
    page.get_by_role("menuitem", name="Run", exact=True).first.click()
    page.get_by_role("menuitem", name="Run All Cells", exact=True).click()


def kernel_is_ready(page, server, path):
    """Whether the notebook `path` has an idle kernel that somebody listens to."""
    sessions = page.request.get(f"{server}/api/sessions?token={TOKEN}").json()
    kernels = [session["kernel"] for session in sessions if session["path"].endswith(path)]
    return any(kernel["connections"] and kernel["execution_state"] == "idle" for kernel in kernels)


STATE = r"""notebook => {
  const shown = document.querySelector(notebook);
  if (shown.querySelector('[data-mime-type="application/vnd.jupyter.error"]')) return 'error';
  const prompts = [...shown.querySelectorAll('.jp-CodeCell .jp-InputArea-prompt')].map(p => p.textContent);
  return prompts.length && prompts.every(text => /\[\d+\]/.test(text)) && 'done';
}"""


def wait_until_run(page):
    """Nothing, once every cell of the open notebook has run; the error if one fails."""
    state = page.wait_for_function(STATE, arg=NOTEBOOK, polling=500, timeout=300_000)
    if state.json_value() == "error":
        outputs = page.locator(f'{NOTEBOOK} [data-mime-type="application/vnd.jupyter.error"]')
        raise RuntimeError(f"a cell failed:\n{outputs.first.inner_text()[-2000:]}")
