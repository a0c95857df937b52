"""Answers that are alike: fingerprints of syntax trees, pairs that share rare ones, a page side by side."""
