"""Names for pieces of code: a record says by them of which code it is.

(book: How well the tests bite)
"""

import ast
import hashlib

DIGEST_LENGTH = 12  # hexadecimal digits: no two of some thousand functions share them by chance


def digest(tree: ast.AST) -> str:
    """A name for a piece of code, whatever its layout and comments."""
    return hashlib.sha256(ast.unparse(tree).encode()).hexdigest()[:DIGEST_LENGTH]
