"""What a browser may do on a page of ours: use the styles and the script that are in it, and nothing else.

(book: Teaching with this book, Review)
"""

import base64
import hashlib

NOTHING_ELSE = "img-src data:; base-uri 'none'; form-action 'none'"


def policy(style: str, script: str = "") -> str:
    """The content security policy of a page with a style, and perhaps a script that may ask its server."""
    scripts = f"script-src {_hash(script)}; connect-src 'self'; " if script else ""
    return f"default-src 'none'; {scripts}style-src {_hash(style)}; {NOTHING_ELSE}"


def _hash(text):
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
