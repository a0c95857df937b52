"""A browser whose complaints are faults."""

import contextlib

import pytest

GONE = "ERR_CONNECTION_REFUSED", "status of 409", "status of 410"  # what the browser itself says of these


@pytest.fixture
def visit(browser):
    """`visit(address, ...)`: a page in a browser of its own; at the end no page may have had a fault."""
    with contextlib.ExitStack() as opened:
        said = []

        def new(address, **options):
            context = browser.new_context(**{"viewport": {"width": 1440, "height": 900}, **options})
            opened.callback(context.close)
            context.set_default_timeout(60_000)
            context.on("console", lambda m: said.append(m.text) if m.type in ("error", "warning") else None)
            context.on("weberror", lambda problem: said.append(str(problem.error)))
            page = context.new_page()
            page.goto(address)
            return page

        new.said = said
        yield new
        assert [text for text in said if not any(known in text for known in GONE)] == []
