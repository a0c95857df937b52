"""Drawings that several chapters share: planes of labelled points, and cells of the plane.

(book: How to read and run this book, Figures that move)
"""
