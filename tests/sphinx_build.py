"""Sphinx as tests of small books start it: without what scripts/build.py spares, too."""

import sys

START = """
import gc, sys
gc.disable()
sys.modules["rfc3987_syntax"] = None
from sphinx.cmd.build import main
sys.exit(main())
"""
SPHINX = [sys.executable, "-c", START]
