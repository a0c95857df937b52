"""Small networks of softmax attention, trained to answer queries of prompts: their training and its record.

`python -m margins_book.experiments.in_context` trains and records them (book: Beyond the equivalence,
Trained in context).
"""
