"""What a page says of a figure and the figure's facts deny is refused while the page is built."""

import json

import pytest

from explorable import Drawing, along, choice, everywhere, explore, play, prompt, somewhere
from explorable.figures import MIME
from tests.explorable.samples import refused


def square(n, sign):
    """A bar as high as n squared, up or down."""
    drawing = Drawing()
    drawing.panel("bars", xlim=(0, 1), ylim=(-20, 20)).bar([0.5], [sign * n * n], keys=["bar"])
    return drawing, f"n = {n} gives {sign * n * n}."


def square_with_facts(n, sign):
    return *square(n, sign), {"height": sign * n * n}


def figure(function=square_with_facts, *, answers=(), at=None, **settings):
    """The figure with a prompt for each of the conditions `answers`."""
    says = {"at": at, "says": "gives"} if at else {}
    prompts = [prompt("How high?", "As it is.", expect=holds, **says) for holds in answers]
    controls = {"n": play(range(1, 5), value=2), "sign": choice(1, -1)}
    return explore(prompts=prompts, caption="Squares", **controls, **settings)(function)


HOLD = [
    lambda f: f.height == 4,
    everywhere(lambda f: f.height > 0, sign=1),
    everywhere(lambda f: f.height >= 9, sign=1, n=lambda n: n >= 3),
    somewhere(lambda f: f.height == -16),
    along("n", lambda line: [abs(f.height) for f in line] == [1, 4, 9, 16]),
    along("sign", lambda line: line[0].height == -line[1].height, n=3),
    [lambda f: f.height == 4, everywhere(lambda f: abs(f.height) == f.n**2)],
]


@pytest.mark.usefixtures("baking")
@pytest.mark.parametrize("expect", HOLD)
def test_what_the_facts_confirm_is_displayed(expect):
    assert MIME in figure(answers=[expect]).bundle()
    assert MIME in figure(expect={"squares": expect}).bundle()


DENIED = [
    (
        lambda f: f.height == 16,
        "at n=2, sign=1: the answer 'As it is.': denied there; the facts there: height=4; mend",
    ),
    (
        everywhere(lambda f: f.height > 0),
        r"at n=1, sign=-1: the answer 'As it is.': denied there and at 3 more of 8 positions; "
        "the facts there: height=-1;",
    ),
    (
        somewhere(lambda f: f.height == 16, sign=-1),
        "at n=1, sign=-1: the answer 'As it is.': denied at all 4 positions, this one for example; "
        "the facts there: height=-1;",
    ),
    (
        along("n", lambda line: line[0].height < line[-1].height),
        "at sign=-1: the answer 'As it is.': denied along n; "
        "the facts there: n=1: height=-1; n=2: height=-4;",
    ),
    (
        [lambda f: f.height == 4, everywhere(lambda f: f.height < 9, sign=1)],
        "at n=3, sign=1: the answer 'As it is.', condition 2 of 2: "
        "denied there and at 1 more of 4 positions;",
    ),
    (lambda f: f.heigth == 4, "raised AttributeError: no fact 'heigth'; there are: n, sign, height; compare"),
    (lambda f: f.height / 0 > 1, "its condition raised ZeroDivisionError: division by zero"),
    (lambda f: f.height, "its condition gave 4; expected True or False; end it with a comparison"),
    (lambda f: print(f.height), "its condition gave None; expected True or False"),
    (lambda f: True, "its condition asks for no fact, so it cannot fail; let it compare facts"),
    ([lambda f: f.height == 4, lambda f: True], "condition 2 of 2: its condition asks for no fact"),
    (
        everywhere(lambda f: f.height > 0, n=7),
        "has a condition at n=7, which is no position; there are 1, 2, 3, 4",
    ),
    (
        somewhere(lambda f: f.height > 0, m=1),
        "has a condition at m=1, which is no position; there are n, sign",
    ),
    (
        somewhere(lambda f: f.height > 0, m=lambda m: m > 1),
        "at m=<function .*which is no position; there are n",
    ),
    (along("m", lambda line: line), "has a condition along 'm', which is no control; there are n, sign"),
    (
        everywhere(lambda f: f.height > 0, sign=1, n=lambda n: n > 9),
        "its condition is about no position: sign=1, n by a function leaves none of 8; fix values",
    ),
    (
        along("n", lambda line: line[0].height > 0, n=lambda n: n > 3, sign=1),
        "it has one position along n; leave it two or more",
    ),
]


@pytest.mark.usefixtures("baking")
@pytest.mark.parametrize(("expect", "message"), DENIED)
def test_what_the_facts_deny_is_refused_with_words_and_position(expect, message):
    with refused(message):
        figure(answers=[expect]).bundle()
    with refused(message.replace("the answer 'As it is.'", "the words 'squares'")):
        figure(expect={"squares": expect}).bundle()


@pytest.mark.usefixtures("baking")
def test_a_function_alone_is_about_the_position_that_the_answer_shows_and_may_ask_for_controls():
    figure(answers=[lambda f: f.height == -9], at={"n": 3, "sign": -1}).bundle()
    figure(answers=[lambda f: f.height == 9], at={"n": 3}).bundle()
    with refused(r"at n=3, sign=1: .*height=9"):
        figure(answers=[lambda f: f.height == 4], at={"n": 3}).bundle()
    figure(square, answers=[everywhere(lambda f: f.n * f.sign < 5)]).bundle()
    with refused(r"denied there .*the facts there: none but the controls"):
        figure(square, answers=[everywhere(lambda f: f.n * f.sign > 0)]).bundle()


@pytest.mark.usefixtures("baking")
def test_facts_and_conditions_leave_what_is_displayed_as_it_was_and_draw_nothing_a_second_time():
    def bytes_of(one):
        return json.dumps(one.bundle(), ensure_ascii=False).encode()

    plain = explore(n=play(range(1, 5)), sign=choice(1, -1), caption="Squares")(square)
    held = explore(n=play(range(1, 5)), sign=choice(1, -1), caption="Squares", expect={"squares": HOLD[1]})(
        square_with_facts
    )
    held.name = held.spec["name"] = plain.name
    assert bytes_of(held) == bytes_of(plain)
    held_prompt, plain_prompt = figure(answers=[HOLD[1]]), figure(answers=[()])
    assert bytes_of(held_prompt) == bytes_of(plain_prompt)
    counted = []

    def counting(n, sign):
        counted.append((n, sign))
        return square_with_facts(n, sign)

    figure(counting).bundle()
    without, counted[:] = len(counted), []
    figure(counting, answers=HOLD, expect=dict.fromkeys("abc", HOLD[1])).bundle()
    assert len(counted) == without


def test_a_kernel_evaluates_no_condition_and_sees_no_facts():
    shown = figure(answers=[lambda f: 1 / 0])
    assert "widget-view" in "".join(shown.bundle())
    assert set(shown.frame(shown.default)) == {"panels", "marks", "text"}
    assert shown(2, 1)[2] == {"height": 4}


@pytest.mark.parametrize(
    ("facts", "message"),
    [
        ({"n": 2}, "facts: 'n' is a control already; give the fact another name"),
        ({"two words": 2}, "facts: expected names such as 'margin', but got 'two words'"),
        ({"_own": 2}, "facts: expected names such as 'margin', but got '_own'"),
        (
            [4],
            r"expected \(drawing, sentence\), but got \(Drawing, 'n = 2 gives 4.', list\); "
            r".*dict of facts",
        ),
    ],
)
def test_facts_that_no_condition_could_ask_for_are_refused(facts, message):
    with refused(message):
        figure(lambda n, sign: (*square(n, sign), facts)).bundle()
