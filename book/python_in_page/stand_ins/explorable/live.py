"""A figure whose frames come from the Python of its own page: it takes the place of the library's `live`.

There an anywidget of a notebook asks for frames; here the page's script does.
"""

shown = {}  # by name, the figure, and what the page needs to show it


def view(explorable, markup, first):
    """Notes the figure for the page; there is nothing to display."""
    spec = {**explorable.spec, "places": first.get("places", {})}
    shown[explorable.name] = explorable, {"name": explorable.name, "spec": spec, "markup": markup}
    return {}
