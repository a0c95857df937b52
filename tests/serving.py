"""A folder of files on the loopback, as the plainest web server gives them."""

import contextlib
import functools
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer


class Quiet(SimpleHTTPRequestHandler):
    """The standard library's file server without its log."""

    protocol_version = "HTTP/1.1"  # connections stay open, as with any real server

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def serve(folder):
    """The address, without a slash at its end, under which the files of `folder` can be fetched."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
