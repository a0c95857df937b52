"""Coursework: a chapter of the book becomes an assignment, and submissions of any kind become marks.

`margins-course --help` says how to use it; the book's page "Teaching with this book" says it at length.
"""
