"""The Java client of Wehe's (github.com/NEU-SNS/wehe-cmdline) with luna uplink serve --wehe, in a network of namespaces. Nothing of
it is here: whoever tests fetches it, and says with WEHE_CMDLINE in which directory its jar and its `res` are."""

import glob
import hashlib
import json
import os
import shutil
import subprocess

from bench import Bench, Luna, NotRun, free_port, needs_root, never, wait_for
from namespaces import Namespaces
from uplink_rig import certify

IN_VM = False
SERVER = '10.77.1.2'
RECORDINGS = ('Pandora_05132024.pcap_client_all.json', 'PandoraRandom_05132024.pcap_client_all.json')
PORTS = ('port_8080.pcap_client_all.json', 'port_443.pcap_client_all.json')
# What it ends with where its address is busy.
BUSY = 16


class Network(Namespaces):
    CABLES = [('client', 'server', 1)]
    ROUTES = {'client': [], 'server': []}
    # It wants to know the host of its metadata as well.
    NAMES = {'wehe.test': SERVER, 'wehe-metadata.meddle.mobi': SERVER}


def prepare(mode):
    return Bench()


def fetch(bench):
    """Finds what was fetched, once."""
    place = os.environ.get('WEHE_CMDLINE')
    if not place or not shutil.which('java'):
        raise NotRun('WEHE_CMDLINE names no directory of wehe-cmdline, or there is no java')
    if hasattr(bench, 'jar'):
        return
    bench.jar = os.path.join(os.path.abspath(place), 'wehe-cmdline.jar')
    bench.certificate, bench.key = certify(bench.directory, ['DNS:wehe.test', 'DNS:localhost'])
    bench.recordings = os.path.join(bench.directory, 'recordings')
    os.mkdir(bench.recordings)
    for name in RECORDINGS:
        shutil.copy(os.path.join(place, 'res', name), bench.recordings)
    with open(os.path.join(place, 'res', 'apps_list.json')) as file:
        bench.apps = json.load(file)


def resources(bench, name, recordings, apps):
    """A directory as the client has it, with our authority."""
    folder = os.path.join(bench.directory, name)
    shutil.copytree(recordings, folder)
    for certificate in ('main', 'metadata'):
        shutil.copy(bench.certificate, os.path.join(folder, certificate))
    with open(os.path.join(folder, 'apps_list.json'), 'w') as file:
        json.dump(apps, file)
    return folder + '/'


class Run:
    """A test of the client's, by the name that it has for it."""

    def __init__(self, bench, network, folder, name, test='pandora', confirms=False):
        self.results = os.path.join(bench.directory, f'results-{name}') + '/'
        words = ['java', '-jar', bench.jar, '-s', 'wehe.test', '-n', test, '-t', folder, '-r', self.results]
        # Which turns it off.
        words += [] if confirms else ['-c']
        self.process = subprocess.Popen(
            [*network.inside('client'), *words], cwd=bench.directory, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True)

    def outcome(self):
        """How it ends, what came of it, and all that it said."""
        try:
            said, _ = self.process.communicate(timeout=never(250))
        finally:
            if self.process.poll() is None:
                self.process.kill()
        result = next((line.split('RESULT: ')[1] for line in said.splitlines() if 'RESULT: ' in line), None)
        return self.process.returncode, result, said[-2_000:]

    def ends(self, code):
        returned, result, said = self.outcome()
        assert returned == code, (returned, said)
        return result


class Rig:
    def __init__(self, bench, recordings, rate=None):
        needs_root('make network namespaces')
        self.network = Network()
        if rate:
            self.network.shape('server', 'c1b', rate, 100)
        words = ['--wehe', '--recordings', recordings, '--listen', '0.0.0.0', '--tls-cert', bench.certificate, '--tls-key', bench.key]
        self.server = Luna(bench, 'uplink', 'serve', *words, prefix=self.network.inside('server'))
        wait_for(lambda: "clients of Wehe's are served" in self.server.stderr(), 20, lambda: self.server.stderr())

    def __enter__(self):
        return self.network

    def __exit__(self, *_):
        self.server.process.kill()
        self.server.process.wait()
        self.network.close()


def test_what_is_treated_alike_is_no_difference(bench):
    fetch(bench)
    folder = resources(bench, 'alike', bench.recordings, bench.apps)
    with Rig(bench, bench.recordings, '8mbit') as network:
        assert Run(bench, network, folder, 'alike').ends(0) == 'No differentiation'


def test_what_is_too_fast_is_no_difference(bench):
    fetch(bench)
    folder = resources(bench, 'fast', bench.recordings, bench.apps)
    with Rig(bench, bench.recordings) as network:
        assert Run(bench, network, folder, 'fast').ends(0) != 'Differentiation detected'


def test_a_port_is_tested_beside_443(bench):
    fetch(bench)
    recordings = os.path.join(bench.directory, 'of-ports')
    os.mkdir(recordings)
    # Their addresses are of IPv6.
    for name in PORTS:
        shutil.copy(os.path.join(os.environ['WEHE_CMDLINE'], 'res', name), recordings)
    folder = resources(bench, 'ports', recordings, bench.apps)
    with Rig(bench, recordings, '8mbit') as network:
        assert Run(bench, network, folder, 'ports', test='port8080s').ends(0) == 'No differentiation'


def test_what_is_slower_is_found_confirmed_and_found_by_ours(bench):
    """The server takes three times as long for the original; a client of ours says the same of it."""
    fetch(bench)
    slow = os.path.join(bench.directory, 'slow')
    shutil.copytree(bench.recordings, slow)
    with open(os.path.join(slow, RECORDINGS[0])) as file:
        (packet,), _, (pair,), name = json.load(file)
    request, pieces = bytes.fromhex(packet['payload']), 600
    size, rest = divmod(packet['response_len'], pieces)
    answers = [{'timestamp': number / 100, 'fill': size + (rest if number == 0 else 0), 'seed': number} for number in range(pieces)]
    exchange = {'requestLength': len(request), 'requestHash': hashlib.sha1(request).hexdigest(), 'responses': answers}
    with open(os.path.join(slow, RECORDINGS[0].replace('client', 'server')), 'w') as file:
        json.dump({'lunaRecording': 1, 'name': name, 'tcp': {pair: [exchange]}, 'udp': {}}, file)
    folder, home = resources(bench, 'slower', bench.recordings, bench.apps), os.path.join(bench.directory, 'slower-state')
    with Rig(bench, slow, '8mbit') as network:
        run = Run(bench, network, folder, 'slower', confirms=True)
        found = run.ends(0)
        assert found == 'Differentiation detected', found
        replays = [name for _, _, names in os.walk(run.results) for name in names]
        assert replays, run.results
        Luna(bench, 'uplink', 'consent', '--accept', '--state', home).ends(0)
        words = ['--server', f'wehe:{SERVER}', '--ca-file', bench.certificate, '--metered', 'no', '--state', home, '--format', 'jsonl']
        check = Luna(bench, 'uplink', 'check', os.path.join(slow, RECORDINGS[0]), *words, prefix=network.inside('client'))
        result = check.ends(1, 120).lines()[-1]
        assert result['verdict'] == 'throttled' and result['serverResult'], result


test_what_is_slower_is_found_confirmed_and_found_by_ours.seconds = 240


def test_a_second_one_waits_and_a_third_one_is_refused(bench):
    fetch(bench)
    folder = resources(bench, 'busy', bench.recordings, bench.apps)
    # A replay takes half a minute.
    with Rig(bench, bench.recordings, '600kbit') as network:
        runs = [Run(bench, network, folder, f'busy-{number}') for number in range(3)]
        ends = [run.outcome() for run in runs]
        # Whichever comes last: it is refused at once, long before the others are done.
        assert [end[0] for end in ends].count(BUSY) == 1, ends
        assert [end[1] for end in ends if end[0] == 0] == ['No differentiation'] * 2, ends


test_a_second_one_waits_and_a_third_one_is_refused.seconds = 400


def test_what_luna_has_recorded_is_replayed(bench):
    fetch(bench)
    folder, home = os.path.join(bench.directory, 'story'), os.path.join(bench.directory, 'story-state')
    os.mkdir(folder)
    token = os.path.join(bench.directory, 'token')
    with open(token, 'w') as file:
        file.write('a-token-of-somebody\n')
    tls, port = ['--tls-cert', bench.certificate, '--tls-key', bench.key], free_port()
    server = Luna(bench, 'uplink', 'serve', '--listen', f'127.0.0.1:{port}', *tls, '--token-file', token)
    wait_for(lambda: 'checks can be made at' in server.stderr(), 20, lambda: server.stderr())
    Luna(bench, 'uplink', 'consent', '--accept', '--state', home).ends(0)
    to = ['--to', f'https://localhost:{port}', '--ca-file', bench.certificate, '--directory', folder]
    Luna(bench, 'uplink', 'record', 'Story', *to, '--uploads', '20', '--state', home).ends(0, 60)
    with open(glob.glob(folder + '/*.app_list.json')[0]) as file:
        (app,) = json.load(file)['apps']
    # It knows tests by their pictures, and those alone that it was made with.
    apps = {**bench.apps, 'apps': [{**app, 'image': 'pandora'}]}
    with Rig(bench, folder, '1mbit') as network:
        assert Run(bench, network, resources(bench, 'recorded', folder, apps), 'story').ends(0), 'it said nothing'


test_what_luna_has_recorded_is_replayed.seconds = 240
