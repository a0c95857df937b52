"""The link to the forge's form for a new issue, with the page and the book's version filled in.

The script `reader/C-report.js` adds the section, the passage and the state of the figure. Forges whose forms
are filled in by `title` and `body` are GitHub, Gitea and Forgejo.
"""

from urllib.parse import urlencode

from extensions.coursework.notebook_branch import repository
from extensions.machines.citation import cited
from extensions.pages.page_head import plain_title


def form(forge, title, page, version):
    """The address of the form."""
    told = {"Page": page, "Version": version}
    lines = "".join(f"{name}: {what}\n" for name, what in told.items() if what)
    filled_in = urlencode({"title": f"Error: {title}", "body": f"{lines}\nWhat is wrong: "})
    return f"{forge}/issues/new?{filled_in}"


def offer(app, pagename, templatename, context, doctree):
    """Gives the template the address, if the book names a forge."""
    source = cited(app.srcdir)
    if repository(app):
        title = plain_title(app, doctree, context.get("title") or pagename)
        title = title.removesuffix(f" – {app.config.html_title}")
        version = source["version"] if source else ""
        context["report"] = form(repository(app), title, context.get("pageurl", ""), version)


def setup(app):
    app.connect("html-page-context", offer)
