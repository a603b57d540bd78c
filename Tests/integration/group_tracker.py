"""`luna tracker run` with one controller, heard by `luna scan` with another, both over H4."""

import json
import os
import pty
import signal
import subprocess
import time
from datetime import datetime

from bench import Bench, Luna, World, check_refusals, lasting, luna_time, never, wait_for
from group_events import Hook
from trackers import Tracker, beacons, check_rotations, create, epoch, frames, settle

IN_VM = False


def prepare(mode):
    bench = Bench()
    bench.extended = mode == 'extended'
    path = os.path.join(bench.directory, 'hci.sock')
    bench.world = World(bench.directory, f'unix:{path}', 'tcp:127.0.0.1:0', mode=mode)
    bench.ear, bench.mouth = f'h4:{path}', 'h4:tcp:' + bench.world.places[1]
    bench.world.tell('still')
    for name in ('keys', 'bag'):
        create(bench, name)
    create(bench, 'box', '--onboardable')
    return bench


def free(bench, adapter=1):
    """Waits until nobody holds the controller."""
    wait_for(
        lambda: (bench.world.journal('connected', 'disconnected', adapter=adapter) or [{'event': 'disconnected'}])[-1]['event']
        == 'disconnected',
        what='a free controller',
    )


def test_is_heard_and_rotates(bench):
    since = time.time()
    ear = bench.scan(bench.ear, '--active')
    tracker = Tracker(bench, bench.mouth, 'keys', '--speed', '120', '--epoch', epoch())
    tracker.tells('rotated', 4, seconds=50)
    tracker.signal(signal.SIGINT)
    tracker.ends(130)
    ear.signal(signal.SIGINT)
    ear.ends(130)
    start = tracker.lines()[0]
    assert (start['type'], start['simulated']) == ('start', False) and start['source'].startswith('h4'), start
    lines = ear.advertisements()
    check_rotations(tracker, lines, at_least=3)
    for line in lines:
        assert line['addressKind'] == 'static' and line['legacy'], line
        assert line['pdu'] in ('ADV_IND', 'ADV_NONCONN_IND', 'SCAN_RSP'), line
        if line['pdu'] == 'SCAN_RSP' and line['data']:
            assert line['name'] == 'Luna', line
    check_refusals(bench.world, since)


test_is_heard_and_rotates.seconds = 70


def test_slots_and_intervals(bench):
    ear = bench.scan(bench.ear, '--passive')
    tracker = Tracker(bench, bench.mouth, 'keys')
    tracker.tells('mode', 4, seconds=40)
    lines = ear.advertisements()
    tracker.signal(signal.SIGTERM)
    tracker.ends(143)
    fast, slow = beacons(lines), frames(lines)
    assert fast and slow, (len(fast), len(slow))
    # A slot of 2 s at 100 ms, and one of 14 s at 1 s: as the controller was told, and by the tracker's own clock.
    opcode, place = ('2036', slice(6, 12)) if bench.extended else ('2006', slice(0, 4))
    told = [one['parameters'][place] for one in bench.world.journal('command', adapter=1, since=tracker.began) if one['opcode'] == opcode]
    intervals = {int.from_bytes(bytes.fromhex(text), 'little') * 0.625 for text in told}
    assert intervals == {100, 1000}, intervals
    modes = [(one['mode'], datetime.fromisoformat(one['trackerTime'].replace('Z', '+00:00'))) for one in tracker.told('mode')[1:4]]
    lengths = {mode: (after - at).total_seconds() for (mode, at), (_, after) in zip(modes, modes[1:])}
    # Who is late to begin one ends it in time all the same.
    assert lengths['ibeacon'] >= 1.5 and lengths['ble'] >= 13, lengths
    assert all(line['pdu'] == 'ADV_NONCONN_IND' for line, _ in fast), fast[0]
    off = bench.world.journal('command', adapter=1)[-1]
    assert off['opcode'] == ('2039' if bench.extended else '200A') and off['parameters'].startswith('00'), off


def test_power_cut_at_any_time(bench):
    free(bench)
    highest = 0
    when = epoch()
    for seconds in (0.3, 1.1, 2.0, 0.7):
        tracker = Tracker(bench, bench.mouth, 'bag', '--speed', '2000', '--epoch', when).tells('rotated')
        settle(seconds)
        tracker.signal(signal.SIGKILL)
        tracker.process.wait()
        counters = [line['counter'] for line in tracker.told('rotated')]
        # The clock is kept: what was shown may be shown again, but less than flash had never.
        assert counters == sorted(set(counters)), counters
        highest = max(highest, counters[-1])
        free(bench)
    tracker = Tracker(bench, bench.mouth, 'bag', '--lose-clock', '--speed', '2000', '--epoch', when).tells('rotated')
    assert tracker.told('tracker')[0]['clockUncertain'], tracker.told('tracker')
    first = tracker.told('rotated')[0]['counter']
    assert highest < first <= highest + 4, (highest, first)
    tracker.signal(signal.SIGTERM)
    tracker.ends(143)


def test_two_on_one_controller(bench):
    free(bench)
    if not bench.extended:
        tracker = Tracker(bench, bench.mouth, 'keys', 'box').ends(2)
        assert 'run fewer' in tracker.stderr(), tracker.stderr()
        return
    ear = bench.scan(bench.ear)
    tracker = Tracker(bench, bench.mouth, 'keys', 'box')
    wait_for(
        lambda: {b['onboardable'] for _, b in frames(ear.advertisements())} == {True, False},
        25,
        'frames of both',
    )
    tracker.signal(signal.SIGINT)
    tracker.ends(130)


def piped(bench, name):
    """A tracker on the air, and where the lines that it reads are written to."""
    read, write = os.pipe()
    # The bench gives no standard input, so a shell puts the pipe there.
    prefix = ['bash', '-c', f'exec "$0" "$@" <&{read}']
    os.set_inheritable(read, True)
    tracker = PipedTracker(bench, bench.mouth, name, prefix=prefix, descriptor=read)
    os.close(read)
    return tracker.tells('mode'), write


def test_button(bench):
    free(bench)
    ear = bench.scan(bench.ear)
    tracker, write = piped(bench, 'box')
    os.write(write, b'nonsense\nbutton box\n')
    wait_for(lambda: any(b['connectable'] for _, b in frames(ear.advertisements())), 10, 'a connectable frame')
    os.close(write)
    tracker.signal(signal.SIGINT)
    tracker.ends(130)
    assert 'is not a tracker command' in tracker.stderr(), tracker.stderr()


def test_a_battery_that_gets_low_is_told(bench):
    """By a command and by a webhook, once: not while it is normal, and not with each frame that says so."""
    free(bench)
    keys, owner, told = (os.path.join(bench.directory, name) for name in ('torch.json', 'torch-owner', 'torch-told'))
    create(bench, 'torch')
    Luna(bench, 'tracker', 'export', 'torch', keys).ends(0)
    Luna(bench, 'owner', 'import', keys, '--state', owner).ends(0)
    with Hook() as hook:
        local = Luna(
            bench, 'local', '--radio', bench.ear, '--format', 'jsonl', '--state', owner,
            '--exec', f'echo "$LUNA_EVENT $LUNA_TRACKER $LUNA_BATTERY_LOW" >>{told}', '--exec-on', 'batteryLow',
            '--webhook', hook.url, '--webhook-on', 'batteryLow')
        tracker, write = piped(bench, 'torch')

        def heard(is_low):
            return [line for line in local.lines() if line['type'] == 'device' and line.get('batteryLow') is is_low]

        wait_for(lambda: heard(False), 40, lambda: f'a frame of a normal battery; luna said: {local.stderr()}')
        assert not os.path.exists(told) and not hook.requests, hook.lines()
        os.write(write, b'battery torch low\n')
        wait_for(lambda: len(heard(True)) > 3, 60, lambda: f'frames of a low battery; the tracker said: {tracker.stderr()}')
        hook.has(1)
        wait_for(lambda: os.path.exists(told) and open(told).read().endswith('\n'), 30, 'the command')
        os.close(write)
        for luna in (local, tracker):
            luna.signal(signal.SIGINT)
            luna.ends(130)
    assert open(told).read() == 'batteryLow torch 1\n', open(told).read()
    [line] = hook.lines()
    assert (line['event'], line['name'], line['batteryLow']) == ('batteryLow', 'torch', True), line
    assert [line['event'] for line in heard(True)].count('batteryLow') == 1, heard(True)


test_a_battery_that_gets_low_is_told.seconds = 120


class PipedTracker(Tracker):
    """A tracker whose program inherits a descriptor."""

    def __init__(self, bench, radio, *arguments, prefix, descriptor):
        import bench as module

        popen = module.subprocess.Popen
        module.subprocess.Popen = lambda *a, **k: popen(*a, pass_fds=(descriptor,), **k)
        try:
            super().__init__(bench, radio, *arguments, prefix=prefix)
        finally:
            module.subprocess.Popen = popen


def test_full_disk_stops_the_tracker(bench):
    free(bench)
    # No file may grow: what writes one gets EFBIG. What luna says goes through pipes.
    prefix = ['bash', '-o', 'pipefail', '-c', '(trap "" XFSZ; ulimit -f 0; exec "$0" "$@") 2> >(cat >&2) | cat']
    tracker = Luna(
        bench, 'tracker', 'run', 'keys', '--radio', 'virtual', '--lose-clock', '-T', lasting(5), prefix=prefix
    ).ends(7)
    wait_for(lambda: 'cannot write' in tracker.stderr(), what='the reason')
    assert not tracker.lines()[-1]['type'] == 'rotated', tracker.lines()
    assert not [line for line in tracker.lines() if line['type'] == 'rotated'], 'a frame before its period was in flash'


def test_one_process_at_a_time(bench):
    first = Tracker(bench, 'virtual', 'keys').tells('rotated')
    second = Tracker(bench, 'virtual', 'keys').ends(6)
    assert 'another process' in second.stderr(), second.stderr()
    Luna(bench, 'tracker', 'reset', 'keys').ends(6)
    first.signal(signal.SIGINT)
    first.ends(130)


def test_export_and_reset(bench):
    made = create(bench, 'spare')
    path = os.path.join(bench.directory, 'spare.json')
    Luna(bench, 'tracker', 'export', 'spare', path).ends(0)
    assert os.stat(path).st_mode & 0o777 == 0o600
    import json

    with open(path) as file:
        exported = json.load(file)
    assert (exported['format'], exported['version']) == ('luna-devices', 1), exported
    [device] = exported['devices']
    assert device['uuid'].upper() == made['device'] and len(device['masterKey']) == 64, device
    assert luna_time({'time': device['onboardingTimestamp']}) == luna_time({'time': made['onboardingTimestamp']}), device
    reset = Luna(bench, 'tracker', 'reset', 'spare').ends(0).lines()[0]
    assert reset['state'] == 'factory' and reset['code'].startswith('LUNA1:'), reset
    Luna(bench, 'tracker', 'export', 'spare', path).ends(1)
    Luna(bench, 'tracker', 'run', 'nobody', '--radio', 'virtual').ends(1)


def test_a_tracker_whose_code_has_no_room_is_not_there(bench):
    Luna(bench, 'tracker', 'create', 'untold', '--code-file', '/dev/full').ends(7)
    assert 'untold' not in [line['tracker'] for line in Luna(bench, 'tracker', 'list', '--format', 'jsonl').ends(0).lines()]
    create(bench, 'untold')


test_a_tracker_whose_code_has_no_room_is_not_there.modes = ('legacy',)


def test_a_label_has_the_code_and_only_its_owner_reads_it(bench):
    code = create(bench, 'labelled', '--onboardable')['code']
    environment = {**os.environ, 'HOME': bench.directory, 'XDG_DATA_HOME': os.path.join(bench.directory, 'data')}
    label = [bench.luna, 'tracker', 'label']
    assert subprocess.run([*label, 'labelled'], env=environment, check=True, capture_output=True, text=True).stdout == code + '\n'
    picture = os.path.join(bench.directory, 'label.png')
    # What a board has written to its console, among other lines.
    console = f'state factory period=0\r\n{code}\r\n'
    subprocess.run([*label, '--code-file', '-', '-o', picture], input=console, env=environment, check=True, text=True)
    assert os.stat(picture).st_mode & 0o777 == 0o600, oct(os.stat(picture).st_mode)
    read = subprocess.run(['zbarimg', '--quiet', '--raw', picture], capture_output=True, text=True)
    assert read.stdout.strip() == code, read
    # A log may have it twice; of two boards nobody knows which is meant.
    again = subprocess.run([*label, '--code-file', '-'], input=console * 2, env=environment, capture_output=True, text=True)
    assert again.stdout == code + '\n', again
    other = create(bench, 'beside', '--onboardable')['code']
    both = subprocess.run([*label, '--code-file', '-'], input=f'{console}{other}\n', env=environment, capture_output=True, text=True)
    assert both.returncode == 8 and 'several trackers' in both.stderr and code not in both.stdout + both.stderr, both
    for words, status in (([], 2), (['nobody'], 1), (['labelled', '-o', 'label.txt'], 2), (['labelled', '-o', picture], 2)):
        done = subprocess.run([*label, *words], env=environment, capture_output=True, text=True)
        assert done.returncode == status and code not in done.stdout + done.stderr, (words, done)


test_a_label_has_the_code_and_only_its_owner_reads_it.modes = ('legacy',)


def on_terminal(words, **more):
    """What a program shows on a terminal."""
    terminal, end = pty.openpty()
    run = subprocess.Popen(words, stdin=end, stdout=end, stderr=end, env={**os.environ, **more})
    os.close(end)
    seen = b''
    try:
        while piece := os.read(terminal, 4096):
            seen += piece
    except OSError:
        pass  # the other end is closed
    os.close(terminal)
    assert run.wait(never(8)) == 0, seen
    return seen.decode()


def test_a_terminal_shows_the_times_of_its_clocks(bench):
    """And says so; UTC is for --utc, and for what is piped."""
    words = [bench.luna, 'tracker', 'list', '--radio', 'virtual:5', '--format', 'table']
    local, utc = ('(local)', '2026-01-01 09:00:00'), ('(UTC)', '2026-01-01 00:00:00')
    piped = subprocess.run(words, env={**os.environ, 'TZ': 'Asia/Tokyo'}, stdout=subprocess.PIPE, check=True, text=True).stdout
    for seen, (zone, moment) in (
        (on_terminal(words, TZ='Asia/Tokyo'), local), (on_terminal([*words, '--utc'], TZ='Asia/Tokyo'), utc), (piped, utc),
    ):
        assert f'ONBOARDED {zone}' in seen and moment in seen, seen


test_a_terminal_shows_the_times_of_its_clocks.modes = ('legacy',)


def test_a_terminal_shows_on_its_clocks_how_long_a_token_holds(bench):
    """What is no table says the zone with the time; text that is piped has it as data."""
    state = os.path.join(bench.directory, 'signed-in')
    os.makedirs(os.path.join(state, 'account'))
    with open(os.path.join(state, 'account', 'default.json'), 'w') as file:
        json.dump({
            'schema': 1, 'generation': 1, 'issuer': 'http://127.0.0.1:1', 'clientId': 'it', 'subject': 'me', 'scope': 'read',
            'accessToken': 'token', 'issuedAt': '2026-01-01T00:00:00Z', 'expiresIn': 3155673600}, file)
    words = [bench.luna, 'whoami', '--state', state, '--format', 'table']
    piped = subprocess.run(words, env={**os.environ, 'TZ': 'Asia/Tokyo'}, stdout=subprocess.PIPE, check=True, text=True).stdout
    for seen, moment in (
        (on_terminal(words, TZ='Asia/Tokyo'), '2126-01-01 09:00:00 (local)'),
        (on_terminal([*words, '--utc'], TZ='Asia/Tokyo'), '2126-01-01 00:00:00 (UTC)'), (piped, '2126-01-01T00:00:00.000000Z'),
    ):
        assert moment in seen, seen


test_a_terminal_shows_on_its_clocks_how_long_a_token_holds.modes = ('legacy',)


def test_simulated_room_has_trackers_whose_keys_are_given_out(bench):
    path = os.path.join(bench.directory, 'room.json')
    Luna(bench, 'tracker', 'export', '--radio', 'virtual:9', path).ends(0)
    room = bench.scan('virtual:9', '-T', lasting(20), '--speed', '500', '--epoch', epoch()).ends(0, seconds=40)
    assert len({frame['eid'] for _, frame in frames(room.advertisements())}) >= 30
    assert beacons(room.advertisements())
