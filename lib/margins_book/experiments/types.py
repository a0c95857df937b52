"""Names for the types of experiments: settings, cells, rows, tables and what is estimated from them.

(book: The paper in a minute, What ran)
"""

from collections.abc import Callable
from typing import Any, TypeAlias

from numpy.typing import NDArray

from margins_book.experiments.estimates import Estimate

Settings: TypeAlias = dict[str, Any]  # numbers, texts and lists of them, as JSON has them
Cell: TypeAlias = dict[str, Any]  # what distinguishes one measurement of a sweep from the others
Row: TypeAlias = dict[str, Any]  # one line of a table: a number or a text a column
Table: TypeAlias = dict[str, NDArray]  # columns of equal length
Estimates: TypeAlias = list[tuple[dict[str, Any], dict[str, Estimate]]]  # (setting, estimates)
Measure: TypeAlias = Callable[..., list[Row]]  # measure(settings, **cell)
