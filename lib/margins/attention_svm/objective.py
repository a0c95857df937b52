"""The training loss and its gradient by the logits, also where softmax is saturated.

L(W) = 1/n sum_i l(Y_i h(X_i' s_i)), s_i = softmax(X_i W z_i). By the covariance identity its gradient is
1/n sum_i l'_i Y_i X_i' (s_i * (g_i - s_i.g_i)) z_i' with the slopes g_it = x_it . grad h.
"""

from __future__ import annotations

import numpy as np

from margins._types import Array
from margins.attention_svm.data import TokenData, trainable
from margins.attention_svm.heads import LINEAR, Head
from margins.attention_svm.losses import LOGISTIC, Loss, checked_loss
from margins.attention_svm.normalisers import EXPONENTIAL, Normaliser
from margins.validation import instance

HEADS = "LINEAR or one of relu_head(V), mlp_head, concave_head, increasing_head"


class Objective:
    """The loss of token data as a function of their logits (T, n, B): tokens first, problems last.

    All leading axes of the data are one axis of length B; in this order sums over tokens run along contiguous
    memory (book: Attention converges to an SVM, One step: a covariance).
    """

    def __init__(
        self,
        data: TokenData,
        *,
        head: Head = LINEAR,
        loss: Loss = LOGISTIC,
        normaliser: Normaliser = EXPONENTIAL,
    ) -> None:
        n, T, d = trainable(data).sizes
        self.X = np.ascontiguousarray(data.X.reshape(-1, n, T, d).transpose(3, 2, 1, 0))  # (d, T, n, B)
        self.Z = np.ascontiguousarray(data.Z.reshape(-1, n, d))  # (B, n, d)
        self.labels = np.ascontiguousarray(data.Y.reshape(-1, n).T)  # (n, B)
        self.mask = data.mask
        if self.mask is not None:
            self.mask = np.ascontiguousarray(self.mask.reshape(-1, n, T).transpose(2, 1, 0))  # (T, n, B)
        self.head, self.loss = instance("head", head, Head, HEADS), checked_loss(loss)
        self.normaliser = instance(
            "normaliser", normaliser, Normaliser, "EXPONENTIAL or softplus_power(power)"
        )
        self.kept = head.prepare(self.X, np.ascontiguousarray(data.v.reshape(-1, d).T))

    def weights(self, logits: Array) -> Array:
        """The attention weights s (T, n, B)."""
        return self._weights(*self._masses(logits))[0]

    def value(self, logits: Array) -> Array:
        """The losses L (B,)."""
        outputs, _ = self.head.respond(self.weights(logits), self.kept)
        return self.loss.value(self.labels * outputs).mean(axis=0)

    def textbook_gradient(self, logits: Array) -> Array:
        """The derivative s_t (g_t - s.g) by the logits as it stands in books, (T, n, B).

        Once 1 - max s is about 1e-15 the bracket of the winning token is rounding noise
        (book: Attention converges to an SVM, The saturation trap).
        """
        weights = self.weights(logits)
        outputs, centred = self._response(weights)
        return self._finish(weights * centred, outputs, logits)

    def stable_gradient(self, logits: Array) -> tuple[Array, Array]:
        """The same derivative divided by e^c, and c (B,): exact in every digit however small e^c is.

        c is the largest logit gap of a token that does not lead its sequence; the bracket of the leading
        token is minus the sum of the others. Where a head mixes tokens, the brackets of the mixture still
        cancel among themselves (book: Attention converges to an SVM, The saturation trap).
        """
        scaled, largest, lead = self._masses(logits)
        weights, total = self._weights(scaled, largest, lead)
        outputs, centred = self._response(weights)
        scaled *= centred
        scaled /= total
        scaled -= lead * scaled.sum(axis=0)
        return self._finish(scaled, outputs, logits), largest

    def _response(self, weights):
        """The outputs h (n, B) and the centred slopes g_t - s.g (T, n, B)."""
        outputs, slopes = self.head.respond(weights, self.kept)
        mean = outputs if self.head is LINEAR else (weights * slopes).sum(axis=0)  # s.g, there the output
        return outputs, slopes - mean

    def _masses(self, logits):
        """Masses over the largest of a token that does not lead, its gap c (B,), and who leads (T, n, B).

        Those who lead are left a mass of 0.
        """
        log_mass = self.normaliser.log(logits)
        if self.mask is not None:
            log_mass = np.where(self.mask, log_mass, -np.inf)
        gaps = log_mass - np.maximum.reduce(log_mass, axis=0)
        lead = gaps == 0
        if np.count_nonzero(lead) > lead[0].size:  # of equals the first leads
            lead &= lead.cumsum(axis=0) == 1
        np.putmask(gaps, lead, -np.inf)
        largest = np.maximum.reduce(np.maximum.reduce(gaps, axis=0), axis=0)  # faster than over both at once
        gaps -= largest
        return np.exp(gaps, out=gaps), largest, lead

    def _weights(self, scaled, largest, lead):
        """The weights (T, n, B), and the mass (n, B) that a leader of mass 1 brings together."""
        weights = scaled * np.exp(largest)
        weights += lead
        total = np.add.reduce(weights, axis=0)
        weights /= total
        return weights, total

    def _finish(self, bracket, outputs, logits):
        """The outer derivative l'(Y h) Y / n on the inner one, with that of log phi where it is not 1."""
        bracket *= self.loss.slope(self.labels * outputs) * self.labels / len(self.labels)
        if self.normaliser.log_slope is not None:
            bracket *= self.normaliser.log_slope(logits)
        return bracket
