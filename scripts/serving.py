"""The files of a folder on a local web server, for tests, printing, pictures, the audit and `make serve`."""

import contextlib
import functools
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer


class QuietHandler(SimpleHTTPRequestHandler):
    """The standard library's file server without its log."""

    protocol_version = "HTTP/1.1"  # connections stay open, as with any real server

    def log_message(self, *_):
        pass

    def send_body(self, body, kind, **headers):
        """An answer that is made here: its bytes, their content type, and headers with `_` for `-`."""
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)


@contextlib.contextmanager
def serve(folder, handler=QuietHandler, port=0):
    """The address, without a slash at its end, under which the files of `folder` can be fetched."""
    server = ThreadingHTTPServer(("127.0.0.1", port), functools.partial(handler, directory=str(folder)))
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
