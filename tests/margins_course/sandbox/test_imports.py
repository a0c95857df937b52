"""Code that was written in a notebook runs in the sandbox."""

from margins_course.sandbox.answers import Answers

ASKED = "get_ipython()"
NOTEBOOK = {
    "display": ("display(3, 'x')", "3\n'x'\n"),
    "rich text": ("from IPython.display import HTML, Markdown, display\ndisplay(Markdown('*a*'))", "*a*\n"),
    "the module": ("import IPython\nIPython.display.display(1)", "1\n"),
    "its function": ("import IPython\nprint(IPython.get_ipython() is None)", "False\n"),
    "another kind": ("from IPython.display import Audio, clear_output\nclear_output(wait=True)\nAudio()", ""),
    "magic of a line": (f"{ASKED}.run_line_magic('matplotlib', 'inline')", ""),
    "magic of a cell": (f"{ASKED}.run_cell_magic('time', '', '1')", ""),
    "settings": (f"{ASKED}.config.InlineBackend.figure_format = 'svg'", ""),
    "events": (f"{ASKED}.events.register('a', 1)", ""),
    "system": (f"{ASKED}.system('ls')\nprint({ASKED}.getoutput('ls'))", "[]\n"),
    "lines": ("%matplotlib inline\n%%time\n!ls\nlen?\nprint(1)", "1\n"),
    "a line's output kept": ("x = !ls\ny = z = %who_ls\nprint(x, y)", "[] []\n"),
    "waiting": ("import asyncio\nx = await asyncio.sleep(0.001, 3)\nprint(x)", "3\n"),
    "output": ("import sys\nprint(sys.stdout.isatty(), sys.stdout.writable() is None)", "False False\n"),
}


def test_code_that_was_written_in_a_notebook_runs(boxes):
    with Answers([(kind, code) for kind, (code, _) in NOTEBOOK.items()]) as answers:
        for kind, (_, printed) in NOTEBOOK.items():
            assert answers.results[kind].error is None, kind
            assert answers.results[kind].printed == printed, kind
