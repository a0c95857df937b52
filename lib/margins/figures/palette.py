"""The book's colours and markers: six colours, ink, paper and a muted tone that follow the reader's theme.

(book: How to read and run this book, Figures that move)
"""

BLUE, VERMILION, GREEN, PURPLE, ORANGE, SKY = (
    "#0072b2",
    "#d55e00",
    "#009e73",
    "#cc79a7",
    "#e69f00",
    "#56b4e9",
)
PALETTE = (BLUE, VERMILION, GREEN, PURPLE, ORANGE, SKY)  # Okabe and Ito: told apart by colour-blind readers
INK, PAPER, MUTED = "#000000", "#ffffff", "#767676"
MARKERS = ("o", "s", "^", "D", "v", "P")  # colour is never the only carrier: the i-th class has both
