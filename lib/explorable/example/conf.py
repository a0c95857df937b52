"""A site of one page, by plain Sphinx: `sphinx-build . _build/html` in this folder."""

project = "Two figures that move"
extensions = ["myst_nb", "explorable.sphinx_ext"]
source_suffix = {".md": "myst-nb"}
exclude_patterns = ["_build"]
numfig = True
numfig_format = {"figure": "Figure %s"}
nb_execution_raise_on_error = True
html_title = project
html_show_sourcelink = False
