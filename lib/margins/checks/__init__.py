"""Self-checks of the book's exercises, a module a chapter: `checks.<exercise>(your_function)`.

A check says what is wrong in words that help, or one line of praise. A chapter imports its own module, and
nothing is imported here, so that what one chapter checks does not run the others again.
(book: How to read and run this book, Reading)
"""
