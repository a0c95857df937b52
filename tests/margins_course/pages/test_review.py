"""The review page in a real browser: marks by hand reach the journal, and nothing is lost on the way."""

import json
import re
from types import SimpleNamespace

import pytest
from playwright.sync_api import expect

from conftest import full
from margins_course.folder import write
from margins_course.pages.review import ClassWork, file_of
from tests.book.axe import AXE, serious_faults
from tests.margins_course.hostile_text import vectors
from tests.margins_course.review_class import ABSENT, NAMES, SHEET, hand_in, journal, mark, new_class, result
from tests.margins_course.review_server import serving
from tests.margins_course.watched_page import listening, what_happened

expect.set_options(timeout=60_000)  # on a busy machine, too
MARKED = re.compile(r"^marked \d\d:\d\d$")
PAGES = ["index.html", *map(file_of, SHEET.exercises)]


@pytest.fixture
def show(visit, server):
    """`show(name)`: a page of the server's in a browser of its own."""
    return lambda name, **options: visit(f"{server.address}/{name}", **options)


@pytest.fixture
def triangle(show):
    return show("exercise-triangle.html")


def beside(page, name):
    """Another page of the same server in the same browser."""
    other = page.context.new_page()
    other.goto(f"{page.url.rpartition('/')[0]}/{name}")
    return other


def card(page, student):
    return page.locator(f'.card[data-student="{student}"]')


def state(page, student):
    return card(page, student).locator("> .state")


def keys(page, *pressed):
    for key in pressed:
        page.keyboard.press(key)


def by_student(course):
    """The last line of the journal on each student."""
    return {line["student"]: line for line in journal(course)}


def text_field(page, student):
    return card(page, student).locator("textarea")


def test_marking_by_keyboard_alone_ends_in_the_journal_and_in_the_page(show, course):
    page = show("index.html")
    expect(page.locator(".lead")).to_contain_text("7 of 8 students handed in")
    page.get_by_role("link", name="The triangle inequality").focus()
    keys(page, "Enter")
    page.wait_for_url("**/exercise-triangle.html")
    keys(page, "n", "1", "2", "c")
    page.keyboard.type("Say when both sides agree: 1, 2, j.")
    keys(page, "Escape", "n", "0", "n", "f", "1")
    for student in ("ada", "george", "alan"):
        expect(state(page, student)).to_have_text(MARKED)
    expect(page.locator(".done")).to_contain_text("3 of 5 marked")
    kept = by_student(course)
    lines = {"ada": [1, 2, 0], "george": [0, 0, 0], "alan": [0, 2, 1]}
    assert {student: line["lines"] for student, line in kept.items()} == lines
    assert kept["ada"]["comment"] == "Say when both sides agree: 1, 2, j."
    page.reload()
    expect(state(page, "ada")).to_have_text(MARKED)
    expect(card(page, "ada").locator(".score")).to_have_text("3 of 4")
    assert text_field(page, "ada").input_value() == "Say when both sides agree: 1, 2, j."
    boxes = card(page, "ada").get_by_role("checkbox").all()
    assert [box.is_checked() for box in boxes] == [True, True, False]


@pytest.mark.full
def test_every_control_can_be_reached_by_tab(triangle):
    reached = set()
    for _ in range(40):
        keys(triangle, "Tab")
        reached.add(triangle.evaluate("document.activeElement.outerHTML.slice(0, 60)"))
    parts = '<a href="index.html" | value="auto" | id="hide-names" | <button | <summary | <textarea | '
    parts += 'type="checkbox" | type="number" | class="work"'
    for part in parts.split(" | "):
        assert any(part in one for one in reached), part


def test_part_points_and_adjusting(show, course):
    page = show("exercise-spread.html")
    one = card(page, "ada")
    one.get_by_label("Points for line 1").fill("1.5")
    one.get_by_label("Adjust").fill("-0.5")
    expect(one.locator(".score")).to_have_text("3 of 6")  # 2 by checks
    expect(state(page, "ada")).to_have_text(MARKED)
    one.get_by_label("Points for line 2").fill("9")
    expect(state(page, "ada")).to_have_text("Not saved: expected 0 to 2 points")
    kept = by_student(course)["ada"]
    assert (kept["lines"], kept["adjust"]) == ([1.5, 0], -0.5)
    one.get_by_label("Points for line 2").fill("2")
    expect(state(page, "ada")).to_have_text(MARKED)
    assert by_student(course)["ada"]["lines"] == [1.5, 2]


@pytest.mark.parametrize("then", ["pressed", "closed", *full("left")])
def test_what_a_killed_server_did_not_take_is_named_and_saved_when_it_is_back(visit, tmp_path, then):
    course, asked = new_class(tmp_path / "course"), []
    with serving(course) as killed:
        page = visit(f"{killed.address}/exercise-triangle.html")
    bar = page.get_by_role("alert")
    expect(bar).to_be_hidden()
    keys(page, "n", "f", "n", "0")
    expect(bar).to_contain_text("Not saved yet (2 changes): the server does not answer.")
    expect(state(page, "ada")).to_have_text("not saved yet")
    expect(bar.get_by_role("button", name="Try now")).to_be_visible()
    assert journal(course) == []
    if then == "closed":
        page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
        page.close(run_before_unload=True)
        page.wait_for_event("close")
        assert asked == ["beforeunload"]
    with serving(course):
        if then == "closed":
            page = beside(page, "exercise-triangle.html")
        if then == "pressed":  # while the server started, the page may have tried by itself
            page.evaluate("document.querySelector('[role=alert] button')?.click()")
        for student in ("ada", "george"):
            expect(state(page, student)).to_have_text(MARKED)
        expect(page.get_by_role("alert")).to_be_hidden()
    kept = [(line["student"], *line["lines"]) for line in journal(course)]
    assert sorted(kept) == [("ada", 1, 2, 1), ("george", 0, 0, 0)]


@pytest.mark.parametrize(("choice", "kept"), [("Take yours", [1, 0, 0]), ("Take the journal’s", [1, 2, 1])])
def test_two_windows_show_both_marks_and_ask(triangle, show, course, choice, kept):
    here, there = triangle, show("exercise-triangle.html")
    keys(there, "n", "f")
    expect(state(there, "ada")).to_have_text(MARKED)
    keys(here, "n", "0")
    box = card(here, "ada").get_by_role("group", name="Two marks of this answer")
    expect(box).to_contain_text("1 + 2 + 1")
    expect(box).to_contain_text("0 + 0 + 0")
    expect(state(here, "ada")).to_have_text("Two marks of this answer: choose one")
    keys(here, "1")  # who goes on without choosing writes over nothing either
    expect(box).to_contain_text("1 + 0 + 0")
    assert by_student(course)["ada"]["lines"] == [1, 2, 1]
    box.get_by_role("button", name=choice).click()
    expect(state(here, "ada")).to_have_text(MARKED)
    expect(box).to_be_hidden()
    assert by_student(course)["ada"]["lines"] == kept
    fields = card(here, "ada").get_by_role("spinbutton").all()[:3]
    assert [float(points.input_value()) for points in fields] == kept


@pytest.mark.full
def test_what_another_window_saved_is_shown_when_one_comes_back(triangle, course):
    expect(state(triangle, "ada")).to_have_text("not marked")
    mark(course, "ada", lines=(1.0, 0.0, 0.0), comment="from elsewhere")
    triangle.evaluate("dispatchEvent(new Event('focus'))")
    expect(state(triangle, "ada")).to_have_text(MARKED)
    assert card(triangle, "ada").locator("textarea").input_value() == "from elsewhere"


def test_one_mark_for_a_group_asks_once_and_spares_those_that_are_marked(show, course):
    mark(course, "lise", "nearest", comment="Seen already.")
    page = show("exercise-nearest.html")
    group = page.locator("details.group", has=page.get_by_role("heading", name="a tie"))
    expect(group.locator("h2")).to_have_text("fails the hidden check 1 at: a tie 3")
    text_field(page, "george").fill("Of equal distances the first counts.")
    card(page, "george").get_by_label("Adjust").fill("1")
    expect(state(page, "george")).to_have_text(MARKED)
    keys(page, "Escape", "g")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Give this mark to one answer of “fails the hidden check 1 at: a tie”")
    dialog.get_by_role("button", name="Cancel").click()
    expect(dialog).to_be_hidden()
    assert set(by_student(course)) == {"lise", "george"}
    card(page, "george").get_by_role("button", name="Give this mark and comment to the other answer").click()
    page.get_by_role("dialog").get_by_role("button", name="Give it to them").click()
    expect(state(page, "mary")).to_have_text(MARKED)
    kept = by_student(course)
    assert (kept["mary"]["comment"], kept["mary"]["adjust"]) == ("Of equal distances the first counts.", 1)
    assert kept["mary"]["fingerprint"] == result("mary").work["nearest"].fingerprint
    assert kept["lise"]["comment"] == "Seen already."


def test_a_mark_of_another_answer_can_be_kept_and_one_by_another_rubric_cannot(show, course):
    line = vars(mark(course, "george", lines=(1.0, 2.0, 1.0))) | {"lines": [1.0, 2.0]}
    course.hand_marks("sums").write_text(json.dumps(line) + "\n", encoding="utf-8")
    mark(course, "ada", lines=(1.0, 2.0, 0.0), comment="Good.")
    hand_in(course, "ada", {("ada", "triangle"): "Another proof."})
    index = show("index.html")
    expect(index.get_by_text("2 changed after marking")).to_be_visible()
    page = beside(index, "exercise-triangle.html")
    said = "The rubric changed after it was marked: mark it again (it was 1 + 2)"
    expect(state(page, "george")).to_have_text(said)
    expect(card(page, "george").get_by_role("button", name="Keep this mark")).to_be_hidden()
    expect(state(page, "ada")).to_have_text("The answer changed after it was marked: look again")
    expect(card(page, "ada").locator(".score")).to_have_text("– of 4")
    assert card(page, "ada").get_by_label("Points for line 2").input_value() == "2"
    keys(page, "n", "y", "n", "f")
    for student in ("ada", "george"):
        expect(state(page, student)).to_have_text(MARKED)
    kept = by_student(course)
    assert (kept["ada"]["lines"], kept["ada"]["comment"]) == ([1, 2, 0], "Good.")
    assert kept["ada"]["fingerprint"] != result("ada").work["triangle"].fingerprint
    assert kept["george"]["lines"] == [1, 2, 1]
    index.reload()
    expect(index.get_by_text("changed after marking")).to_be_hidden()


def test_an_answer_that_changes_under_the_hand_keeps_what_was_given(triangle, course):
    page = triangle
    hand_in(course, "ada", {("ada", "triangle"): "Another proof."})
    keys(page, "n", "f")
    expect(page.get_by_role("alert")).to_contain_text("the answer changed since this page was opened")
    assert journal(course) == []
    page.on("dialog", lambda dialog: dialog.accept())
    page.reload()
    box = card(page, "ada").get_by_role("group", name="Two marks of this answer")
    expect(box).to_contain_text("Yours, given before the answer changed")
    box.get_by_role("button", name="Take yours").click()
    expect(state(page, "ada")).to_have_text(MARKED)
    assert by_student(course)["ada"]["lines"] == [1, 2, 1]


@pytest.mark.full
def test_comments_used_before_are_offered_and_inserted_by_a_key(show, course):
    for student in ("ada", "emmy"):
        mark(course, student, comment="Name the case of equality.")
    mark(course, "george", comment="A picture is no proof.")
    page = show("exercise-triangle.html")
    text_field(page, "alan").focus()
    offered = card(page, "alan").get_by_role("list", name="Comments used before")
    first, second = "Name the case of equality.", "A picture is no proof."
    expect(offered.get_by_role("button")).to_have_text([f"Alt 1 {first}", f"Alt 2 {second}"])
    keys(page, "Alt+1")
    offered.get_by_role("button", name=second).click()
    expect(state(page, "alan")).to_have_text("not marked")  # a comment alone gives no points
    both = f"{first}\n{second}"
    assert text_field(page, "alan").input_value() == both
    expect(page.locator(".news")).to_contain_text("Saved: Alan Turing")
    assert (by_student(course)["alan"]["comment"], by_student(course)["alan"]["lines"]) == (both, None)


def test_names_can_be_hidden_and_stay_hidden(triangle):
    page = triangle
    page.get_by_label("hide names").check()
    expect(page.get_by_role("heading", name="Answer 1", exact=True)).to_be_visible()
    for name in NAMES.values():
        assert not page.get_by_text(name).locator("visible=true").count()
    page = beside(page, "exercise-nearest.html")
    expect(page.get_by_label("hide names")).to_be_checked()
    keys(page, "n", "j", "c")
    page.keyboard.type("Well.")
    expect(page.locator(".news")).to_contain_text("Saved: Answer ")


@pytest.mark.full
def test_columns_can_be_chosen_and_keys_switched_off(triangle):
    triangle.get_by_role("radio", name="2").check(force=True)
    triangle.reload()
    columns = triangle.locator(".grid").first.evaluate("grid => getComputedStyle(grid).gridTemplateColumns")
    assert len(columns.split()) == 2
    keys(triangle, "?")
    triangle.get_by_label("Use these keys").uncheck()
    keys(triangle, "Escape", "n", "f")
    assert triangle.locator(".card.current").count() == 0


LOOKS = [("dark", 390, PAGES[2:3]), *full(("dark", 390, PAGES), ("light", 1440, PAGES))]


@pytest.mark.parametrize("look", LOOKS)
def test_axe_finds_nothing(show, course, look):
    theme, width, names = look
    mark(course, "ada", lines=(1.0, 2.0, 0.0), comment="Good.")
    hand_in(course, "george", {("george", "triangle"): "Another proof."})
    mark(course, "george", comment="Old.")
    screen = {"color_scheme": theme, "viewport": {"width": width, "height": 900}, "bypass_csp": True}
    for name in names:
        page = show(name, **screen)
        page.evaluate("for (const fold of document.querySelectorAll('details')) fold.open = true")
        if name != "index.html":
            keys(page, "n", "c", "a")
        page.add_script_tag(path=AXE)
        assert serious_faults(page, f"{name} {theme}") == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.close()
    page = show("exercise-triangle.html", **screen)
    keys(page, "?")
    page.add_script_tag(path=AXE)
    assert serious_faults(page, f"keys {theme}") == []


HOSTILE_NAME = "</script><script>document.title = 1</script>{{ 1 }}{% x %}\u202e<img src=x onerror=x><!--"


def test_the_whole_hostile_corpus_does_nothing(browser, show, server, course):
    """In a name, and in answers, messages and comments."""
    new_class(course.root, NAMES | {"ada": HOSTILE_NAME})
    students = [student for student in NAMES if student != ABSENT]
    own = {"addresses": ("index.html", "exercise-"), "elements": ("script", "input", "button", "dialog")}
    with listening() as listener:
        targets = SimpleNamespace(port=listener.port, canary=course.root / "roster.csv")
        texts = [text for kind, text in vectors(targets).items() if not kind.startswith(("tex", "long"))]
        for place, student in enumerate(students):
            text = "\n\n".join(texts[place :: len(students)])
            text = text.encode("utf-8", "ignore").decode()
            messages = dict.fromkeys(["nearest--check-1", "nearest--hidden-check-1"], text)
            hand_in(course, student, {(student, "triangle"): text, (student, "nearest"): text}, messages)
            mark(course, student, comment=text[:20_000])
        mark(course, "ada", comment=HOSTILE_NAME)
        for name in PAGES:
            happened = what_happened(browser, f"{server.address}/{name}", listener, **own)
            ours = f"{server.address}/marks"  # what the page itself asks for and sends
            assert [what for what in happened if not what.startswith(ours)] == []
            page = show(name)
            assert page.evaluate("document.scripts.length") == (0 if name == "index.html" else 2)
    page = show("exercise-triangle.html")
    assert text_field(page, "ada").input_value() == HOSTILE_NAME
    text_field(page, "alan").focus()
    expect(card(page, "alan").locator(".used button")).to_contain_text([HOSTILE_NAME[:20]])


PLANTED = """<script>document.title = "hit"</script><img src=x onerror="document.title = 'hit'">
    <style>h1 { color: red !important }</style><p style="position: fixed" id="planted">planted</p>
    <iframe srcdoc="x"></iframe><a id="link" href="javascript:document.title='hit'">planted link</a>"""


def test_the_policy_stops_what_would_get_through(visit, course, tmp_path):
    html = ClassWork(course, "sums").page("index.html").replace("<main>", f"<main>{PLANTED}")
    write(tmp_path / "index.html", html)
    opened = visit((tmp_path / "index.html").as_uri())
    opened.locator("#link").click()
    assert "hit" not in opened.title()
    style = "one => [getComputedStyle(one).position, getComputedStyle(one).color]"
    assert opened.locator("#planted").evaluate(style)[0] == "static"
    assert opened.locator("h1").evaluate(style)[1] != "rgb(255, 0, 0)"
    assert visit.said
    assert all("Content Security Policy" in text for text in visit.said)
    visit.said.clear()
