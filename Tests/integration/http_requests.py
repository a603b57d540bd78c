"""Requests as bytes, and the one exact answer to each: what two readers could take for different
requests is refused, once, and what follows on the connection is not looked at."""

import re

NONE = 0
PROBLEM = 'application/problem+json'
HOST = b'Host: x\r\n'
LENGTH = b'Content-Length: 2\r\n'
CHUNKED = b'Transfer-Encoding: chunked\r\n'
BODY = b'2\r\n[]\r\n0\r\n\r\n'
NEXT = b'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'


def get(target=b'/healthz', version=b'HTTP/1.1', extra=b'', method=b'GET', host=HOST, blank=b' ', end=b'\r\n'):
    return method + blank + target + blank + version + end + host + extra + b'Connection: close\r\n\r\n'


def requests(token):
    """Name, bytes, and the statuses of all answers; a status alone stands for a problem document after
    which the connection is closed. With -STATUS the HTTP library answers in its own words, and with no
    status it closes the connection: it took the bytes for no request at all."""
    bearer = b'Authorization: Bearer ' + token + b'\r\n'

    def upload(extra, body=b'[]', line=b'POST /trackerEvent HTTP/1.1\r\n', host=HOST, authorization=bearer):
        return line + host + authorization + b'Content-Type: application/json\r\n' + extra + b'\r\n' + body

    def token_with(rest):
        return upload(LENGTH, authorization=bearer[:-2] + rest) + NEXT

    whole, ok = [200, 200], [200]
    return [
        ('plain', get(), ok),
        ('blanks around a value', get(extra=b'X:  \t a \t\r\n'), ok),
        ('no blank before a value', get(extra=b'X:a\r\n'), ok),
        ('an empty value', get(extra=b'X:\r\n'), ok),
        ('a query', get(b'/healthz?a=b&c=+d&e?f'), ok),
        ('a query of a thousand parts', get(b'/healthz?' + b'a&' * 1000), ok),
        ('a cookie', get(extra=b'Cookie: a=b; c="d\r\n'), ok),
        ('two cookies', get(extra=b'Cookie: a=b; c="d\r\nCookie: e\r\n'), 400),
        ('two origins', get(extra=b'Origin: http://a\r\n' * 2), 400),
        ('bytes above 127 in a value', get(extra=b'X: \xc3\xa4\xff\r\n'), ok),
        ('an upgrade that nobody needs', get(extra=b'Upgrade: h2c\r\n'), ok),
        ('empty lines in front', b'\r\n\r\n' + get(), ok),
        ('HTTP/1.0', get(version=b'HTTP/1.0', host=b''), ok),
        ('10 kB of headers', get(extra=b'X: ' + b'a' * 10000 + b'\r\n'), ok),
        ('a length', upload(LENGTH) + NEXT, whole),
        # Another reader may see the end of chunks elsewhere: the connection ends with their answer.
        ('chunks', upload(CHUNKED, BODY) + NEXT, ok),
        ('chunks with an extension', upload(CHUNKED, BODY.replace(b'2\r', b'2;a=b\r')) + NEXT, ok),
        ('chunks with a trailer', upload(CHUNKED, BODY[:-2] + b'X: y\r\n\r\n') + NEXT, ok),
        ('lone LF behind a chunk size', upload(CHUNKED, BODY.replace(b'2\r', b'2')) + NEXT, ok),
        ('lone LF behind an extension', upload(CHUNKED, BODY.replace(b'2\r', b'2;a')) + NEXT, ok),
        ('lone LF behind a chunk', upload(CHUNKED, BODY.replace(b']\r', b']')) + NEXT, ok),
        ('lone LF behind the last chunk', upload(CHUNKED, BODY.replace(b'0\r', b'0')) + NEXT, ok),
        ('lone LF behind a trailer', upload(CHUNKED, BODY[:-2] + b'X: y\n\r\n') + NEXT, ok),
        ('three at once', upload(LENGTH) * 3 + NEXT, [200] * 4),
        ('100-continue', upload(b'Expect: 100-continue\r\n' + LENGTH) + NEXT, [100, 200, 200]),
        ('garbage behind', upload(LENGTH) + b'\xff\xff' * 9 + b'\r\n\r\n', ok),
        # Zero bytes
        ('zero in the token', token_with(b'\0junk\r\n'), 400),
        ('zero behind the token', token_with(b'\0\r\n'), 400),
        ('zeros like a line end', token_with(b'\0\0X: y\r\n'), 400),
        ('zeros like the end of the head', token_with(b'\0\0\0\0\r\n'), 400),
        ('zero in the path', get(b'/healthz\0junk'), 400),
        ('zero behind the path', get(b'/healthz\0'), 400),
        ('zero in the query', get(b'/healthz?a\0b'), 400),
        ('zero in the method', get(method=b'GET\0X'), 400),
        ('zero in the version', get(version=b'HTTP/1.1\0'), -400),
        ('zero in the length', upload(b'Content-Length: 2\0 0\r\n') + NEXT, 400),
        ('zero in the host', get(host=b'Host: x\0y\r\n'), 400),
        ('zero in a name', get(extra=b'X\0Y: 1\r\n'), -400),
        ('zero in the content type', upload(LENGTH).replace(b'/json', b'/json\0x') + NEXT, 400),
        ('zero alone as a value', get(extra=b'X: \0\r\n'), 400),
        # Lines
        ('lone LF everywhere', get().replace(b'\r\n', b'\n') + NEXT, 400),
        ('lone LF once', get(host=b'Host: x\n') + NEXT, 400),
        ('lone LF behind the request line', get(end=b'\n') + NEXT, 400),
        ('lone LF at the end', get()[:-2] + b'\n' + NEXT, 400),
        ('lone CR', get(host=b'Host: x\rX: y\r\n') + NEXT, 400),
        ('a line that goes on', get(extra=b'X: a\r\n b\r\n') + NEXT, 400),
        ('a line that goes on behind a tab', get(extra=b'X: a\r\n\tb\r\n') + NEXT, 400),
        ('the first line goes on', b'GET /healthz HTTP/1.1\r\n Host: x\r\n\r\n' + NEXT, 400),
        ('a control character', get(extra=b'X: a\x07b\r\n'), 400),
        ('DEL', get(extra=b'X: \x7f\r\n'), 400),
        ('no name', get(extra=b': y\r\n') + NEXT, 400),
        ('no colon', get(extra=b'Xyz\r\n') + NEXT, -400),
        ('a blank before the colon', get(extra=b'X : y\r\n') + NEXT, 400),
        ('a blank in a name', get(extra=b'X Y: y\r\n') + NEXT, 400),
        # The request line
        ('two blanks', get(blank=b'  '), 400),
        ('a blank in the path', get(b'/heal thz'), 400),
        ('a blank behind the version', get(version=b'HTTP/1.1 '), -400),
        ('tabs', get(blank=b'\t'), NONE),
        ('a blank in front', b' ' + get(), NONE),
        ('HTTP/0.9', b'GET /healthz\r\n\r\n', -400),
        ('HTTP/1.2', get(version=b'HTTP/1.2'), 505),
        ('HTTP/2.0', get(version=b'HTTP/2.0'), -505),
        ('HTTP/1.10', get(version=b'HTTP/1.10'), -400),
        ('http/1.1', get(version=b'http/1.1'), -400),
        ('an absolute target', get(b'http://x/healthz?a=b'), ok),
        ('an absolute target without Host', get(b'http://x/healthz', host=b'') + NEXT, 400),
        ('an absolute target with two hosts', get(b'http://x/healthz', host=HOST * 2) + NEXT, 400),
        ('an absolute target with a name', get(b'http://a@x/healthz') + NEXT, 400),
        ('an absolute target elsewhere', get(b'ftp://x/healthz') + NEXT, 400),
        ('a host as target', get(b'x:80', method=b'CONNECT'), 400),
        ('a star as target', get(b'*', method=b'OPTIONS'), 400),
        ('a path without a slash', get(b'healthz'), 400),
        ('bytes above 127 in the path', get('/healthä'.encode()), 400),
        ('an escaped letter', get(b'/%68ealthz'), 404),
        ('half an escape', get(b'/healthz%'), 404),
        ('an escaped zero', get(b'/healthz%00'), 404),
        ('an escaped slash', get(b'/v1%2Fgateways'), 404),
        ('dots', get(b'/x/../healthz'), 404),
        ('two slashes', get(b'//healthz'), 404),
        ('a fragment', get(b'/healthz#a'), 404),
        ('HEAD', b'HEAD /healthz HTTP/1.1\r\nHost: x\r\n\r\n' * 2 + get(method=b'HEAD'), [200] * 3),
        ('HEAD where GET is not', get(b'/trackerEvent', method=b'HEAD'), 405),
        ('OPTIONS', get(method=b'OPTIONS'), 405),
        ('TRACE', get(method=b'TRACE'), 405),
        ('an unknown method', get(method=b'BREW'), 405),
        ('a method in lower case', get(method=b'get'), 405),
        ('no method', get(method=b'G@T'), 400),
        # Host, and headers that may be there once
        ('no host', get(host=b'') + NEXT, 400),
        ('an empty host', get(host=b'Host:\r\n') + NEXT, 400),
        ('two hosts', get(host=HOST * 2) + NEXT, 400),
        ('a path as host', get(host=b'Host: x/y\r\n') + NEXT, 400),
        ('two tokens', upload(bearer + LENGTH) + NEXT, 400),
        ('two content types', upload(b'Content-Type: application/json\r\n' + LENGTH) + NEXT, 400),
        ('two content codings', upload(b'Content-Encoding: gzip\r\n' * 2 + LENGTH) + NEXT, 400),
        ('two expectations', upload(b'Expect: 100-continue\r\nExpect: x\r\n' + LENGTH) + NEXT, 400),
        ('another expectation', upload(b'Expect: x\r\n' + LENGTH) + NEXT, 417),
        # Where the body ends
        ('a word as length', upload(b'Content-Length: x\r\n') + NEXT, 400),
        ('no digits as length', upload(b'Content-Length: \r\n') + NEXT, 400),
        ('a negative length', upload(b'Content-Length: -1\r\n') + NEXT, 400),
        ('a signed length', upload(b'Content-Length: +2\r\n') + NEXT, 400),
        ('a hexadecimal length', upload(b'Content-Length: 0x2\r\n') + NEXT, 400),
        ('a list of lengths', upload(b'Content-Length: 2, 2\r\n') + NEXT, 400),
        ('a blank behind the length', upload(b'Content-Length: 2 \r\n') + NEXT, 400),
        ('a length beyond 64 bits', upload(b'Content-Length: 99999999999999999999999\r\n') + NEXT, 400),
        ('a length that is too large', upload(b'Content-Length: 2000000\r\n') + NEXT, 413),
        ('the same length twice', upload(LENGTH * 2) + NEXT, 400),
        ('two lengths', upload(LENGTH + b'Content-Length: 40\r\n') + NEXT, 400),
        ('a length and chunks', upload(LENGTH + CHUNKED, BODY) + NEXT, 400),
        ('chunks and a length', upload(CHUNKED + LENGTH, BODY) + NEXT, 400),
        ('chunks twice', upload(CHUNKED * 2, BODY) + NEXT, 400),
        ('chunks in HTTP/1.0', upload(CHUNKED, BODY, line=b'POST /trackerEvent HTTP/1.0\r\n') + NEXT, 400),
        ('another transfer coding', upload(b'Transfer-Encoding: gzip, chunked\r\n', BODY) + NEXT, 501),
        ('no transfer coding', upload(b'Transfer-Encoding: identity\r\n') + NEXT, 501),
        ('a body nobody asked for', get(extra=LENGTH) + b'[]', 400),
        ('a word as chunk size', upload(CHUNKED, b'x\r\n[]\r\n0\r\n\r\n') + NEXT, -400),
        ('no chunk size', upload(CHUNKED, b'\r\n[]\r\n0\r\n\r\n') + NEXT, -400),
        ('a hexadecimal prefix', upload(CHUNKED, b'0x2\r\n[]\r\n0\r\n\r\n') + NEXT, -400),
        ('a negative chunk size', upload(CHUNKED, b'-2\r\n[]\r\n0\r\n\r\n') + NEXT, -400),
        ('a blank before the chunk size', upload(CHUNKED, b' 2\r\n[]\r\n0\r\n\r\n') + NEXT, -400),
        ('a huge chunk', upload(CHUNKED, b'fffffffffffffffff2\r\n[]\r\n0\r\n\r\n') + NEXT, -413),
        ('a chunk without its end', upload(CHUNKED, b'2\r\n[]X\r\n0\r\n\r\n') + NEXT, -400),
        ('a trailer without colon', upload(CHUNKED, b'2\r\n[]\r\n0\r\nX\r\n\r\n') + NEXT, -400),
        # Sizes
        ('a long target', get(b'/' + b'a' * 2100), 414),
        ('a longer target', get(b'/' + b'a' * 25000), 414),
        ('the longest target', get(b'/' + b'a' * 100000), -414),
        ('large headers', get(extra=b'X: ' + b'a' * 17000 + b'\r\n'), 431),
        ('larger headers', get(extra=b'X: ' + b'a' * 25000 + b'\r\n'), 431),
        ('the largest headers', get(extra=b'X: ' + b'a' * 100000 + b'\r\n'), -431),
        ('many headers', get(extra=b'X: 1\r\n' * 101), 431),
        ('thousands of headers', get(extra=b'X: 1\r\n' * 5000), -431),
        # What is no HTTP
        ('HTTP/2', b'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', -505),
    ]


def answers(data, is_head=False):
    """Status and media type of every answer in some bytes; fails where there is anything else."""
    found = []
    while data:
        head, separator, rest = data.partition(b'\r\n\r\n')
        lines = head.split(b'\r\n')
        match = re.fullmatch(rb'HTTP/1\.[01] (\d{3}) [ -~]*', lines[0])
        assert match and separator, f'no answer: {data[:200]}'
        fields = {}
        for line in lines[1:]:
            name, colon, value = line.partition(b': ')
            assert colon and name.lower() not in fields, f'headers {lines}'
            fields[name.lower()] = value.decode()
        status = int(match.group(1))
        length = 0 if status == 100 or is_head else int(fields[b'content-length'])
        assert len(rest) >= length, f'an answer is cut: {data[:200]}'
        found.append((status, fields.get(b'content-type')))
        data = rest[length:]
    return found
