"""Python in the page: what a built page needs so that its own code runs in the reader's browser.

- `parts`: the files by others that it takes, where they come from, their licences and hashes.
- `archives`: Pyodide, NumPy and the book's library as the files that a browser fetches.
- `exercises`: what the page needs to know of a chapter's coded exercises.
- `driven`: the figures that answers to exercises draw.
- `places`: where a page offers it, and what the page says there.
- `publish`: all of it written into the site, under names made from the content.

The scripts and the Python that run in the browser are in `book/python_in_page`.
"""
