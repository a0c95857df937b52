"""The sentences of a chapter that data could deny, and what holds each: `python -m margins_book.sentences`.

(book: How to read and run this book, Reading)
"""

# Chapters without an unheld sentence in the places of `MUST_BE_HELD`; a test keeps them so. Add a chapter
# when `make sentences CHAPTER=... UNHELD=1` lists none there any more.
WORKED_THROUGH: tuple[int, ...] = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)
MUST_BE_HELD = ("answer of a prompt", "caption", "alternative text", "quiz", "solution", "summary")
