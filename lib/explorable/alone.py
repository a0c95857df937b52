"""A page with one figure alone, in one file: a browser opens it from a disk, a site shows it in a frame.

Styles, script and table of positions stand in the file. It asks for nothing else, which its own security
policy enforces. What a page may not say of itself, who may frame it, is left to its host.
"""

from html import escape
from typing import Any

from explorable.formulas import markdown_to_html
from explorable.markup import STYLE_SHEET, as_json, prompt_list, script
from explorable.text import markdown_to_text

POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"
PAGE_STYLE = (
    ":root{color-scheme:light dark;--accent:light-dark(#0b5c8f,#8cc4e2)}"
    "body{max-width:54rem;margin:0 auto;padding:0 1rem;font:1rem/1.5 system-ui,sans-serif}"
    "figure.explorable{margin:0;border:0}"
)
# `?theme=light` or `?theme=dark` in the address: a frame cannot see whether the page around it is dark
THEME_SCRIPT = (
    'const wanted=new URLSearchParams(location.search).get("theme");'
    'if(wanted==="light"||wanted==="dark")'
    "document.documentElement.style.colorScheme=document.body.dataset.theme=wanted;"
)


def page(made: dict[str, Any], home: str = "") -> str:
    """The page of a figure, from what a built page is told of it; a link to `home` stands below."""
    figure_id, caption = f"ex-{escape(made['name'])}", made["caption"]
    prompts = [
        (markdown_to_html(asked), markdown_to_html(answer), *rest) for asked, answer, *rest in made["prompts"]
    ]
    link = f'<p><a href="{escape(home)}" target="_top">{escape(home)}</a></p>' if home else ""
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(markdown_to_text(caption))}</title>"
        f"<style>{STYLE_SHEET.read_text('utf8')}{PAGE_STYLE}</style></head>"
        f'<body data-theme="auto"><main><figure class="explorable" id="{figure_id}" data-source="baked" '
        f'data-frames="#{figure_id}-table" data-alone="" aria-labelledby="{figure_id}-caption">'
        f'<script type="application/json">{as_json(made["spec"])}</script>{made["body"]}'
        f'<figcaption id="{figure_id}-caption">{markdown_to_html(caption)}</figcaption></figure>'
        f"{prompt_list(prompts)}{link}</main>"
        f'<script type="application/json" id="{figure_id}-table">{as_json(made["table"])}</script>'
        f'<script type="module">{THEME_SCRIPT}{script()}</script></body></html>\n'
    )
