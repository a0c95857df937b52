"""What the sources of the book say: their sentences, which the ledger's claims name, and the ones quoted.

(book: The claims ledger)
"""
