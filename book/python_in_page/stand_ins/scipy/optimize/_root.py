"""A root between two signs."""


def brentq(f, a, b, args=(), xtol=2e-12, rtol=8.9e-16, maxiter=200):
    """A root of `f` in [a, b] by bisection, which is slower than Brent's method and as exact."""
    low = f(a, *args)
    if low * f(b, *args) > 0:
        raise ValueError("f(a) and f(b) must have different signs")
    for _ in range(maxiter):
        middle = (a + b) / 2
        if abs(b - a) <= xtol + rtol * abs(middle):
            break
        value = f(middle, *args)
        a, low, b = (a, low, middle) if low * value <= 0 else (middle, value, b)
    return (a + b) / 2
