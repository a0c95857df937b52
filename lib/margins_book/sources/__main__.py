"""`python -m margins_book.sources [WORDS]`: what the tables lack, or the sentences that contain the words."""

import sys

from margins_book.sources.at_hand import VARIABLE, differences, folder_at_hand, sources_in
from margins_book.sources.coverage import read_coverage


def main(words: list[str]) -> int:
    """Prints the sentences of the sources that contain the words; without words, what the tables lack."""
    folder = folder_at_hand()
    if folder is None:
        print(f"the texts of the sources are not at hand; name their folder in {VARIABLE}")
        return 1
    said, asked = sources_in(folder), " ".join(words).casefold()
    if not asked:
        lacking = list(differences(said, read_coverage()))
        print("\n".join(lacking) or "every sentence has its row, and every row its sentence")
        return 1 if lacking else 0
    for source, found in said.items():
        for sentence in found:
            if asked in sentence.text.casefold():
                print(f"{source}, {sentence.place}, {sentence.digest}: {sentence.text}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
