"""A new chapter: its page with every section that a chapter has, its folder, its places in the contents."""

import re

from margins_book.chapters import ROOT, Chapter, chapters
from margins_book.new.edits import Edits, Refusal, filled
from margins_book.new.names import require_function_name
from margins_book.new.recipes import claim, exercise, write_figure

FILES = {
    "__init__.py": "chapter/init.py.txt",
    "claims.yml": "chapter/claims.yml",
    "tests/test_claims.py": "chapter/test_claims.py.txt",
    "tests/test_text.py": "chapter/test_text.py.txt",
}


def new_chapter(edits: Edits, topic: str, title: str | None = None, prefix: str | None = None) -> list[str]:
    """The chapter behind the last one, with a figure, a theorem, a quiz, an exercise and a claim."""
    require_function_name(topic)
    prefix = prefix or "".join(word[0] for word in topic.split("_"))
    require_new_topic(topic, prefix)
    last = chapters()[-1]
    chapter = Chapter(ROOT / "chapters" / f"{last.number + 1:02}_{topic}.md")
    title = title or topic.replace("_", " ").capitalize()
    values = {"topic": topic, "title": title, "prefix": prefix, "number": str(chapter.number)}
    write_page(edits, chapter, f"{topic}_tangent", values)
    exercise(edits, chapter, f"{prefix}-lead")
    claim(edits, chapter, "a_convex_function_lies_above_its_tangents")
    put_into_contents(edits, last, chapter, title)
    return [f"make check CHAPTER={chapter.number}", f"make test CHAPTER={chapter.number}"]


def write_page(edits: Edits, chapter: Chapter, figure: str, values: dict[str, str]) -> None:
    """The page with its first figure, and the files of its folder."""
    cell, label = filled("figure.md", name=figure).strip(), figure.replace("_", "-")
    edits.create(chapter.page, filled("chapter/page.md", figure=cell, figure_label=label, **values))
    for file, template in FILES.items():
        edits.create(chapter.folder / file, filled(template, **values))
    write_figure(edits, chapter, figure, values["title"])


def require_new_topic(topic: str, prefix: str) -> None:
    """A refusal if the package has a folder of that topic, or a chapter labels with that prefix."""
    folder = ROOT / "lib" / "margins_book" / topic
    if folder.exists() or folder.with_suffix(".py").exists():
        raise Refusal(f"lib/margins_book/{topic} exists already; choose another topic")
    if not re.fullmatch(r"[a-z][a-z0-9]*", prefix):
        raise Refusal(f"the prefix {prefix!r} came; expected a few small letters, such as 'svm'")
    label = re.compile(rf"^:label: +{prefix}-", re.MULTILINE)
    for chapter in chapters():
        if label.search(chapter.page.read_text("utf8")):
            raise Refusal(f"labels of {chapter.page.name} begin with {prefix}-; choose others by --prefix")


def put_into_contents(edits: Edits, last: Chapter, chapter: Chapter, title: str) -> None:
    """A line behind that of the last chapter in `_toc.yml` and in the map on the landing page."""
    contents, landing = edits.root / "_toc.yml", edits.root / "index.md"
    line = f"      - file: chapters/{chapter.page.stem}"
    insert_behind(edits, contents, f"chapters/{last.page.stem}", line)
    question = "When does a line stay below a curve?"
    item = f"{chapter.number}. [**{title}.**](chapters/{chapter.page.name}) {question}"
    insert_behind(edits, landing, f"(chapters/{last.page.name})", item)


def insert_behind(edits: Edits, path, words: str, line: str) -> None:
    """The file with `line` behind the line that holds `words`, which is found once."""
    lines = edits.read(path).splitlines()
    found = [number for number, other in enumerate(lines) if words in other]
    if len(found) != 1:
        raise Refusal(f"{path.name} has {len(found)} lines with {words!r}; expected one, to write behind it")
    edits.change(path, "\n".join([*lines[: found[0] + 1], line, *lines[found[0] + 1 :]]) + "\n")
