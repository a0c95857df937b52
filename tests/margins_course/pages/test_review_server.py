"""The server of the review pages answers the teacher's own page and nobody else."""

import hashlib
import http.client
import json
import os
import signal
import stat

from margins_course.collecting.records import Record, add_records, file_beside
from margins_course.folder import write
from margins_course.grading.results import Piece, Work
from margins_course.pages.review import file_of
from tests.margins_course.review_class import SETTINGS, SHEET, hand_in, journal, new_class, result
from tests.margins_course.review_server import serving

MARK = {"student": "ada", "exercise": "triangle", "lines": [1, 2, 0.5]}
MARK |= {"adjust": 0, "comment": "", "base": ""}
NO_JSON = [b"", b"{", b"[]", b"7", b"[" * 30_000, b"\xff\xfe", b"9" * 5000]


def ask(server, method, path, body=None, *, length=None, **headers):
    """Status, headers and text of an answer; headers that are None are left out."""
    sent = {"Host": server.host, "Origin": f"http://{server.host}", "Content-Type": "application/json"}
    sent |= {name.replace("_", "-"): value for name, value in headers.items()}
    connection = http.client.HTTPConnection(server.host, timeout=20)
    connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
    for name, value in sent.items():
        if value is not None:
            connection.putheader(name, value)
    connection.putheader("Content-Length", str(length or len(body or b"")))
    connection.endheaders(body)
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, answer.headers, text


def mark(**changes):
    own = result("ada").work["triangle"].fingerprint
    return json.dumps(MARK | {"fingerprint": own} | changes).encode()


def put(server, body, **headers):
    status, _, text = ask(server, "PUT", f"/{server.token}/marks", body, **headers)
    return status, json.loads(text) if text.startswith("{") else text


SENT = {"Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY"}
SENT |= dict.fromkeys(["Cross-Origin-Resource-Policy", "Cross-Origin-Opener-Policy"], "same-origin")
SENT |= {"Cache-Control": "no-store"}


def test_pages_come_with_the_policy_that_they_name_themselves(server):
    for page in ("index.html", *map(file_of, SHEET.exercises)):
        status, headers, text = ask(server, "GET", f"/{server.token}/{page}", Origin=None)
        assert status == 200
        policy = headers["Content-Security-Policy"].removesuffix("; frame-ancestors 'none'")
        assert policy.replace("'", "&#x27;") in text
        assert policy.startswith("default-src 'none'; script-src 'sha256-")
        assert "unsafe" not in policy
        assert SENT.items() <= dict(headers.items()).items()
        assert headers["Server"] is None


NO_PAGES = ["../../roster.csv", "%2e%2e/%2e%2e/roster.csv", "..%2f..%2froster.csv", "review.js"]
NO_PAGES += [".place.json", "exercise-../../../roster.csv.html", "index.html/", "index.html%00.html"]
NO_PAGES += ["exercise-other.html", "/etc/passwd"]
WITHOUT_TOKEN = ["index.html", "marks", "", "{wrong}/index.html", "{half}/marks", "/marks"]
FOREIGN_HOSTS = ["attacker.example", "localhost:80", None]
FOREIGN_ORIGINS = ["http://attacker.example", "null", "http://127.0.0.1:8888"]
NOT_FROM_THE_PAGE = [{"Origin": None}, {"Content_Type": "text/plain"}, {"Content_Type": None}]
MARKS = "{token}/marks"
REFUSED = [  # methods, path, headers, and the status
    *(("GET PUT", MARKS, {"Host": host}, (400, 403)) for host in FOREIGN_HOSTS),  # 400: HTTP/1.1 asks for one
    *(("GET PUT", MARKS, {"Origin": origin}, (403,)) for origin in FOREIGN_ORIGINS),
    *(("GET PUT", path, {}, (403,)) for path in WITHOUT_TOKEN),
    *(("GET", f"{{token}}/{path}", {}, (404,)) for path in NO_PAGES),
    *(("PUT", MARKS, headers, (403,)) for headers in NOT_FROM_THE_PAGE),
    ("POST DELETE PATCH OPTIONS HEAD TRACE", MARKS, {}, (400, 404, 405)),
]


def test_whatever_else_is_asked_is_refused_and_told_nothing(server, course):
    for methods, path, headers, expected in REFUSED:
        path = path.format(token=server.token, wrong="A" * len(server.token), half=server.token[:20])
        for method in methods.split():
            status, answered, text = ask(server, method, f"/{path}", mark(), **headers)
            assert status in expected, (method, path, headers)
            assert [w for w in ("Ada", "ada,", "root:", server.token) if w in text] == [], (method, path)
            assert answered["Access-Control-Allow-Origin"] is None, (method, path, headers)
    assert journal(course) == []


def test_a_large_body_is_refused_and_the_longest_comment_is_not(server, course):
    assert ask(server, "PUT", f"/{server.token}/marks", length=64 * 1024 + 1)[0] in (400, 413)
    assert journal(course) == []
    longest = json.dumps(json.loads(mark(comment="数" * 20_000)), ensure_ascii=False).encode()
    assert put(server, longest)[0] == 200


NO_MARKS = [
    *({"student": who} for who in ("nobody", "../../results/sums/ada", "julia")),
    *({"exercise": what} for what in ("other", ["triangle"])),
    *({"lines": points} for points in ([1, 2], [1, 2, 1.5], [-1, 2, 1], [True, 2, 1], "112")),
    {"lines": [float("nan"), 2, 1]},
    *({"adjust": points} for points in (float("inf"), 10**400, "1")),
    *({"comment": text} for text in ("a" * 20_001, None)),
    {"more": 1},
]


def test_what_is_no_mark_is_refused_with_a_reason(server, course):
    assert put(server, mark(fingerprint="0" * 64))[0] == 410
    for changes in NO_MARKS:
        status, answer = put(server, mark(**changes))
        assert status == 400, changes
        assert answer["reason"], changes
    for body in NO_JSON:
        assert put(server, body)[0] == 400, body[:9]
    assert journal(course) == []


def test_the_same_mark_is_written_once_and_one_that_the_page_has_not_seen_is_not_written_over(server, course):
    _, first = put(server, mark())
    assert put(server, mark()) == (200, first)  # sent again because the answer was lost
    status, answer = put(server, mark(lines=[0, 0, 0]))
    assert (status, answer["mark"]) == (409, first["mark"])
    assert [line["lines"] for line in journal(course)] == [[1, 2, 0.5]]
    _, _, text = ask(server, "GET", f"/{server.token}/marks?exercise=triangle")
    assert json.loads(text)["marks"] == {"ada": first["mark"]}


def test_a_file_beside_a_notebook_is_linked_and_sent_as_it_is_to_be_saved(server, course):
    content, name = b"%PDF-1.7 <script>", 'my "proof" é.pdf'
    digest = hashlib.sha256(content).hexdigest()
    write(file_beside(course, "sums", digest), content)
    when = "2026-09-30T12:00:00+00:00"
    add_records(course, "sums", [Record("ada", f"ada_1/{name}", digest, when, "refused", "no notebook")])
    _, _, text = ask(server, "GET", f"/{server.token}/exercise-triangle.html")
    assert text.count(f'<a href="files/{digest}" download>my &quot;proof&quot; é.pdf</a>') == 1
    status, headers, text = ask(server, "GET", f"/{server.token}/files/{digest}")
    assert (status, text) == (200, content.decode())
    assert headers["Content-Type"] == "application/octet-stream"
    assert headers["Content-Disposition"] == "attachment; filename*=UTF-8''my%20%22proof%22%20%C3%A9.pdf"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert ask(server, "GET", f"/wrong/files/{digest}")[0] == 403
    for other in ("0" * 64, digest[:-1], f"{digest}/x", "../records.jsonl"):
        assert ask(server, "GET", f"/{server.token}/files/{other}")[0] == 404


def test_imports_of_the_books_own_modules_and_set_up_that_was_changed_are_shown(server, course):
    """Won: an answer that called the library earned full points, and nobody was told."""
    for line, module in {
        "from margins.svm import smo": "margins.svm",
        "    import numpy, margins_book.kernels as k": "margins_book.kernels",
        "solve = __import__('margins.attention')": "margins.attention",
    }.items():
        hand_in(course, "ada", {("ada", "nearest"): f"def nearest(x, X):\n{line}"})
        text = ask(server, "GET", f"/{server.token}/exercise-nearest.html")[2]
        assert f"Imports {module}: does the statement allow that?" in text
    hand_in(course, "ada", work={"": Work((Piece("code", "from math import prod"),))})
    text = ask(server, "GET", f"/{server.token}/exercise-nearest.html")[2]
    assert "Imports" not in text
    assert text.count("Outside of the exercises, or set-up that was changed") == 1
    assert "prod" in text


def test_lateness_within_the_grace_is_said_to_cost_nothing(server, course):
    for grace, said in (180, "2 hours and 5 minutes late, which costs nothing<"), (15, "5 minutes late<"):
        rule = f"late:\n  per_day: 10%\n  grace_minutes: {grace}\n"
        course.settings("sums").write_text(SETTINGS + rule, encoding="utf-8")
        assert said in ask(server, "GET", f"/{server.token}/exercise-nearest.html")[2]


def test_the_same_address_after_a_restart_and_a_clean_end(tmp_path):
    course = new_class(tmp_path / "course")
    with serving(course) as first:
        kept = course.root / "review" / "sums" / ".place.json"
        assert stat.S_IMODE(os.stat(kept).st_mode) == 0o600
        first.process.send_signal(signal.SIGINT)
        assert "Stopped." in first.process.communicate(timeout=20)[0]
    assert first.process.returncode == 0
    with serving(course) as second:
        assert second.address == first.address
        with serving(course) as third:  # two at once: the port is taken
            assert third.host != second.host
            assert ask(third, "GET", f"/{third.token}/index.html")[0] == 200
