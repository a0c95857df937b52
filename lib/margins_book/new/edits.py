"""Changes to the book's files, collected first and written together: a refusal leaves no file behind."""

from pathlib import Path
from string import Template

TEMPLATES = Path(__file__).parent / "templates"


class Refusal(Exception):  # noqa: N818 - the name says what happened
    """What was asked for cannot be written; the message says what came, what was expected, what to do."""


class Blanks(Template):
    """A template whose blanks are written `§{name}`: formulas need the dollar, Python the braces."""

    delimiter = "§"


def filled(template: str, **values: object) -> str:
    """The text of the file `templates/<template>` with its blanks filled."""
    return Blanks((TEMPLATES / template).read_text("utf8")).substitute(values)


class Edits:
    """Changes to the files below `root`, which `write` carries out."""

    def __init__(self, root: Path):
        self.root = root
        self._texts: dict[Path, str] = {}

    def has(self, path: Path) -> bool:
        """Whether the file will be there."""
        return path in self._texts or path.exists()

    def read(self, path: Path) -> str:
        """The text of a file as it will be."""
        if path in self._texts:
            return self._texts[path]
        if not path.is_file():
            raise Refusal(f"{self._short(path)} is missing; expected it in the book's repository")
        return path.read_text("utf8")

    def create(self, path: Path, text: str) -> None:
        """A new file with `text`; a file that exists is not overwritten."""
        if self.has(path):
            raise Refusal(f"{self._short(path)} exists already; choose another name, or remove that file")
        self._texts[path] = text

    def change(self, path: Path, text: str) -> None:
        """`text` in the place of what the file holds."""
        self._texts[path] = text

    def write(self) -> list[str]:
        """All changes on the disk; a line for each file, whether it is new or changed."""
        lines = [f"{'changed' if path.exists() else 'new':8}{self._short(path)}" for path in self._texts]
        for path, text in self._texts.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf8")
        return lines

    def _short(self, path: Path) -> str:
        return path.relative_to(self.root).as_posix()
