"""Kernels: similarity as an inner product in a space one never visits (book: Kernels)."""

from margins.kernels.closure import (
    modulated,
    multiplied,
    normalised,
    power_series,
    pulled_back,
    scaled,
    summed,
)
from margins.kernels.combination import alignment, alignment_weights, combine
from margins.kernels.diagnostics import (
    asymmetry,
    centred,
    is_psd,
    numerical_rank,
    psd_witness,
    smallest_eigenvalue,
    spectrum,
    symmetric_part,
)
from margins.kernels.families import exponential, gaussian, laplacian, linear, polynomial
from margins.kernels.monomials import multi_indices, polynomial_features, scaled_monomials
from margins.kernels.rkhs import (
    embedding_distance,
    generalisation_bound,
    kernel_ridge,
    leave_one_out_residuals,
    rkhs_norm,
)
from margins.kernels.tapers import band_mask, causal_mask, triangle_taper

__all__ = [
    "alignment",
    "alignment_weights",
    "asymmetry",
    "band_mask",
    "causal_mask",
    "centred",
    "combine",
    "embedding_distance",
    "exponential",
    "gaussian",
    "generalisation_bound",
    "is_psd",
    "kernel_ridge",
    "laplacian",
    "leave_one_out_residuals",
    "linear",
    "modulated",
    "multi_indices",
    "multiplied",
    "normalised",
    "numerical_rank",
    "polynomial",
    "polynomial_features",
    "power_series",
    "psd_witness",
    "pulled_back",
    "rkhs_norm",
    "scaled",
    "scaled_monomials",
    "smallest_eigenvalue",
    "spectrum",
    "summed",
    "symmetric_part",
    "triangle_taper",
]
