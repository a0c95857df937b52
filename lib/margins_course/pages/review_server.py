"""The server of the review pages, on this machine alone and for whoever holds the address with its token.

Every request must name this machine and this port as its host, come from no other page, and carry the token.
"""

import asyncio
import hmac
import json
import os
import secrets
import signal
import webbrowser
from urllib.parse import quote

from tornado.httpserver import HTTPServer
from tornado.netutil import bind_sockets
from tornado.web import Application, HTTPError, RequestHandler

from margins_course import CourseProblem
from margins_course.folder import CourseFolder
from margins_course.pages.review import POLICY, NewerMark, ReviewState, mark_as_json, read_sent_mark

LOOPBACK, LARGEST = "127.0.0.1", 64 * 1024  # bytes of a request
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
NEWER_ANSWER = "the answer changed since this page was opened; load the page again"


def serve_review(course: CourseFolder, name: str, *, open_browser: bool) -> None:
    """The review pages of an assignment, served until Ctrl-C."""
    review = ReviewState(course, name)
    if not review.now().results:
        raise CourseProblem(f"nothing of {name} is marked: run `margins-course grade {name}` first")
    asyncio.run(_serve(review, open_browser))
    print("\nStopped. Every mark that the page called saved is in the journal.")


async def _serve(review, open_browser):
    over, kept = _interruption(), review.course.root / "review" / review.name / ".place.json"
    port, token = _place_before(kept)
    sockets = _sockets(port)
    port = sockets[0].getsockname()[1]
    _write_private(kept, json.dumps({"port": port, "token": token}))
    server = HTTPServer(application(review, port, token), max_body_size=LARGEST, max_buffer_size=2 * LARGEST)
    server.add_sockets(sockets)
    address = f"http://{LOOPBACK}:{port}/{token}/index.html"
    print(f"Review of {review.name}: {address}", "Ctrl-C ends it.", sep="\n", flush=True)
    if open_browser:
        _open(kept.with_name(".open.html"), address)
    try:
        await over.wait()
    finally:
        server.stop()


def _interruption() -> asyncio.Event:
    """What Ctrl-C sets, also where a shell started this program deaf to it, or an order to end."""
    over = asyncio.Event()
    for order in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(order, over.set)
    return over


def _place_before(kept):
    """Port and token of the last time: a page that is still open finds the server again."""
    try:
        place = json.loads(kept.read_text(encoding="utf-8"))
        if isinstance(place["port"], int) and 1024 <= place["port"] < 65536 and len(place["token"]) >= 40:
            return place["port"], str(place["token"])
    except (OSError, ValueError, KeyError, TypeError):
        pass  # the first time
    return 0, secrets.token_urlsafe(32)


def _sockets(port):
    """A socket on the loopback, on another port where the wanted one is taken."""
    try:
        return bind_sockets(port, LOOPBACK)
    except OSError:
        return bind_sockets(0, LOOPBACK)


def _write_private(path, text):
    """A file that nobody else on this machine may read."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(text)


def _open(path, address):
    """The address in the browser, by a private file: everybody here sees a program's arguments."""
    _write_private(path, f'<!DOCTYPE html><meta http-equiv="refresh" content="0; url={address}">')
    asyncio.get_running_loop().run_in_executor(None, webbrowser.open, path.as_uri())


def application(review: ReviewState, port: int, token: str) -> Application:
    """The addresses that are answered; all others are refused."""
    guards = {"review": review, "host": f"{LOOPBACK}:{port}", "token": token}
    addresses = [
        (r"/[^/]*/marks", MarksHandler, guards),
        (r"/[^/]*/([A-Za-z0-9-]+\.html)", PageHandler, guards),
        (r"/[^/]*/files/([0-9a-f]{64})", FileHandler, guards),
    ]
    return Application(
        addresses,
        default_handler_class=GuardedHandler,
        default_handler_args=guards,
        log_function=lambda _: None,
    )


class GuardedHandler(RequestHandler):
    """A request that is refused unless it comes from the teacher's own page."""

    def initialize(self, review: ReviewState, host: str, token: str) -> None:
        self.review, self.host, self.token = review, host, token

    def set_default_headers(self) -> None:
        for header, value in HEADERS.items():
            self.set_header(header, value)
        self.set_header("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
        self.clear_header("Server")

    def prepare(self) -> None:
        token = self.request.path.removeprefix("/").partition("/")[0]
        if self.request.headers.get_list("Host") != [self.host]:
            raise HTTPError(403, reason="this server answers under its own address alone")
        if self.request.headers.get("Origin", f"http://{self.host}") != f"http://{self.host}":
            raise HTTPError(403, reason="this request comes from another page")
        if not hmac.compare_digest(token.encode(), self.token.encode()):
            raise HTTPError(403, reason="open the address that margins-course review printed")

    def get(self) -> None:
        raise HTTPError(404, reason="there is no such page")

    def write_error(self, status_code: int, **more) -> None:
        problem = more.get("exc_info", (None, None))[1]
        self.finish({"reason": str(problem) if isinstance(problem, CourseProblem) else self._reason})

    def check_xsrf_cookie(self) -> None:
        """The token in the address stands for a cookie, of which there are none."""


class PageHandler(GuardedHandler):
    def get(self, file: str) -> None:  # type: ignore[override]
        text = self.review.now().page(file)
        if text is None:
            raise HTTPError(404, reason="there is no such page")
        self.set_header("Content-Type", "text/html; charset=utf-8")
        self.set_header("Content-Security-Policy", f"{POLICY}; frame-ancestors 'none'")
        self.finish(text)


class FileHandler(GuardedHandler):
    """A file that somebody handed in beside a notebook: to be saved, never to be shown here."""

    def get(self, sha256: str) -> None:  # type: ignore[override]
        found = self.review.other_file(sha256)
        if found is None:
            raise HTTPError(404, reason="there is no such file")
        name, content = found
        self.set_header("Content-Type", "application/octet-stream")
        self.set_header("Content-Disposition", f"attachment; filename*=UTF-8''{quote(name, safe='')}")
        self.finish(content)


class MarksHandler(GuardedHandler):
    """The marks of an exercise, and the one that a page gives."""

    def get(self) -> None:
        self.finish({"marks": self.review.marks(self.get_query_argument("exercise", ""))})

    def put(self) -> None:
        headers = self.request.headers
        if headers.get("Content-Type") != "application/json" or "Origin" not in headers:
            return self._refuse(403, "a mark comes from the review page alone")
        try:
            mark, base = read_sent_mark(json.loads(self.request.body))
            self._check(mark)
            self.finish({"mark": mark_as_json(self.review.enter(mark, base))})
        except NewerMark as newer:
            said = "the journal has another mark of this answer"
            self._refuse(409, said, mark=mark_as_json(newer.args[0]))
        except CourseProblem as problem:
            self._refuse(400, str(problem))
        except (ValueError, RecursionError):
            self._refuse(400, "expected JSON")
        except OSError as problem:
            self._refuse(500, f"the journal cannot be written: {problem.strerror}")

    def _check(self, mark):
        known = self.review.fingerprint(mark.student, mark.exercise)
        if known is None:
            raise CourseProblem("there is no such answer")
        if known != mark.fingerprint:
            raise HTTPError(410, reason=NEWER_ANSWER)

    def _refuse(self, status, reason, **more):
        self.set_status(status)
        self.finish({"reason": reason} | more)
