"""A mail server for the tests, run by a Python that has aiosmtpd (scripts/lib/api-venv mail).

  mail_server.py KIND CERTIFICATE KEY

It prints its port, and then for each mail a line of JSON: from, to, and the whole mail. KIND:
  good      STARTTLS and AUTH are needed (home, secret)
  plain     no STARTTLS, no AUTH
  greedy    no STARTTLS, but AUTH in the clear: it wants to be told the password
  later     answers 451 to the first mail of each address, then takes it
  never     answers 550 to each address
  tls       TLS from the beginning
  unready   answers 454 to STARTTLS
  mute      as plain, and does not answer QUIT
Each attempt to sign in is a line, too.
"""

import asyncio
import json
import ssl
import sys

from aiosmtpd.smtp import SMTP, AuthResult


class Handler:
    def __init__(self, kind):
        self.kind, self.seen = kind, set()

    async def handle_RCPT(self, server, session, envelope, address, options):
        if self.kind == 'never':
            return '550 5.1.1 nobody of that name'
        if self.kind == 'later' and address not in self.seen:
            self.seen.add(address)
            return '451 4.7.1 come back later'
        envelope.rcpt_tos.append(address)
        return '250 OK'

    async def handle_QUIT(self, server, session, envelope):
        if self.kind == 'mute':
            # Until the client is gone.
            await asyncio.Event().wait()
        return '221 bye'

    async def handle_DATA(self, server, session, envelope):
        say({'from': envelope.mail_from, 'to': envelope.rcpt_tos, 'mail': envelope.content.decode('latin-1'), 'tls': session.ssl is not None})
        return '250 OK'


class Unready(SMTP):
    async def smtp_STARTTLS(self, argument):
        await self.push('454 4.7.0 TLS not available due to temporary reason')


def say(line):
    print(json.dumps(line), flush=True)


def authenticate(server, session, envelope, mechanism, data):
    say({'login': data.login.decode(), 'password': data.password.decode(), 'tls': session.ssl is not None})
    # Unhandled: the server says what it is to say.
    return AuthResult(success=(data.login, data.password) == (b'home', b'secret'), handled=False)


async def main(kind, certificate, key):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    handler = Handler(kind)
    options = {'hostname': 'mail.test', 'loop': asyncio.get_running_loop()}
    if kind in ('good', 'later', 'never', 'unready'):
        options.update(tls_context=context, require_starttls=True)
    if kind == 'good':
        options.update(authenticator=authenticate, auth_required=True)
    if kind == 'greedy':
        options.update(authenticator=authenticate, auth_require_tls=False)
    loop = asyncio.get_running_loop()
    protocol = Unready if kind == 'unready' else SMTP
    server = await loop.create_server(lambda: protocol(handler, **options), '127.0.0.1', 0, ssl=context if kind == 'tls' else None)
    say(server.sockets[0].getsockname()[1])
    await server.serve_forever()


asyncio.run(main(*sys.argv[1:]))
