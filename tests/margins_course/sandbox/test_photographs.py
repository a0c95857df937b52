"""Photographed proofs: taken out of a notebook, decoded in a sandbox, upright and small enough."""

import base64
import io
import json

import numpy as np
import pytest
from PIL import Image

from margins_course.collecting.submissions import read_submission
from margins_course.sandbox import figures
from margins_course.sandbox.photographs import MOST_PHOTOGRAPHS, decoded_photographs

pytestmark = pytest.mark.usefixtures("boxes")


def file_of(picture, kind="PNG", **options):
    """A picture as the base64 of its file."""
    kept = io.BytesIO()
    picture.save(kept, kind, **options)
    return base64.b64encode(kept.getvalue()).decode()


def sheet(width=300, height=200):
    """A white sheet whose upper left corner is black."""
    made = Image.new("RGB", (width, height), "white")
    made.paste("black", (0, 0, width // 4, height // 4))
    return made


def opened(encoded):
    return Image.open(io.BytesIO(base64.b64decode(encoded))).convert("L")


def submitted(source, **attachments):
    cell = {"cell_type": "markdown", "metadata": {}, "source": source, "attachments": attachments}
    return read_submission(json.dumps({"nbformat": 4, "cells": [cell]}).encode())[0]


def test_pictures_of_a_text_are_taken_in_their_order_and_their_data_leave_the_text():
    text = "![a](attachment:my%20proof.png) ![b](data:image/jpeg;base64,QUJD) ![c](attachment:gone.png)"
    cell = submitted(text, **{"my proof.png": {"image/png": "eHl6"}, "other.png": {"image/png": "bm8="}})
    assert cell.pictures == ["eHl6", "QUJD"]
    assert cell.source == "![a](attachment:my%20proof.png) ![b](attachment:picture) ![c](attachment:gone.png)"


@pytest.mark.parametrize("attached", [3, {"image/png": 3}, {"image/png": [3]}, {"image/png": None}, [], None])
def test_attachments_that_are_none_are_left_out(attached):
    assert submitted("![a](attachment:a)", a=attached).pictures == []


def test_one_picture_shown_a_hundred_thousand_times_is_a_few_pictures():
    """Won: each mention made a picture of its own, in a result of 12 MB that took a page 12 seconds."""
    cell = submitted("![](attachment:a) " * 100_000, a={"image/png": "QUJD"})
    assert len(cell.pictures) == MOST_PHOTOGRAPHS + 1  # one too many, so that the page says so


def test_a_photograph_comes_out_upright_and_no_larger_than_a_page_needs(monkeypatch):
    turned = Image.Exif()
    turned[0x0112] = 6  # the camera was held upright: turn it by 90 degrees
    (large,) = decoded_photographs([file_of(sheet(2400, 1800), "JPEG", exif=turned)])
    picture = opened(large)
    assert picture.size == (1200, 1600)
    assert picture.getpixel((1150, 50)) < 50  # the corner was at the upper left
    assert picture.getpixel((50, 50)) > 200
    monkeypatch.setattr(figures, "MOST_PHOTOGRAPH_BYTES", 20_000)
    noise = np.random.default_rng(0).integers(0, 256, (300, 300, 3)).astype(np.uint8)
    (noisy,) = decoded_photographs([file_of(Image.fromarray(noise))])
    assert len(base64.b64decode(noisy)) <= 20_000
    assert opened(noisy).size == (150, 150)


def test_what_is_no_picture_costs_no_other():
    right = file_of(sheet())
    bomb = file_of(Image.new("1", (14_000, 14_000)))  # 196 million pixels
    given = [right, "QUJD", "no base64 é", bomb, right, *[right] * MOST_PHOTOGRAPHS]
    made = decoded_photographs(given)
    assert [bool(one) for one in made[:5]] == [True, False, False, False, True]
    assert opened(made[0]).size == (300, 200)
    assert len(made) == len(given)
    assert made[MOST_PHOTOGRAPHS:] == [""] * 5
