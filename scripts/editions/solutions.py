"""Solutions and answers of the quiz, moved from where they are asked for into the last chapter."""

from scripts.editions.site import fragment

SOLUTIONS = "solutions"  # the anchor of the last chapter
UNKNOWN = "000"  # a page's number before the first printing: as wide as most


def on_page(name):
    """The place for the number of the page on which the element of that id stands."""
    return f'<span class="on-page" data-of="{name}">{UNKNOWN}</span>'


def last_chapter(articles):
    """The chapter of all solutions, which are taken out of the articles."""
    last = fragment(f'<article id="{SOLUTIONS}"><h1>Solutions</h1></article>')
    last.extend(filter(None, map(take_solutions, articles)))
    return last


def take_solutions(article):
    """The answers of an article as a section of the last chapter; links lead there and back."""
    answers = article.select("details.solution, fieldset.quiz > details")
    named = [asking(answer) for answer in answers]
    section = fragment(f"<section><h2>{article.h1.get_text()}</h2></section>")
    for number, (answer, (title, name)) in enumerate(zip(answers, named, strict=True), 1):
        there, back = f"{article['id']}answer-{number}", f"{article['id']}asked-{number}"
        title["id"] = back  # no element of its own, which would part a heading from its first question
        link = f'<p class="answer-there"><a href="#{there}">Solution on page {on_page(there)}</a></p>'
        answer.replace_with(fragment(link))
        answer.summary.decompose()
        answer.name, answer.attrs = "div", {"class": "answer"}
        section.append(fragment(f'<h3 id="{there}"><a href="#{back}">{name}</a></h3>'))
        section.append(answer)
    return section if answers else None


def asking(answer):
    """The title of what an answer belongs to, a question of the quiz or an exercise, and its name."""
    if answer.parent.name == "fieldset":
        number = len(answer.parent.find_all_previous("fieldset", class_="quiz")) + 1
        return answer.parent.legend, f"Question {number}"
    title = answer.find_previous_sibling(class_="exercise").select_one(".caption-number")
    return title, title.text.strip()
