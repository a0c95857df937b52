"""The words by which a sentence states what data could deny: comparisons, shares, numbers measured.

Strong words count everywhere. Weak ones, which mathematics uses much, count where a page speaks of a figure
or sums up, and in running text where the sentence points at something that was run.
(book: How to read and run this book, Reading)
"""

import re

NUMBER = (
    r"(?:\d[\d,.]*|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|"
    r"fifty|sixty|seventy|eighty|ninety|hundred|thousand|million)"
)
COMPARATIVES = (
    "larger smaller longer shorter better worse faster slower higher fewer wider narrower nearer farther "
    "closer further sparser rougher sooner sharper steeper flatter stiffer louder cheaper likelier softer "
    "weaker stronger richer easier denser hotter cooler earlier more less"
)
EXTREMES = (
    "most nearest farthest furthest fewest steepest simplest strongest smoothest slowest fastest sharpest"
    " loudest"
)
# theorems use these, too
TERMS = "best worst largest smallest widest narrowest shortest longest lowest highest closest least"
STRONG = (
    *COMPARATIVES.split(),
    *EXTREMES.split(),
    r"than|twice|double|half|times|exceeds?|beats?|wins?|loses?|ahead|alike|mostly|nearly|almost|hardly",
    r"never|always|usually|often|rarely|seldom|everywhere|nowhere|anywhere|wherever|whenever|none|nothing",
    r"typically|per ?cent|share|majority|minority|(?:quarters?|thirds?) of|long before|evenly",
    r"no other|not even|as (?:small|large|good|bad|long|short|far|fast|slow|much|many|often|well)(?: as)?",
    rf"{NUMBER} (?:of|in|out of) (?:the |a |every )?{NUMBER}",
    rf"(?:about|roughly|approximately|around|some|close to) (?:{NUMBER}|…|a|as|the same|one|alike)",
    r"(?:falls?|grows?|rises?|decays?|shrinks?|drops?|bends?|converges?) (?:like|as|by|with)",
    r"factor of|power of|(?<!stars )rate|biased|unbiased|necessary|new (?:here|in this book)|explains?|doing",
    r"too (?:small|large|few|many|slow)",
    r"\d[\d,.]* ?%|(?<![\w.{-])\d+\.\d+(?!\.\d)",
)
WEAK = (
    *TERMS.split(),
    r"all|every|each|only|no|any|both|many|few|several|some|without|whatever|exactly|same|behind",
    r"rises?|falls?|grows?|shrinks?|drops?|doubles?|halves|vanish(?:es)?|bends?|cross(?:es)?|stays?|settles?|ends?",
    r"moves?|turns?|narrows?|widens?|keeps?|jumps?|splits?|reach(?:es)?|equals?|agrees?|differs?|another|lower",
    r"\d{2,}(?:,\d{3})*",
)
COUNT = rf"{NUMBER}(?:[ -]{NUMBER})* (?:steps|runs|draws|seeds|problems|cases|moves|lengths)"
NUMBER_IN_DOLLARS = re.compile(r"\$(-?[\d.,]+(?:\\%)?)\$")
ATOM = re.compile(  # quotations, formulas, code, references: others say or check what stands there
    r"\"[^\"]*\"|\$[^$]*\$|`+[^`]*`+|\{[\w:]+\}`[^`]*`|\]\([^)]*\)|\([A-Z]\.\d+\)|"
    r"\bchapters? \d+(?: (?:to|and) \d+)?"
)
VERDICT = re.compile(r"(?:No|Yes|Right|Wrong|Not quite)[:,.]\s")  # with which an answer begins
BOUND = re.compile(  # of theorems
    r"\b(?:at (?:most|least|best)|nothing else|more or less|no more)\b", re.IGNORECASE
)
SHOWN = re.compile(
    r"\{numref\}|\]\(#(?:ex|fig)-|\b(?:here|measured|figure|ran|runs?|draws?|seeds?|prints?|cells?|experiments?|"
    r"our intervals)\b"
)  # fmt: skip


def _pattern(parts: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-])(?:{'|'.join(parts)})(?![\w-])", re.IGNORECASE)


STRONG_WORD, SHOWN_WORD = _pattern(STRONG), _pattern((*STRONG, *WEAK))
ANY_WORD = _pattern((*STRONG, *WEAK, COUNT))  # in running text a count announces what a cell does


def triggers(sentence: str, *, is_wide: bool) -> list[str]:
    """The words of a sentence that data could deny, weak ones too if `is_wide` or it points at a figure."""
    if sentence.rstrip("*_\"')").endswith("?"):
        return []
    pattern = ANY_WORD if is_wide else SHOWN_WORD if SHOWN.search(sentence) else STRONG_WORD
    bare = BOUND.sub("", sentence)
    bare = ATOM.sub(" … ", NUMBER_IN_DOLLARS.sub(r"\1", VERDICT.sub("", bare, count=1)))
    found = [match[0].lower() for match in pattern.finditer(bare)]
    return list(dict.fromkeys(found))
