"""An exercise in a page, as a reader works on it: press, write, check, read the verdict."""

import re
from dataclasses import dataclass, field

from margins_book.chapters import chapters
from margins_book.page.chapter import read_chapter
from margins_book.page.solutions import MARKER

COLD = 60_000  # milliseconds for Python to be fetched and started on a busy machine
WOKEN = """import(document.body.dataset.pythonInPage.replace(/page.js$/, "python.js"))
    .then(({ python }) => python.woken)"""
# done to the state of Python that the browser keeps: "a byte" is turned, or the rest is "cut" off
DAMAGE = """async kind => {
    const store = await caches.open("python in the page"), [key] = await store.keys();
    const kept = await store.match(key), bytes = new Uint8Array(await kept.arrayBuffer());
    if (kind === "a byte") bytes[5_000_000] ^= 1;
    const damaged = kind === "cut" ? bytes.slice(0, 1000) : bytes;
    await store.put(key, new Response(damaged, { headers: kept.headers }));
}"""
JUDGED = "place => place.querySelector('.verdict').dataset.verdict"


def solution(label):
    """The page of an exercise and its reference solution, as a reader sees it."""
    for chapter in chapters():
        for cell in read_chapter(chapter.page).cells:
            if cell.kind == "solution" and cell.exercise == label:
                return f"chapters/{chapter.page.stem}.html", MARKER.sub("", cell.source)
    raise LookupError(label)


@dataclass
class Exercise:
    """The place of an exercise on an open page."""

    page: object
    label: str
    place: object = field(init=False)

    def __post_init__(self):
        self.place = self.page.locator(f"[data-exercise={self.label}]")

    @property
    def code(self):
        return self.place.get_by_role("textbox")

    @property
    def status(self):
        return self.place.get_by_role("status")

    @property
    def printed(self):
        return self.place.locator(".printed").text_content()

    @property
    def detail(self):
        return self.place.locator(".detail").text_content()

    def button(self, name):
        return self.place.get_by_role("button", name=name, exact=True)

    def open(self):
        """Presses the button and returns when there is a field to write in."""
        self.button("Try it here").click()
        self.code.wait_for()
        return self

    def check(self, code=None, *, press=None):
        """The kind of the verdict and its words on `code`, or on what stands in the field."""
        if code is not None:
            self.code.fill(code)
        (press or self.button("Check").click)()
        self.page.wait_for_function(JUDGED, arg=self.place.element_handle(), timeout=COLD)
        return self.status.get_attribute("data-verdict"), re.sub(r"\s+", " ", self.status.inner_text())

    @property
    def woken(self):
        """Whether Python woke from a kept state."""
        return self.page.evaluate(WOKEN)
