"""What the story of the chapter on attention as regression says about numbers: each test quotes the words."""

from margins_book.nadaraya_watson.tests import test_text as chapter
from margins_book.page.quotes import quotes, test_a_story_is_as_long_as_it_may_be, test_every_cell_runs  # noqa: F401

test_two_bandwidths = quotes(
    "the plus, beside circle 2, asks this point and hardly any other, and the answer is 1.00",
    "one over the sum of the squared weights, which counts equal weights, is 10. The answer is 0.39",
)(chapter.two_bandwidths)


test_a_long_key_beats_a_nearer_one = quotes(
    "key 0 has the largest weight, 3.3 times that of key 5. For nearness it gets only 0.068 times as much. "
    "But it is four and a half times as long, and its bonus is larger by a factor of 49",
    "move all keys by one vector, and both factors can change, while the 3.3 stays",
)(chapter.a_longer_key_wins_beside_key_5)


@quotes(
    "The machine uses nine points, so this attention has ten keys",
    "the same keys give the machine's label at 94 per cent of the places drawn",
)
def test_a_machine_is_a_head(compiled):
    machine, customary = (compiled.function(gamma=0.5, scale=scale)[2] for scale in ("1", "1/√d"))
    assert (machine["keys"], machine["share"], round(customary["share"], 2)) == (9 + 1, 1, 0.94)
