"""What references of a page say in its notebooks: the book's numbers, authors' names, links into the book."""

import posixpath
import re

from docutils import nodes
from pybtex.richtext import Text
from sphinx.errors import ExtensionError

from extensions.pages.chapter_times import hours
from extensions.pages.excursions import NAME, place_of
from extensions.pages.quoted_sources import named, whole
from extensions.pages.quoted_sources import place_of as place_of_quotation
from extensions.pages.tree import published
from margins_book.page.objectives import labels_in as labels_in_role
from margins_book.page.plain import folded

LABEL = re.compile(r"^[ \t]*:label:[ \t]*([\w-]+)|\$\$ *\(([\w-]+)\)|^[ \t]*\(([\w-]+)\)=", re.MULTILINE)
MANY = 3  # authors that are named by the first alone
RAW = re.compile(  # what no notebook program knows
    r"^[ \t]*:{3,}|^[ \t]*`{3,}\{|\{[\w:-]+\}`|<!--|^[ \t]*\([\w-]+\)=[ \t]*$|^% |\\label\{|\$\$ *\([\w-]+\)",
    re.MULTILINE,
)
CODE = re.compile(r"^(`{3,})(?!\{).*?^\1$|(?<![}`])(`+)(?!`)[^\n]+?(?<!`)\2(?!`)", re.DOTALL | re.MULTILINE)


class BookNames:
    """The names for one notebook of a page; `here` holds the labels of what stands in it.

    The method `said_of_NAME` gives what the role NAME says, `made_of_NAME` what the directive NAME makes.
    """

    def __init__(self, app, page, here=frozenset(), excursions=""):
        self.app, self.env, self.page = app, app.env, page
        self.here, self.excursions = here, excursions

    def lead(self, kind, label, title):
        """`Theorem 4.1 (Local least squares)`, `Exercise 4.3: What attention does not see · prove ★`."""
        number = self.number(self.page, label)
        name = f"{kind.title()} {number}".strip()
        if kind == "exercise":
            return f"{name}: {title}"
        return f"{name} ({title})" if title else name

    def equation(self, label):
        return self.number_of_equation(label) if label in self.equations else ""

    @property
    def equations(self):
        return self.env.get_domain("math").equations

    def number_of_equation(self, label):
        home, count = self.equations[label][:2]
        number = self.number(home, f"equation-{label}")
        return number or f"{self.env.toc_secnumbers[home][''][0]}.{count}"

    def number(self, home, place):
        """The number of a figure, a statement, an exercise or an equation on its page, "" if it has none."""
        for numbers in self.env.toc_fignumbers.get(home, {}).values():
            if place in numbers:
                return ".".join(map(str, numbers[place]))
        return ""

    def role(self, role, words, target):
        """What a role says; for one whose target is not in the book, of which Sphinx warns, its words."""
        said = getattr(self, f"said_of_{re.sub('[:-]', '_', role)}", None)
        try:
            return said(words, target) if said else words or target
        except KeyError:
            return words or target

    def said_of_eq(self, words, label):
        home = self.equations[label][0]
        return self.linked(f"({self.number_of_equation(label)})", home, f"equation-{label}", label)

    def said_of_prf_ref(self, words, label):
        proof = self.env.proof_list[label]
        number = self.number(proof["docname"], label)
        name = words or f"{proof['realtype'].title()} {number}"
        return self.linked(name, proof["docname"], label, label)

    def said_of_ref(self, words, label):
        """A section, a figure, an exercise, an entry of the ledger: by its number or its title."""
        home, place = self.env.get_domain("std").anonlabels[label][:2]
        return self.linked(words or self.title(home, place, label), home, place, label)

    said_of_numref = said_of_ref

    def title(self, home, place, label):
        kinds = self.env.toc_fignumbers.get(home, {})
        for kind, numbers in kinds.items():
            if place in numbers:
                return f"{kind.title()} {'.'.join(map(str, numbers[place]))}"
        return self.env.get_domain("std").labels[label][2]

    def said_of_exercises(self, words, labels):
        """`Exercises 3.5, 3.7`: of an objective, those that train it."""
        names = [self.said_of_ref("", label) for label in labels_in_role(labels)]
        numbers = [name.replace("Exercise ", "") for name in names]
        return f"(Exercise{'s' if len(names) > 1 else ''} {', '.join(numbers)})"

    def said_of_doc(self, words, target):
        home = self.home(target)
        return self.linked(words or self.env.titles[home].astext(), home, "", "")

    def home(self, path):
        """The page that a path of the text means, from this page's folder or from the book's root."""
        return posixpath.normpath(posixpath.join(posixpath.dirname(self.page), path)).lstrip("/")

    def said_of_reading_time(self, words, target):
        return hours(self.env)

    def said_of_cite_t(self, words, keys):
        """`Aronszajn (1950)`, each with a link to the book's references."""
        return ", ".join(self.work(key.strip(), "{} ({})") for key in keys.split(","))

    said_of_cite = said_of_cite_t

    def said_of_cite_p(self, words, keys):
        """`(Aronszajn, 1950; Watson, 1964)`."""
        return f"({'; '.join(self.work(key.strip(), '{}, {}') for key in keys.split(','))})"

    def work(self, key, form):
        entry = self.env.get_domain("cite").bibdata.data.entries[key]
        said = form.format(authors(entry), entry.fields["year"])
        return f"[{said}]({self.address('book/references', key)})"

    def link(self, words, target):
        """A link of the text: into the book, or its words alone, as of those that light marks of figures."""
        path, _, place = target.partition("#")
        if path:
            home = self.home(path.removesuffix(".md"))
            words = words or self.env.titles[home].astext()
            return self.linked(words, home, place, place)
        found = self.env.get_domain("std").anonlabels.get(place)
        return self.linked(words, *found[:2], place) if found else words

    def picture(self, file):
        """Where the published book has a picture."""
        return published(self.app, f"_images/{posixpath.basename(file)}")

    def linked(self, words, home, place, label):
        """A link into the book; the words alone for what stands in this notebook."""
        if home == self.page and (label in self.here or place in self.here or not place):
            return words
        return f"[{words}]({self.address(home, place)})"

    def address(self, home, place=""):
        """The address of a place in the published book."""
        return published(self.app, f"{home}.html") + (f"#{place}" if place else "")

    def directive(self, found):
        """MyST in place of what only this book's site knows, None in place of all else."""
        made = getattr(self, f"made_of_{found.name.replace('-', '_')}", None)
        return made(found) if made else None

    def made_of_said(self, found):
        """Sentences of sources, whole, each folded to its place."""
        sentences = named(found.argument)
        leads = [f"The whole sentence: {place_of_quotation(one)}" for one in sentences]
        return "\n\n".join(map(folded, leads, map(whole, sentences)))

    def made_of_signpost(self, found):
        """`**6.D** What rounding does. 10 min, uses Theorem 6.1.`, its name a link to the excursions."""
        times = self.env.metadata[self.page]["times"]
        name, title = NAME.match(times["sections"][nodes.make_id(found.argument)][0]).groups()
        said = " ".join(" ".join(found.body).split()) or title
        end = "" if said.rstrip("$*").endswith((".", "?")) else "."
        lead = f"[{name}]({self.excursions})" if self.excursions else name
        return f"**{lead}** {said}{end} {self.needs(name, times['uses'][name])}"

    def needs(self, name, uses):
        """`10 min, uses Theorem 6.1 and Excursion 6.A.`"""
        time = self.env.metadata[self.page]["times"]["excursions"][name]
        *most, last = [place_of(self.env, label)[2] for label in uses] or [""]
        list_of_names = f"{', '.join(most)} and {last}" if most else last
        return f"{time} min, uses {list_of_names}." if list_of_names else f"{time} min."


def authors(entry):
    """The last names of a work's authors; of many the first."""
    people = [" ".join([*one.prelast_names, *one.last_names]) for one in entry.persons["author"]]
    names = [Text.from_latex(name).render_as("text") for name in people]
    return f"{names[0]} et al." if len(names) >= MANY else " and ".join(names)


def labels_in(sources):
    """The labels that the Markdown of a notebook sets."""
    return {label for source in sources for found in LABEL.findall(source) for label in found if label}


def require_plain(pagename, source):
    """A refusal if Markdown still has what notebook programs show raw."""
    text = CODE.sub(" ", source)
    if raw := RAW.search(text):
        line = text[text.rfind("\n", 0, raw.start()) + 1 :].partition("\n")[0]
        raise ExtensionError(f"{pagename}: plain Markdown would show {raw[0]!r} raw, in the line {line!r}")
