"""The sentences of a chapter that data could deny, and what holds each: `python -m margins_book.sentences`.

(book: How to read and run this book, Reading)
"""
