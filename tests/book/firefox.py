"""Firefox over WebDriver BiDi, as far as a reader's steps go: open, measure, press, drag, complaints.

Playwright drives a Firefox of its own or the newest, not the one that a distribution ships. Selenium needs
geckodriver, which Debian does not package. Mozilla's marionette-driver is marked as inactive, and does
not hear what a page writes to its console. So this speaks the W3C protocol, which Firefox itself answers.
"""

import base64
import contextlib
import json
import re
import subprocess
import tempfile
import threading
from itertools import count

import websocket

from conftest import FIREFOX, program

PATIENCE = 60  # seconds for an answer
# said of a formula half of which has arrived; the test of formulas looks at the whole ones
TOO_EARLY = "Invalid markup: Incorrect number of children"


class Firefox:
    """One window of a Firefox that runs without a screen."""

    def __init__(self, address, width, height):
        self.socket = websocket.create_connection(address, timeout=PATIENCE, suppress_origin=True)
        self.numbers, self.errors, self.requests = count(), [], []
        self.command("session.new", capabilities={})
        self.command("session.subscribe", events=["log.entryAdded", "network.beforeRequestSent"])
        self.window = self.command("browsingContext.create", type="tab")["context"]
        viewport = {"width": width, "height": height}
        self.command("browsingContext.setViewport", context=self.window, viewport=viewport)

    def command(self, method, **parameters):
        """The answer to one command of the protocol; events that come before it are noted."""
        number = next(self.numbers)
        self.socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while True:
            message = json.loads(self.socket.recv())
            if message["type"] == "event":
                self.note(message["method"], message["params"])
            elif message["id"] == number:
                assert message["type"] == "success", message
                return message["result"]

    def note(self, event, told):
        if event == "network.beforeRequestSent":
            self.requests.append(told["request"]["url"])
        elif told["level"] in ("error", "warn") and not told["text"].startswith(TOO_EARLY):
            self.errors.append(told["text"])

    def open(self, address):
        self.command("browsingContext.navigate", context=self.window, url=address, wait="complete")
        self.evaluate("() => document.fonts.ready.then(() => null)")

    def evaluate(self, function, argument=None):
        """What a function of JavaScript answers, as data."""
        told = self.command(
            "script.callFunction",
            functionDeclaration=f"async (given) => JSON.stringify(await ({function})(JSON.parse(given)))",
            arguments=[{"type": "string", "value": json.dumps(argument)}],
            target={"context": self.window},
            awaitPromise=True,
        )
        assert told["type"] == "success", told["exceptionDetails"]["text"]
        return json.loads(told["result"].get("value", "null"))

    def picture(self, box):
        """A PNG of a part of the window: its x, y, width and height."""
        clip = {"type": "box", **box}
        told = self.command("browsingContext.captureScreenshot", context=self.window, clip=clip)
        return base64.b64decode(told["data"])

    def wait_for(self, condition):
        """Returns when an expression of JavaScript is true."""
        self.evaluate(f"async () => {{ while (!({condition})) await new Promise(requestAnimationFrame); }}")

    def act(self, kind, actions):
        source = {"type": kind, "id": kind, "actions": actions}
        self.command("input.performActions", context=self.window, actions=[source])

    def press(self, keys):
        """Keys one after the other; those without a sign by their code in the protocol."""
        self.act("key", [{"type": step, "value": key} for key in keys for step in ("keyDown", "keyUp")])

    def drag(self, start, end):
        """The mouse, pressed at one point of the window and let go at another."""
        there, then = [{"type": "pointerMove", "x": round(x), "y": round(y)} for x, y in (start, end)]
        down, up = [{"type": step, "button": 0} for step in ("pointerDown", "pointerUp")]
        self.act("pointer", [there, down, then, up])


@contextlib.contextmanager
def running(width=1280, height=800):
    """A Firefox with a fresh profile, ended with the test."""
    with tempfile.TemporaryDirectory() as profile:
        command = [program(FIREFOX), "--headless", "--profile", profile, "--remote-debugging-port=0"]
        streams = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "text": True}
        with subprocess.Popen(command, **streams) as process:
            try:
                listening = (re.search(r"BiDi listening on (ws://\S+)", line) for line in process.stderr)
                address = f"{next(filter(None, listening))[1]}/session"
                threading.Thread(target=process.stderr.read, daemon=True).start()  # or a full pipe stops it
                yield Firefox(address, width, height)
            finally:
                process.terminate()
