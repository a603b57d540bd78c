"""What an uplink check tells of a gateway: nothing. Canaries lie in all that a gateway has; none is in what is sent, stored, logged
or shown. The server's side is read in clear."""

import base64
import glob
import os
import sqlite3
import zlib

from bench import Bench, Luna, closed_port, free_port, never, wait_for
from gateways import finder, waiting
from tls_relay import TLSRelay
from uplink_client import clear
from uplink_rig import certify

IN_VM = False
HOST = 'canary-of-a-host'
# The name of a wireless network, where NetworkManager keeps it.
SSID = 'canary-of-a-network'
PLACE = ('52.517037', '13.388860')
# The one that is shown to the server for which it is.
OWN = 'token-for-this-server-alone'
OTHER = 'luna-owner-' + 'c0ffee' * 10


def prepare(mode):
    bench = Bench()
    bench.radio = ('--radio', 'virtual:5')
    return bench


def write(path, text):
    with open(path, 'w') as file:
        file.write(text)
    return path


def gateway(bench, name):
    """A state as a gateway has it that has heard trackers and cannot report them; and what nobody else is to know of it."""
    home = os.path.join(bench.directory, name)
    token = write(os.path.join(bench.directory, f'{name}.token'), OTHER + '\n')
    words = ('--backend', f'http://127.0.0.1:{closed_port()}', '--token-file', token)
    run = finder(bench, name, *words, location=f'static:{PLACE[0]},{PLACE[1]},40')
    wait_for(lambda: waiting(bench, name) >= 5, 60, 'reports that wait')
    run.signal(15)
    run.ends(0, 60)
    with sqlite3.connect(os.path.join(home, 'luna-finder-memory.data')) as database:
        heids = [row[0] for row in database.execute('SELECT heid FROM events')]
    write(os.path.join(home, 'owner.token'), OTHER + '\n')
    texts = [HOST, SSID, OTHER, *PLACE, bench.directory, *addresses()]
    secrets = [text.encode() for text in texts]
    for heid in heids:
        secrets += [heid, heid.hex().encode(), heid.hex().upper().encode(), base64.b64encode(heid).rstrip(b'=')]
    return home, secrets


def addresses():
    """Of this machine's adapters, where they have any."""
    found = []
    for path in glob.glob('/sys/class/net/*/address'):
        with open(path) as file:
            text = file.read().strip()
        if text.strip('0:'):
            found.append(text)
    return found


def renamed():
    """What stands before a command that sees another name of this machine, and the wireless network that it uses: only root can
    give it those."""
    network = f'/run/NetworkManager/system-connections/{SSID}.nmconnection'
    steps = [
        f'echo {HOST} >/proc/sys/kernel/hostname', 'mount -t tmpfs none /run', f'mkdir -p {os.path.dirname(network)}',
        f'printf "[connection]\\nid={SSID}\\n[wifi]\\nssid={SSID}\\n" >{network}', 'exec "$0" "$@"',
    ]
    return ('unshare', '--uts', '--mount', 'sh', '-c', ' && '.join(steps)) if os.geteuid() == 0 else ()


def silent(data, secrets, where):
    for secret in secrets:
        assert secret not in data, (where, secret)


def test_nothing_of_a_gateway_is_told(bench):
    home, secrets = gateway(bench, 'canary')
    folder = os.path.join(bench.directory, 'tls')
    os.mkdir(folder)
    certificate, key = certify(folder, ['DNS:localhost'])
    token, port = write(os.path.join(folder, 'token'), OWN + '\n'), free_port()
    words = ['--listen', f'127.0.0.1:{port}', '--tls-cert', certificate, '--tls-key', key, '--token-file', token]
    server = Luna(bench, 'uplink', 'serve', *words, '-vv')
    wait_for(lambda: 'checks can be made at' in server.stderr(), 20, lambda: server.stderr())
    relay = TLSRelay(port, certificate, key)
    Luna(bench, 'uplink', 'consent', '--accept', '--state', home).ends(0)
    before = set(os.listdir(home))
    way = ['--server', f'https://localhost:{relay.port}', '--ca-file', certificate, '--token-file', token, '--state', home]
    shown = []
    try:
        for profile in ('luna-upload', 'luna-command', 'https-generic'):
            for form in ('jsonl', 'table'):
                more = ['--budget', '6M', '--no-confirm', '--metered', 'no', '-vv', '--telemetry-usage', '--format', form]
                run = Luna(bench, 'uplink', 'check', profile, *way, *more, prefix=renamed())
                assert run.process.wait(never(30)) in (0, 1, 10), run.stderr()
                shown.append(run)
    finally:
        relay.close()
    # What is sent: the token where it belongs, and no full address; the data of slots is of chance.
    sessions = [clear(said) for said in relay.said if said.startswith(b'GET /v1/uplink/session')]
    slots = [bytes(said) for said in relay.said if b' /v1/uplink/slot/' in said[:40]]
    assert len(sessions) == 6 and len(slots) >= 6 * 20 and len(relay.said) == len(sessions) + len(slots)
    for said in sessions:
        head, _, texts = said.partition(b'\n{')
        assert head.count(OWN.encode()) == 1 and OWN.encode() not in texts and b'"hello"' in texts, said[:400]
    for said in slots:
        assert OWN.encode() not in said
    for said in sessions + slots:
        silent(said, [*secrets, b'127.0.0.1'], 'sent')
    told = [bytes(told) for told in relay.told]
    # Of its own address a client is told the beginning alone.
    assert any(b'127.0.0.0/24' in text for text in told)
    for text in told:
        silent(text, [*secrets, b'127.0.0.1', OWN.encode()], 'told')
    # No name is asked for but that of the server, and that of the control.
    assert set(relay.names) <= {'localhost', 'example.com', None}, set(relay.names)
    # What is shown and logged, on both sides.
    forms = [Luna(bench, 'uplink', 'results', '--state', home, '--format', form).ends(0) for form in ('jsonl', 'table')]
    for result in forms[0].lines():
        forms += [Luna(bench, 'uplink', 'results', result['id'], '--as', 'json', '--state', home).ends(0)]
        # Slots of commands have no samples.
        forms += [Luna(bench, 'uplink', 'results', result['id'], '--as', 'svg', '--state', home).ends(0)]
    for run in [*shown, *forms, server]:
        with open(run.output.name, 'rb') as output, open(run.errors.name, 'rb') as errors:
            # Where it is kept its user may know; where the server listens, its own.
            known = [] if run is server else [b'127.0.0.1']
            hidden = [one for one in secrets if one != bench.directory.encode()] + known
            silent(output.read() + errors.read(), [*hidden, OWN.encode()], 'shown')
    # What is stored: nothing but results and, where that was asked for, how often what was used.
    made = set(os.listdir(home)) - before
    assert all(name.startswith(('luna-uplink', 'telemetry')) for name in made), made
    for name in made:
        with open(os.path.join(home, name), 'rb') as file:
            silent(file.read(), [*secrets, b'127.0.0.1', OWN.encode()], name)
    with sqlite3.connect(os.path.join(home, 'luna-uplink.data')) as database:
        rows = database.execute('SELECT document, conditions, samples FROM results').fetchall()
    assert len(rows) == 6
    for document, conditions, samples in rows:
        assert '"127.0.0.0/24"' in conditions, conditions
        kept = document.encode() + conditions.encode() + (zlib.decompress(samples, 47) if samples else b'')
        silent(kept, [*secrets, b'127.0.0.1', OWN.encode()], 'kept')


test_nothing_of_a_gateway_is_told.seconds = 400
