"""A small Transformer trained from five seeds, and what its heads of attention are like.

`python -m margins_book.experiments.trained_head` trains it and records the heads in `margins.data`, in about
ten minutes on one core (book: The softmax kernel, A trained head).
"""
