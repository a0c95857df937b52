"""`python -m margins_book.sources [C2.04 | WORDS]`: the sentences that a claim judges, or that contain words.

Each is printed with its source, its place, its digest and the claims that judge it; without anything asked,
those that no claim judges.
"""

import sys

from margins_book.ledger import read_ledger
from margins_book.sources.at_hand import VARIABLE, folder_at_hand, sources_in


def main(words: list[str]) -> int:
    folder = folder_at_hand()
    if folder is None:
        print(f"the texts of the sources are not at hand; name their folder in {VARIABLE}")
        return 1
    asked, claims = " ".join(words), read_ledger().claims
    for source, found in sources_in(folder).items():
        for place, text, digest in ((each.place, each.text, each.digest) for each in found):
            judging = [claim["id"] for claim in claims if digest in claim.get("sentences", ())]
            if asked in judging or (asked.casefold() in text.casefold() if asked else not judging):
                print(f"{source}, {place}, {digest} ({', '.join(judging) or 'no claim'}): {text}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
