"""The cover: the title in the book's type, and the widest street between its twelve points."""

import io
import tempfile
import textwrap
from pathlib import Path

import numpy as np
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties

from explorable.palette import BLUE, VERMILION
from margins.svm import smo

INK, PAPER, MUTED, ACCENT = (
    "#1f1e1c",
    "#fdfcfa",
    "#5f5b55",
    "#1b5875",
)  # as the site has them in its light theme
CIRCLES = [[0.5, 0.0], [1.2, -0.6], [2.3, 0.2], [1.9, 1.3], [2.6, -0.9], [0.6, 1.6]]
SQUARES = [[-0.9, -0.3], [-0.4, -1.3], [-1.6, 0.9], [-2.2, -0.5], [-1.5, -1.4], [-2.6, 0.6]]
WIDTH, HEIGHT, DOTS = 6.0, 9.0, 200  # inches, and pixels an inch
LEFT = 0.09  # where the lines of the cover begin


def cover(fonts, title, description, author):
    """The cover as a picture in PNG; `fonts` is the folder of the site's fonts."""
    figure = Figure(figsize=(WIDTH, HEIGHT), facecolor=PAPER)
    draw_street(figure.add_axes((0, 0.17, 1, 0.46)))
    picture = io.BytesIO()
    with tempfile.TemporaryDirectory() as folder:
        upright, italic, bold = plain_fonts(fonts, Path(folder))
        for word, font, y in zip(title.split(), (bold, italic, bold), (0.87, 0.805, 0.725), strict=True):
            figure.text(LEFT, y, word, font=font, size=38 if font is italic else 50, color=INK)
        figure.text(LEFT, 0.095, textwrap.fill(description, 46), font=upright, size=15, color=INK)
        figure.text(LEFT, 0.055, author, font=italic, size=12, color=MUTED)
        figure.savefig(picture, dpi=DOTS, metadata={"Software": None})
    return picture.getvalue()


def plain_fonts(fonts, folder):
    """The site's fonts in the form that matplotlib reads: upright, italic, and the weight of headings."""
    upright, italic = TTFont(fonts / "serif.woff2"), TTFont(fonts / "serif-italic.woff2")
    bold = instantiateVariableFont(TTFont(fonts / "serif.woff2"), {"wght": 600})
    for number, font in enumerate((upright, italic, bold)):
        font.flavor = None
        font.save(folder / f"{number}.ttf")
    return [FontProperties(fname=folder / f"{number}.ttf") for number in range(3)]


def draw_street(axes):
    """The points, the street between them, and its two kerbs."""
    X, y = np.array(CIRCLES + SQUARES), np.repeat([1.0, -1.0], [len(CIRCLES), len(SQUARES)])
    solution = smo(X @ X.T, y, C=np.inf)
    w = X.T @ (solution.alpha * y)
    across = np.array([-3.4, 3.4])
    ends = {level: (level - solution.b - w[1] * across) / w[0] for level in (-1, 0, 1)}
    axes.fill_betweenx(across, ends[-1], ends[1], color=ACCENT, alpha=0.1, linewidth=0)
    for level, style in ((-1, "--"), (0, "-"), (1, "--")):
        axes.plot(ends[level], across, style, color=ACCENT, linewidth=2.2 if level == 0 else 1.3)
    for points, marker, colour in ((CIRCLES, "o", BLUE), (SQUARES, "s", VERMILION)):
        axes.scatter(*np.transpose(points), s=130, marker=marker, color=colour, zorder=3)
    axes.set(xlim=(-3.2, 3.2), ylim=(-2.2, 2.2), aspect="equal")
    axes.axis("off")
