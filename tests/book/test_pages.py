"""The pages of the rendered site as they are written: heads, words, links, what each kind of page holds."""

import copy
import re
from functools import cache
from urllib.parse import unquote, urldefrag

import pytest

from tests.book.conftest import CHAPTERS, EVERY, PAGES, ROOT, SITE, parsed


@pytest.mark.parametrize("path", EVERY)
def test_head_is_complete_and_pictures_have_words(path):
    soup = parsed(path)
    assert 5 < len(soup.title.text) < 90
    description = soup.find("meta", attrs={"name": "description"})["content"]
    assert 15 < len(description) <= 170
    policy = soup.find("meta", attrs={"http-equiv": "Content-Security-Policy"})["content"]
    assert "default-src 'self'" in policy
    assert "'unsafe-eval'" not in policy
    assert len(soup.find_all("h1")) == 1
    for image in soup.select("main img"):
        assert image.get("alt", "").strip(), f"an image without alt text: {image}"
    for drawing in soup.select("main figure svg"):
        assert drawing.get("role") == "img"
        assert len(drawing.get("aria-label", "")) > 15
    for figure in soup.select("main figure"):
        assert figure.find("figcaption").text.strip()


@pytest.mark.parametrize("path", PAGES)
def test_permalinks_are_named_by_what_they_lead_to(path):
    """And headings by their words alone, although their permalink stands in them."""
    links = parsed(path).select("main a.headerlink")
    assert links or path == "search.html"
    names = [link.get("aria-label", "") for link in links]
    assert all(name.startswith("Link to ") and len(name) > len("Link to ") for name in names), names
    for link, name in zip(links, names, strict=True):
        if link.parent.name in ("h1", "h2", "h3", "h4"):
            words = link.parent["aria-label"]
            assert name == f"Link to {words}"
            assert " ".join(link.parent.text.removesuffix("#").split()).startswith(words.removesuffix("…"))


@pytest.mark.parametrize("path", CHAPTERS)
def test_a_figure_is_read_before_the_code_that_draws_it(path):
    """The code of a figure that moves beside the text is a cell of its own, behind the figure's."""
    for cell in parsed(path).select(".cell:has(figure)"):
        code = cell.select("details.hide")
        beside = "docks" in cell["class"]
        assert not (beside and code)
        assert beside or not code or cell.find(["figure", "details"]).name == "figure"
    moving = parsed(path).select(".cell.docks")
    assert moving
    for cell in moving:
        number = cell.select_one(".caption-number").text.strip()
        folds = [fold for fold in cell.find_all_next(class_="figure-code") if number in fold.summary.text]
        shut, opened = folds[0].select("summary p")
        assert (shut.text, opened.text) == (f"Show the code of {number}", f"Hide the code of {number}")


def test_no_mathematics_and_no_table_is_left_unset():
    for path in PAGES:
        soup = copy.copy(parsed(path))
        for element in soup.select("code, pre, script, style, annotation"):
            element.decompose()
        assert not re.search(r"\\\(|\\\[|\$\$|\\(frac|sum|alpha)\b", soup.text), f"TeX left in {path}"
        assert not re.search(r"\|[-—:]+\|", soup.text), f"a table left in {path}"


@pytest.mark.parametrize("path", CHAPTERS)
def test_no_formula_is_torn(path):
    """What opens in a formula, or in the part of one behind which a line may break, closes in it."""
    for part in (SITE / path).read_text().split("</math>")[:-1]:
        formula = part.rpartition("<math")[2]
        for name in ("mrow", "mfrac", "msqrt", "mstyle", "mtable"):
            assert len(re.findall(rf"<{name}\b", formula)) == formula.count(f"</{name}>"), formula


@pytest.mark.parametrize("path", PAGES)
def test_tables_of_many_columns_can_become_lists(path):
    """Of each row, in which every cell but the first begins with the name of its column."""
    for table in parsed(path).select("main table:has(th:nth-child(3))"):
        assert "listed" in table["class"]
        names = [heading.text for heading in table.select("thead th")]
        for row in table.select("tbody tr"):
            heading, *cells = row.find_all(["th", "td"])
            assert heading.name == "th"
            told = [cell.select_one(".column") for cell in cells]
            assert all(not name or name.text == names[1:][place] for place, name in enumerate(told))
            assert all(told[place] for place, cell in enumerate(cells) if cell.text)


@cache
def anchors(page):
    """The places of a page that links can lead to."""
    return {element["id"] for element in parsed(page).find_all(id=True)}


@pytest.mark.parametrize("path", EVERY)
def test_inner_links_lead_somewhere(path):
    soup = parsed(path)
    for link in soup.select("a[href]"):
        target, fragment = urldefrag(link["href"])
        if re.match(r"[a-z]+:", target):
            continue
        file = (SITE / path).parent / unquote(target) if target else SITE / path
        assert file.is_file(), f"{path} links to {link['href']}, which is not there"
        if fragment and file.suffix == ".html":
            place = file.resolve().relative_to(SITE.resolve()).as_posix()
            assert unquote(fragment) in anchors(place), f"{path} links to the missing place {link['href']}"


@pytest.mark.parametrize("path", CHAPTERS)
def test_no_exercise_gives_itself_away(path):
    soup = parsed(path)
    checks = soup.select(".tag_check")
    assert checks
    for check in checks:
        fold = check.find_parent("details")
        assert fold.summary.text == "Solution"
        call = check.select_one(".cell_input").text.strip()
        assert call in fold.find_previous_sibling(class_="how-to-check").text
    page = (SITE / path).read_text()
    assert "BEGIN SOLUTION" not in page
    assert "hidden-check" not in page


@pytest.mark.parametrize("path", CHAPTERS)
def test_chapter_has_a_quiz_before_its_exercises(path):
    sections = [heading.text.rstrip("#").strip() for heading in parsed(path).select("main h2")]
    places = [number for number, title in enumerate(sections) if title.endswith("Quiz")]
    assert places, f"no section Quiz among {sections}"
    assert sections[places[0] + 1].endswith("Exercises")
    questions = parsed(path).select("fieldset.quiz")
    assert 3 <= len(questions) <= 5
    groups = [{choice["name"] for choice in question.select("input")} for question in questions]
    assert len(set().union(*groups)) == len(questions), "a group of radio buttons for each question"


@pytest.mark.parametrize("path", CHAPTERS)
def test_every_statement_is_listed_by_number_and_title(path):
    listed = {link["href"]: link.parent.text for link in parsed("book/statements.html").select("main li a")}
    stated = [box for box in parsed(path).select("main div.proof[id]") if box.select_one(".caption-number")]
    assert stated
    for box in stated:
        number, title = box.select_one(".caption-number").text, box.select_one(".admonition-title").text
        line = listed[f"../{path}#{box['id']}"]
        said = title.removeprefix(number).strip().removeprefix("(").removesuffix(")")
        assert line.split() == [*number.split(), *said.split()]


def test_the_map_of_the_landing_page_is_a_plain_list_on_a_phone(visit):
    with visit("index.html") as page:
        boxes = page.locator(".outline li")
        assert [box.locator("a").first.get_attribute("href") for box in boxes.all()] == CHAPTERS
        for width, columns in ((1280, False), (390, True)):
            page.set_viewport_size({"width": width, "height": 844})
            assert (len({box.bounding_box()["x"] for box in boxes.all()}) == 1) is columns


def is_no_fold(part):
    """Whether a part of the page holds what it holds at every depth of the chapter."""
    return "deep" not in part.get("class", ())


def test_every_term_leads_to_where_it_is_spoken_of():
    """The section that holds the place named has the term's words, but for their endings."""
    terms = parsed("book/glossary.html").select("dl.glossary > dt")
    assert len(terms) > 30
    for term in terms:
        words = [word[:6] for word in re.split(r"[- ]", term.text.rstrip("#").lower().replace("’s", ""))]
        links = term.find_next_sibling("dd").select("a[href*='chapters/']")
        assert links, f"{term.text} leads nowhere"
        for link in links:
            path, _, label = link["href"].partition("#")
            place = parsed(path.removeprefix("../")).find(id=label)
            section = place.find_parent(is_no_fold).get_text(" ").lower()
            assert all(word in section for word in words), f"{term.text} is not spoken of at {link['href']}"


def test_the_cheat_sheet_quotes_its_equations_and_names_their_proofs():
    sheet = parsed("book/cheat_sheet.html").select(".quoted")
    assert len(sheet) > 35
    for entry in sheet:
        *proofs, number = entry.p.select("a[href*='chapters/']")
        path, _, label = number["href"].partition("#")
        equation = parsed(path.removeprefix("../")).find(id=label)
        assert equation.select_one(".eqno").text.rstrip("#") == number.text
        formula = entry.select_one("div.math math")
        assert formula["data-tex"] == equation.math["data-tex"]
        assert formula.get_text() == equation.math.get_text()
        assert not formula.select("[data-light]"), "no figure of the chapter is here"
        assert all(proof["href"].startswith(path) for proof in proofs)


def test_the_cheat_sheet_prints_on_two_sheets(visit):
    with visit("book/cheat_sheet.html") as page:
        page.emulate_media(media="print")
        spilt = page.evaluate("""[...document.querySelectorAll(".quoted > div.math")]
            .filter(box => box.scrollWidth > box.clientWidth + 1).length""")
        assert not spilt
        assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(prefer_css_page_size=True))) <= 2


def said_in(cell):
    """The words of a cell, without the name of its column."""
    name = cell.select_one(".column")
    return cell.text.removeprefix(name.text if name else "")


def test_the_status_page_shows_every_page_that_runs_by_its_title():
    rows = [
        [said_in(cell) for cell in row.find_all(["th", "td"])]
        for row in parsed("book/status.html").select(".run-status tbody tr")
    ]
    shown = {row[0]: row for row in rows}
    for path in CHAPTERS:
        title = re.sub(r"^\d+\. |#$", "", parsed(path).h1.get_text())
        source = (ROOT / path.replace(".html", ".md")).read_text()
        assert int(shown[title][1]) == len(re.findall(r"^```\{code-cell\}|^:::+\{code-cell\}", source, re.M))
        assert int(shown[title][2]) > 5
    numbers = [[int(cell.replace(",", "") or 0) for cell in row[1:]] for row in rows]
    for *counts, total in zip(*numbers, strict=True):
        assert total == sum(counts)
