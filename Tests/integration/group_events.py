"""What happens, told to a command of the user's and to a webhook: real shells, and real servers of all kinds."""

import json
import os
import signal
import socket
import threading
import time

import pace
from bench import Luna, wait_for
from gateways import PLACE
from group_mqtt import ident, prepare
from playing import Played

IN_VM = False
__all__ = ['prepare']


class Hook(Played):
    """A server that answers as it is told to, and remembers what it was sent."""

    def __init__(self, *answers, after=0.0):
        """Answers: a status, or a status and headers; the last one holds for all that follow."""
        self.answers, self.after, self.requests, self.held = list(answers) or [204], after, [], threading.Event()
        super().__init__()
        self.url += '/hook?key=hidden'

    def answer(self, request):
        self.requests.append((time.monotonic(), request.path, dict(request.headers), request.body))
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if answer == 'hang':
            self.held.wait()
            request.close_connection = True
            return
        time.sleep(self.after)
        request.says(*(answer if isinstance(answer, tuple) else (answer,)))

    def lines(self):
        return [json.loads(body) for _, _, _, body in list(self.requests)]

    def has(self, count, seconds=30):
        wait_for(lambda: len(self.requests) >= count, seconds, f'{count} requests, not {len(self.requests)}')

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.held.set()
        self.close()


def local(bench, *arguments, prefix=()):
    return Luna(bench, 'local', *bench.radio, '--format', 'jsonl', '--state', bench.owner, *arguments, prefix=prefix)


def finder(bench, name, *arguments):
    return Luna(
        bench, 'finder', *bench.radio, '--location', PLACE, '--format', 'jsonl', '--state', os.path.join(bench.directory, name),
        *arguments)


def ends_soon(luna, code, seconds=10):
    """Nothing that others do keeps a run from its end."""
    began = time.monotonic()
    luna.signal(signal.SIGTERM)
    luna.ends(code)
    assert time.monotonic() - began < seconds * pace.slower(), time.monotonic() - began
    return luna


def read(path):
    if not os.path.exists(path):
        return []
    with open(path) as file:
        return [line.split() for line in file if line.endswith('\n')]


def matches(news, printed):
    """Whether what a server was told is part of a line, and nothing by which a tracker could be followed."""
    return set(news) <= {'type', 'event', 'time', 'device', 'name', 'rssi', 'batteryLow'} and any(news.items() <= line.items() for line in printed)


def test_a_command_for_each_event(bench):
    path = os.path.join(bench.directory, 'told')
    script = f'printf "%s\\n" "$LUNA_EVENT $LUNA_DEVICE $LUNA_TIME" >>{path}; test "$LUNA_EVENT" = appeared && env >{path}.env'
    # They advertise less often than that: each goes and comes again.
    luna = local(bench, '--exec', script, '--timeout', '1s')
    wanted = {(event, device['device']) for event in ('appeared', 'timedOut') for device in bench.devices}
    wait_for(lambda: wanted <= {tuple(words[:2]) for words in read(path)}, 30, 'commands for each tracker')
    ends_soon(luna, 143)
    told, printed = read(path), luna.lines()
    # Those of one's own, and never every advertisement.
    lines = [[line['event'], line['device'], line['time']] for line in printed if line['type'] == 'device' and line['device']]
    assert all(words in lines and words[0] in ('appeared', 'timedOut', 'batteryLow') for words in told), told
    with open(path + '.env') as file:
        variables = dict(line.rstrip('\n').split('=', 1) for line in file if '=' in line)
    line = next(line for line in printed if line['type'] == 'device' and (line['event'], line['device'], line['time']) == tuple(variables[f'LUNA_{name}'] for name in ('EVENT', 'DEVICE', 'TIME')))
    assert variables['LUNA_TRACKER'] == line['name'] and variables['LUNA_RSSI'] == str(line['rssi']), variables
    own = {name for name in set(variables) - set(os.environ) if name.startswith('LUNA_')}
    assert own <= {'LUNA_EVENT', 'LUNA_TRACKER', 'LUNA_DEVICE', 'LUNA_TIME', 'LUNA_RSSI', 'LUNA_BATTERY_LOW'}, own
    # No option reads one of them: a luna in the command runs as it would without.
    spec = Luna(bench, '--dump-spec').ends(0)
    with open(spec.output.name) as file:
        options = file.read()
    assert not [name for name in set(variables) - set(os.environ) if f'"{name}"' in options], variables


def test_a_command_has_no_rights_and_no_secrets(bench):
    path = os.path.join(bench.directory, 'rights')
    script = f'{{ grep -E "^Cap(Amb|Eff)" /proc/self/status; ls /proc/self/fd | wc -l; env; }} >>{path}; echo done >>{path}'
    with Hook() as hook:
        luna = local(
            bench, '--exec', script, '--exec-on', 'appeared',
            prefix=['env', f'LUNA_WEBHOOK={hook.url}', 'setpriv', '--inh-caps', '+net_raw', '--ambient-caps', '+net_raw'])
        wait_for(lambda: os.path.exists(path) and 'done' in open(path).read(), 30, 'a command')
        status = open(f'/proc/{luna.process.pid}/status').read()
        ends_soon(luna, 143)
    said = open(path).read()
    assert 'CapAmb:\t0000000000002000' in status, status
    assert 'CapAmb:\t0000000000000000' in said, said
    assert 'LUNA_WEBHOOK' not in said and 'hidden' not in said, said
    # 0, 1, 2 and the one that ls has opened.
    assert '\n4\n' in said, said


def test_a_name_is_no_command(bench):
    evil, state = '$(touch pwned); `touch pwned` \x1b[2J "', os.path.join(bench.directory, 'evil')
    Luna(bench, 'owner', 'import', os.path.join(bench.directory, 'keys.json'), '--state', state).ends(0)
    Luna(bench, 'owner', 'rename', bench.devices[0]['name'], evil, '--state', state).ends(0)
    path = os.path.join(bench.directory, 'names')
    luna = Luna(
        bench, 'local', *bench.radio, '--format', 'jsonl', '--state', state, '--exec-on', 'appeared', '--exec',
        f'cd {bench.directory}; printf "%s\\n" "$LUNA_TRACKER" >>{path}')
    wait_for(lambda: os.path.exists(path) and len(open(path).readlines()) >= len(bench.devices), 30, 'the names')
    ends_soon(luna, 143)
    assert '\x1b' not in open(path).read()
    assert not os.path.exists(os.path.join(bench.directory, 'pwned'))


def test_commands_that_never_end(bench):
    path = os.path.join(bench.directory, 'stuck')
    script = f'trap "" TERM; echo $$ >>{path}; while :; do sleep 1; done'
    luna = local(bench, '--exec', script, '--exec-on', 'seen,appeared')
    wait_for(lambda: os.path.exists(path) and len(luna.lines()) > 40, 30, 'lines all the same')
    def pids():
        with open(path) as file:
            return [int(line) for line in file if line.endswith('\n')]

    # Four, and those that the next one has ended, which have a second.
    assert 0 < len(pids()), 'none ran'
    ends_soon(luna, 143, 15)
    assert 'not told' in luna.stderr(), luna.stderr()
    wait_for(lambda: not any(os.path.exists(f'/proc/{pid}') for pid in pids()), 10, 'the commands to be gone')


def test_a_webhook(bench):
    token = os.path.join(bench.directory, 'token')
    with open(token, 'w') as file:
        file.write('pass-word\n')
    with Hook() as hook:
        luna = local(bench, '--webhook', hook.url, '--webhook-token-file', token)
        hook.has(len(bench.devices))
        with open(f'/proc/{luna.process.pid}/cmdline') as words:
            assert 'hidden' not in words.read()
        ends_soon(luna, 143)
        _, path, headers, _ = hook.requests[0]
        assert path == '/hook?key=hidden' and headers['Content-Type'] == 'application/json', (path, headers)
        assert headers['Authorization'] == 'Bearer pass-word', headers
        printed = luna.lines()
        assert all(matches(line, printed) and line['event'] in ('appeared', 'timedOut', 'batteryLow') for line in hook.lines()), hook.lines()
        for word in ('hidden', 'pass-word'):
            assert word not in luna.stderr(), luna.stderr()


def test_who_is_told_of(bench):
    shown, hidden = bench.devices[0], bench.devices[1]
    with Hook() as hook:
        luna = local(bench, '--webhook', hook.url, '--webhook-on', 'seen', '--allow', shown['name'], '--allow', hidden['name'], '--deny', ident(hidden))
        hook.has(3)
        wait_for(lambda: any(line.get('device', '') == hidden['device'] for line in luna.lines()), 30, 'the other one')
        ends_soon(luna, 143)
        assert {line['device'] for line in hook.lines()} == {shown['device']}, hook.lines()
        assert {line['event'] for line in hook.lines()} == {'seen'}, hook.lines()
    Luna(bench, 'local', *bench.radio, '--state', bench.owner, '--deny', 'nobody', '--exec', 'true').ends(1)


def test_a_webhook_that_is_in_trouble(bench):
    with Hook(500, (429, {'Retry-After': '2'}), 503, 204) as hook:
        luna = local(bench, '--webhook', hook.url, '--webhook-on', 'appeared')
        hook.has(4, 60)
        times = [when for when, *_ in hook.requests[:4]]
        bodies = [body for *_, body in hook.requests[:4]]
        assert len(set(bodies)) == 1, bodies
        # The pauses are 1, 4 and 16 s; the server may ask for longer ones.
        assert [round(later - earlier) >= pause for earlier, later, pause in zip(times, times[1:], (1, 4, 16))] == [True] * 3, times
        wait_for(lambda: 'works again' in luna.stderr(), 20, 'the news that it works again')
        assert 'answered 500' in luna.stderr() and 'hidden' not in luna.stderr(), luna.stderr()
        ends_soon(luna, 143)


def counts_what_was_not_told(luna):
    """In lines while it happens, and in sum at the end."""
    told = sum(line['count'] for line in luna.lines() if line['type'] == 'dropped' and line['reason'] == 'webhook')
    end = next(line for line in luna.lines() if line['type'] == 'end')
    assert told > 0 and end['dropped'].get('webhook') == told, (told, end)


def test_what_waits_still_at_the_end(bench):
    """It is given up then, and counted."""
    with Hook(500) as hook:
        luna = local(bench, '--webhook', hook.url, '--webhook-on', 'appeared')
        hook.has(1)
        ends_soon(luna, 143)
        assert 'not told' in luna.stderr(), luna.stderr()
        counts_what_was_not_told(luna)


def test_redirects_and_refusals(bench):
    with Hook() as other:
        for answer in (301, 302, 307, 308, 404, 401):
            with Hook((answer, {'Location': other.url})) as hook:
                luna = local(bench, '--webhook', hook.url, '--webhook-on', 'appeared')
                hook.has(2)
                wait_for(lambda: str(answer) in luna.stderr(), 20, 'what it answered')
                ends_soon(luna, 143)
                bodies = [body for *_, body in hook.requests]
                assert len(set(bodies)) == len(bodies), 'one was tried again'
                assert 'not told' in luna.stderr(), luna.stderr()
                counts_what_was_not_told(luna)
        assert not other.requests


def test_servers_that_hang_or_are_slow_or_closed(bench):
    with Hook('hang') as hanging, Hook(after=1.0) as slow, socket.socket() as closed, socket.create_server(('127.0.0.1', 0)) as mute:
        closed.bind(('127.0.0.1', 0))
        for url in (
            hanging.url, slow.url, f'http://127.0.0.1:{closed.getsockname()[1]}/', f'http://127.0.0.1:{mute.getsockname()[1]}/',
        ):
            luna = local(bench, '--webhook', url, '--webhook-on', 'seen,appeared')
            # What is heard is shown all the same.
            wait_for(lambda: len(luna.lines()) > 80, 60, 'lines all the same')
            ends_soon(luna, 143, 12)
            assert 'not told' in luna.stderr(), (url, luna.stderr())


def test_a_gateway(bench):
    path = os.path.join(bench.directory, 'gateway-told')
    with Hook() as hook:
        luna = finder(bench, 'gateway', '--webhook', hook.url, '--exec', f'printf "%s\\n" "$LUNA_EVENT $LUNA_HEID" >>{path}', '--exec-on', 'sighting')
        wait_for(lambda: any(line['type'] == 'sighting' for line in hook.lines()), 30, 'a sighting')
        wait_for(lambda: os.path.exists(path), 30, 'a command')
        ends_soon(luna, 0)
        printed = luna.lines()
        assert all(line in printed for line in hook.lines()), hook.lines()
        # The last one too, and in their order.
        assert hook.lines()[-1]['type'] == 'end', hook.lines()[-1]
        heids = {line['heid'] for line in printed if line['type'] == 'sighting'}
        with open(path) as file:
            told = [line.split() for line in file]
        assert {word for word, _ in told} == {'sighting'} and {heid for _, heid in told} <= heids, told


def test_a_gateway_that_nobody_listens_to(bench):
    with Hook(404) as hook:
        luna = finder(bench, 'unheard', '--webhook', hook.url)
        hook.has(2)
        counts_what_was_not_told(ends_soon(luna, 0))


def test_configuration(bench):
    path = os.path.join(bench.directory, 'luna.conf')
    told = os.path.join(bench.directory, 'configured')
    with Hook() as hook:
        with open(path, 'w') as file:
            file.write(f'[local]\nexec = echo "$LUNA_EVENT" >>{told}\nexec-on = appeared\nwebhook = {hook.url}\nwebhook-on = appeared\n')
        Luna(bench, 'config', 'check', '--config', path).ends(0)
        shown = Luna(bench, 'config', 'show', '--config', path).ends(0)
        assert 'hidden' not in shown.last_lines(), shown.last_lines()
        luna = local(bench, '--config', path)
        hook.has(1)
        wait_for(lambda: os.path.exists(told), 30, 'a command')
        ends_soon(luna, 143)


def test_what_makes_no_sense(bench):
    for arguments, word in [
        (['--webhook', 'ftp://host/hidden'], 'http'),
        (['--webhook', 'https://me:hidden@host/'], 'password'),
        (['--webhook-on', 'appeared'], '--webhook'),
        (['--exec-on', 'appeared'], '--exec'),
        (['--exec', 'true', '--exec-on', 'vanished'], 'vanished'),
        (['--webhook-token-file', '/dev/null'], '--webhook'),
        (['--webhook', 'http://hooks.example/hidden'], 'https'),
        (['--exec', 'true', '-r', '/dev/null'], '--read'),
        (['--deny', 'keys'], '--exec'),
    ]:
        luna = Luna(bench, 'local', *arguments).ends(2)
        assert word in luna.stderr(), (arguments, luna.stderr())
        assert 'hidden' not in luna.stderr(), luna.stderr()
    luna = Luna(bench, 'finder', '--location', PLACE, '--webhook', 'https://hooks.example/', '--webhook-token-file', '/nowhere').ends(8)
    assert '/nowhere' in luna.stderr(), luna.stderr()
