"""The LunaTracker protocol in Python, written from the text of the specification alone.

It shares no code with the Swift sources, so that each of the two can be tested against the other.
Section numbers are those of the specification. It needs the package "cryptography" (Bumble brings
it along).

  Keys              section 3: the branches of a master key and what follows from them
  parse_frame ...   sections 7 and 8: what is on air
  deferred ...      section 12: packages and receipts, as the owner makes and reads them
  App, Tracker      section 14: the two sides of an onboarding, message by message
  TrackerPeer       sections 12 to 14: all that a tracker does with reads and writes, for a GATT server

As a program it checks itself against the vectors:
  lunaprotocol.py VECTORS      (Sources/Ground/CLunaVectors/luna-v1.json of this checkout by default)
"""

import base64
import hashlib
import hmac
import json
import os
import struct
import sys
import time
import uuid as uuids

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

PERIOD, ROTATION_DELAY = 1024, 204
COMPANY = 0xFFFF

TX_POWER_SERVICE, TX_POWER_LEVEL = '1804', '2A07'
LUNA_SERVICE = '38EB0000-FC56-5CB4-A0F2-DAD299D5501D'
INFO, ONBOARD, CHALLENGE, CONTROL = (f'38EB000{n}-FC56-5CB4-A0F2-DAD299D5501D' for n in (1, 2, 3, 4))
SOUND_SERVICE = '15190001-12F4-C226-88ED-2AC5579F2A85'
SOUND = '8E0C0001-1D68-FB92-BF61-48377421680E'

FACTORY, KEYED, LOCKED = 0, 1, 2
COMMANDS = {
    'buzzStart': 0x01, 'buzzStop': 0x02, 'blink': 0x03, 'ping': 0x04,
    'setClock': 0x05, 'ownerHere': 0x06, 'factoryReset': 0x7E,
}
DEFERRED_COMMANDS = {0x01, 0x02, 0x03, 0x04}


class Refused(Exception):
    """An input that the protocol refuses; `reason` is the word of the specification."""

    def __init__(self, reason):
        super().__init__(reason)
        self.reason = reason


def require(condition, reason):
    if not condition:
        raise Refused(reason)


# Section 2


def H(key, message):
    return hmac.new(key, message, hashlib.sha256).digest()


def extract(salt, ikm):
    return H(salt, ikm)


def expand(prk, info, length):
    return H(prk, info + b'\x01')[:length]


def u16(number):
    return struct.pack('>H', number)


def u32(number):
    return struct.pack('>I', number)


# Section 3


def report_key(eid, aotp):
    return extract(b'luna/1/report', eid + aotp)


def heid(eid, aotp):
    return expand(report_key(eid, aotp), b'heid', 16)


class Keys:
    """The branches of a master key."""

    def __init__(self, master_key):
        self.master_key = master_key
        self.kid = expand(master_key, b'luna/1/eid', 32)
        self.kao = expand(master_key, b'luna/1/aotp', 32)
        self.kbo = expand(master_key, b'luna/1/botp', 32)
        self.kow = expand(master_key, b'luna/1/owner', 32)
        self.kint = expand(self.kow, b'ctl-int', 32)

    def eid(self, n):
        return expand(self.kid, b'eid-n' + u32(n), 8)

    def aotp(self, n):
        return expand(self.kao, b'aotp-n' + u32(n), 7)

    def botp(self, n):
        return expand(self.kbo, b'botp-n' + u32(n), 32)

    def kctl(self, n):
        return expand(self.botp(n), b'ctl', 32)

    def heid(self, n):
        return heid(self.eid(n), self.aotp(n))


# Sections 7 and 8


def structures(data):
    """The AD structures of advertising data: (type, content)."""
    found, at = [], 0
    while at < len(data) and data[at]:
        require(at + 1 + data[at] <= len(data), 'malformed')
        found.append((data[at + 1], data[at + 2 : at + 1 + data[at]]))
        at += 1 + data[at]
    return found


def parse_frame(data, companies=(COMPANY,)):
    """The accept test of section 7."""
    parts = structures(data)
    lists = [content for kind, content in parts if kind in (2, 3)]
    require(all(len(content) % 2 == 0 for content in lists), 'malformed')
    services = {content[i : i + 2] for content in lists for i in range(0, len(content), 2)}
    require(b'\x04\x18' in services, 'noService')
    makers = [content for kind, content in parts if kind == 0xFF and len(content) >= 2]
    require(makers, 'noManufacturerData')
    makers = [content for content in makers if struct.unpack_from('<H', content)[0] in companies]
    require(makers, 'foreignCompany')
    content = makers[0]
    require(len(content) >= 3, 'badLength')
    require(content[2] >> 4 == 1, 'unsupportedVersion')
    require(len(content) == 22, 'badLength')
    require(not content[2] & 8, 'reservedBit')
    eid, aotp = content[4:12], content[12:19]
    require(any(eid) and any(aotp), 'zeroIdentifier')
    return {
        'manufacturerId': struct.unpack_from('<H', content)[0],
        'connectable': bool(content[2] & 1),
        'onboardable': bool(content[2] & 2),
        'separated': bool(content[2] & 4),
        'counter': content[3],
        'eid': eid,
        'aotp': aotp,
        'esf': content[19:22],
        'heid': heid(eid, aotp),
    }


def make_frame(eid, aotp, esf, counter, connectable=True, onboardable=False, separated=False):
    flags = 0x10 | connectable | onboardable << 1 | separated << 2
    return (
        bytes.fromhex('020106 03030418 17ff') + struct.pack('<H', COMPANY) + bytes([flags, counter & 255])
        + eid + aotp + esf
    )


def factory_hint(code):
    return hashlib.sha256(b'luna/1/hint' + code).digest()[:3]


def seal_status(botp, status):
    key = expand(botp, b'esf', 32)
    tag = H(key, bytes([1, status]))[:2]
    return tag + bytes([status ^ H(key, b'\x02' + tag)[0]])


def open_status(botp, esf):
    require(len(esf) == 3, 'length')
    key = expand(botp, b'esf', 32)
    status = esf[2] ^ H(key, b'\x02' + esf[:2])[0]
    require(hmac.compare_digest(esf[:2], H(key, bytes([1, status]))[:2]), 'auth')
    require(not status & 0x80, 'reservedBit')
    return status


# Section 12, the owner's side


def deferred(keys, n, command, argument, counter):
    """A package that anybody may deliver in period n."""
    head = bytes([1, COMMANDS[command]]) + u16(argument) + u32(n) + keys.heid(n) + u32(counter)
    return head + H(keys.kctl(n), b'luna/1/ctl' + head)[:16]


def interactive(keys, challenge, command, argument, counter):
    """A package for the tracker that gave this challenge (its nonce, then the hint of its clock)."""
    nonce, hint = challenge[:16], challenge[16:20]
    head = bytes([2, COMMANDS[command]]) + u16(argument) + hint + nonce + u32(counter)
    return head + H(keys.kint, b'luna/1/ctl-int' + head)[:16]


def open_receipt(keys, package, receipt):
    """(status, time of the tracker) of a receipt."""
    require(len(receipt) != 5, 'unauthenticated')
    require(len(receipt) == 17, 'length')
    key = keys.kint if package[0] == 2 else keys.kctl(struct.unpack_from('>I', package, 4)[0])
    tag = H(key, b'luna/1/rcpt' + package[28:44] + receipt[:5])[:12]
    require(hmac.compare_digest(receipt[5:], tag), 'auth')
    return receipt[0], struct.unpack_from('>I', receipt, 1)[0]


# Section 12.2, the tracker's side


def judge(keys, package, on_air, last_counter, challenge=None, hint=None, busy=False, limited=False):
    """(status, what answers with which key) of a package; None for the key makes a short answer."""
    if len(package) != 44:
        return 7, None
    if keys is None or package[0] not in (1, 2):
        return 4, None
    number, counter = struct.unpack_from('>I', package, 4)[0], struct.unpack_from('>I', package, 24)[0]
    if package[0] == 1:
        if number not in [n for n in (on_air - 1, on_air, on_air + 1) if 0 <= n < 2**32]:
            return 3, None
        if not hmac.compare_digest(package[8:24], keys.heid(number)):
            return 1, None
        key, label = keys.kctl(number), b'luna/1/ctl'
    else:
        if challenge is None or not hmac.compare_digest(package[8:24], challenge) or number != hint:
            return 1, None
        key, label = keys.kint, b'luna/1/ctl-int'
    if not hmac.compare_digest(package[28:], H(key, label + package[:28])[:16]):
        return 1, None
    command, argument = package[1], struct.unpack_from('>H', package, 2)[0]
    if counter <= last_counter or counter == 0xFFFFFFFF:
        return 2, key
    allowed = DEFERRED_COMMANDS if package[0] == 1 else set(COMMANDS.values())
    if command not in allowed or argument > (60 if command in (0x01, 0x03) else 0):
        return 4, key
    if busy:
        return 5, key
    if limited:
        return 6, key
    return 0, key


def make_receipt(key, package, status, seconds):
    if key is None:
        return bytes([status, 0, 0, 0, 0])
    head = bytes([status]) + u32(seconds)
    return head + H(key, b'luna/1/rcpt' + package[28:44] + head)[:12]


# Section 14


def public_key(private):
    return X25519PrivateKey.from_private_bytes(private).public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)


class Agreement:
    """What both sides compute from info, request and the shared secret."""

    def __init__(self, private, peer, info, request, code):
        self.th = hashlib.sha256(b'luna/1/onboard' + info + request).digest()
        shared = X25519PrivateKey.from_private_bytes(private).exchange(X25519PublicKey.from_public_bytes(peer))
        prk = extract(self.th, shared + (code or bytes(16)))
        self.master_key = expand(prk, b'luna/1/master', 32)
        self.ken = expand(prk, b'luna/1/onboard-aead', 32)
        self.kct = expand(prk, b'luna/1/confirm-tracker', 32)
        self.kca = expand(prk, b'luna/1/confirm-app', 32)

    def seal(self, number, text):
        return AESGCM(self.ken).encrypt(bytes(11) + bytes([number]), text, self.th)

    def open(self, number, sealed):
        return AESGCM(self.ken).decrypt(bytes(11) + bytes([number]), sealed, self.th)


class App:
    """The application: `request`, then `finish`, then `done`. Without a code authMode is 0."""

    def __init__(self, code=None, private=None, nonce=None):
        self.code, self.private, self.nonce = code, private or os.urandom(32), nonce or os.urandom(16)

    def request(self, info):
        require(len(info) == 54, 'length')
        require(info[0] == 1, 'version')
        require(info[1] == FACTORY, 'state')
        require(info[4] == 1, 'keyType')
        require(info[5] == 0 and struct.unpack_from('>H', info, 2)[0] < 16, 'reserved')
        request = bytes([1, self.code is not None]) + self.nonce + public_key(self.private)
        try:
            self.agreement = Agreement(self.private, info[22:54], info, request, self.code)
        except ValueError:
            raise Refused('peerKey') from None
        return request

    def finish(self, response, now=None):
        require(len(response) == 53, 'length')
        require(response[0] == 2, 'type')
        agreed = self.agreement
        require(hmac.compare_digest(response[1:17], H(agreed.kct, agreed.th)[:16]), 'confirm')
        try:
            text = agreed.open(1, response[17:])
        except InvalidTag:
            raise Refused('aead') from None
        require(text[18] <= 3 and text[19] == 0, 'payload')
        self.uuid, self.firmware, self.battery = uuids.UUID(bytes=text[:16]), struct.unpack_from('>H', text, 16)[0], text[18]
        self.timestamp = int(time.time() if now is None else now)
        return (
            b'\x03' + H(agreed.kca, agreed.th + b'\x03')[:16]
            + agreed.seal(2, u32(self.timestamp) + b'\x0a\x00\x00\x00')
        )

    def done(self, message):
        """Returns the master key."""
        require(len(message) >= 2 and message[0] == 4, 'type')
        require(message[1] == 0, f'status{message[1]}')
        require(len(message) == 18, 'length')
        agreed = self.agreement
        require(hmac.compare_digest(message[2:], H(agreed.kct, agreed.th + b'\x04\x00')[:16]), 'confirm')
        return agreed.master_key


class Tracker:
    """The tracker: `info`, then `answer`, then `conclude`. Failures are messages of two bytes."""

    def __init__(self, code, state=FACTORY, capabilities=0x0F, private=None, nonce=None, info=None):
        self.code, self.state, self.private = code, state, private or os.urandom(32)
        self.uuid, self.agreement = uuids.uuid4(), None
        if info is None:
            info = bytes([1, state]) + u16(capabilities)
            rest = b'\x01\x00' + (nonce or os.urandom(16)) + public_key(self.private)
            info += bytes(50) if state == KEYED else rest
        self.info = info

    def answer(self, request, pressed=False, firmware=0x0100, battery=1):
        def failure(status):
            return bytes([4, status])

        if self.state != FACTORY:
            return failure({KEYED: 6, LOCKED: 7}[self.state])
        if len(request) != 50 or request[0] != 1:
            return failure(1)
        if request[1] not in (0, 1) or request[1] == 0 and not pressed:
            return failure(2)
        try:
            agreed = Agreement(self.private, request[18:], self.info, request, self.code if request[1] else None)
        except ValueError:
            return failure(3)
        self.agreement = agreed
        text = self.uuid.bytes + u16(firmware) + bytes([battery, 0])
        return b'\x02' + H(agreed.kct, agreed.th)[:16] + agreed.seal(1, text)

    def conclude(self, finish):
        """(message 5, Unix time); the time is None after a failure."""
        agreed = self.agreement
        if len(finish) != 41 or finish[0] != 3:
            return b'\x04\x01', None
        if not hmac.compare_digest(finish[1:17], H(agreed.kca, agreed.th + b'\x03')[:16]):
            return b'\x04\x04', None
        try:
            text = agreed.open(2, finish[17:])
        except InvalidTag:
            return b'\x04\x04', None
        if text[4:] != b'\x0a\x00\x00\x00':
            return b'\x04\x05', None
        return b'\x04\x00' + H(agreed.kct, agreed.th + b'\x04\x00')[:16], struct.unpack_from('>I', text)[0]


SYMBOLS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'


def code_text(code):
    number = int.from_bytes(code, 'big')
    text = ''.join(SYMBOLS[number >> shift & 31] for shift in range(125, -1, -5))
    return 'LUNA1:' + text + (SYMBOLS + '*~$=U')[number % 37]


def parse_code(text):
    require(text[:6].upper() == 'LUNA1:', 'prefix')
    rest = text[6:].replace('-', '')
    require(rest.isascii(), 'symbol')
    require(len(rest) == 27, 'length')
    rest = rest.upper()
    rest = rest.translate(str.maketrans('ILO', '110'))
    require(all(symbol in SYMBOLS for symbol in rest[:26]) and rest[26] in SYMBOLS + '*~$=U', 'symbol')
    number = 0
    for symbol in rest[:26]:
        number = number << 5 | SYMBOLS.index(symbol)
    require(number < 1 << 128, 'range')
    require((SYMBOLS + '*~$=U')[number % 37] == rest[26], 'check')
    return number.to_bytes(16, 'big')


# Sections 12 to 14, all that a tracker does on a connection


class TrackerPeer:
    """A tracker behind a GATT server: reads give values, writes give a list of indications.

    Time is real. `log` gets (what, fields) of each thing that happens. `wants_to_disconnect` is set
    when the tracker ends the connection after what it indicated.
    """

    def __init__(self, code, master_key=None, log=lambda what, **fields: None):
        self.code, self.log = code, log
        self.failures, self.last_counter, self.clock_offset = 0, 0, 0
        self.pressed_at = self.sound_until = self.owner_met_at = self.stranger_sound_at = -1e9
        self.executed = []
        self.uuid = None
        self.keys = Keys(master_key) if master_key else None
        self.aliases = os.urandom(8), os.urandom(7)
        self.disconnected()

    # What is on air

    @property
    def state(self):
        return KEYED if self.keys else LOCKED if self.failures >= 5 else FACTORY

    def clock(self):
        return time.time() + self.clock_offset

    @property
    def period(self):
        return int(self.clock()) // PERIOD

    @property
    def separated(self):
        return self.keys is not None and time.monotonic() - self.owner_met_at > 1800

    def frame(self, connectable=True):
        if not self.keys:
            eid, aotp = self.aliases
            return make_frame(eid, aotp, factory_hint(self.code), 0, connectable, self.state == FACTORY)
        n = self.period
        status = 1 | connectable << 2 | self.separated << 3 | (time.monotonic() < self.sound_until) << 4
        return make_frame(
            self.keys.eid(n), self.keys.aotp(n), seal_status(self.keys.botp(n), status), n, connectable,
            separated=self.separated,
        )

    # A connection

    def connected(self):
        self.wants_to_disconnect = False

    def disconnected(self):
        self.onboarding = self.pending = self.challenge = None
        self.onboard_value, self.challenge_value, self.short_answers = b'', b'', 0
        self.wants_to_disconnect = False

    def press(self):
        self.pressed_at, self.failures = time.monotonic(), 0

    def read(self, what, offset=0):
        if what == TX_POWER_LEVEL:
            return b'\x04'[offset:]
        if what == INFO:
            if self.onboarding is None:
                self.onboarding = Tracker(self.code, self.state)
            return self.onboarding.info[offset:]
        if what == CHALLENGE:
            if offset == 0:
                self.challenge = os.urandom(16), self.period * PERIOD, time.monotonic()
                self.challenge_value = self.challenge[0] + u32(self.challenge[1])
            return self.challenge_value[offset:]
        if what == ONBOARD:
            return self.onboard_value[offset:]
        raise KeyError(what)

    def write(self, what, value):
        """The indications that follow."""
        self.log('write', characteristic=what, value=value.hex())
        if what == ONBOARD:
            self.onboard_value = self.onboard(value)
            return [self.onboard_value]
        if what == CONTROL:
            return [self.control(value)]
        if what == SOUND:
            return [self.stranger(value)]
        raise KeyError(what)

    def onboard(self, message):
        if self.pending and message[:1] == b'\x03':
            pending, self.pending = self.pending, None
            answer, now = pending.conclude(message)
            if now is not None:
                self.keys, self.uuid = Keys(pending.agreement.master_key), pending.uuid
                self.last_counter, self.clock_offset = 0, now - time.time()
                self.owner_met_at, self.onboarding = time.monotonic(), None
                self.log('onboarded', uuid=str(self.uuid), masterKey=self.keys.master_key.hex())
            return self.failed(answer)
        used, self.onboarding, self.pending = self.onboarding, None, None
        if used is None:
            used = Tracker(self.code, self.state)
            used.agreement = None
            answer = used.answer(message, time.monotonic() - self.pressed_at < 60)
            return self.failed(answer if answer[0] == 4 else b'\x04\x01')
        used.state = self.state
        answer = used.answer(message, time.monotonic() - self.pressed_at < 60)
        if answer[0] == 2:
            self.pending = used
        return self.failed(answer)

    def failed(self, answer):
        """Counts a failure."""
        if answer[0] == 4 and answer[1] and not self.keys:
            self.failures += 1
        return answer

    def control(self, package):
        now = time.monotonic()
        self.executed = [moment for moment in self.executed if now - moment < 60]
        nonce = hint = None
        if self.challenge and now - self.challenge[2] < 30:
            nonce, hint = self.challenge[:2]
        self.challenge = None
        keys = self.keys
        status, key = judge(
            keys, package, self.period, self.last_counter, nonce, hint, limited=len(self.executed) >= 10
        )
        if status == 0:
            self.last_counter = struct.unpack_from('>I', package, 24)[0]
            self.executed.append(now)
            self.execute(package[1], struct.unpack_from('>H', package, 2)[0], now)
        if key is None:
            self.short_answers += 1
            self.wants_to_disconnect = self.short_answers >= 3
        return make_receipt(key, package, status, int(self.clock()))

    def execute(self, command, argument, now):
        name = next(name for name, code in COMMANDS.items() if code == command)
        self.log('executed', command=name, argument=argument)
        if name == 'buzzStart':
            self.sound_until = now + (argument or 12)
        elif name == 'buzzStop':
            self.sound_until = now
        elif name == 'setClock':
            self.clock_offset = self.last_counter - time.time()
        elif name == 'ownerHere':
            self.owner_met_at = now
        elif name == 'factoryReset':
            self.keys, self.last_counter, self.failures, self.onboarding = None, 0, 0, None

    def stranger(self, message):
        """The non-owner sound service: Sound_Start and Sound_Stop of IETF DULT."""
        now = time.monotonic()

        def answer(status):
            return b'\x02\x03' + (message + b'\x00\x00')[:2] + struct.pack('<H', status)

        if message == b'\x00\x03':
            if not self.separated or now - self.stranger_sound_at < 60 or now < self.sound_until:
                return answer(1)
            self.stranger_sound_at, self.sound_until = now, now + 10
            self.log('executed', command='strangerSound', argument=10)
            return answer(0)
        if message == b'\x01\x03':
            if now >= self.sound_until:
                return answer(1)
            self.sound_until = now
            return answer(0)
        return answer(3 if len(message) < 2 or message[:2] in (b'\x00\x03', b'\x01\x03') else 0xFFFF)


# The vectors


def vector_functions():
    def x(text):
        return None if text is None else bytes.fromhex(text)

    def schedule(i):
        keys, n = Keys(x(i['masterKey'])), i['counter']
        eid, aotp, botp = keys.eid(n), keys.aotp(n), keys.botp(n)
        prk = report_key(eid, aotp)
        return {
            'kid': keys.kid, 'kao': keys.kao, 'kbo': keys.kbo, 'kow': keys.kow, 'kint': keys.kint,
            'eid': eid, 'aotp': aotp, 'botp': botp, 'prk': prk, 'heid': keys.heid(n),
            'kloc': expand(prk, b'loc', 32), 'knon': expand(prk, b'nonce', 32),
            'kesf': expand(botp, b'esf', 32), 'kctl': keys.kctl(n),
        }

    def ble_decode(i):
        got = parse_frame(x(i['adv']), i['companies'])
        got['keyRollingCounterLow'] = got.pop('counter')
        return got | {'protocolVersion': 1}

    def esf_open(i):
        return {'status': open_status(x(i['botp']), x(i['esf']))}

    def control_build(i):
        keys = Keys(x(i['masterKey']))
        name = next(name for name, code in COMMANDS.items() if code == i['command'])
        if i['format'] == 1:
            package = deferred(keys, i['period'], name, i['argument'], i['counter'])
        else:
            package = interactive(keys, x(i['challenge']) + u32(i['clockHint']), name, i['argument'], i['counter'])
        return {'package': package, 'base64': base64.b64encode(package).decode()}

    def control_accept(i):
        keys, package, now = i['masterKey'] and Keys(x(i['masterKey'])), x(i['package']), i['trackerTime']
        status, key = judge(
            keys, package, i['onAir'], i['lastCounter'], x(i['challenge']), i['clockHint'], i['busy'], i['limited']
        )
        last = i['lastCounter']
        if status == 0:
            last = struct.unpack_from('>I', package, 24)[0]
            now = last if package[1] == COMMANDS['setClock'] else now
        return {
            'status': status, 'executed': status == 0, 'lastCounter': last, 'trackerTime': now,
            'receipt': make_receipt(key, package, status, now),
        }

    def receipt_verify(i):
        status, now = open_receipt(Keys(x(i['masterKey'])), x(i['package']), x(i['receipt']))
        return {'status': status, 'time': now}

    def onboarding(i):
        tracker = Tracker(x(i['code']), capabilities=i['caps'], private=x(i['trackerPrivate']), nonce=x(i['trackerNonce']))
        tracker.uuid = uuids.UUID(i['uuid'])
        app = App(x(i['code']), x(i['appPrivate']), x(i['appNonce']))
        request = app.request(tracker.info)
        response = tracker.answer(request, True, i['firmware'], i['battery'])
        finish = app.finish(response, i['unixTime'])
        done, _ = tracker.conclude(finish)
        return {
            'info': tracker.info, 'request': request, 'response': response, 'finish': finish, 'done': done,
            'masterKey': app.done(done),
        }

    def onboarding_app(i):
        app = App(x(i['code']), x(i['appPrivate']), x(i['appNonce']))
        app.request(x(i['info']))
        app.finish(x(i['response']))
        key = app.done(x(i['done']))
        return {'uuid': str(app.uuid), 'firmware': app.firmware, 'battery': app.battery, 'masterKey': key}

    def onboarding_tracker(i):
        tracker = Tracker(x(i['code']), i['state'], private=x(i['trackerPrivate']), info=x(i['info']))
        answer = tracker.answer(x(i['request']), i['allowOpen'])
        if answer[0] == 2:
            answer, now = tracker.conclude(x(i['finish']))
            if now is not None:
                return {'status': 0, 'done': answer, 'unixTime': now, 'masterKey': tracker.agreement.master_key}
        return {'status': answer[1], 'done': answer}

    return {
        'schedule': schedule,
        'factoryHint': lambda i: {'esf': factory_hint(x(i['code']))},
        'bleDecode': ble_decode,
        'esfOpen': esf_open,
        'controlBuild': control_build,
        'controlAccept': control_accept,
        'receiptVerify': receipt_verify,
        'onboarding': onboarding,
        'onboardingApp': onboarding_app,
        'onboardingTracker': onboarding_tracker,
        'codeText': lambda i: {'text': code_text(x(i['code']))},
        'codeParse': lambda i: {'code': parse_code(i['text'])},
    }


def check(path):
    """How many cases agree, and which do not."""
    with open(path) as file:
        groups = json.load(file)['groups']
    passed, wrong = 0, []
    for group, function in vector_functions().items():
        for case in groups[group]['cases']:
            try:
                got = function(case['in'])
            except Refused as refusal:
                got = {'reject': refusal.reason}
            got = {name: value.hex() if isinstance(value, bytes) else value for name, value in got.items()}
            # What this file does not name under the same word is not compared; a refusal is.
            expected = case['out']
            names = ['reject'] if 'reject' in expected or 'reject' in got else [n for n in got if n in expected]
            if names and all(got.get(name) == expected.get(name) for name in names):
                passed += 1
            else:
                wrong.append((case['id'], got, expected))
    return passed, wrong


def main():
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    path = sys.argv[1] if len(sys.argv) > 1 else os.path.join(root, 'Sources', 'Ground', 'CLunaVectors', 'luna-v1.json')
    passed, wrong = check(path)
    for case, got, expected in wrong[:20]:
        print(f'FAILED {case}: {got}, not {expected}')
    print(f'{passed} passed, {len(wrong)} failed')
    return bool(wrong)


if __name__ == '__main__':
    sys.exit(main())
