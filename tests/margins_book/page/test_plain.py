"""A chapter's text as plain Markdown: nothing that a notebook program would show raw."""

import pytest

from margins_book.page.plain import END_OF_PROOF, END_OF_STATEMENT, folded, plain


class Names:
    """Names that show what was asked."""

    def lead(self, kind, label, title):
        return f"{kind.title()} 4.1 ({title})" if title else f"{kind.title()} 4.1"

    def equation(self, label):
        return "" if label == "unnumbered" else "4.2"

    def role(self, role, words, target):
        return f"[{role} {words or target}](book)"

    def link(self, words, target):
        return words

    def picture(self, file):
        return f"book/{file}"

    def directive(self, found):
        return f"**A way** to {found.argument}" if found.name == "signpost" else None


def made(text):
    return plain(text, Names())


THEOREM = """(a-target)=
:::{prf:theorem} A sum
:label: sum
:words: Twice $x$ is {eq}`eq-sum`.
% uses: old

For every $x$

$$
x+x=2x .
$$ (eq-sum)
<!-- symbols: x: point -->
:::
"""


def test_a_statement_has_a_lead_words_first_its_number_and_a_visible_end():
    assert made(THEOREM).split("\n") == [
        "**Theorem 4.1 (A sum).**",
        "",
        "*Twice $x$ is [eq eq-sum](book).*",
        "",
        "For every $x$",
        "",
        "$$",
        "x+x=2x . \\tag{4.2}",
        "$$",
        "",
        END_OF_STATEMENT,
    ]


def test_the_mark_stands_behind_the_last_word_of_a_statement():
    assert made(":::{prf:lemma}\n:label: a\nAll.\n:::").endswith(f"All. {END_OF_STATEMENT}")


def test_proofs_are_folded_and_an_empty_line_lets_their_formulas_be_set():
    proof = made(":::{prf:proof}\n:class: dropdown\n\nAs $1=1$.\n:::")
    assert proof == f"<details><summary><b>Proof</b></summary>\n\nAs $1=1$. {END_OF_PROOF}\n\n</details><br>"


def test_boxes_are_folded_where_the_page_folds_them_and_may_stand_in_each_other():
    hint = ":::{admonition} A hint?\n:class: dropdown\nIt.\n:::"
    assert (
        made(f"::::{{admonition}} A card\n:class: card\nWords.\n\n{hint}\n::::")
        == f"**A card.**\n\nWords.\n\n{folded('A hint?', 'It.')}"
    )


def test_the_line_of_a_fold_is_html_without_links():
    assert "<b>Of Theorem 1, if x &lt; 1</b>" in folded("Of [Theorem 1](book), if x < 1", "")


def test_exercises_get_headings_and_lose_their_gates():
    text = ":::{exercise-start} Do it · prove ★\n:label: do\n:::\n\nDo.\n\n:::{exercise-end}\n:::"
    assert made(text) == "### Exercise 4.1 (Do it · prove ★)\n\nDo."


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("% ledger: C3.03\nWords.", "Words."),
        ("<!-- figure: h=1 -->\nWords.", "Words."),
        ("Words <!-- two\nlines --> go on.", "Words go on."),
        ("(here)=\n## A heading", "## A heading"),
        ("The [street](#ex-votes \"street\") is straight.", "The street is straight."),
        ("[Elsewhere](https://example.org) stays.", "[Elsewhere](https://example.org) stays."),
        ("Some 5 % of all.", "Some 5 % of all."),
        ("![A page](page.png)", "![A page](book/page.png)"),
        ("{prf:ref}`one` and {ref}`two words <two>`", "[prf:ref one](book) and [ref two words](book)"),
        ("`[a](#b)` is code", "`[a](#b)` is code"),
        ("[`svm`](../book/svm.md) and `b`", "`svm` and `b`"),
        ("{.outline}\n- one", "- one"),
        ("$$\nx\n$$ (unnumbered)", "$$\nx\n$$"),
        ("1. One\n   $$\n   x\n   $$ (in-a-list)", "1. One\n   $$\n   x \\tag{4.2}\n   $$"),
        ("```bash\n# {ref}`x`\n\n\n\nls\n```", "```bash\n# {ref}`x`\n\n\n\nls\n```"),
        (":::{container} lead\nWords.\n:::", "Words."),
        ("```{signpost} there\nA hint.\n```", "**A way** to there"),
        ("**Checked on 40 random problems.** All agree.", "**Checked on 40 random problems.** All agree."),
    ],
)  # fmt: skip
def test_what_only_the_site_knows_is_left_out_or_said_in_words(text, shown):
    assert made(text) == shown


def test_code_in_the_text_keeps_what_would_be_hidden_elsewhere():
    code = "````md\n% a comment\n(target)=\n```{signpost} there\n```\n````"
    assert made(f"% hidden\n{code}\n\n(hidden)=\nWords.") == f"{code}\n\nWords."


def test_a_target_between_two_directives_is_hidden():
    note = "```{note}\nA note.\n```"
    assert "hidden" not in made(f"{note}\n\n(hidden)=\n## Words\n\n{note}")
