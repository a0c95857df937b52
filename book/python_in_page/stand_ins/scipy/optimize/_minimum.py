"""A smooth function's minimum: projected L-BFGS."""

from types import SimpleNamespace

import numpy as np

TAKEN = ("maxiter", "maxcor", "ftol", "gtol", "maxfun", "maxls")


def minimize(fun, x0, args=(), method=None, jac=None, bounds=None, tol=None, options=None, **others):
    """A local minimum of `fun`, whose gradient comes with it (`jac=True`), from `jac`, or by differences."""
    if method not in (None, "L-BFGS-B", "BFGS") or others:
        raise NotImplementedError(
            f"minimize in the page knows BFGS and L-BFGS-B, but got method={method!r} and {sorted(others)}"
        )
    low, high = (-np.inf, np.inf) if bounds is None else np.array(bounds, float).T
    function = _with_gradient(fun, jac, args)
    settings = {name: value for name, value in (options or {}).items() if name in TAKEN}
    x = _lbfgs(function, np.asarray(x0, float), low, high, **settings)
    value, gradient = function(x)
    return SimpleNamespace(x=x, fun=value, jac=gradient, success=True)


def _with_gradient(fun, jac, args):
    """The function of x alone that gives value and gradient."""
    if jac is True:
        return lambda x: fun(x, *args)
    if callable(jac):
        return lambda x: (fun(x, *args), np.asarray(jac(x, *args), float))
    return lambda x: (fun(x, *args), _differences(lambda z: fun(z, *args), x))


def _differences(function, x):
    """The gradient by central differences."""
    steps = np.cbrt(np.finfo(float).eps) * np.maximum(1.0, np.abs(x))
    moved = [(x + step * unit, x - step * unit) for step, unit in zip(steps, np.eye(len(x)), strict=True)]
    return np.array([function(a) - function(b) for a, b in moved]) / (2 * steps)


def _lbfgs(
    function, start, low, high, *, maxiter=15000, maxcor=10, ftol=2.2e-9, gtol=1e-5, maxfun=15000, maxls=20
):
    """Steps by the two loops along the coordinates that no bound holds, cut back to the box."""
    x = np.clip(start, low, high)
    value, gradient = function(x)
    pairs, calls = [], 1
    for _ in range(maxiter):
        if np.abs(np.clip(x - gradient, low, high) - x).max() <= gtol or calls > maxfun:
            break
        direction, slope, pairs = _direction(x, gradient, low, high, pairs)
        first = 1.0 if pairs else min(1.0, 1 / np.linalg.norm(direction))
        found = _wolfe(function, x, value, gradient, direction, slope, first, low, high, maxls)
        if found is None:
            if not pairs:
                break
            pairs = []
            continue
        new, new_value, new_gradient, used = found
        calls += used
        s, y = new - x, new_gradient - gradient
        if s @ y > 2.2e-16 * (y @ y):
            pairs = [*pairs[-(maxcor - 1) :], (s, y, 1 / (s @ y))]
        drop = (value - new_value) / max(abs(value), abs(new_value), 1.0)
        x, value, gradient = new, new_value, new_gradient
        if drop <= ftol:
            break
    return x


def _direction(x, gradient, low, high, pairs):
    """A direction of descent, its slope, and the pairs, which are dropped where they lead uphill."""
    held = ((x <= low) & (gradient > 0)) | ((x >= high) & (gradient < 0))
    direction = np.where(held, 0.0, -_two_loops(np.where(held, 0.0, gradient), pairs))
    if gradient @ direction < 0:
        return direction, gradient @ direction, pairs
    direction = np.where(held, 0.0, -gradient)
    return direction, gradient @ direction, []


def _two_loops(gradient, pairs):
    """The gradient times the approximate inverse Hessian."""
    q, shares = gradient.copy(), []
    for s, y, rho in reversed(pairs):
        shares.append(rho * (s @ q))
        q -= shares[-1] * y
    if pairs:
        s, y, rho = pairs[-1]
        q /= rho * (y @ y)
    for (s, y, rho), share in zip(pairs, reversed(shares), strict=True):
        q += (share - rho * (y @ q)) * s
    return q


def _wolfe(function, x, value, gradient, direction, slope, step, low, high, most):
    """A step that falls enough and, unless a wall stops it, is long enough; by doubling and bisection."""
    shortest, longest, best = 0.0, np.inf, None
    for used in range(1, most + 1):
        new = np.clip(x + step * direction, low, high)
        new_value, new_gradient = function(new)
        if not new_value <= value + 1e-3 * (gradient @ (new - x)):
            longest = step
        else:
            best = new, new_value, new_gradient, used
            if new_gradient @ direction >= 0.9 * slope or (new != x + step * direction).any():
                return best
            shortest = step
        step = 2 * step if longest == np.inf else (shortest + longest) / 2
    return best
