"""Solvers of the dual for many points or a large C: which is chosen when.

(book: SVM duality, Sequential minimal optimisation)

All of them maximise y'beta - 1/2 beta'K beta over sum beta = 0 and low <= beta <= high, in the signed
multipliers beta_i = alpha_i y_i. They end with Newton steps on the free multipliers (`newton`), which take a
violation from 1e-3 to 1e-10 in a few steps, and differ in how they come near the optimum.

A matrix K is given (`margins.svm.smo`):

- up to 100 points: the pair steps of chapter 1, a hundred of them, then as below.
- more: pair steps, shrinking and Newton steps in turn (`box`, `pair_ascent`, `newton`).
- K of low rank: once pair steps have cost as much, an interior point on a factor of K (`choice`, `low_rank`).
- C > 1e5 / variance: the same at once (`choice`).
- C > 1e8 / variance, C = inf: continuation from 1e3 / variance, each C a hundred times the last
  (`continuation`); for C = inf the nearest points of the two hulls are the start, and decide whether the
  classes are separable (`margins.svm.hard_margin`, `margins.svm.nearest_points`).

Points are given, and a linear kernel (`low_rank.linear_svm`): an interior point on their features.

Points are given, and a Gaussian kernel (`gaussian.gaussian_svm`):

- K is smooth, a factor of few columns all but equals it: Newton's method on the primal (`primal_newton`).
- C <= 10: many points go to C at once, then pair steps on rows that are made on demand (`grams`).
- C > 10 and up to 4000 points: the matrix is made, and solved as one that is given.
- over 10,000 points: samples of growing size, then block coordinate ascent (`blocks`).

Why a factor: the number of pair steps grows with C and with the correlation of the points; the interior
point needs some thirty steps at any C, each of O(n r^2) for r columns. Nobody knows the number of pair steps
beforehand, half the number of points or a hundred times as many, so pair steps begin, and the factor is tried
when they have cost what it would cost: no problem takes more than about twice the time of the better method.
With 2000 points, 20 features and C = 100 this takes 0.05 s where pair steps alone take 13 s. A matrix of full
rank is recognised by one Cholesky factor of a few of its rows.

`constants` holds every number that is tuned, with its unit and the reason for its value. The solvers take
one C or one a point, the `sample_weight` of `SVMClassifier`.
"""
