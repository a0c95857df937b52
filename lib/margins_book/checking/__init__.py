"""What the checks of all exercises share: calls of answers, comparisons with hints, the form of an answer.

A check raises an error that says what is wrong, or prints a line of praise. A chapter imports its own checks
alone (`from margins_book.kernels import checks`): the sandbox that marks a submission loads no others.
(book: How to read and run this book, Reading)
"""
