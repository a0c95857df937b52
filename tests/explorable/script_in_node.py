"""The script in node: what it makes of a table."""

import json
import subprocess
from base64 import b64encode

from explorable.markup import script
from tests.node import NODE

SCRIPT = "data:text/javascript;base64," + b64encode(script().encode()).decode()
READ = """
import { clipPaths, decode, description, elementOf, escape, frameAt, numbers } from %s;
const drawn = ([tag, attributes, inner]) => {
  const written = Object.entries(attributes).map(([name, value]) => ` ${name}="${escape(value)}"`);
  return `<${tag}${written.join("")}>${inner}</${tag}>`;
};
const toSVG = (frame, p) => {
  const { w, h } = frame.panels[p], marks = frame.marks.filter(mark => mark.p === p);
  const parts = [clipPaths(frame.panels[p], p, "uid"), ...marks.map(mark => drawn(elementOf(mark, "uid")))];
  const words = description(frame, p), xmlns = "http://www.w3.org/2000/svg", fill = "currentColor";
  const svg = { xmlns, viewBox: `0 0 ${w} ${h}`, role: "img", "aria-label": words, fill };
  return drawn(["svg", svg, parts.join("")]);
};
let text = ""; for await (const part of process.stdin) text += part;
const { table, at, rest, pictured } = JSON.parse(text);
decode(table);
console.log(JSON.stringify(at.map(position => {
  const frame = frameAt(table, position, rest);
  if (!pictured) return frame;
  return { ...frame, svg: frame.panels.map((_, p) => toSVG(frame, p)), rows: [...numbers(frame)] };
})));
"""
SHOWN = """
import { valueText } from %s;
let text = ""; for await (const part of process.stdin) text += part;
console.log(JSON.stringify(JSON.parse(text).map(valueText)));
"""


def run(program, asked):
    """What a program of node answers to what it is asked."""
    command = [NODE, "--input-type=module", "-e", program % json.dumps(SCRIPT)]
    process = subprocess.run(command, input=json.dumps(asked), capture_output=True, text=True, check=True)
    return json.loads(process.stdout)


def read(table, at, *, rest=True, pictured=True):
    """The frames that the reader's side makes of a table at these positions, with pictures and numbers."""
    return run(READ, {"table": table, "at": at, "rest": rest, "pictured": pictured})


def shown(values):
    """What the reader's side writes beside controls that stand at these values."""
    return run(SHOWN, values)
