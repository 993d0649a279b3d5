"""Serve _build/html on 127.0.0.1, on the port given or on a free one."""

import sys
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

SITE = Path(__file__).resolve().parent.parent / "_build" / "html"


class QuietHandler(SimpleHTTPRequestHandler):
    """Serves files without a line of log for each."""

    def log_message(self, *args):
        pass


def server(site, port=0):
    """Return a server of the folder `site`, bound to 127.0.0.1 and to `port` (0: any free one)."""
    return ThreadingHTTPServer(
        ("127.0.0.1", port), partial(QuietHandler, directory=site)
    )


def main():
    port = sys.argv[1] if len(sys.argv) > 1 else "0"
    if not port.isdigit() or int(port) > 65535:
        sys.exit(f"serve: a port is a number up to 65535, not {port}")
    if not (SITE / "index.html").is_file():
        sys.exit("serve: there is no built book; run make book first")
    try:
        httpd = server(SITE, int(port))
    except OSError as error:
        sys.exit(f"serve: port {port}: {error.strerror}; try make serve PORT=0")
    print(f"Open http://127.0.0.1:{httpd.server_port}/ (Ctrl-C stops)", flush=True)
    try:
        httpd.serve_forever()
    except KeyboardInterrupt:
        print()


if __name__ == "__main__":
    main()
