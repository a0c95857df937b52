"""A chapter of one short page, for tests of what is read from a chapter's page and from its records."""

from margins_book.chapters import Chapter

HEAD = """---
kernelspec:
  display_name: Python 3
  language: python
  name: python3
---
# A page

"""


class SmallChapter(Chapter):
    """A chapter whose records lie beside its page."""

    @property
    def folder(self):
        return self.page.parent


def small_chapter(folder, text, stem="99_page"):
    """The chapter whose page says this below its head."""
    page = folder / f"{stem}.md"
    page.write_text(HEAD + text, encoding="utf-8")
    return SmallChapter(page)
