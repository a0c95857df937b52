"""The command `margins new`: it writes the files of a new chapter, figure, exercise, claim or kernel.

What it writes is a small true example that passes the tests; comments that begin with `Replace` say what to
put in its place.
"""
