"""Every public function refuses an argument that is no number, no word of its own or no data, by its name."""

import inspect

import numpy as np
import pytest

from margins import (
    attention,
    attention_svm,
    data,
    descent,
    in_context,
    kernels,
    random_features,
    softmax_kernel,
    svm,
)
from margins.attention_svm import layers
from tests.margins.kernels.test_families import PAIRS
from tests.margins.test_package import public_functions

RNG = np.random.default_rng(0)
X, PHI, V, T = RNG.normal(size=(6, 2)), RNG.uniform(size=(6, 4)), RNG.normal(size=(6, 3)), RNG.normal(size=6)
Y, K, W, P, PLACES = np.tile([1.0, -1.0], 3), kernels.gaussian(X), np.eye(3), np.eye(2), np.arange(6.0)
DATA = attention_svm.random_token_data(4, 5, 3, rng=0)
BEST, SHARES = DATA.optimal_tokens, np.full((4, 5), 0.2)
QKV, TWO = {"Q": X, "K": X, "V": V}, {"x": X[0], "y": X[1], "m": 3}
OF_DATA, MIXTURE, STEPS = {"data": DATA, "W": W}, {"probabilities": SHARES}, {"iterations": 3, "step": 0.1}
SMOOTHED, MACHINE = {"kernel": "gaussian", "weights": T**2}, {"kernel": "gaussian", "gamma": 1.0}
POSITIVE, BOUNDED = {"kind": "positive"}, {"radius": 1.0, "kappa": 1.0, "lipschitz": 1.0}
HEADS = {"W_Q": P[None], "W_K": P[None], "W_V": P[None]}
CALLS = {  # an argument each that is right, for those that a wrong one of the same kind replaces
    attention: {
        "softmax_attention": QKV | {"scale": 1.0},
        "hard_attention": QKV,
        "local_attention": QKV | {"width": 1, "scale": 1.0},
        "attention_weights": {"Q": X, "K": X, "scale": 1.0},
        "multi_head_attention": HEADS | {"X": X, "W_O": P, "scale": 1.0},
        "token_spread": {"X": X},
        "winning_keys": {"keys": X},
        "gaussian_lift": {"queries": X, "keys": X, "bandwidth": 1.0},
        "nadaraya_watson": SMOOTHED | {"queries": X, "keys": X, "values": T, "bandwidth": 1.0},
        "loo_errors loo_bandwidth": SMOOTHED | {"X": X, "y": T, "bandwidths": T**2},
        "svm_to_attention": MACHINE | {"support_vectors": X, "dual_coef": T, "intercept": 0.1},
    },
    attention_svm: {
        "all_choices equal_scores first_gradient_margin query_separator rank_one_separator": {"data": DATA},
        "training_loss loss_gradient softmax_weights log_excess": OF_DATA,
        "frobenius_svm nuclear_svm is_feasible exposed_tokens judged_choice": {"data": DATA, "tokens": BEST},
        "attention_program": {"data": DATA, "tokens": BEST, "norm": "nuclear"},
        "token_margins": OF_DATA | {"tokens": BEST},
        "classify_run": OF_DATA | {"norm": "nuclear"},
        "generalised_svm generalised_program": MIXTURE | {"data": DATA, "selected": SHARES > 1},
        "all_tokens_support": {"solution": DATA},
        "is_locally_optimal": {"data": DATA, "tokens": BEST, "solution": DATA},
        "selected_tokens": MIXTURE | {"kept": 1e-3, "suppressed": 1e-6},
        "train": STEPS | {"data": DATA, "start": W, "ridge": 0.1, "gradient": "stable", "guard": 0.1},
        "train_together": {"data": DATA, "record": [1], "step": 0.1},
        "random_start": {"data": DATA, "rng": 0, "width": 2},
        "random_token_data": {"n": 2, "T": 3, "d": 2, "rng": 0, "batch": 2},
        "regularisation_path": {"data": DATA, "radii": T[:1] ** 2, "rng": 0, "width": 2, "starts": 2},
        "is_silenced": {"X": X, "V": X},
        "nearest_mixture": {"X": X, "point": X[0]},
        "silence_probability": {"units": 2, "tokens": 3},
        "sparsemax": {"y": T},
        "relu_head": {"V": V},
        "concave_head": {"curvature": 0.5},
        "softplus_power": {"power": 2.0},
        "causal_data sequence_data": {"X": X[None], "Y": Y[None], "v": X[0]},
    },
    layers: {
        "forward readings": {"data": DATA, "W": W[None]},
        "train_layers": STEPS | {"data": DATA, "W": W[None], "record": 2},
    },
    data: {
        "digit_patches": {"images": np.ones((1, 4, 4))},
        "docstring_words": {"library": "numpy", "number": 2, "length": 5},
        "embed_patches": {"patches": np.ones((1, 4, 4)), "d": 6, "rng": 0, "reach": 1.0},
        "embed_words": {"texts": [("word",)], "d": 6},
        "hashed_ngrams": {"word": "word", "d": 6},
    },
    descent: {
        "logistic_descent": {"X": X, "y": Y, "steps": 3, "step_size": 0.1},
        "logistic_loss": {"X": X, "y": Y, "w": X[0]},
        "hard_margin_direction": {"X": X, "y": Y},
    },
    in_context: {
        "prompt_layers": {"X": X, "y": T, "queries": X, "steps": T},
        "best_single_layer": {"covariance": P, "n": 3, "noise": 0.1},
        "chebyshev_steps": {"low": 1.0, "high": 3.0, "layers": 3},
    },
    kernels: {
        **{name: {"X": X, "Y": X} | parameters for name, (_, _, parameters) in PAIRS.items()},
        "polynomial_features": {"X": X, "gamma": 1.0, "degree": 2, "coef0": 0.5},
        "scaled_monomials": {"X": X, "degree": 2},
        "multi_indices": {"dimension": 2, "degree": 2},
        "alignment": {"K": K, "L": K},
        "alignment_weights": {"grams": [K], "y": T},
        "combine": {"grams": [K], "weights": T[:1] ** 2},
        "asymmetry centred smallest_eigenvalue spectrum symmetric_part": {"K": K},
        "is_psd numerical_rank psd_witness": {"K": K, "tolerance": 0.1},
        "band_mask": {"s": PLACES, "t": PLACES, "width": 1.0},
        "causal_mask": {"s": PLACES, "t": PLACES},
        "triangle_taper": {"s": PLACES, "t": PLACES, "width": 1.0},
        "embedding_distance": {"K_xx": K, "K_xy": K, "K_yy": K},
        "generalisation_bound": BOUNDED | {"n": 9, "loss_range": 1.0, "delta": 0.1},
        "kernel_ridge leave_one_out_residuals": {"K": K, "y": T, "penalty": 0.1},
        "rkhs_norm": {"alpha": T, "K": K},
        "power_series": {"kernel": kernels.linear, "coefficients": T**2},
        "scaled": {"kernel": kernels.linear, "factor": 2.0},
    },
    random_features: {
        "arc_cosine": {"X": X, "Y": X},
        "attention_bias_coefficient attention_variance_coefficient": POSITIVE | {"q": X[0], "K": X, "v": T},
        "attention_flops": {"n": 3, "d": 2, "d_v": 2},
        "linear_attention_flops": {"n": 3, "d": 2, "n_features": 4, "d_v": 2},
        "best_damping": {"d": 2, "mean_square": 1.0},
        "cauchy_projections": {"m": 3, "d": 2, "rng": 0},
        "projections": {"m": 3, "d": 2, "rng": 0},
        "damped_feature_variance": TWO | {"A": -0.1},
        "fourier_feature_variance": TWO,
        "softmax_feature_variance": TWO | POSITIVE,
        "damped_features": {"X": X, "omega": X, "A": -0.1},
        "fourier_features": {"X": X, "omega": X, "offsets": T},
        "relu_features": {"X": X, "omega": X},
        "softmax_features": POSITIVE | {"X": X, "omega": X},
        "fast_weights": {"phi_k": PHI, "V": V, "rate": 0.1},
        "jackknife_attention": {"phi_q": PHI, "phi_k": PHI, "V": V, "n_projections": 4},
        "linear_attention": {"phi_q": PHI, "phi_k": PHI, "V": V},
        "performer_attention": QKV | POSITIVE | {"omega": X, "scale": 1.0},
    },
    softmax_kernel: {
        "additive_factors": {"X": X, "P": X, "scale": 1.0},
        "alibi": {"positions": PLACES, "slope": 0.5},
        "attention_of": {"K": K},
        "bias_symbol": {"table": T, "frequencies": T},
        "cosine elu_kernel quadratic squared_relu": {"X": X, "Y": X},
        "damping elu_features": {"X": X},
        "exponential_determinant": {"x": PLACES, "y": PLACES, "digits": 3},
        "exponential_series": {"s": 0.5, "degree": 3},
        "series_remainder": {"s": T, "degree": 3},
        "relative_bias": {"positions": PLACES, "table": T[:5]},
        "rotate": {"X": X, "positions": PLACES, "base": 9.0},
        "sinusoidal": {"positions": PLACES, "dimension": 2, "base": 9.0},
        "taylor_features": {"X": X, "degree": 2},
        "truncation_error": {"X": X, "Y": X, "degree": 2},
        "tied_attention_spectrum": {"K": K},
        "token_kernel token_report": {"X": X, "W_Q": P, "W_K": P, "scale": 1.0},
        "token_metric token_verdict": {"W_Q": P, "W_K": P},
    },
    svm: {
        "dual_objective": {"K": K, "y": Y, "alpha": T**2},
        "primal_objective": {"K": K, "y": Y, "alpha": T**2, "b": 0.1, "C": 1.0},
        "dual_qp": {"K": K, "y": Y, "C": 1.0},
        "primal_qp": {"X": X, "y": Y, "C": 1.0},
        "gaussian_svm": {"X": X, "y": Y, "C": 1.0, "gamma": 1.0, "tol": 1e-3},
        "linear_svm": {"X": X, "y": Y, "C": 1.0, "tol": 1e-3},
        "kkt_report": {"K": K, "y": Y, "alpha": T**2, "b": 0.1, "C": 1.0, "bound_tol": 0.1},
        "smo": {"K": K, "y": Y, "C": 1.0, "tol": 1e-3},
        "smo_iterates": {"K": K, "y": Y, "C": 1.0, "at": [1, 2]},
    },
}
EACH = [
    (module, name, given, one)
    for module, calls in CALLS.items()
    for names, given in calls.items()
    for name in names.split()
    for one in given
    if one not in ("texts", "word", "frequencies")  # any text is one; frequencies may be anything
]


def wrong(value):
    """What is of the same kind, and no number, no count, no word that is known, or no data."""
    if isinstance(value, np.ndarray) and value.dtype == float:
        return [np.full(value.shape, np.nan)]
    if isinstance(value, list | np.ndarray):
        return [3.5]
    return {str: ["no such"], int: [1.5, -1], float: [np.nan]}.get(type(value), [None])


@pytest.mark.parametrize(
    ("module", "name", "given", "argument"), EACH, ids=[f"{name}-{argument}" for _, name, _, argument in EACH]
)
def test_a_wrong_argument_is_refused_by_its_name(module, name, given, argument):
    for value in wrong(given[argument]):
        with pytest.raises(ValueError, match=rf"\b{argument}\b"):
            getattr(module, name)(**given | {argument: value})


@pytest.mark.parametrize(
    ("module", "name", "given"), [one[:3] for one in EACH if one[3] == "rng"], ids=lambda one: str(one)[:24]
)
def test_a_seed_settles_what_is_drawn(module, name, given):
    draws = [getattr(module, name)(**given | {"rng": rng}) for rng in (7, np.random.default_rng(7))]
    assert repr(draws[0]) == repr(draws[1])


def test_every_public_function_is_tried():
    """But those of functions, of layers' weights, of exact numbers and of names of records."""
    others = "increasing_head mlp_head modulated pulled_back summed multiplied normalised traits measured"
    others += " factor_verdict asked_positions layer_data determinant correlation least_distance digits_of"
    public = {name for name, one in public_functions() if inspect.signature(one).parameters}
    assert public <= {name for _, name, _, _ in EACH} | set(others.split())
