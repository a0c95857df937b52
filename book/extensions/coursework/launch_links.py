"""Links at the head of a page that open its notebook in services, and the one that downloads it."""

from extensions.coursework.notebook_branch import binder_address, colab_address, jupyterhub_address
from extensions.coursework.notebooks import file_name, is_runnable, notebook_path

SERVICES = {  # with what a reader who does not know the service has to expect
    "Binder": (binder_address, "free, 1–2 minutes"),
    "JupyterHub": (jupyterhub_address, "your university"),
    "Colab": (colab_address, "Google account"),
}


def launch_links(app, pagename):
    """Where the page opens as a notebook, by the services of _config.yml's launch_buttons."""
    addresses = {name: address(app, file_name(pagename)) for name, (address, _) in SERVICES.items()}
    return [
        {"name": name, "url": url, "download": False, "note": SERVICES[name][1]}
        for name, url in addresses.items()
        if url
    ]


def offer(app, pagename, templatename, context, doctree):
    """Gives the page's template its links."""
    if not is_runnable(app, pagename):
        return
    url = context["pathto"](notebook_path(pagename), 1)
    own_copy = {"name": "Download", "url": url, "download": True, "note": ""}
    context.update(runnable=True, launch_links=[*launch_links(app, pagename), own_copy])


def setup(app):
    app.connect("html-page-context", offer)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
