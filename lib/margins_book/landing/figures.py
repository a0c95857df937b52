"""The figure of the book's first page: attention in training becomes a support vector machine.

(book: How to read and run this book, Figures that move)
"""

from functools import lru_cache

import numpy as np

from explorable import along, choice, explore, handle, play, prompt, slider
from margins.descent import hard_margin_direction
from margins_book.landing import drawings as draw
from margins_book.landing.drawings import NAMES

TOKENS = np.array([[2.1, 0.8], [-1.5, 0.6], [-0.8, 1.0], [-2.6, 0.1], [1.8, 1.6], [-2.2, 1.2]])
RECORD = (0, 1, 2, 3, 5, 8, 13, 20, 30, 50, 80, 130, 200, 300, 500, 800, 1300, 2000, 3000)


@lru_cache(128)
def trained(chosen, f_x):
    """The tokens, the queries (steps, 2) of normalised descent on the loss that rewards `chosen`, the SVM's direction."""
    tokens = np.vstack([TOKENS[:5], [f_x, TOKENS[5, 1]]])
    lead, query, queries = tokens[chosen] - np.delete(tokens, chosen, axis=0), np.zeros(2), [np.zeros(2)]
    for _ in range(RECORD[-1]):
        behind = -lead @ query
        pull = np.exp(behind - behind.max()) @ lead
        query = query + 0.1 * pull / np.sqrt(pull @ pull)
        queries.append(query)
    return tokens, np.array(queries), hard_margin_direction(np.vstack([lead, -lead]), np.repeat([1, -1], len(lead)))


@explore(
    steps=play(RECORD, label="training steps"),
    rewarded=choice("A", "E", label="the loss rewards token"),
    F=handle(x=slider(-2.6, 2.2, steps=49, value=-2.2), y=1.2, label="token F"),
    caption="Six tokens and one query. Discs and bars show how much attention each token gets; the blue arrow is the direction "
    "of the query while it is trained. From the first step on, the vermilion arrow is the direction of the support vector machine "
    "that separates the rewarded token from the others; the dashed and the dotted line are the edges of its margin. "
    "The dashed arrow is yours to turn.",
    prompts=[
        prompt("Where will the query point in the end? Turn the dashed arrow there, then compare.",
               "Along the support vector machine that separates A from the others, and A gets all the attention. At the first step all "
               "others pull alike, and it leads more than 60° astray. Later almost only the token that A beats by least pulls, here E, "
               "and the query turns.",
               at={"steps": 3000}, says="100.0% of the attention", draws="query",
               expect=[lambda f: f.off < 1 and f.pull_of["E"] > 0.99,
                      along("steps", lambda line: line[1].off > 60 and max(line[0].pull_of.values()) < 0.21,
                            F_x=-2.2, rewarded="A")]),
        prompt("Train to the end and drag token F to and fro. When does it matter where it lies?",
               "Only while it touches the dotted line. Behind it, F may lie anywhere: it is no support vector, "
               "and the trained query does not know of it.",
               at={"steps": 3000, "F_x": 1.4}, says="F is a support vector",
               expect=along("F_x", lambda line: np.ptp([f.angle for f in line if not f.supports]) < 1, steps=3000, rewarded="A"))])
def attention_becomes_an_svm(steps, rewarded, F_x):
    chosen = NAMES.index(rewarded)
    tokens, queries, target = trained(chosen, F_x)
    query, scores = queries[steps], tokens @ queries[steps]
    weights = np.exp(scores - scores.max())
    weights /= weights.sum()
    drawing = draw.attention_drawing(tokens, chosen, weights, query, target)
    off = np.degrees(np.arccos(np.clip(query @ target / max(np.linalg.norm(query), 1e-9), -1, 1)))
    margin, pulls = tokens @ target, np.delete(weights, chosen)
    facts = {"off": off, "angle": np.degrees(np.arctan2(query[1], query[0])),
             "supports": margin[5] > np.delete(margin, [chosen, 5]).max() - 1e-6,
             "pull_of": dict(zip(NAMES.replace(rewarded, ""), pulls / pulls.sum(), strict=True))}
    if not steps:
        before = "Before training all six tokens have the same attention, and the query is zero."
        return drawing, f"{before} The loss will reward token {rewarded}.", facts
    role = "a support vector" if facts["supports"] else "no support vector"
    return drawing, (f"After {steps} steps token {rewarded} has {weights[chosen]:.1%} of the attention, and the query points "
                     f"{off:.1f}° away from the support vector machine. F is {role}."), facts
