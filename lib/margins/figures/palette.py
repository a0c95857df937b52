"""The book's colours and markers: six colours, ink, paper and a muted tone that follow the reader's theme.

(book: How to read and run this book, Figures that move)
"""

BLUE = "#0072b2"
VERMILION = "#d55e00"
GREEN = "#009e73"
PURPLE = "#cc79a7"
ORANGE = "#e69f00"
SKY = "#56b4e9"
PALETTE = (BLUE, VERMILION, GREEN, PURPLE, ORANGE, SKY)  # Okabe and Ito: told apart by colour-blind readers
INK = "#000000"
PAPER = "#ffffff"
MUTED = "#767676"
MARKERS = ("o", "s", "^", "D", "v", "P")  # colour is never the only carrier: the i-th class has both
