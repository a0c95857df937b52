"""Clean HTML has no element or attribute beside the list."""

import math
import random
import subprocess
import sys

from bs4 import BeautifulSoup

from margins_course.pages.formula_sandbox import FormulaProcess
from margins_course.pages.markdown import FORMULAS, LENGTHS, TABLES, TEXT, WORDS
from margins_course.pages.student_html import markdown_html
from tests.margins_course.hostile_text import mutations, vectors
from tests.margins_course.pages.test_student_html import NOWHERE


def test_clean_html_has_no_element_or_attribute_beside_the_list():
    texts = random.Random(7).sample(list(vectors(NOWHERE).values()), 60) + mutations(NOWHERE, 11, 100)
    with FormulaProcess() as box:
        box.left = math.inf  # for all texts
        for text in texts:
            html = markdown_html(text, setter=box.mathml)
            for element in BeautifulSoup(html, "html.parser").find_all(True):
                assert element.name in TEXT | TABLES | FORMULAS, (element.name, text)
                kept = set(element.attrs) - {"class", "start"} - (LENGTHS | WORDS)
                assert not kept, (element, text)


def test_the_command_sets_the_formulas_of_authors_as_the_site_does(tmp_path):
    """In a process of its own: tests know the folder of the site's extensions, the command does not."""
    asked = "from margins_course.pages.markdown import authors_mathml as m; print(m('\\\\R^n', False))"
    done = subprocess.run([sys.executable, "-c", asked], cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout.startswith("<math"), done.stderr
