"""Servers of HTTP that tests play."""

import http.server
import threading


class Played:
    """A server on loopback, in threads of its own. What it does is `answer`, which gets each request: the handler of
    http.server, with its `body`."""

    protocol = 'HTTP/1.0'

    def __init__(self):
        played = self

        class Request(http.server.BaseHTTPRequestHandler):
            protocol_version = played.protocol

            def do_GET(self):
                self.body = self.rfile.read(int(self.headers.get('Content-Length') or 0))
                played.answer(self)

            do_POST = do_PUT = do_GET

            def says(self, status, headers=(), data=b''):
                self.send_response(status)
                for name, value in {'Content-Length': str(len(data)), **dict(headers)}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Request)
        self.port = self.server.server_port
        self.url = f'http://127.0.0.1:{self.port}'
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


class Showing(Played):
    """Answers everything with the same, and notes what it is asked for."""

    def __init__(self, kind, data):
        self.kind, self.data, self.asked = kind, data, []
        super().__init__()

    def answer(self, request):
        self.asked.append(request.path)
        request.says(200, {'Content-Type': self.kind}, self.data)
