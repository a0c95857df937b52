"""Timings of the library beside its peers, of figures and of marking; `make bench` records them in the book.

Importing the package pins every BLAS to one thread, which only works before numpy is imported.
"""

import os

for _pool in ("OMP", "OPENBLAS", "MKL", "NUMEXPR"):
    os.environ[f"{_pool}_NUM_THREADS"] = "1"
