"""The Python side of a page of the book that runs code: it works inside Pyodide, in the reader's browser.

- `missing`: packages that a page does not have, as modules that say so when they are used.
- `cells`: code of the chapter is executed, with what it needs before it.
- `told`: errors in the reader's words, with the reader's lines alone.
- `printed`: what code prints, without its last line.
- `answers`: the verdict of a check on a reader's answer.
- `driven`: a figure of the chapter, drawn with the reader's answer.
- `runs`: a cell, changed by the reader, after those that it needs; `figures`: what it shows.
- `requests`: what the page's script asks.

Tests run it in CPython too (`tests/python_in_page`).
"""
