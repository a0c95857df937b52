"""What the sources of the book say: their sentences, the ones quoted, and the claims that judge them.

(book: What the sources say)
"""
