"""Kernels: similarity as an inner product in a space one never visits.

(book: Kernels)
"""

from margins.kernels.families import exponential, gaussian, laplacian, linear, polynomial

__all__ = ["exponential", "gaussian", "laplacian", "linear", "polynomial"]
