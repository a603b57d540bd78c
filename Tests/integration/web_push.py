"""What a browser and its push service do with a message of Web Push, by http-ece and py-vapid. Run in the environment
`scripts/lib/api-venv push`: `web_push.py new` prints a browser's keys, `web_push.py open` reads {keys, headers, body,
audience} and prints what the browser reads in it and what the service reads of the sender."""

import base64
import json
import sys

import http_ece
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from py_vapid import Vapid02


def text(data):
    return base64.urlsafe_b64encode(data).rstrip(b'=').decode()


def data(value):
    return base64.urlsafe_b64decode(value + '=' * (-len(value) % 4))


if sys.argv[1] == 'new':
    key = ec.generate_private_key(ec.SECP256R1())
    point = key.public_key().public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)
    print(json.dumps({'private': hex(key.private_numbers().private_value), 'p256dh': text(point), 'auth': text(bytes(range(16)))}))
else:
    message = json.load(sys.stdin)
    keys, headers = message['keys'], message['headers']
    private = ec.derive_private_key(int(keys['private'], 16), ec.SECP256R1())
    told = http_ece.decrypt(data(message['body']), private_key=private, auth_secret=data(keys['auth']), version='aes128gcm')
    scheme, rest = headers['Authorization'].split(' ', 1)
    parts = dict(part.strip().split('=', 1) for part in rest.split(','))
    assert scheme == 'vapid', scheme
    assert Vapid02.verify(headers['Authorization']), headers['Authorization']
    print(json.dumps({'told': json.loads(told), 'key': parts['k'], 'claims': json.loads(data(parts['t'].split('.')[1]))}))
