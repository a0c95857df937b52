"""JupyterLab of authors, `make lab SOURCE=1`: saving a chapter changes the lines that were edited alone."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))  # Jupyter reads this file as no module
c = get_config()  # noqa: F821 - of Jupyter
c.ServerApp.contents_manager_class = "scripts.kept_lines.KeptLines"
