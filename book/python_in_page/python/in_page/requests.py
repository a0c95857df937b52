"""What the page's script asks, as JSON in and JSON out."""

import json

from in_page.answers import check
from in_page.driven import draw
from in_page.figures import frame
from in_page.printed import telling
from in_page.runs import run

KINDS = {"check": check, "run": run, "draw": draw, "frame": frame}


def answer(kind, asked, say):
    """The answer to a request of this kind; `asked` is JSON of its arguments, `say` hears what is printed."""
    with telling(say):
        return json.dumps(KINDS[kind](**json.loads(asked)))
