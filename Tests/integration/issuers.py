"""What issuers that are written for a test have in common: a server that answers with JSON, and keys that sign."""

import base64
import http.server
import json
import os
import shutil
import socketserver
import subprocess
import tempfile
import threading
import urllib.parse


class Answering(http.server.BaseHTTPRequestHandler):
    """Answers with JSON, or with the text or bytes that it is given; logs nothing."""

    protocol_version = 'HTTP/1.1'

    def answer(self, value, status=200, **headers):
        body = value.encode() if isinstance(value, str) else value if isinstance(value, bytes) else json.dumps(value).encode()
        self.send_response(status)
        for name, line in {'Content-Type': 'application/json', 'Content-Length': str(len(body)), **headers}.items():
            self.send_header(name, line)
        self.end_headers()
        self.wfile.write(body)

    def body(self):
        return self.rfile.read(int(self.headers['Content-Length']))

    def form(self):
        """What the fields of a form are that was sent."""
        return dict(urllib.parse.parse_qsl(self.body().decode()))

    def log_message(self, *_):
        pass


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, *_):
        """Clients that are killed, or do not wait for the answer."""


class Issuer:
    """One at an address of its own."""

    def __init__(self, handler):
        self.server = Server(('127.0.0.1', 0), handler)
        self.issuer = f'http://127.0.0.1:{self.server.server_port}'
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


class SigningIssuer(Issuer):
    """One with a key, `one`, that signs tokens with RS256."""

    def __init__(self, handler):
        self.directory = tempfile.mkdtemp(prefix='luna-signing.')
        self.path, self.jwk = keys_of(self.directory, 'one')
        self.keys = [self.jwk]
        super().__init__(handler)

    def signed(self, header, claims, path=None):
        """A token, signed with the key of a file, by default the issuer's own; claims that are None are left out."""
        claims = {name: value for name, value in claims.items() if value is not None}
        text = base64url(json.dumps({'alg': 'RS256', 'kid': 'one', **header}).encode()) + '.' + base64url(json.dumps(claims).encode())
        signature = subprocess.run(['openssl', 'dgst', '-sha256', '-sign', path or self.path], input=text.encode(),
                                   stdout=subprocess.PIPE, check=True).stdout
        return text + '.' + base64url(signature)

    def close(self):
        super().close()
        shutil.rmtree(self.directory)


def keys_of(directory, name):
    """An RSA key of openssl: its file, and the public one as issuers show it."""
    path = os.path.join(directory, name + '.pem')
    subprocess.run(['openssl', 'genpkey', '-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048', '-out', path],
                   check=True, stderr=subprocess.DEVNULL)
    modulus = subprocess.run(['openssl', 'rsa', '-in', path, '-noout', '-modulus'], stdout=subprocess.PIPE, text=True,
                             check=True).stdout.strip().split('=')[1]
    return path, {'kty': 'RSA', 'use': 'sig', 'kid': name, 'e': 'AQAB', 'n': base64url(bytes.fromhex(modulus))}


def base64url(data):
    """Without padding (RFC 4648, 5)."""
    return base64.urlsafe_b64encode(data).rstrip(b'=').decode()
