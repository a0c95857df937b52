"""Drawings that several chapters share: planes of labelled points, and bars of multipliers.

(book: How to read and run this book, Figures that move)
"""
