"""Words that data could deny: sentences in which readers found such words false, and others without."""

import pytest

from margins_book.sentences.triggers import triggers

DENIED = [
    "The other curve keeps bending, as $1/\\log k$ does.",
    "So the norm charges for slopes: functions of this space may have kinks wherever they like.",
    "From about $0.03$ to $0.09$.",
    "the margin error falls like $1/s$.",
    "with it, over these layers, most of the spread is kept.",
    "Hardly: about ten of the twelve keys are attended to in each of the four dimensions.",
    "The exponential makes the machine: with another normaliser another machine.",
    "the directions of a bare QR decomposition make the estimate biased.",
    "With trigonometric features there is not even a mean.",
    "more than eight times as many",
    "Mostly the latter: of single tokens nearly as many are right.",
    "nearly all of its mixtures are held by a silent head.",
    "Nothing: the shares rise evenly, before and after it.",
    "None of the three is necessary.",
    "the mean is nearer in direction and length to the longer token",
    'The [street](#ex-hold "street") ends at the chosen token on one side.',
]


@pytest.mark.parametrize("words", DENIED)
def test_words_that_data_denied_are_seen(words):
    assert triggers(words, is_wide=True)


@pytest.mark.parametrize(
    "words",
    [
        "Is it always so?",
        "Let $x$ be a token.",
        "By duality $f(x)\\ge3.5$, at most.",
        'They call it "always better".',
        "Call it `never(2.5)`, as in chapters 3 and 12.",
        "No: put $u_i$ for $v_i$.",
    ],
)
def test_questions_mathematics_code_and_quotations_are_left_out(words):
    assert triggers(words, is_wide=True) == []


def test_weak_words_count_in_running_text_where_it_points_at_a_figure():
    assert triggers("It stays in the plane.", is_wide=False) == []
    assert triggers("It stays in the plane.", is_wide=True) == ["stays"]
    assert triggers("In {numref}`ex-lift` it stays in the plane.", is_wide=False) == ["stays"]
