"""Where services open the notebooks of the branch that scripts/publish.py publishes."""

from urllib.parse import quote

BRANCH = "notebooks"


def services(app):
    """The services of _config.yml's launch_buttons, by the names of their settings."""
    return app.config.html_theme_options.get("launch_buttons") or {}


def repository(app):
    return app.config.html_theme_options.get("repository_url", "").rstrip("/")


def project(app):
    """The repository as services name it, `owner/name`."""
    return repository(app).removeprefix("https://github.com/")


def binder_address(app, file):
    """Where Binder opens a notebook, "" if the book offers no Binder; so for the others."""
    hub = services(app).get("binderhub_url", "").rstrip("/")
    return hub and f"{hub}/v2/gh/{project(app)}/{BRANCH}?urlpath={in_lab(file)}"


def jupyterhub_address(app, file):
    hub, name = services(app).get("jupyterhub_url", "").rstrip("/"), repository(app).rpartition("/")[2]
    pull = f"repo={quote(repository(app), safe='')}&urlpath={in_lab(f'{name}/{file}')}&branch={BRANCH}"
    return hub and f"{hub}/hub/user-redirect/git-pull?{pull}"


def colab_address(app, file):
    host = services(app).get("colab_url", "").rstrip("/")
    return host and f"{host}/github/{project(app)}/blob/{BRANCH}/{quote(file)}"


def in_lab(path):
    """The place of a file in JupyterLab, as a part of an address."""
    return quote(f"lab/tree/{quote(path)}", safe="")
