"""The chapters that were worked through: their checks must meet what their machines ask."""

WORKED: tuple[int, ...] = (5, 10)
