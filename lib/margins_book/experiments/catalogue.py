"""The named experiments: what each asks, its cells, and how its table is read.

(book: The paper in a minute, What ran)
"""

from typing import Any

from margins_book.experiments import (
    feasibility,
    global_convergence,
    local_convergence,
    path_limits,
    ranks,
    ranks_first_order,
    rates,
    run_classes,
    several_tokens,
    trajectories,
)

EXPERIMENTS: dict[str, Any] = {  # modules with SETTINGS, sweep, measure and estimates
    "trajectories": trajectories,
    "local-convergence": local_convergence,
    "ranks": ranks,
    "ranks-first-order": ranks_first_order,
    "path-limits": path_limits,
    "rates": rates,
    "feasibility": feasibility,
    "run-classes": run_classes,
    "global-convergence": global_convergence,
    "several-tokens": several_tokens,
}


def question(name: str) -> str:
    """The question that an experiment asks, the first line of its description."""
    return (EXPERIMENTS[name].__doc__ or "").partition("\n")[0]
