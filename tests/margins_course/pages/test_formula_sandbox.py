"""Formulas of students: set in a sandbox, within limits, or shown as TeX."""

import json
import os
import re
from types import SimpleNamespace

import pytest

from margins_course.pages import formula_sandbox
from margins_course.pages.formula_sandbox import FormulaProcess, can_set_formulas
from margins_course.pages.student_html import inline_html, markdown_html
from tests.margins_course.watched_page import listening


@pytest.fixture
def typeset():
    """A machine on which students' formulas can be set."""
    if not can_set_formulas():
        assert os.environ.get("CI") != "true", "with CI=true formulas must be set: run `make book`"
        pytest.skip("node, Temml or bubblewrap is missing: run `make book`, install bubblewrap")


def test_formulas_of_students_are_set(typeset):
    for text in ("So $x^2$.", "So $$x^2$$.", "$$\nx^2\n$$", "\\begin{align}\na &= x^2\n\\end{align}"):
        assert "<msup><mi>x</mi><mn>2</mn></msup>" in markdown_html(text), text
    assert "<mi>ℝ</mi>" in markdown_html("$x \\in \\R^n$")  # the book's own commands are known


def test_a_formula_that_reaches_out_or_cannot_be_set_is_shown_as_tex(typeset):
    out = r"\href{javascript:x}{y} | \includegraphics{http://h} | \style{color:red}{x} | \nosuch | {"
    for tex in out.split(" | "):
        assert markdown_html(f"${tex}$") == f'<p><code class="tex">${inline_html(tex)}$</code></p>\n'


def test_a_formula_covers_nothing_and_hides_nothing(typeset):
    html = markdown_html(r"$\rule{9999em}{9999em} \color{white}x \hspace{-9999em} y \raisebox{999em}{z}$")
    assert "<mi>x</mi>" in html
    assert not re.search(r" style=|color|background|\d{3,}em", html)


def test_on_a_busy_machine_the_start_is_no_formulas_time(typeset, monkeypatch):
    """Once students saw their TeX where node took a second to start."""
    now, started = [0.0], formula_sandbox._started

    def slow():
        now[0] += formula_sandbox.ALL_SECONDS
        return started()

    monkeypatch.setattr(formula_sandbox, "time", SimpleNamespace(monotonic=lambda: now[0]))
    monkeypatch.setattr(formula_sandbox, "_started", slow)
    with FormulaProcess() as box:
        assert ["<math" in (box.mathml(tex, False) or "") for tex in "xy"] == [True, True]
        box.close()
        box.mathml("x", False)  # who ends the process pays for the next start
        assert box.mathml("x", False) is None


def test_a_formula_that_takes_long_costs_only_itself(typeset, monkeypatch):
    with FormulaProcess() as box:
        assert "<math" in box.mathml("x", False)
        with monkeypatch.context() as late:  # nothing has come when the time is over
            late.setattr(formula_sandbox.select, "select", lambda *_: ([], [], []))
            assert box.mathml("y", False) is None
            assert box.process is None
        monkeypatch.setattr(formula_sandbox, "SECONDS", 2.0)
        assert "<mi>z</mi>" in box.mathml("z", False)
        box.left = 0.0
        assert box.mathml("z", False) is None


SPY = """
import { createInterface } from "node:readline";
import * as fs from "node:fs";
import * as net from "node:net";
import * as children from "node:child_process";
const [canary, port] = JSON.parse(process.argv[3]);
const tried = {};
const attempt = (name, act) => {
  try { act(); tried[name] = "done"; } catch (error) { tried[name] = error.code ?? "failed"; }
};
for await (const line of createInterface({ input: process.stdin })) {
  attempt("read", () => fs.readFileSync(canary));
  attempt("write", () => fs.writeFileSync("/stolen", "x"));
  attempt("run", () => { if (children.spawnSync("/bin/sh").status !== 0) throw new Error(); });
  attempt("compile", () => new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])));
  await new Promise(done => net.connect(port, "127.0.0.1", () => { tried.call = "done"; done(); })
    .on("error", error => { tried.call = error.code; done(); }));
  tried.environment = Object.keys(process.env).join();
  console.log(JSON.stringify({ html: JSON.stringify(tried) }));
}
"""


def test_the_box_of_formulas_has_no_network_no_files_and_no_programs(typeset, monkeypatch, tmp_path):
    (tmp_path / "canary").write_text("unread")
    with listening() as listener, FormulaProcess() as box:
        monkeypatch.setattr(formula_sandbox, "_program", lambda: {"/temml_server.mjs": SPY.encode()})
        aims = json.dumps([str(tmp_path / "canary"), listener.port])
        monkeypatch.setattr(formula_sandbox, "formula_macros", lambda: aims)
        tried = json.loads(box.mathml("x", False))
        assert "done" not in tried.values(), tried
        assert tried["read"] == "ENOENT"
        assert tried["environment"] in ("", "PWD")
        assert listener.heard == []


@pytest.mark.parametrize(
    "say", ["console.log('{')", "process.exit(1)", "console.log('x'.repeat(9e5))", "for (;;) {}"]
)
def test_a_box_that_talks_nonsense_is_thrown_away(typeset, monkeypatch, say):
    monkeypatch.setattr(formula_sandbox, "START_SECONDS", 1.0)
    monkeypatch.setattr(formula_sandbox, "_program", lambda: {"/temml_server.mjs": f"{say};".encode()})
    with FormulaProcess() as box:
        assert box.mathml("x", False) is None
        assert box.process is None


def test_without_bubblewrap_formulas_are_shown_as_tex(monkeypatch):
    monkeypatch.setattr(formula_sandbox, "can_set_formulas", lambda: False)
    assert '<code class="tex">$x^2$</code>' in markdown_html("$x^2$")
