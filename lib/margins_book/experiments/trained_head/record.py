"""The record of the trained heads: made from seeds, kept in `margins.data`."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from margins.data.heads import ALPHABET, HEADS, MEASURES, heads_text
from margins_book.experiments.recorded import text_of
from margins_book.experiments.trained_head import text
from margins_book.experiments.trained_head.measures import measures
from margins_book.experiments.trained_head.network import Parameters, Sizes, forward, initial
from margins_book.experiments.trained_head.principal import of_principal_axes
from margins_book.experiments.trained_head.training import Plan, bigram_loss, mean_loss, trained

SEEDS = (0, 1, 2, 3, 4)
LEARNT_SHARE = 0.9  # of the text; the rest tells how well the network foretells what it has not read
LATE = 100  # last steps, the mean loss of which is recorded
EARLY = 20  # losses that are recorded step by step, so that a test can make them again


class OfSeed(NamedTuple):
    """What training from one seed gave."""

    kept: str  # the text of the file of heads
    rows: list[dict[str, float]]
    early: list[float]  # losses of the first steps
    losses: list[float]  # mean losses on what was learnt, on what was not, and on the Zen of Python


def record(
    seeds: Sequence[int] = SEEDS, plan: Plan | None = None, report: Callable[[str], None] = print
) -> tuple[str, str]:
    """Trains from all seeds; the texts of the file of heads, of the first seed, and of that of measures."""
    plan, sizes, found = plan or Plan(), Sizes(len(ALPHABET)), []
    for seed in seeds:
        found.append(of_seed(seed, sizes, plan))
        report(f"seed {seed}: mean losses on what was learnt, on the rest, on the Zen: {found[-1].losses}")
    head: dict[str, Any] = {"seeds": list(seeds), "early losses": found[0].early}
    head |= {"sizes": sizes._asdict(), "plan": plan._asdict()}
    head |= {"losses": {str(seed): one.losses for seed, one in zip(seeds, found, strict=True)}}
    head |= {"bigram losses": bigram_losses(sizes)}
    rows = ({name: f"{value:.4g}" for name, value in row.items()} for one in found for row in one.rows)
    return found[0].kept, text_of(head, list(rows))


def of_seed(seed: int, sizes: Sizes, plan: Plan) -> OfSeed:
    """Trains from one seed, and measures the heads before and after."""
    learnt, unread = parts()
    begin = initial(sizes, np.random.default_rng(seed))
    parameters, steps = trained(learnt, sizes, plan, seed)
    rows = rows_of(begin, sizes, seed, 0) + rows_of(parameters, sizes, seed, plan.steps)
    zen = text.codes(text.zen())
    last = [float(np.mean(steps[-LATE:])), *(mean_loss(parameters, sizes, codes) for codes in (unread, zen))]
    kept = heads_text(*heads(parameters, sizes))
    return OfSeed(kept, rows, [round(loss, 4) for loss in steps[:EARLY]], [round(x, 3) for x in last])


def bigram_losses(sizes: Sizes) -> list[float]:
    """The losses of a table of pairs of letters, on the same three texts as those of the network."""
    learnt, unread = parts()
    texts = learnt, unread, text.codes(text.zen())
    return [round(bigram_loss(learnt, codes, sizes.letters), 3) for codes in texts]


def parts() -> tuple[NDArray, NDArray]:
    """The codes of the text that is learnt, and of the rest."""
    codes = text.codes(text.learnt())
    cut = int(LEARNT_SHARE * len(codes))
    return codes[:cut], codes[cut:]


def zen_pieces(sizes: Sizes) -> NDArray:
    """The Zen of Python in pieces as long as the network reads, (pieces, length)."""
    codes = text.codes(text.zen())
    whole = len(codes) // sizes.length
    return codes[: whole * sizes.length].reshape(whole, sizes.length)


def heads(parameters: Parameters, sizes: Sizes) -> tuple[str, dict[str, Any]]:
    """The first piece of the Zen, what the heads see of it, and their matrices."""
    _, tape = forward(parameters, sizes, zen_pieces(sizes)[:1])
    layers = range(sizes.layers)
    arrays = {"tokens": np.stack([tape[f"seen{layer}"][0] for layer in layers])}
    arrays |= {
        f"W_{name}": np.stack([of_heads(parameters[f"W_{name}{layer}"], sizes) for layer in layers])
        for name in "QKV"
    }
    return text.zen()[: sizes.length], arrays


def of_heads(W: NDArray, sizes: Sizes) -> NDArray:
    """A matrix (d, H d_k) as those of its heads, (H, d, d_k)."""
    return W.reshape(len(W), sizes.heads, -1).swapaxes(0, 1)


def rows_of(parameters: Parameters, sizes: Sizes, seed: int, steps: int) -> list[dict[str, float]]:
    """What is measured of each head on the Zen of Python."""
    _, tape = forward(parameters, sizes, zen_pieces(sizes))
    found = []
    for layer in range(sizes.layers):
        seen = tape[f"seen{layer}"].astype(float)
        W_Q, W_K, W_V = (of_heads(parameters[f"W_{name}{layer}"].astype(float), sizes) for name in "QKV")
        for head in range(sizes.heads):
            where = {"seed": seed, "steps": steps, "layer": layer, "head": head}
            of_values = of_principal_axes(seen, W_K[head], W_V[head])
            found.append(where | measures(seen, W_Q[head], W_K[head]) | of_values)
    return found


def write(kept: str, table: str) -> None:
    """Makes these texts the record."""
    HEADS.write_text(kept, encoding="ascii")
    MEASURES.write_text(table, encoding="ascii")
