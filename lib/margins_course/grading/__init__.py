"""Marks: submissions are run and checked, points by hand are added, tables are written."""
