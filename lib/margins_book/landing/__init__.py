"""The figure of the book's first page."""
