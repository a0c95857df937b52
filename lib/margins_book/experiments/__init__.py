"""Experiments on trained attention: random problems measured on all cores, recorded in plain tables.

`python -m margins_book.experiments --help` lists them and says how to run one.
(book: The paper in a minute, What ran)
"""
