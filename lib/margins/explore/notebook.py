"""The notebook around this code, where there is one."""

import sys


def shell():
    """The running IPython shell, or None; IPython is not imported for the question."""
    ipython = sys.modules.get("IPython")
    return ipython.get_ipython() if ipython else None


def cell():
    """The cell that is running in the words of its traceback, "Cell In[2]", or nothing."""
    if not (notebook := shell()):
        return ""
    frame = sys._getframe()
    while frame and not (frame.f_code.co_name == "<module>" and frame.f_globals is notebook.user_ns):
        frame = frame.f_back
    label = notebook.compile.format_code_name(frame.f_code.co_filename) if frame else None
    return " ".join(label or ())
