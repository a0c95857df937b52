"""A figure saved as one file: it moves from a disk and in frames of every kind, and asks for nothing else."""

import re

import pytest
from playwright.sync_api import expect

from explorable import Drawing, choice, explore, play, prompt, slider
from explorable.bake import spent
from scripts.serving import serve
from tests.explorable.samples import line_over, refused


@explore(
    a=slider(1, 4, steps=49, value=2), kind=choice("line", "dots"),
    caption=r"A *curve* with $\sqrt{a} > 0$: its height.",
    prompts=[prompt("Raise $a$.", "It *rises*.", at={"a": 4.0}, says="to 4"),
             prompt("Where will it point?", "Up.", at={"a": 4.0}, says="to 4", draws="arm")],
)  # fmt: skip
def curve(a, kind):
    drawing = Drawing()
    panel = drawing.panel("curve", xlim=(0, 4), ylim=(0, 4))
    panel.plot([0, 4], [0, a], key="line")
    panel.arrow((2, 0), (2, a), key="arm")
    return drawing, f"a {kind} to {a:g}"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The figure as it starts, and at one of its states."""
    folder = tmp_path_factory.mktemp("saved")
    curve.save(folder / "curve.html", home="https://example.org/book.html")
    curve.at(a=3.0, kind="dots").save(folder / "at_3.html")
    return folder


def frames_of(text, other):
    """A page of frames with the figure: of another origin, in a sandbox, and with its text."""
    text = text.replace("&", "&amp;").replace('"', "&quot;")
    sources = (
        f'src="{other}/curve.html?theme=dark#ex-curve?a=1&kind=dots"',
        f'sandbox="allow-scripts" src="{other}/curve.html"',
        f'srcdoc="{text}"',
    )
    return "".join(f'<iframe width="700" height="900" {source}></iframe>' for source in sources)


def test_it_moves_from_a_disk_and_in_frames_and_asks_for_nothing(browser, folder):
    page, asked, said = browser.new_page(), [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto((folder / "curve.html").as_uri())
    moves(page.main_frame, "a line to 2")
    expect(page.locator("figcaption msqrt")).to_have_count(1)
    expect(page.get_by_role("link", name="https://example.org/book.html")).to_be_visible()
    page.goto((folder / "at_3.html").as_uri())
    moves(page.main_frame, "a dots to 3")
    assert [address.partition(":")[0] for address in asked] == ["file", "file"]
    with serve(folder) as address, serve(folder) as other:
        page.goto("about:blank")
        (folder / "host.html").write_text(frames_of((folder / "curve.html").read_text(), other))
        page.route("**/favicon.ico", lambda route: route.fulfill(status=204))
        page.goto(f"{address}/host.html")
        for frame, start in zip(page.frames[1:], ("a dots to 1", "a line to 2", "a line to 2"), strict=True):
            moves(frame, start)
    assert page.frames[1].evaluate("getComputedStyle(document.body).colorScheme") == "dark"
    assert said == []
    page.close()


def moves(frame, start):
    """By keyboard, and to the answer."""
    says = frame.locator("output")
    expect(says).to_have_text(start)
    frame.locator("input[type=range]").press("Home")
    expect(says).to_have_text(re.compile("a (line|dots) to 1"))
    for summary in frame.locator(".explorable-answer > summary").all():
        summary.click()
        frame.get_by_role("button", name="Show it").first.click()
        expect(says).to_have_text("a line to 4")


def test_a_file_is_a_page_for_the_limits_of_time_and_what_a_page_refuses_is_not_saved(tmp_path):
    spent.append(1000.0)  # as if other figures had taken that much
    curve.__dict__.pop("baked", None)
    curve.save(tmp_path / "curve.html")
    with refused("slider a has 5 steps of at least 49"):
        line_over(a=slider(1, 2, steps=5), n=play(range(2))).save(tmp_path / "line.html")
    assert [file.name for file in tmp_path.iterdir()] == ["curve.html"]
