"""What is read has its figure in view: one way down each chapter collects all, at a desk and on a phone."""

import itertools

import pytest

from tests.book.conftest import CHAPTERS
from tests.book.test_beside import MODELS

MOST_SHIFT = 0.01
# of all places on the way down, the share at which a figure is seen
SHARES = {"laptop": 0.8, "wide": 0.8, "phone": 0.7, "small desktop": 0.7, "tablet": 0.7}

SHIFTS = """globalThis.shifted = 0;
const add = shifts => shifts.forEach(shift => { if (!shift.hadRecentInput) shifted += shift.value; });
new PerformanceObserver(all => add(all.getEntries()))
    .observe({type: "layout-shift", buffered: true});"""

# Timers that can be made faster, those of the page and those below: much of the time is waiting for them.
HURRY = "const later = setTimeout; globalThis.pace = 1; "
HURRY += "globalThis.setTimeout = (act, time = 0) => later(act, time / pace);"
# The page moves figures some 90 milliseconds after it has been scrolled, or after something has come on the
# screen, which what is laid out only now may bring about: a timer set after that one ends after it.
SETTLED = """
const frames = count => new Promise(done => {
    const next = () => (count-- > 0 ? requestAnimationFrame(next) : done());
    next();
});
const pause = time => new Promise(done => setTimeout(done, time));
const settled = async () => { await frames(3); await pause(110); await frames(1); };
const holds = async (condition, ...of) => {  // a busy machine may be late
    for (let turn = 0; turn < 10 && !condition(...of); turn++) await pause(500);
    return condition(...of);
};
const read = async (part, block = "center") => {  // twice: what is on the way may be laid out now
    for (let turn = 0; turn < 2; turn++) {
        part.scrollIntoView({block, behavior: "instant"});
        await frames(1);
    }
};
"""
# Page by page, as the key takes a reader, from the top to the quiz: whether a figure is seen.
# And the paragraphs whose state of a figure was never shown.
WAY_DOWN = f"""async () => {{ {SETTLED}
    const seesAFigure = () =>
        [...document.querySelectorAll(".explorable-frame, .figure-stage")].some(frame => {{
            const holder = frame.closest(".cell_output") ?? frame;
            const {{top, bottom, height}} = frame.getBoundingClientRect();
            const isIn = height > 0 && Math.min(bottom, innerHeight) - Math.max(top, 0) > height / 2;
            return isIn && getComputedStyle(holder).opacity !== "0";
        }});
    const end = () => document.querySelector("#quiz").getBoundingClientRect().top + scrollY - innerHeight;
    const isBefore = part => document.querySelector("#quiz").compareDocumentPosition(part) & 2;
    const states = [...document.querySelectorAll(".explorable-state")].filter(isBefore);
    const seen = [], shown = new Set();
    for (let y = 0; y < end(); y += 0.875 * innerHeight) {{
        scrollTo({{top: y, behavior: "instant"}});
        await settled();
        seen.push(seesAFigure());
        states.filter(state => state.closest(".current")).forEach(state => shown.add(state));
    }}
    const missed = states.filter(state => !shown.has(state) && state.checkVisibility());
    return [seen, missed.map(state => state.parentElement.textContent.trim().slice(0, 60))];
}}"""
IS_WITH = """
const isSeen = element => {
    const {top, bottom, left, right} = element.getBoundingClientRect();
    const fits = top >= -1 && bottom <= innerHeight + 1 && left >= -1 && right <= innerWidth + 1;
    return bottom > top && fits;
};
const figureOf = pointer => {
    const named = pointer.dataset.figure ?? pointer.hash?.slice(1);
    return named ? document.getElementById(named) : pointer.closest(".cell_output").querySelector("figure");
};
const isWithItsFigure = part => {
    const {id} = figureOf(part), pin = `.pin:not([hidden])[data-figure="${id}"]`;
    return isSeen(part)
        && [...document.querySelectorAll(`:is(#${id}, ${pin}) .explorable-panel`)].some(isSeen);
};
// A figure that stays in the text is read with what stands some way below or above it.
const places = part => (figureOf(part).closest(".docks") ? ["center"] : ["center", "end", "start"]);
const told = part => `${figureOf(part).id}: ${part.textContent.replace(/\\s+/g, " ").trim().slice(0, 60)}`;
"""
# Each word or symbol pointed at by mouse or finger, or each question, in the middle of the screen: how many
# there are, and which are without their figure. A card shows one of its questions at a time, a phone all.
SPEAKING = f"""async ([selector, pointer]) => {{ {SETTLED} {IS_WITH}
    const point = word => word.dispatchEvent(pointer === "touch"
        ? new PointerEvent("click", {{pointerType: "touch", bubbles: true, cancelable: true}})
        : new PointerEvent("pointerenter", {{pointerType: "mouse"}}));
    const parts = [...document.querySelectorAll(selector)].filter(part => pointer || part.checkVisibility());
    const alone = [];
    let before = null;
    for (const part of parts) {{
        let isWith = false;
        for (const place of places(part)) {{
            await read(part, place);
            if (pointer) point(part);
            await (figureOf(part) === before ? frames(2) : settled());
            if ((isWith = await holds(isWithItsFigure, part))) break;
        }}
        before = figureOf(part);
        if (!isWith) alone.push(told(part));
    }}
    return [parts.length, alone];
}}"""
WORDS, QUESTIONS = "article .points-at", "article .explorable-prompts > li:not(.stepper)"
WAYS = [*itertools.product(CHAPTERS, ("laptop", "phone")), *((path, "wide") for path in MODELS)]
pytestmark = pytest.mark.full


def go_down(page):
    """By page, whether a figure is seen; states never shown; by how much something was moved meanwhile."""
    page.evaluate(SHIFTS)
    return *page.evaluate(WAY_DOWN), page.evaluate("shifted")


def picture(seen):
    return "".join("·■"[is_seen] for is_seen in seen)


@pytest.mark.parametrize(("path", "screen"), WAYS)
def test_on_the_way_down_what_is_read_has_its_figure_in_view_and_nothing_shifts(visit, path, screen):
    with visit(path, screen=screen, has_touch=screen == "phone", before=HURRY) as page:
        seen, missed, shifted = go_down(page)
        assert sum(seen) >= SHARES[screen] * len(seen), picture(seen)
        assert shifted < MOST_SHIFT
        if screen == "laptop":
            assert "··" not in picture(seen), "two screens without something to look at"
            assert missed == [], "states that who pages down never sees"
        page.emulate_media(reduced_motion="reduce")  # from here on nothing slides, and no timer takes long
        page.evaluate("pace = 10")
        page.evaluate("document.querySelector('.depth button[value=everything]').click()")
        words, alone = page.evaluate(SPEAKING, [WORDS, "touch" if screen == "phone" else "mouse"])
        assert words > 3
        assert alone == []
        questions, alone = page.evaluate(SPEAKING, [QUESTIONS, ""])
        assert questions >= (10 if screen == "phone" else 4)
        assert alone == []


@pytest.mark.parametrize("screen", ["small desktop", "tablet"])
def test_a_figure_is_seen_where_there_is_no_room_beside(visit, screen):
    with visit(MODELS[1], screen=screen, has_touch=screen == "tablet") as page:
        seen, _, shifted = go_down(page)
    assert sum(seen) >= SHARES[screen] * len(seen)
    assert shifted < MOST_SHIFT


@pytest.mark.parametrize("screen", ["laptop", "phone"])
def test_nothing_shifts_with_everything_open(visit, screen):
    with visit(f"{MODELS[1]}?depth=everything", screen=screen, has_touch=screen == "phone") as page:
        assert go_down(page)[2] < MOST_SHIFT
