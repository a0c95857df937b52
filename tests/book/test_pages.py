"""The pages of the rendered site as they are written: heads, words, links, what each kind of page holds."""

import re
from pathlib import Path
from urllib.parse import unquote, urldefrag

import pytest
import yaml

from extensions.pages.chapter_map import needed
from tests.book.conftest import CHAPTERS, EVERY, PAGES, ROOT, SCREENS, SITE, ids, parsed, said


@pytest.mark.parametrize("path", EVERY)
def test_head_is_complete(path):
    soup = parsed(path)
    assert 5 < len(soup.title.text) < 90
    description = soup.find("meta", attrs={"name": "description"})["content"]
    assert 15 < len(description) <= 170
    policy = soup.find("meta", attrs={"http-equiv": "Content-Security-Policy"})["content"]
    assert "default-src 'self'" in policy
    assert "'unsafe-eval'" not in policy
    assert len(soup.find_all("h1")) == 1


@pytest.mark.parametrize("path", EVERY)
def test_figures_have_words(path):
    soup = parsed(path)
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
    """The code of a figure that moves beside the text is a cell of its own, behind the figure's.

    And none parts the paragraphs before the first section.
    """
    for cell in parsed(path).select(".cell:has(figure)"):
        code = cell.select("details.hide")
        beside = "docks" in cell["class"]
        assert not (beside and code)
        assert beside or not code or cell.find(["figure", "details"]).name == "figure"
    parts = parsed(path).select(".cell.docks, .figure-code summary")
    assert any(part.name == "div" for part in parts)
    for place, cell in enumerate(parts):
        if cell.name == "summary":
            continue
        number = cell.select_one(".caption-number").text.strip()
        summaries = [part for part in parts[place:] if part.name == "summary" and number in part.text]
        shut, opened = summaries[0].select("p")
        assert (shut.text, opened.text) == (f"Show the code of {number}", f"Hide the code of {number}")
    opening = []
    for part in parsed(path).select_one("article section").find_all(recursive=False):
        if part.name == "section" or "card" in part.get("class", []):
            break
        opening.append("code" if "code-alone" in part.get("class", []) else part.name)
    assert "p" not in opening[opening.index("code") :]


NOT_SET = re.compile("|".join(rf"<{name}\b.*?</{name}>" for name in ("pre", "code", "script", "style")), re.S)


def test_no_mathematics_and_no_table_is_left_unset():
    for path in PAGES:
        html = NOT_SET.sub("", (SITE / path).read_text("utf8"))
        text = re.sub("<[^>]*>", "", html)
        assert not re.search(r"\\\(|\\\[|\$\$|\\(frac|sum|alpha)\b", text), f"TeX left in {path}"
        assert not re.search(r"\|[-—:]+\|", text), f"a table left in {path}"


@pytest.mark.parametrize("path", CHAPTERS)
def test_no_formula_is_torn_no_list_unset_and_no_hidden_check_told(path):
    """What opens in a formula, or in the part of one behind which a line may break, closes in it."""
    page = (SITE / path).read_text()
    for part in page.split("</math>")[:-1]:
        formula = part.rpartition("<math")[2]
        for name in ("mrow", "mfrac", "msqrt", "mstyle", "mtable"):
            assert len(re.findall(rf"<{name}\b", formula)) == formula.count(f"</{name}>"), formula
    openings = [proof.p.decode_contents() for proof in parsed(path).select(".proof")]
    assert any(text.startswith("<em>Proof. </em>") for text in openings)
    assert not [text for text in openings if re.match(r"(<em>Proof\. </em>)?(1\.|[-*]) ", text)]
    assert "BEGIN SOLUTION" not in page
    assert "hidden-check" not in page


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


def switch(path):
    """The times of a chapter by depth, as its switch tells them."""
    buttons = [" ".join(button.get_text().split()) for button in parsed(path).select(".depth button")]
    return dict(button.split(" ", 1) for button in buttons)


def in_minutes(told):
    return sum(
        int(number) * (60 if unit == "h" else 1) for number, unit in re.findall(r"(\d+) (h|min)", told)
    )


@pytest.mark.parametrize("path", CHAPTERS)
def test_every_place_tells_the_same_times_of_a_chapter(path):
    """The switch, the card, the table for teachers, which adds a lecture, and the map."""
    times = switch(path)
    assert list(times) == ["Chapter", "Everything"]
    reading = "Reading: chapter {Chapter}, everything {Everything}; exercises ".format(**times)
    exercises = r"(\d+ h( \d+ min)?|\d+ min)(, with excursions another (\d+ h( \d+ min)?|\d+ min))?\. "
    (card,) = (p for p in map(said, parsed(path).select(".card p")) if reading in p)
    assert re.match(exercises + "Running: ", card.partition(reading)[2])
    tables = parsed("book/teaching.html").select("#what-there-is-to-assign table")
    assert len(tables) == len(CHAPTERS)
    line = said(tables[CHAPTERS.index(path)].find_previous("p"))
    assert re.search(r"Lecture: \d+ min\. " + re.escape(reading) + exercises.rstrip(), f"{line} ")
    stop = parsed("index.html").select(".outline li")[CHAPTERS.index(path)]
    assert said(stop.select_one(".time")).replace("minutes", "min") == times["Everything"]
    heads = [said(head).partition(" min")[0] for head in parsed(path).select(".excursion-head")]
    for contents in (".on-this-page", "header.book nav"):
        told = parsed(path).select(f"{contents} li.excursion > a .minutes")
        assert [said(minutes) for minutes in told] == [f"{minutes} min" for minutes in heads]


@pytest.mark.parametrize("path", [page for page in PAGES if page.startswith("book/sessions/")])
def test_a_plan_asks_what_its_chapter_asks_and_lists_what_its_card_promises(path):
    plan, chapter = parsed(path), parsed(path.replace("book/sessions", "chapters"))
    for poll in plan.select("#ninety-minutes a[href*='?lecture']"):
        page, place = urldefrag(poll["href"])
        if place.startswith("quiz-"):
            question = chapter.find(id=place).legend
        else:
            figure = chapter.find(id=f"ex-{Path(page.partition('?')[0]).stem}")
            assert said(poll) == said(figure.select_one(".caption-number"))
            asked = figure.find_next_sibling(class_="explorable-prompts").find_all("li", recursive=False)
            question = asked[int(page.partition("ask=")[2]) - 1].p
        assert said(poll.find_next("em")) == said(question)
    promised = chapter.select(".card li:has(.trained-by)")
    for told, objective in zip(plan.select("#objectives-and-exercises li"), promised, strict=True):
        for link in objective.select(".trained-by a"):
            exercise = chapter.select_one(link["href"]).select_one(".admonition-title")
            there = told.select_one(f"a[href$='{link['href']}']")
            number, title = there.text.split(" ", 1)
            assert number == link.text
            assert title in said(exercise)


def test_routes_lead_through_the_chapters_and_add_up():
    """Of each route the minutes of its sittings, which are told to five."""
    routes = parsed("book/how_to_read.html").select("#three-routes ol")
    assert len(routes) == 2
    for route in routes:
        items = [said(item) for item in route.find_all("li")]
        times = [in_minutes(re.search(r"\(([^()]*)\)$", item)[1]) for item in items]
        assert all(item.select("a") for item in route.find_all("li"))
        total = in_minutes(said(route.find_next_sibling("p")).removeprefix("Together "))
        assert abs(total - sum(times)) <= 3 * len(times)
    assert times == [in_minutes(switch(path)["Chapter"]) for path in CHAPTERS]


@pytest.mark.parametrize("path", EVERY)
def test_inner_links_lead_somewhere(path):
    soup = parsed(path)
    for link in soup.select("a[href]"):
        target, fragment = urldefrag(link["href"])
        if re.match(r"[a-z]+:", target):
            continue
        name = unquote(target.partition("?")[0])  # without the switch ?lecture
        file = (SITE / path).parent / name if target else SITE / path
        assert file.is_file(), f"{path} links to {link['href']}, which is not there"
        if fragment and file.suffix == ".html":
            place = file.resolve().relative_to(SITE.resolve()).as_posix()
            named = unquote(fragment).partition("?")[0]  # without the state of a figure
            assert named in ids(place), f"{path} links to the missing place {link['href']}"


def test_links_into_the_repository_lead_to_its_files():
    repository = yaml.safe_load((ROOT / "_config.yml").read_text("utf8"))["repository"]
    place = f"{repository['url']}/blob/{repository['branch']}/"
    links = {
        a["href"].partition("#")[0] for path in EVERY for a in parsed(path).select(f"a[href^='{place}']")
    }
    assert len(links) > 50
    assert not [link for link in links if not (ROOT / link.removeprefix(place)).is_file()]


@pytest.mark.parametrize("path", CHAPTERS)
def test_a_quiz_stands_before_the_exercises_which_do_not_give_themselves_away(path):
    sections = [heading.text.rstrip("#").strip() for heading in parsed(path).select("main h2")]
    places = [number for number, title in enumerate(sections) if title.endswith("Quiz")]
    assert places, f"no section Quiz among {sections}"
    assert sections[places[0] + 1].endswith("Exercises")
    questions = parsed(path).select("fieldset.quiz")
    assert 3 <= len(parsed(path).select("#quiz fieldset.quiz")) <= 5  # excursions ask theirs
    groups = [{choice["name"] for choice in question.select("input")} for question in questions]
    assert len(set().union(*groups)) == len(questions), "a group of radio buttons for each question"
    checks = parsed(path).select(".tag_check")
    assert checks
    for check in checks:
        fold = check.find_parent("details")
        assert fold.summary.text == "Solution"
        call = check.select_one(".cell_input").text.strip()
        assert call in fold.find_previous_sibling(class_="how-to-check").text


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


def test_where_to_begin_how_long_it_takes_and_the_figure_are_on_the_first_screen(visit):
    with visit("index.html") as page:
        begin, told = page.locator(".begin a"), page.locator(".begin p")
        assert begin.inner_text().startswith("Begin here")
        assert re.search(r"\d+ hours to read", told.inner_text())
        for screen in ("laptop", "wide", "phone"):
            page.set_viewport_size(SCREENS[screen])
            height = SCREENS[screen]["height"]
            for box in (begin.bounding_box(), told.bounding_box()):
                assert 0 <= box["y"] <= height - box["height"]
            drawing = page.locator("figure.explorable svg").first.bounding_box()
            assert 0 <= drawing["y"] < height - 40, "of the drawing only a strip is seen, or nothing"


def test_the_landing_page_maps_what_the_cards_ask_for(visit):
    """In words, in every box; below each box those that build on it; on a phone as a plain list."""
    sources = [(ROOT / path.replace(".html", ".md")).read_text("utf8") for path in CHAPTERS]
    cards = dict(enumerate(map(needed, sources), 1))
    with visit("index.html") as page:
        page.set_viewport_size({"width": 1280, "height": 800})
        boxes = page.evaluate("""[...document.querySelectorAll(".outline li")].map(box => ({
            top: box.getBoundingClientRect().top, left: box.getBoundingClientRect().left,
            says: box.querySelector(".needs").textContent,
            leads: box.querySelector("a").getAttribute("href")}))""")
        assert [box["leads"] for box in boxes] == CHAPTERS
        for number, asked in cards.items():
            box = boxes[number - 1]
            assert spelled_out(box["says"]) == asked
            assert all(boxes[other - 1]["top"] < box["top"] for other in asked)
        assert len({box["left"] for box in boxes}) > 1
        times = page.locator(".outline .time").all_text_contents()
        assert len(times) == len(CHAPTERS)
        assert all(re.fullmatch(r"\d+ h( \d+ min)?|\d+ minutes", time) for time in times)
        page.set_viewport_size({"width": 390, "height": 844})
        assert len({item.bounding_box()["x"] for item in page.locator(".outline li").all()}) == 1


def spelled_out(words):
    """`chapters 1 to 3 and 6` as a set of numbers."""
    ranges = [range(int(low), int(high) + 1) for low, high in re.findall(r"(\d+) to (\d+)", words)]
    return {int(number) for number in re.findall(r"\d+", words)}.union(*ranges)


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


def test_the_cheat_sheet_quotes_its_equations_names_their_proofs_and_prints_on_two_sheets(visit):
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
        words, spine, aside = (int(number.replace(",", "")) for number in shown[title][3:])
        assert words > 1000
        assert abs(in_minutes(switch(path)["Chapter"]) - spine) <= 3  # told to five
        heads = parsed(path).select(".excursion-head")
        assert aside == sum(int(head.get_text().split("\N{NO-BREAK SPACE}")[0]) for head in heads)
    numbers = [[int(cell.replace(",", "") or 0) for cell in row[1:]] for row in rows]
    for *counts, total in zip(*numbers, strict=True):
        assert total == sum(counts)
