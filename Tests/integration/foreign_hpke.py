"""Envelopes of shares by pyhpke, an HPKE of others. Run in the environment `scripts/lib/api-venv hpke`, with a seed and a
number: `foreign_hpke.py questions` prints the cases of a vector file, half of them envelopes to be made and half foreign
ones to be opened; `foreign_hpke.py check` reads what luna answered and prints how many were right."""

import hashlib
import json
import random
import sys

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from pyhpke import AEADId, CipherSuite, KDFId, KEMId, KEMKey

SUITE = CipherSuite.new(KEMId.DHKEM_X25519_HKDF_SHA256, KDFId.HKDF_SHA256, AEADId.AES256_GCM)


def public(private):
    return X25519PrivateKey.from_private_bytes(private).public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)


def private_key(data):
    return KEMKey.from_pyca_cryptography_key(X25519PrivateKey.from_private_bytes(data))


def public_key(data):
    return KEMKey.from_pyca_cryptography_key(X25519PrivateKey.from_private_bytes(data).public_key())


def kid(enc, key):
    return hashlib.sha256(b'luna/1/share-kid' + enc + key).digest()[:8]


def head(enc, recipient, sender):
    return b'LUNSHAR1' + kid(enc, public(recipient)) + kid(enc, public(sender)) + enc


def cases(seed, count):
    draw = random.Random(seed)
    made, foreign = [], []
    for _ in range(count):
        keys = [draw.randbytes(32) for _ in range(3)]
        plaintext = draw.randbytes(draw.choice([0, 1, 15, 16, 17, 100, 5000]))
        made.append((*keys, plaintext))
        keys = [draw.randbytes(32) for _ in range(2)]
        foreign.append((*keys, draw.randbytes(draw.choice([0, 1, 15, 16, 17, 100, 5000]))))
    return made, foreign


def main():
    made, foreign = cases(int(sys.argv[2]), int(sys.argv[3]))
    if sys.argv[1] == 'questions':
        groups = {'share-envelope': {'cases': []}, 'share-open': {'cases': []}}
        for number, (recipient, sender, ephemeral, plaintext) in enumerate(made):
            groups['share-envelope']['cases'].append({'id': f'made-{number}', 'in': {
                'recipientPrivate': recipient.hex(), 'senderPrivate': sender.hex(), 'ephemeralPrivate': ephemeral.hex(), 'plaintext': plaintext.hex()}})
        for number, (recipient, sender, plaintext) in enumerate(foreign):
            enc, context = SUITE.create_sender_context(public_key(recipient), info=b'luna/1/share', sks=private_key(sender))
            aad = head(enc, recipient, sender)
            groups['share-open']['cases'].append({'id': f'foreign-{number}', 'in': {
                'recipientPrivate': recipient.hex(), 'senderPublic': public(sender).hex(), 'envelope': (aad + context.seal(plaintext, aad=aad)).hex()}})
        print(json.dumps({'format': 'luna-share-vectors', 'version': 1, 'groups': groups}))
        return
    answers = json.load(sys.stdin)
    right = 0
    for number, (recipient, sender, _, plaintext) in enumerate(made):
        envelope = bytes.fromhex(answers[f'made-{number}']['envelope'])
        enc = envelope[24:56]
        assert envelope[:56] == head(enc, recipient, sender), number
        context = SUITE.create_recipient_context(enc, private_key(recipient), info=b'luna/1/share', pks=public_key(sender))
        assert context.open(envelope[56:], aad=envelope[:56]) == plaintext, number
        right += 1
    for number, (_, _, plaintext) in enumerate(foreign):
        assert answers[f'foreign-{number}'] == {'plaintext': plaintext.hex()}, number
        right += 1
    print(right)


main()
