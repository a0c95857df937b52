"""Right answers that come by other ways than an exercise's reference: its check accepts them."""

from collections.abc import Callable
from typing import Any


def accepted_by(check: Callable[..., None]) -> Callable[[Callable[..., Any]], Callable[[], None]]:
    """A test that `check` accepts the answer which it decorates."""

    def decorate(answer: Callable[..., Any]) -> Callable[[], None]:
        def test() -> None:
            check(answer)

        test.__name__ = answer.__name__
        return test

    return decorate
