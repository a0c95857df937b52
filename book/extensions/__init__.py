"""The Sphinx extension that builds this book, in seven folders by what they do.

- `execution`: runs the pages' code, keeps the outputs, finds what an edit makes out of date.
- `mathematics`: formulas as MathML, their font, equations quoted from other chapters.
- `search`: the words of every section, statement, exercise and figure, indexed by Pagefind; synonyms.
- `coursework`: exercises, quizzes, and the notebooks that readers and classes open.
- `python_in_page`: what a page needs so that its code runs in the reader's browser.
- `machines`: pages as Markdown, their lists, previews and citations, and flash cards, for other programs.
- `pages`: everything else on a page, from its head to the ledger, the references and the library's pages.

Each module is a Sphinx extension of its own. The figures are shown by `explorable.sphinx_ext`.
"""

# in the order in which their handlers of one event are called
MODULES = [
    "extensions.pages.tree",
    "extensions.pages.page_head",
    "extensions.mathematics.mathml",
    "extensions.mathematics.pointing_symbols",
    "extensions.pages.fonts_and_styles",
    "extensions.coursework.notebooks",
    "extensions.pages.dropdowns",
    "extensions.pages.figure_code",
    "extensions.pages.folded_code",
    "extensions.pages.typography",
    "extensions.pages.statements",
    "extensions.pages.errata",
    "extensions.pages.conformance",
    "extensions.pages.quoted_sources",
    "extensions.coursework.exercise_cells",
    "extensions.coursework.quiz",
    "extensions.python_in_page.places",
    "extensions.python_in_page.publish",
    "extensions.python_in_page.parts",
    "extensions.pages.chapter_map",
    "extensions.pages.depths",
    "extensions.pages.depth_folds",
    "extensions.pages.excursions",
    "extensions.pages.chapter_times",
    "extensions.pages.routes",
    "extensions.pages.objectives",
    "extensions.pages.sessions",
    "extensions.pages.declared_uses",
    "extensions.pages.ledger_page",
    "extensions.pages.docked_figures",
    "extensions.pages.stories",
    "extensions.pages.figure_pages",
    "extensions.pages.references",
    "extensions.execution.run_status",
    "extensions.mathematics.quoted_equations",
    "extensions.execution.output_caches",
    "explorable.sphinx_ext",
    "extensions.pages.library_pages",
    "extensions.execution.build_record",
    "extensions.search.index",
    "extensions.machines.twins",
    "extensions.machines.citation",
    "extensions.machines.site_lists",
    "extensions.machines.cards",
]


def setup(app):
    for module in MODULES:
        app.setup_extension(module)
