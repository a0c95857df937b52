"""`python -m margins_book.new`: the same as the command `margins new`."""

import sys

from margins_book.new.command import main

sys.exit(main(["new", *sys.argv[1:]]))
