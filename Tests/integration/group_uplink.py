"""luna uplink check and locate with servers of Wehe's and with luna uplink serve, on loopback."""

import contextlib
import fcntl
import json
import os
import pty
import re
import signal
import socket
import sqlite3
import ssl
import subprocess
import time
import urllib.error
import urllib.request

import uplink_rig
from bench import Bench, Luna, NotRun, closed_port, free_port, needs_root, never, wait_for
from dates import dated
from gateways import Server, finder
from locate_service import LocateService
from middlebox import Middlebox
from telemetry import Queue
from uplink_client import UplinkClient
from wehe_server import WeheServer

IN_VM = False
NAME = 'Luna-11252026'
CONTROL = 'LunaRandom-11252026'
ANSWER = 1_000_000
SLOW, FAST = 500_000, 2_000_000
# The name of this machine, which nobody is told; a short one may stand anywhere.
HOST = socket.gethostname() if len(socket.gethostname()) > 5 else 'a-name-of-nobody'


def prepare(mode):
    bench = Bench()
    bench.servers = []
    bench.radio = ('--radio', 'virtual:5')
    return bench


def server(bench, original, control):
    bench.servers.append(WeheServer({'original': original, 'control': control}, ANSWER))
    return bench.servers[-1]


def file(bench, name, text):
    path = os.path.join(bench.directory, name)
    with open(path, 'w') as output:
        output.write(text)
    return path


def state(bench, name, agreed=True):
    """A state of a test's own, in which somebody has agreed."""
    path = os.path.join(bench.directory, name)
    if agreed:
        Luna(bench, 'uplink', 'consent', '--accept', '--state', path).ends(0)
    return path


def check(bench, home, *words):
    return Luna(bench, 'uplink', 'check', *words, '--state', home, '--format', 'jsonl')


def ledger(home):
    """What each run has used, or may have."""
    with sqlite3.connect(os.path.join(home, 'luna-uplink.data')) as database:
        return [row[0] for row in database.execute('SELECT bytes FROM ledger ORDER BY number')]


def results(bench, home):
    return Luna(bench, 'uplink', 'results', '--state', home, '--format', 'jsonl').ends(0).lines()


def test_a_throttled_recording_is_found_and_confirmed(bench):
    wehe, home = server(bench, SLOW, FAST), state(bench, 'throttled')
    path = file(bench, 'Luna_11252026.pcap_client_all.json', wehe.recording(NAME))
    lines = check(bench, home, path, *wehe.words()).ends(1, 60).lines()
    progress = [line for line in lines if line['type'] == 'progress']
    assert [line['share'] for line in progress] == [0, 0.5, 1, 0.5, 0.75, 1], progress
    assert {line['state'] for line in progress} == {'original', 'control', 'waiting'}, progress
    result = lines[-1]
    assert result['type'] == 'uplink' and result['verdict'] == 'throttled' and not result['simulated'], result
    assert result['profile'] == NAME and result['server'] == 'wehe:127.0.0.1' and result['pairs'] == 2, result
    assert result['ratio'] < 0.6 and result['original']['verdict'] == 'throttled', result
    # Two tests of two replays, with the bytes of the requests.
    assert result['bytes'] == 4 * (ANSWER + 5), result
    # The server closes where it is asked for its result: our own verdict stands.
    assert result['serverProblem'] == 'resultGaveUp', result
    # The same user in all, a number for each test, and each kind once in both.
    said = [session[0].split(';') for session in wehe.sessions]
    assert len({fields[0] for fields in said}) == 1, said
    assert sorted((fields[4], fields[1], fields[2]) for fields in said) == [
        ('1', '0', NAME), ('1', '1', CONTROL), ('2', '0', NAME), ('2', '1', CONTROL),
    ], said
    assert [fields[5] for fields in said] == ['False', 'True'] * 2, said
    assert all(session[3] == 'NoMobileStats' and session[-1] == 'Result;No' for session in wehe.sessions), wehe.sessions
    # It is kept, with samples that say the same.
    assert results(bench, home) == [result]
    samples = Luna(bench, 'uplink', 'results', result['id'], '--as', 'wehe', '--state', home).ends(0).lines()[0]
    sides = [file(bench, f'{kind}.json', json.dumps(samples[kind])) for kind in ('original', 'control')]
    judged = Luna(bench, 'uplink', 'results', 'judge', *sides, '--format', 'jsonl').ends(0).lines()[0]
    assert judged['verdict'] == 'throttled' and judged['area'] == result['original']['area'], judged


test_a_throttled_recording_is_found_and_confirmed.seconds = 180


def test_what_is_treated_alike_is_fair(bench):
    wehe, home = server(bench, SLOW, SLOW), state(bench, 'fair')
    # What the server says is for another one.
    wehe.result = json.dumps({'success': True, 'response': {'userID': 'somebody'}})
    path = file(bench, 'Fair_11252026.pcap_client_all.json', wehe.recording('Fair-11252026'))
    # A control of one's own lies beside it.
    file(bench, 'FairRandom_11252026.pcap_client_all.json', wehe.recording('FairRandom-11252026', b'other'))
    words = ('--user-id', 'me@home', '--extra-string', 'x', '--send-facts', '--rule', 'java', '--telemetry-usage')
    result = check(bench, home, path, *wehe.words(), *words).ends(0, 60).lines()[-1]
    assert result['verdict'] == 'fair' and result['pairs'] == 1, result
    assert result['serverProblem'] == 'malformed', result
    said = [session[0].split(';') for session in wehe.sessions]
    assert {fields[0] for fields in said} == {'me@home'} and {fields[3] for fields in said} == {'x'}, said
    # What it came to is recorded, since that was asked for.
    recorded = {key: value for key, value, *_ in Queue(home).rows()}
    assert recorded['luna.uplink.event.verdict'] == 'fair' and 'luna.uplink.operation.check' in recorded, recorded
    # No place and no name of a network, whatever the link is.
    assert wehe.facts is None or set(wehe.facts['locationInfo'].values()) == {'nil'}, wehe.facts
    # Nor anything else of this machine.
    sent = json.dumps([wehe.sessions, wehe.facts, [str(question) for question in wehe.questions]])
    assert HOST not in sent and home not in sent, sent
    # A result is asked for once.
    assert [question[0] for question in wehe.questions] == [b'POST', b'GET'], wehe.questions
    text = Luna(bench, 'uplink', 'results', result['id'], '--state', home, '--format', 'table').ends(0)
    with open(text.output.name) as shown:
        assert 'Fair: Fair-11252026 to wehe:127.0.0.1 runs at ' in shown.read()


def test_a_terminal_shows_how_far_it_has_come_with_a_server(bench):
    wehe, home = server(bench, FAST, FAST), state(bench, 'shown')
    path = file(bench, 'Shown_11252026.pcap_client_all.json', wehe.recording('Shown-11252026'))
    words = ['uplink', 'check', path, *wehe.words(), '--no-confirm', '--state', home, '--format', 'table']
    master, slave = pty.openpty()
    with subprocess.Popen([bench.luna, *words], stdout=subprocess.DEVNULL, stderr=slave):
        os.close(slave)
        said = b''
        # It fails when nobody has the other end any more.
        with contextlib.suppress(OSError):
            while more := os.read(master, 4096):
                said += more
    os.close(master)
    states = re.findall(r'Shown-11252026: (\w+)', said.decode())
    # A coin says which one is first.
    assert sorted(states[:6:3]) == ['control', 'original'], said
    assert states[1:3] == states[4:6] == ['asking', 'allowed'] and states[6:] == ['waiting'], said


def test_settings_of_two_at_once_are_both_kept(bench):
    folder = os.path.join(bench.directory, 'settings', 'luna')
    os.makedirs(folder)
    path = os.path.join(folder, 'luna.conf')
    with open(path + '.lock', 'w') as lock:
        # Somebody is between reading and writing.
        fcntl.flock(lock, fcntl.LOCK_EX)
        place = f':{os.fstat(lock.fileno()).st_ino} '
        other = subprocess.Popen(
            [bench.luna, 'uplink', 'settings', 'budget', '5M'], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            env=dict(os.environ, XDG_CONFIG_HOME=os.path.dirname(folder)))

        def waits():
            assert other.poll() is None, 'it did not wait'
            with open('/proc/locks') as locks:
                return any('->' in line and place in line for line in locks)

        wait_for(waits, 20, 'the other one to wait')
        with open(path, 'w') as file:
            file.write('[uplink check]\nmonthly = 90M\n')
    assert other.wait(never(20)) == 0, other.stderr.read()
    with open(path) as file:
        assert {'budget = 5M', 'monthly = 90M'} <= set(file.read().splitlines())


def test_a_port_that_only_the_control_reaches_is_blocked(bench):
    wehe, home = server(bench, FAST, FAST), state(bench, 'blocked')
    file(bench, 'port_11252026.pcap_client_all.json', wehe.recording('port-11252026', port=closed_port()))
    file(bench, 'port443_11252026.pcap_client_all.json', wehe.recording('port443-11252026'))
    apps = [
        {'name': 'Port', 'replayFile': 'port_11252026', 'appType': 'SMALL_PORT'},
        {'name': 'Missing', 'replayFile': 'missing_11252026'},
    ]
    path = file(bench, 'app_list.json', json.dumps({'apps': apps, 'port443small': 'port443_11252026'}))
    result = check(bench, home, path, 'app:Port', '--no-confirm', *wehe.words()).ends(1, 60).lines()[-1]
    assert result['verdict'] == 'blocked' and 'original' not in result, result
    assert not wehe.questions, wehe.questions
    # Of an app whose file is missing, and one that is in no list, nothing is sent.
    count = len(wehe.sessions)
    check(bench, home, path, 'app:Missing', *wehe.words()).ends(8)
    check(bench, home, path, 'app:Other', *wehe.words()).ends(1)
    assert len(wehe.sessions) == count


def test_what_a_server_refuses_is_named(bench):
    wehe, home = server(bench, FAST, FAST), state(bench, 'refused')
    path = file(bench, 'Refused_11252026.pcap_client_all.json', wehe.recording('Refused-11252026'))
    for permission, code, name, number in [
        ('0;1', 9, 'unknownRecording', 15), ('0;3', 6, 'overloaded', 17), ('0;9', 9, 'refused', 18), ('hello', 9, 'malformed', 26),
    ]:
        wehe.permissions = [permission]
        error = check(bench, home, path, *wehe.words()).ends(code).lines()[-1]
        assert error['type'] == 'error' and error['code'] == code, error
        assert error['error'] == name and error['weheCode'] == number, error
    assert results(bench, home) == []
    # Each of them was a test of its own for the server.
    assert [session[0].split(';')[4] for session in wehe.sessions] == ['1', '2', '3', '4'], wehe.sessions
    # It keeps no other recording from being checked.
    wehe.permissions = ['0;1']
    error = check(bench, home, path, path, '--no-confirm', *wehe.words()).ends(9, 60).lines()[-1]
    assert error['error'] == 'unknownRecording' and error['reason'].startswith('Refused-11252026: '), error
    assert len(results(bench, home)) == 1
    # A server that is not there any more.
    wehe.close()
    error = check(bench, home, path, *wehe.words()).ends(9).lines()[-1]
    assert error['error'] in ('blocked', 'connect'), error


def test_nothing_is_sent_before_somebody_has_agreed(bench):
    wehe, home = server(bench, FAST, FAST), state(bench, 'silent', agreed=False)
    path = file(bench, 'Silent_11252026.pcap_client_all.json', wehe.recording('Silent-11252026'))
    check(bench, home, path, *wehe.words()).ends(4)
    # Without a server there is nobody to send to; one of Wehe's has an authority of its own.
    home = state(bench, 'silent')
    check(bench, home, path).ends(9)
    check(bench, home, path, '--server', 'wehe:127.0.0.1').ends(2)
    ports = f'{wehe.side},{wehe.side},{wehe.results},{wehe.results}'
    check(bench, home, path, '--server', 'wehe:127.0.0.1', '--ports', ports, '--ca-file', path).ends(8)
    Luna(bench, 'uplink', 'consent', '--withdraw', '--state', home).ends(0)
    check(bench, home, path, *wehe.words()).ends(4)
    assert not wehe.sessions and not wehe.questions


def test_a_check_ends_in_order_and_keeps_others_out(bench):
    wehe, home = server(bench, 10_000, 10_000), state(bench, 'ended')
    path = file(bench, 'Ended_11252026.pcap_client_all.json', wehe.recording('Ended-11252026'))
    first = check(bench, home, path, *wehe.words())
    wait_for(lambda: wehe.sessions and len(wehe.sessions[0]) == 4, 20, 'the data')
    check(bench, home, path, *wehe.words()).ends(6)
    first.signal(signal.SIGINT)
    result = first.ends(130).lines()[-1]
    assert result['type'] == 'uplink' and result['reason'] == 'cancelled' and 'verdict' not in result, result
    wait_for(lambda: wehe.sessions[0][-1] == 'timeout', 20, 'that the client takes leave')
    assert results(bench, home) == [result]
    assert len(wehe.sessions) == 1
    # Of the second replay nothing has gone.
    assert [ANSWER < used < 1.3 * ANSWER for used in ledger(home)] == [True], ledger(home)


def test_a_budget_is_never_passed(bench):
    wehe, home = server(bench, FAST, FAST), state(bench, 'budget')
    path = file(bench, 'Budget_11252026.pcap_client_all.json', wehe.recording('Budget-11252026'))
    check(bench, home, path, *wehe.words(), '--budget', '2M').ends(11)
    check(bench, home, path, *wehe.words(), '--metered', 'yes', '--budget-metered', '2M').ends(11)
    check(bench, home, path, *wehe.words(), '--monthly', '2M').ends(11)
    assert not wehe.sessions
    # What one check of the month has used, another one has not.
    words = ('--no-confirm', '--monthly', '3M')
    check(bench, home, path, *wehe.words(), *words).ends(0, 60)
    count = len(wehe.sessions)
    error = check(bench, home, path, *wehe.words(), *words).ends(11).lines()[-1]
    assert error['code'] == 11 and 'this month' in error['reason'], error
    assert len(wehe.sessions) == count == 2, wehe.sessions


def test_a_server_that_is_away_uses_up_no_month(bench):
    home, token = state(bench, 'away'), file(bench, 'away-token', 'a-token-of-somebody\n')
    own = ('--server', f'https://127.0.0.1:{closed_port()}', '--token-file', token, '--metered', 'no')
    for _ in range(3):
        error = check(bench, home, *own, '--monthly', '150M').ends(9).lines()[-1]
        assert error['error'] == 'connect', error
    wehe = server(bench, FAST, FAST)
    path = file(bench, 'Away_11252026.pcap_client_all.json', wehe.recording('Away-11252026'))
    words = (path, *wehe.words(), '--metered', 'no', '--monthly', '3M')
    for _ in range(3):
        wehe.permissions = ['0;3']
        check(bench, home, *words).ends(6)
    # Some of it is for what was said.
    used = ledger(home)
    assert len(used) == 6 and all(0 < row < 100_000 for row in used), used


def test_what_cannot_be_confirmed_is_not_lost(bench):
    wehe, home = server(bench, SLOW, FAST), state(bench, 'unconfirmed')
    path = file(bench, 'Once_11252026.pcap_client_all.json', wehe.recording('Once-11252026'))
    # The month has enough for one test, and not for another one.
    lines = check(bench, home, path, *wehe.words(), '--metered', 'no', '--monthly', '3M').ends(11, 60).lines()
    assert lines[-1]['type'] == 'error' and lines[-1]['code'] == 11, lines[-1]
    result = lines[-2]
    assert result['verdict'] == 'inconclusive' and result['reason'] == 'notConfirmed', result
    assert result['ratio'] < 0.6 and result['pairs'] == 1, result
    assert results(bench, home) == [result]


def test_a_clock_that_was_wrong_takes_no_results_with_it(bench):
    home = os.path.join(bench.directory, 'clock')
    ahead = ('env', 'LD_PRELOAD=' + dated(bench.directory, 500 * 86_400))

    def luna(*words, before=()):
        return Luna(bench, 'uplink', *words, '--state', home, '--format', 'jsonl', prefix=before).ends(0).lines()

    first = luna('check', '--simulate', 'fair')[-1]
    # What is too old is not shown; but whether it is, one look does not tell.
    assert luna('results', before=ahead) == []
    second = luna('check', '--simulate', 'fair', before=ahead)[-1]
    assert luna('results', before=ahead) == [second]
    assert results(bench, home) == [second, first]


def test_the_health_of_a_gateway_has_what_was_measured_alone(bench):
    wehe, home = server(bench, SLOW, FAST), state(bench, 'health')
    path = file(bench, 'Health_11252026.pcap_client_all.json', wehe.recording(NAME))
    check(bench, home, path, *wehe.words(), '--no-confirm').ends(1, 60)
    # What is simulated is newer, and says something else.
    for name in ('health', 'health-simulated'):
        check(bench, os.path.join(bench.directory, name), '--simulate', 'prioritised').ends(1)
    for name, verdict in (('health', 'throttled'), ('health-simulated', 'unknown')):
        backend = Server(bench, name + '-backend')
        gateway = finder(bench, name, *backend.at('gateway'))

        def health(backend=backend):
            with sqlite3.connect(backend.path) as database:
                said = [field for row in database.execute('SELECT * FROM health') for field in row if 'uplinkVerdict' in str(field)]
            return [json.loads(text) for text in said]

        told = wait_for(health, 90, 'the health of the gateway')[0]
        assert told['uplinkVerdict'] == verdict and ('uplinkRatio' in told) == (verdict == 'throttled'), told
        gateway.signal(signal.SIGTERM)
        gateway.ends(0, 60)
        backend.stop()


test_the_health_of_a_gateway_has_what_was_measured_alone.seconds = 400


def certify(bench, name, *names):
    """A certificate for localhost and other names, and its key."""
    folder = os.path.join(bench.directory, name)
    os.mkdir(folder)
    return uplink_rig.certify(folder, ['DNS:localhost', 'IP:127.0.0.1', *names])


def own_server(bench, name):
    """A server of ours, its port, and the options for its clients."""
    certificate, key = certify(bench, name)
    token = file(bench, f'{name}/token', 'a-token-of-somebody\n')
    port = free_port()
    serve = Luna(bench, 'uplink', 'serve', '--listen', f'127.0.0.1:{port}', '--tls-cert', certificate, '--tls-key', key, '--token-file', token)
    wait_for(lambda: 'checks can be made at' in serve.stderr(), 20, 'the server')
    return serve, port, ['--ca-file', certificate, '--token-file', token]


def test_servers_of_mlab_are_located(bench):
    needs_root('see another file of authorities and of names')
    certificate, key = certify(bench, 'mlab-tls')
    hosts = file(bench, 'mlab-hosts', '127.0.0.1 localhost ' + ' '.join(f'wehe-machine{number}.test' for number in range(3)) + '\n')
    # Its authorities are those of the system.
    trusted = '/etc/ssl/certs/ca-certificates.crt'
    steps = f'mount --bind {hosts} /etc/hosts && mount --bind {certificate} {trusted} && exec env SSL_CERT_FILE={trusted} "$0" "$@"'
    wehe, home = server(bench, SLOW, FAST), state(bench, 'mlab')
    path = file(bench, 'Located_11252026.pcap_client_all.json', wehe.recording(NAME))
    _, _, *words = wehe.words()
    answered = []

    def result(fields):
        answered.append(time.monotonic())
        return json.dumps({'success': False, 'missing': 'userID'})

    wehe.answers['analyze'] = result
    for ways, code, asked in (
        (['html', 'mute', 'open'], 1, ['html', 'mute', 'open']), (['open', 'html'], 1, ['open']), (['short'], 7, ['short']),
        (['html', 'mute'], 9, ['html', 'mute']),
    ):
        service = LocateService(certificate, key, ways)
        bench.servers.append(service)
        more = ['--no-confirm', '--state', home, '--format', 'jsonl']
        run = Luna(bench, 'uplink', 'check', path, *service.words(), *words, *more, prefix=('unshare', '--mount', 'sh', '-c', steps))
        line = run.ends(code, 90).lines()[-1]
        assert service.asked == asked, (service.asked, line)
        if code == 1:
            # The access is open until the server has said what it makes of the replays.
            wait_for(lambda service=service: service.closed, 10, 'the end of the access')
            assert line['verdict'] == 'throttled' and line['server'] == 'mlab' and service.pongs > 3, (line, service.pongs)
            assert service.closed > answered[-1], (service.closed, answered)
        else:
            assert line['error'] == {7: 'accessLost', 9: 'accessRefused'}[code], line


test_servers_of_mlab_are_located.seconds = 300


def test_clients_of_wehes_are_served(bench):
    """Ours is one of them: it replays what lies in a directory, one recording with the server's side and one without."""
    certificate, key = certify(bench, 'wehe-tls')
    folder, home = os.path.join(bench.directory, 'recordings'), state(bench, 'wehe-state')
    os.mkdir(folder)
    data, call, *ports = [free_port() for _ in range(6)]
    pair = f'127.000.000.001.40000-127.000.000.001.{data:05}'
    packet = {'c_s_pair': pair, 'timestamp': 0, 'payload': b'hello'.hex(), 'response_len': ANSWER, 'response_hash': None}
    film = file(bench, 'recordings/Film_11252026.pcap_client_all.json', json.dumps([[packet], [], [pair], 'Film-11252026']))
    pair = f'127.000.000.001.40000-127.000.000.001.{call:05}'
    packet = {'c_s_pair': pair, 'timestamp': 0, 'payload': b'hello'.hex(), 'end': True}
    phone = file(bench, 'recordings/Phone_11252026.pcap_client_all.json', json.dumps([[packet], ['40000'], [], 'Phone-11252026']))
    said = [{'timestamp': number / 100, 'payload': '07' * 500} for number in range(50)]
    other = {'lunaRecording': 1, 'name': 'Phone-11252026', 'tcp': {}, 'udp': {pair: said}}
    file(bench, 'recordings/Phone_11252026.pcap_server_all.json', json.dumps(other))
    words = ['uplink', 'serve', '--wehe', '--recordings', folder, '--listen', '127.0.0.1', '--tls-cert', certificate, '--tls-key', key]
    # What replays usually differ by, and another server, with which it locates differences.
    usual = file(bench, 'usual.json', json.dumps({'type': 'baseline', 'variations': [1, 2.5]}))
    words += ['--pair', '127.0.0.1,127.0.0.2', '--variations', usual]
    serve = Luna(bench, *words, '--ports', ','.join(map(str, ports)))
    wait_for(lambda: "clients of Wehe's are served" in serve.stderr(), 20, 'the server')
    with urllib.request.urlopen(f'http://127.0.0.1:{ports[2]}/Results?command=getServers') as answer:
        pairs = {'server-site-pairs': [], 'server-ip-pairs': [['127.0.0.1', '127.0.0.2', '']]}
        assert json.load(answer) == {'success': True, 'response': pairs}, answer
    for path, way in [(film, ['--ca-file', certificate]), (phone, ['--plain'])]:
        run = check(bench, home, path, '--server', 'wehe:127.0.0.1', '--ports', ','.join(map(str, ports)), *way, '--no-confirm')
        run.process.wait(never(30))
        result = run.lines()[-1]
        # How steady loopback is, nobody knows.
        assert result['type'] == 'uplink' and result['pairs'] == 1, (result, run.stderr())
        assert 'serverResult' in result, result
    # Of several calls, of which only the server knows how long they are, each has a part of what may be used.
    words_of_calls = [phone, phone, '--server', 'wehe:127.0.0.1', '--plain', '--ports', ','.join(map(str, ports)), '--no-confirm']
    run = check(bench, home, *words_of_calls)
    assert run.process.wait(never(60)) in (0, 1, 10), run.stderr()
    assert sum(line['type'] == 'uplink' for line in run.lines()) == 2, run.lines()
    check(bench, home, *words_of_calls, '--budget', '400k').ends(11)
    error = check(bench, home, film, '--server', 'wehe:127.0.0.1', '--plain', '--ports', '1,1,1,1').ends(9).lines()[-1]
    assert error['error'] == 'connect', error
    # Both sides have to be of one recording.
    with open(os.path.join(folder, 'Film_11252026.pcap_server_all.json'), 'w') as output:
        output.write(json.dumps({**other, 'name': 'Film-11252026'}))
    Luna(bench, *words).ends(8)
    Luna(bench, *words[:3]).ends(2)
    serve.signal(signal.SIGTERM)
    serve.ends(0, 30)


test_clients_of_wehes_are_served.seconds = 240


def test_ipv6_is_served_as_well(bench):
    try:
        socket.create_server(('::1', 0), family=socket.AF_INET6).close()
    except OSError as error:
        raise NotRun(f'this machine has no IPv6: {error}') from error
    certificate, key = certify(bench, 'six', 'IP:::1')
    other, _ = certify(bench, 'four')
    home, folder, token = state(bench, 'six-state'), os.path.join(bench.directory, 'six'), file(bench, 'six/token', 'a-token-of-somebody\n')
    os.mkdir(os.path.join(folder, 'recordings'))
    data, port, *ports = [free_port() for _ in range(6)]
    stem, text = uplink_rig.stream('Letters', [(b'a letter', ANSWER)], data)
    film = file(bench, f'six/recordings/{stem}.pcap_client_all.json', text)
    words = ['--listen', f'[::1]:{port}', '--tls-cert', certificate, '--tls-key', key, '--token-file', token]
    words += ['--wehe', '--recordings', os.path.join(folder, 'recordings'), '--ports', ','.join(map(str, ports))]
    serve = Luna(bench, 'uplink', 'serve', *words)
    wait_for(lambda: "clients of Wehe's are served" in serve.stderr(), 20, lambda: serve.stderr())
    for way in (['--plain'], ['--ca-file', certificate]):
        run = check(bench, home, film, '--server', 'wehe:::1', '--ports', words[-1], *way, '--no-confirm')
        assert run.process.wait(never(60)) in (0, 1, 10), run.stderr()
        result = run.lines()[-1]
        assert result['server'] == 'wehe:::1' and 'serverResult' in result, (result, run.stderr())
        assert not any(slot['failed'] for slot in result['slots']), result
    # Of an address as much is kept as says the provider.
    with sqlite3.connect(os.path.join(home, 'luna-uplink.data')) as database:
        kept = [json.loads(row[0]) for row in database.execute('SELECT conditions FROM results')]
    assert [(each['ipVersion'], each['address']) for each in kept] == [(6, '::/48')] * 2, kept
    client = UplinkClient(port, certificate, host='::1')
    with client.open('a-token-of-somebody', source='::1') as side:
        assert side.enter()['address'] == '::/48'
        client.ask('POST', side.token(100_000), bytes(100_000), source='::1')
        assert side.receipt()['bytes'] == 100_000
        side.bye()
    # Where it says that it is a check finds it, and takes no other certificate there.
    url = f'https://[::1]:{port}'
    assert f'checks can be made at {url}' in serve.stderr(), serve.stderr()
    way = ['--server', url, '--ca-file', certificate, '--token-file', token, '--budget', '5M', '--pairs', '10', '--no-confirm']
    for profile in ('luna-upload', 'luna-command'):
        run = check(bench, home, profile, *way)
        assert run.process.wait(never(60)) in (0, 1, 10), run.stderr()
        result = run.lines()[-1]
        assert result['server'] == url and not any(slot['failed'] for slot in result['slots']), result
    error = check(bench, home, '--server', url, '--ca-file', other, '--token-file', token).ends(9).lines()[-1]
    assert error['error'] == 'connect', error


test_ipv6_is_served_as_well.seconds = 240


def test_what_was_recorded_is_replayed(bench):
    """Uploads over https are recorded, and replayed with a server for clients of Wehe's, at the port where they went."""
    recorded, port, words = own_server(bench, 'recorded')
    home, folder = state(bench, 'recorded-state'), os.path.join(bench.directory, 'story')
    os.mkdir(folder)
    to = ['--to', f'https://localhost:{port}', words[0], words[1], '--directory', folder, '--uploads', '3']
    Luna(bench, 'uplink', 'record', 'Story', *to, '--state', home).ends(0, 60)
    recorded.signal(signal.SIGTERM)
    recorded.ends(0, 30)
    files = sorted(os.listdir(folder))
    assert len(files) == 5 and [name for name in files if name.endswith('.app_list.json')], files
    listed = os.path.join(folder, next(name for name in files if name.endswith('.app_list.json')))
    with open(listed) as written:
        (app,) = json.load(written)['apps']
    # As both of Wehe's clients read it; the one in Java takes whole seconds.
    assert app['datafile'] == app['replayFile'] and app['randomdatafile'] == app['randomReplayFile'] and app['image'] == 'story', app
    assert app['category'] and app['time'] >= 1 and app['time'] == int(app['time']), app
    text = b''.join(open(os.path.join(folder, name), 'rb').read() for name in files)
    assert HOST.encode() not in text and b'a-token-of-somebody' not in text and b'127.0.0.1' not in text
    certificate, key = certify(bench, 'replayed')
    ports = ','.join(str(free_port()) for _ in range(4))
    way = ['--wehe', '--recordings', folder, '--listen', '127.0.0.1', '--tls-cert', certificate, '--tls-key', key, '--ports', ports]
    serve = Luna(bench, 'uplink', 'serve', *way)
    wait_for(lambda: "clients of Wehe's are served" in serve.stderr(), 20, lambda: serve.stderr())
    for way in (['--plain'], ['--ca-file', certificate]):
        run = check(bench, home, listed, '--server', 'wehe:127.0.0.1', '--ports', ports, *way, '--no-confirm')
        assert run.process.wait(never(60)) in (0, 1, 10), run.stderr()
        result = run.lines()[-1]
        # So little is soon over on loopback: whether it can be judged, nobody knows.
        assert result['profile'].startswith('Story-') and {'serverResult', 'serverProblem'} & set(result), (result, run.stderr())
        assert not any(slot['failed'] for slot in result['slots']), result


test_what_was_recorded_is_replayed.seconds = 240


def test_a_server_reads_its_configuration_again(bench):
    """It begins anew where the configuration says, with the same ports for clients of Wehe's; what cannot begin, or has a
    mistake, changes nothing."""
    certificate, key = certify(bench, 'again')
    os.mkdir(os.path.join(bench.directory, 'again/recordings'))
    data, *ports = [free_port() for _ in range(5)]
    pair = f'127.000.000.001.40000-127.000.000.001.{data:05}'
    packet = {'c_s_pair': pair, 'timestamp': 0, 'payload': b'hello'.hex(), 'response_len': ANSWER, 'response_hash': None}
    file(bench, 'again/recordings/Film_11252026.pcap_client_all.json', json.dumps([[packet], [], [pair], 'Film-11252026']))
    token = file(bench, 'again/token', 'a-token-of-somebody\n')

    def write(listen):
        return file(bench, 'again/luna.conf', f'[uplink serve]\nlisten = {listen}\n')

    first, second = (f'127.0.0.1:{free_port()}' for _ in range(2))
    # Who has a terminal is told by this signal that it has closed.
    serve = Luna(
        bench, 'uplink', 'serve', '--config', write(first), '--tls-cert', certificate, '--tls-key', key, '--token-file', token,
        '--wehe', '--recordings', os.path.join(bench.directory, 'again/recordings'), '--ports', ','.join(map(str, ports)), prefix=['setsid'])

    def says(text, count=1):
        wait_for(lambda: serve.stderr().count(text) == count, 30, lambda: f'"{text}": {serve.stderr()}')

    def answers(address):
        try:
            socket.create_connection(address.split(':'), timeout=never(10)).close()
        except ConnectionRefusedError:
            return False
        return True

    says(f'https://{first}')
    says("clients of Wehe's are served")
    serve.signal(signal.SIGUSR1)
    says('luna: 0 checks run')
    write('much:more')
    serve.signal(signal.SIGHUP)
    says('goes on with the configuration that it has')
    assert answers(first)
    write(second)
    serve.signal(signal.SIGHUP)
    says(f'https://{second}')
    says("clients of Wehe's are served", 2)
    assert answers(second) and not answers(first) and answers(f'127.0.0.1:{ports[0]}')
    with socket.create_server(('127.0.0.1', 0)) as taken:
        write(f'127.0.0.1:{taken.getsockname()[1]}')
        serve.signal(signal.SIGHUP)
        says('goes on with the configuration that it had')
        says(f'https://{second}', 2)
    says("clients of Wehe's are served", 3)
    assert answers(second) and answers(f'127.0.0.1:{ports[0]}')
    serve.signal(signal.SIGTERM)
    serve.ends(0, 30)


def pairs(bench, home, box, words, *more):
    return check(bench, home, '--server', f'https://localhost:{box.port}', *words, '--budget', '40M', *more)


def test_what_a_check_did_not_send_is_there_for_another_one(bench):
    _, port, words = own_server(bench, 'given-back')
    home = state(bench, 'given-back-state')
    box = Middlebox(port, 1_000_000, 'another.example', 1_000_000)
    bench.servers.append(box)
    for profile in ('luna-upload', 'luna-command'):
        run = pairs(bench, home, box, words, profile, '--metered', 'no', '--monthly', '60M')
        wait_for(lambda run=run: any(line.get('share', 0) > 0 for line in run.lines()), 60, lambda run=run: run.stderr())
        run.signal(signal.SIGINT)
        result = run.ends(130, 30).lines()[-1]
        assert result['reason'] == 'cancelled', result
    used = ledger(home)
    # Else the second one had nothing. Some slots were made, and their connections took something.
    assert len(used) == 2 and all(30_000 < row < 20_000_000 for row in used), used
    # Who is killed settles nothing: that is the safe side.
    run = pairs(bench, home, box, words, '--metered', 'no')
    wait_for(lambda: any(line.get('share', 0) > 0 for line in run.lines()), 60, lambda: run.stderr())
    run.signal(signal.SIGKILL)
    run.process.wait()
    assert ledger(home) == [*used, 40_000_000], ledger(home)
    # Who takes the consent back means what runs, too.
    run = pairs(bench, home, box, words, '--metered', 'no')
    wait_for(lambda: any(line.get('share', 0) > 0 for line in run.lines()), 60, lambda: run.stderr())
    Luna(bench, 'uplink', 'consent', '--withdraw', '--state', home).ends(0)
    error = run.ends(4, 30).lines()[-1]
    assert 'taken back' in error['reason'], error
    assert 30_000 < ledger(home)[-1] < 20_000_000, ledger(home)


test_what_a_check_did_not_send_is_there_for_another_one.seconds = 240


def test_both_ways_share_what_a_run_may_use(bench):
    _, port, words = own_server(bench, 'both-ways')
    home = state(bench, 'both-ways-state')
    box = Middlebox(port, 20_000_000, 'another.example', 20_000_000)
    bench.servers.append(box)
    more = (*words, '--direction', 'both', '--no-confirm', '--metered', 'no', '--format', 'jsonl')
    way = ('--server', f'https://localhost:{box.port}', '--state', home)
    # What does not suffice for both is known before anything is sent.
    Luna(bench, 'uplink', 'check', *way, *more, '--budget', '12M', '--monthly', '11M').ends(11)
    error = Luna(bench, 'uplink', 'check', *way, *more, '--budget', '5M').ends(11).lines()[-1]
    assert 'each of 2 checks' in error['reason'], error
    assert box.seen == 0 and ledger(home) == [], (box.seen, ledger(home))
    run = Luna(bench, 'uplink', 'check', *way, *more, '--budget', '12M', '--monthly', '12M')
    assert run.process.wait(never(60)) in (0, 1, 10), run.stderr()
    made = [line for line in run.lines() if line['type'] == 'uplink']
    assert [result['direction'] for result in made] == ['up', 'down'], made
    used = ledger(home)
    assert len(used) == 1 and sum(result['bytes'] for result in made) < used[0] <= 12_600_000, (made, used)


test_both_ways_share_what_a_run_may_use.seconds = 240


def test_a_name_that_is_throttled_is_found_in_pairs(bench):
    serve, port, words = own_server(bench, 'throttling')
    home = state(bench, 'pairs')
    box = Middlebox(port, 20_000_000, 'localhost', 5_000_000)
    bench.servers.append(box)
    lines = pairs(bench, home, box, words).ends(1, 120).lines()
    result = lines[-1]
    assert result['verdict'] == 'throttled' and result['profile'] == 'luna-upload' and result['direction'] == 'up', result
    assert result['ratio'] < 0.6 and result['low'] < result['ratio'] < result['high'], result
    assert result['pairs'] >= 10 and len(result['slots']) == 2 * result['pairs'], result
    assert not any(slot['failed'] for slot in result['slots']), result
    # Both checks together, with a pair before each: no more than may be used.
    assert result['bytes'] <= 80_000_000, result['bytes']
    progress = [line for line in lines if line['type'] == 'progress']
    assert {line['state'] for line in progress} == {'allowed', 'original', 'control'}, progress
    told = [line for line in progress if 'mbps' in line]
    assert told and all(0 < line['mbps'] < 100_000 and 0 <= line['bytesLeft'] <= 40_000_000 for line in told), progress
    assert results(bench, home) == [result]
    # Of where it was made there is the beginning of an address, and nothing else of this machine.
    kept = b''.join(open(os.path.join(home, name), 'rb').read() for name in os.listdir(home) if os.path.isfile(os.path.join(home, name)))
    assert b'127.0.0.0/24' in kept
    for canary in ('127.0.0.1', 'a-token-of-somebody', HOST):
        assert canary.encode() not in kept and canary not in json.dumps(result), canary
    assert 'a-token-of-somebody' not in serve.stderr() and HOST not in serve.stderr()
    serve.signal(signal.SIGTERM)
    serve.ends(0, 30)


test_a_name_that_is_throttled_is_found_in_pairs.seconds = 240


def test_a_name_that_is_preferred_is_found_in_pairs(bench):
    _, port, words = own_server(bench, 'preferring')
    home = state(bench, 'preferring-state')
    box = Middlebox(port, 5_000_000, 'localhost', 20_000_000)
    box.spared = 1
    bench.servers.append(box)
    result = pairs(bench, home, box, words, '--no-confirm', '--pairs', '10').ends(1, 120).lines()[-1]
    assert result['verdict'] == 'prioritised' and result['pairs'] == 10, result
    assert result['ratio'] > 1.7 and result['low'] > 1.25, result
    # A usual slot of each kind is drawn.
    rows = Luna(bench, 'uplink', 'results', result['id'], '--as', 'csv', '--state', home).ends(0)
    with open(rows.output.name) as shown:
        assert len(shown.read().splitlines()) == 51


test_a_name_that_is_preferred_is_found_in_pairs.seconds = 180


def test_a_name_that_is_blocked_is_found_in_pairs(bench):
    _, port, words = own_server(bench, 'blocking')
    home = state(bench, 'blocking-state')
    box = Middlebox(port, 20_000_000, 'localhost', None)
    box.spared = 1
    bench.servers.append(box)
    result = pairs(bench, home, box, words, '--no-confirm').ends(1, 120).lines()[-1]
    assert result['verdict'] == 'blocked', result
    assert all(slot['failed'] == (slot['kind'] == 'original') for slot in result['slots']), result


test_a_name_that_is_blocked_is_found_in_pairs.seconds = 180


def test_pairs_that_are_treated_alike_are_no_difference(bench):
    _, port, words = own_server(bench, 'alike')
    home = state(bench, 'alike-state')
    # A rule for another name, and the whole link is slow.
    box = Middlebox(port, 10_000_000, 'another.example', 1_000_000)
    bench.servers.append(box)
    for direction in ('up', 'down'):
        run = pairs(bench, home, box, words, '--direction', direction)
        run.process.wait(never(30))
        result = run.lines()[-1]
        assert run.process.returncode in (0, 10) and result['verdict'] in ('fair', 'inconclusive'), (result, run.stderr())
        assert result['direction'] == direction and not any(slot['failed'] for slot in result['slots']), result
    assert box.matched == 0
    # Commands wait for their answers, which are hardly more than their 26 times 2 KiB on each connection.
    seen, told = box.seen, box.told
    run = pairs(bench, home, box, words, 'luna-command')
    run.process.wait(never(30))
    result = run.lines()[-1]
    told, slots = box.told - told, box.seen - seen
    assert slots >= 20 and told < slots * 26 * 3_500, (slots, told)
    assert run.process.returncode in (0, 10) and result['profile'] == 'luna-command', (result, run.stderr())
    assert not any(slot['failed'] or 'mbps' in slot for slot in result['slots']), result
    # Nobody else makes a check, and without a server, a token or a consent there is none.
    other = file(bench, 'other-token', 'another\n')
    error = check(bench, home, '--server', f'https://localhost:{box.port}', *words[:2], '--token-file', other).ends(9).lines()[-1]
    assert error['error'] == 'refused' and error['weheCode'] == 18, error
    check(bench, home).ends(9)
    # There is no token where that of a gateway is.
    check(bench, home, '--server', f'https://localhost:{box.port}').ends(8)
    check(bench, home, '--server', f'https://localhost:{box.port}', *words, '--budget', '1M').ends(11)
    seen = box.seen
    silent = state(bench, 'alike-silent', agreed=False)
    check(bench, silent, '--server', f'https://localhost:{box.port}', *words).ends(4)
    # A schedule has nothing to do where nobody has agreed.
    scheduled = check(bench, silent, '--server', f'https://localhost:{box.port}', *words, '--scheduled').ends(0)
    assert scheduled.lines() == [] and 'nobody has agreed' in scheduled.stderr()
    assert box.seen == seen


test_pairs_that_are_treated_alike_are_no_difference.seconds = 300


def test_a_gateway_checks_the_way_to_its_backend(bench):
    certificate, key = certify(bench, 'backend-tls')
    port = free_port()
    store = ('--store', 'sqlite:' + os.path.join(bench.directory, 'uplink-backend.db'))
    home = state(bench, 'gateway-state')
    Luna(bench, 'backend', 'token', 'create', 'gateway', 'kitchen', '--out', os.path.join(home, 'gateway.token'), *store).ends(0, 30)
    listen = ('--listen', f'127.0.0.1:{port}', '--tls-cert', certificate, '--tls-key', key, *store)
    backend = Luna(bench, 'backend', *listen, '--uplink')
    wait_for(lambda: 'listening' in backend.stderr(), 30, 'the backend')
    words = ('--backend', f'https://127.0.0.1:{port}', '--ca-file', certificate, '--budget', '40M')
    run = check(bench, home, *words)
    run.process.wait(never(30))
    result = run.lines()[-1]
    # How steady loopback is, nobody knows.
    assert result['type'] == 'uplink' and result['server'] == words[1], (result, run.stderr())
    assert len(result['slots']) >= 20 and not any(slot['failed'] for slot in result['slots']), result
    backend.signal(signal.SIGTERM)
    backend.ends(0, 30)
    # One that was not asked to does not make checks.
    backend = Luna(bench, 'backend', *listen)
    wait_for(lambda: 'listening' in backend.stderr(), 30, 'the backend')
    error = check(bench, home, *words).ends(9).lines()[-1]
    assert error['error'] == 'refused' and '404' in error['reason'], error
    # It says so itself, to whom it knows, and its description has it.
    with open(os.path.join(home, 'gateway.token')) as file:
        token = file.read().strip()
    trust = ssl.create_default_context(cafile=certificate)
    request = urllib.request.Request(f'https://127.0.0.1:{port}/v1/uplink/session', headers={'Authorization': 'Bearer ' + token})
    try:
        urllib.request.urlopen(request, context=trust)
        assert False, 'it answered'
    except urllib.error.HTTPError as answer:
        assert answer.code == 404 and 'makes no uplink checks' in json.load(answer)['detail'], answer
    with urllib.request.urlopen(f'https://127.0.0.1:{port}/openapi.json', context=trust) as answer:
        responses = json.load(answer)['paths']['/v1/uplink/session']['get']['responses']
    assert {'101', '401', '404', '426'} <= set(responses), responses


test_a_gateway_checks_the_way_to_its_backend.seconds = 240


def pair_of_wehe(bench, locate_result):
    """Two servers of Wehe's with the same ports, of which the first one knows the pair and the place."""
    one = server(bench, SLOW, FAST)
    two = WeheServer({'original': SLOW, 'control': FAST}, ANSWER, address='127.0.0.2', like=one)
    bench.servers.append(two)

    def result(fields):
        """All numbers are text; what they are does not matter here."""
        keys = ('area_test', 'ks2_ratio_test', 'xput_avg_original', 'xput_avg_test', 'ks2dVal', 'ks2pVal')
        numbers = dict.fromkeys(keys, '0.5')
        names = {'replayName': NAME, 'date': '2026-11-25 12:00:00', 'extraString': 'Luna', 'testID': '1'}
        who = {name: fields[name] for name in ('userID', 'historyCount')}
        return json.dumps({'success': True, 'response': {**numbers, **names, **who}})

    for each in (one, two):
        each.answers['singleResult'] = result
    pairs = {'server-ip-pairs': [['127.0.0.1', '127.0.0.2', 'a provider']], 'server-site-pairs': []}
    one.answers['getServers'] = json.dumps({'success': True, 'response': pairs})
    one.answers['localizeResult'] = locate_result
    return one, two


def locate(bench, home, *words):
    return Luna(bench, 'uplink', 'locate', *words, '--state', home, '--format', 'jsonl')


def test_servers_of_wehe_locate_a_difference(bench):
    response = {'pairsum_vs_single_xput': {'mwuPVal': 0.001}, 'loss_correlation': {'corrPValues': [0.5, 0.6]}}
    one, two = pair_of_wehe(bench, json.dumps({'success': True, 'response': response}))
    home = state(bench, 'located')
    path = file(bench, 'Located_11252026.pcap_client_all.json', one.recording(NAME))
    lines = locate(bench, home, path, *one.words()).ends(0, 120).lines()
    result = lines[-1]
    assert result['located'] == 'common' and result['verdict'] == 'throttled' and not result['simulated'], result
    assert result['location'] == {'mwuP': 0.001, 'corrP': [0.5, 0.6]}, result
    assert {'bothOriginals', 'bothControls', 'comparing', 'waiting'} <= {line.get('state') for line in lines}, lines
    assert results(bench, home) == [result]
    # A test with one alone, then one with each of both, by the same user.
    counts = [[session[0].split(';')[4] for session in each.sessions] for each in (one, two)]
    assert counts == [['1', '1', '2', '2'], ['3', '3']], counts
    asked = {fields['command']: fields for fields in one.asked}
    assert set(asked) == {'analyze', 'singleResult', 'getServers', 'localize', 'localizeResult'}, asked
    question = asked['localize']
    user = question['userID']
    assert question['testID'] == '0' and question['kwargs'] == '{}', question
    port = f'{one.data:05}'
    for number, address, count in (('1', '127.0.0.1', '2'), ('2', '127.0.0.2', '3')):
        info = {'server': address, 'historyCount': count, 'replayPort': port, 'replayName': NAME}
        assert json.loads(question[f'server{number}Info']) == info, question
    single = {'singleReplay_userID': user, 'singleReplay_server': '127.0.0.1', 'singleReplay_historyCount': '1'}
    assert json.loads(question['singleServerInfo']) == single, question
    answer = {'command': 'localizeResult', 'userID': user, 'historyCounts': '[2, 3]', 'testID': '0'}
    assert asked['localizeResult'] == answer, asked


test_servers_of_wehe_locate_a_difference.seconds = 240


def test_what_servers_of_wehe_cannot_locate_is_named(bench):
    one, two = pair_of_wehe(bench, None)
    home = state(bench, 'unlocated')
    path = file(bench, 'Unlocated_11252026.pcap_client_all.json', one.recording(NAME))
    # Asked three times for the place, it never answers.
    error = locate(bench, home, path, *one.words()).ends(9, 120).lines()[-1]
    assert error['error'] == 'answerGaveUp' and error['hint'], error
    assert [fields['command'] for fields in one.asked].count('localizeResult') == 3, one.asked
    one.answers['getServers'] = json.dumps({'success': False, 'error': 'none'})
    error = locate(bench, home, path, *one.words()).ends(9, 60).lines()[-1]
    assert error['error'] == 'pairRefused' and error['weheCode'] == 18, error
    # What one alone does not find is not looked for with two.
    one.rates['original'], count = FAST, len(two.sessions)
    result = locate(bench, home, path, *one.words()).ends(1, 60).lines()[-1]
    assert result['located'] == 'noEvidence' and len(two.sessions) == count, result
    locate(bench, home, path).ends(9)
    locate(bench, home, path, *one.words(), '--budget', '2M').ends(11)
    locate(bench, state(bench, 'unlocated-silent', agreed=False), path, *one.words()).ends(4)


test_what_servers_of_wehe_cannot_locate_is_named.seconds = 400


def test_paths_that_do_not_part_are_refused(bench):
    _, port, words = own_server(bench, 'unforked')
    home = state(bench, 'unforked-state')
    url = f'https://127.0.0.1:{port}'
    for other, name in ((f'https://127.0.0.1:{port}', 'sameServer'), (f'https://127.0.0.2:{port}', 'noFork')):
        error = locate(bench, home, '--pair', f'{url},{other}', *words).ends(1).lines()[-1]
        assert error['error'] == name and error['code'] == 1 and error['hint'], error
    # Of several pairs the first that can be used is taken; where none can, the error is that of the first.
    several = ('--pair', f'{url},{url}', '--pair', f'{url},https://127.0.0.2:{port}')
    run = locate(bench, home, *several, *words).ends(1)
    assert run.lines()[-1]['error'] == 'sameServer' and f'https://127.0.0.2:{port} is no pair' in run.stderr(), run.stderr()
    assert results(bench, home) == []
    locate(bench, home, '--pair', f'{url},{url}', *words, '--budget', '1M').ends(11)
    silent = state(bench, 'unforked-silent', agreed=False)
    locate(bench, silent, '--pair', f'{url},{url}', *words).ends(4)


def test_a_gateway_is_told_of_pairs_by_its_backend(bench):
    certificate, key = certify(bench, 'pairs-tls')
    port, home = free_port(), state(bench, 'pairs-state')
    store = ('--store', 'sqlite:' + os.path.join(bench.directory, 'pairs-backend.db'))
    Luna(bench, 'backend', 'token', 'create', 'gateway', 'kitchen', '--out', os.path.join(home, 'gateway.token'), *store).ends(0, 30)
    listen = ('--listen', f'127.0.0.1:{port}', '--tls-cert', certificate, '--tls-key', key, *store)
    url = f'https://127.0.0.1:{port}'
    told = [word for other in (url, f'https://127.0.0.2:{port}') for word in ('--uplink-pair', f'{url},{other}')]
    words = ('--backend', url, '--ca-file', certificate)
    # Both are on this machine: the first pair is one server, and the paths of the second one do not part.
    for options, name in ((told, 'sameServer'), (told[2:], 'noFork'), ([], 'noPair')):
        backend = Luna(bench, 'backend', *listen, *options)
        wait_for(lambda backend=backend: 'listening' in backend.stderr(), 30, 'the backend')
        run = locate(bench, home, *words).ends(9 if name == 'noPair' else 1)
        error = run.lines()[-1]
        assert error['error'] == name and error['hint'], error
        assert (f'https://127.0.0.2:{port} is no pair' in run.stderr()) == (name == 'sameServer'), run.stderr()
        backend.signal(signal.SIGTERM)
        backend.ends(0, 30)
    error = locate(bench, home, *words).ends(9).lines()[-1]
    assert error['error'] == 'pairRequestFailed' and '--pair' in error['hint'], error
    # Nobody is asked before somebody has agreed.
    silent = state(bench, 'pairs-silent', agreed=False)
    locate(bench, silent, *words, '--token-file', os.path.join(home, 'gateway.token')).ends(4)


def test_what_is_usual_is_measured(bench):
    _, port, words = own_server(bench, 'usual')
    home = state(bench, 'usual-state')
    box = Middlebox(port, 10_000_000, 'another.example', 1_000_000)
    bench.servers.append(box)
    options = ('--baseline', '--server', f'https://localhost:{box.port}', '--budget', '40M')
    lines = locate(bench, home, *options, *words).ends(0, 120).lines()
    usual = lines[-1]
    assert usual['type'] == 'baseline' and all(0 <= value <= 100 for value in usual['variations']), usual
    assert {line['state'] for line in lines[:-1]} == {'control'}, lines
