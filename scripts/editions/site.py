"""The built site as editions read it: its pages in their order, and names for the places on them."""

import functools
from pathlib import Path
from urllib.parse import urldefrag

import yaml
from bs4 import BeautifulSoup

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "_build" / "html"


@functools.cache
def settings():
    """What `_config.yml` sets: the book's title and authors, and where it is published."""
    return yaml.safe_load((ROOT / "_config.yml").read_text("utf8"))


def parsed(page):
    return BeautifulSoup((SITE / page).read_text("utf8"), "html.parser")


def fragment(markup):
    """The one element that a piece of HTML holds."""
    return BeautifulSoup(markup, "html.parser").find()


def contents_of_site():
    """The list of all pages as the site's landing page has it."""
    return parsed("index.html").select_one('nav[aria-label="Book"]')


def pages_in_order():
    """The site's pages as the book's contents list them, the landing page first."""
    links = [link["href"] for link in contents_of_site().select("a") if link["href"] != "#"]
    return ["index.html", *dict.fromkeys(urldefrag(link).url for link in links)]


@functools.cache
def home():
    """The address at which the site is published."""
    return parsed("index.html").select_one("link[rel=canonical]")["href"]


def anchor(page, place=""):
    """The id, in the whole book, of a place on a page."""
    return f"{page.removesuffix('.html').replace('/', '-')}--{place}"
