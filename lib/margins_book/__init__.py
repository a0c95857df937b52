"""Figures, checks, claims and tests of the chapters of *Margins of Attention*: a folder a chapter.

Each holds the chapter's drawings, the checks of its exercises with known wrong answers, the claims of the
sources that it judges, and its tests. `chapters` lists them.
"""
