"""The pages as Tornado's templates: what a field holds is escaped, unless the template says `raw`."""

from pathlib import Path

from tornado.template import Loader

from margins_course.pages.student_html import authors_html, authors_line, content_security_policy, inline_html
from margins_course.wording import counted, format_points, points_in_words

HERE = Path(__file__).parent
TEMPLATES = Loader(str(HERE))


def render(template: str, style: str, script: str = "", **fields: object) -> str:
    """A page that has one style, may run one script and loads nothing."""
    ours = {"style": style, "script": script, "policy": content_security_policy(style, script)}
    return TEMPLATES.load(template).generate(**ours, **HELPERS, **fields).decode()


def _shown(value: bytes) -> str:
    """A field as Tornado hands it over, in signs that are seen and can do nothing."""
    return inline_html(value.decode())


HELPERS = {"shown": _shown, "authors_html": authors_html, "authors_line": authors_line}
HELPERS |= {"number": format_points, "points_in_words": points_in_words, "counted": counted}
