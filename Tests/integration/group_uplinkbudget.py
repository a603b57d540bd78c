"""What uplink checks send, counted where it leaves the machine: nothing before somebody has agreed, and never more than they may,
whoever is killed and whatever the clock says. Only root can make the network that it is counted in."""

import json
import os
import signal
import sqlite3

from bench import Bench, Luna, closed_port, wait_for
from dates import dated
from gateways import finder, waiting
from packet_rules import Rule
from ruled_network import NAME, SERVER
from uplink_rig import URL, Rig, ended, stream

IN_VM = False
MB = 1_000_000
# How far what is counted may be from what is on the cable.
TOLERANCE = 1.05


def prepare(mode):
    bench = Bench()
    bench.radio = ('--radio', 'virtual:5')
    return bench


def ledger(home):
    """What all checks of a state have used, or may have."""
    with sqlite3.connect(os.path.join(home, 'luna-uplink.data')) as database:
        return database.execute('SELECT coalesce(sum(bytes), 0) FROM ledger').fetchone()[0]


def settled(rig, device='c1a'):
    """What went over the cable, when nothing more goes: a kernel goes on with what a program has left to it."""
    last, count = None, 0

    def is_quiet():
        nonlocal last, count
        used = rig.network.used(device)
        count, last = count + 1 if used == last else 0, used
        return count == 20

    wait_for(is_quiet, 60, 'silence on the cable')
    return last


def asks_for_names(rig):
    """Has names that are in no file looked for at the gate, where nobody answers."""
    with open(os.path.join(rig.network.hosts, 'resolv.conf'), 'w') as file:
        file.write('nameserver 10.77.1.2\noptions timeout:1 attempts:1\n')


def test_nothing_leaves_before_somebody_has_agreed(bench):
    with Rig(bench, 20) as rig:
        asks_for_names(rig)
        rig.serve()
        rig.serve_wehe(stream('Film', [(b'a film', 1_000)]))
        film = rig.path('recordings/Film_11252026.pcap_client_all.json')
        home, elsewhere = rig.state(agreed=False), 'https://nowhere.test'
        wehe = ('--server', 'wehe:nowhere.test', '--plain')
        own = ('--ca-file', rig.certificate, '--token-file', rig.path('token-0'))

        def silent(code, *words, state=('--state', home)):
            before = rig.network.used()
            rig.luna('client', 'uplink', *words, *state).ends(code)
            assert rig.network.used() == before, words

        def try_all():
            for server in (elsewhere, URL, f'https://{SERVER}'):
                silent(4, 'check', '--server', server, *own)
                silent(4, 'check', 'luna-command', '--server', server, *own, '--direction', 'down')
                silent(0, 'check', '--server', server, *own, '--scheduled')
                silent(4, 'locate', '--baseline', '--server', server, *own)
            silent(4, 'check', '--backend', elsewhere, *own)
            silent(4, 'check', film, *wehe)
            silent(0, 'check', film, *wehe, '--scheduled')
            silent(4, 'locate', film, *wehe)
            silent(4, 'locate', '--pair', f'{URL},{elsewhere}', *own)

        silent(4, 'consent')
        try_all()
        # To what somebody has agreed is this text, and not another one.
        silent(0, 'consent', '--accept')
        path = os.path.join(home, 'uplink-consent.json')
        with open(path) as file:
            consent = json.load(file)
        for change in ({'sha256': '0' * 64}, {'version': consent['version'] + 1}):
            with open(path, 'w') as file:
                json.dump({**consent, **change}, file)
            try_all()
        silent(0, 'consent', '--accept')
        silent(0, 'consent', '--withdraw')
        try_all()
        # What sends nothing needs nobody to agree, and sends nothing.
        silent(0, 'profiles', state=())
        silent(0, 'results')
        silent(1, 'check', '--simulate', 'throttled')
        silent(0, 'locate', '--simulate', 'common')
        # That all of it would have been seen: the question for a name.
        silent(0, 'consent', '--accept')
        before = rig.network.used()
        rig.luna('client', 'uplink', 'check', '--server', elsewhere, *own, '--state', home).ends(9, 60)
        assert rig.network.used()[1] > before[1]


def test_a_budget_holds_on_the_cable(bench):
    # Slots that end by their size, and those that end by their time, of which some is on its way then.
    for link, rule, budget in ((20, '10mbit', 5), (20, '10mbit', 30), (5, '2500kbit', 100)):
        with Rig(bench, link, Rule(NAME, rate=rule)) as rig:
            rig.serve()
            for direction in ('up', 'down'):
                home, before = rig.state(), rig.network.used()[0]
                rig.check('--budget', f'{budget}M', '--direction', direction, home=home)
                used, noted = settled(rig)[0] - before, ledger(home)
                told = (link, budget, direction, used, noted)
                assert used <= budget * MB * TOLERANCE, told
                assert noted <= budget * MB * TOLERANCE, told
                # Nor is less noted than went: a month has a budget, too.
                assert used <= noted * TOLERANCE, told
                assert noted <= used * 1.3, told


def test_commands_are_noted_as_they_are_on_the_cable(bench):
    with Rig(bench, 20) as rig:
        rig.serve()
        home, before = rig.state(), rig.network.used()[0]
        rig.check('luna-command', home=home)
        used, noted = settled(rig)[0] - before, ledger(home)
        assert used <= noted * TOLERANCE and noted <= used * 1.3, (used, noted)


def test_a_recording_holds_its_budget_on_the_cable(bench):
    letters = stream('Letters', [(b'a letter ' + bytes(20_000), 20_000)] * 40)
    with Rig(bench, 20) as rig:
        rig.serve_wehe(letters)
        home, before = rig.state(), rig.network.used()[0]
        ended(rig.begin_wehe(letters[0], '--no-confirm', '--budget', '5M', home=home))
        used, noted = settled(rig)[0] - before, ledger(home)
        assert used <= 5 * MB * TOLERANCE and used <= noted * TOLERANCE, (used, noted)


def test_no_kill_passes_the_budget_of_a_month(bench):
    with Rig(bench, 20, Rule(NAME, rate='10mbit')) as rig:
        rig.serve()
        home, before = rig.state(), rig.network.used()[0]
        for count in range(1, 4):
            # Each of them might have used all that it may.
            run = rig.begin('--budget', '20M', '--metered', 'no', home=home, month='60M', token=count)
            wait_for(lambda run=run: any(line.get('share', 0) > 0.2 for line in run.lines()), 60, lambda run=run: run.stderr())
            run.signal(signal.SIGKILL)
            run.process.wait()
            assert ledger(home) == count * 20 * MB, ledger(home)
        sent = settled(rig)
        error = rig.begin('--budget', '20M', '--metered', 'no', home=home, month='60M', token=4).ends(11).lines()[-1]
        assert error['code'] == 11 and 'this month' in error['reason'], error
        assert rig.network.used() == sent, 'something was sent for a check that is refused'
        assert sent[0] - before <= 60 * MB * TOLERANCE, sent[0] - before


def test_no_clock_passes_the_budget_of_a_month(bench):
    with Rig(bench, 20) as rig:
        rig.serve()
        home = rig.state()
        ahead = ('env', 'LD_PRELOAD=' + dated(rig.folder, 40 * 86_400))
        words = ('--budget', '20M', '--no-confirm', '--metered', 'no')

        def check(number, *before):
            return rig.begin(*words, home=home, month='25M', token=number, before=before)

        def refused(number, *before):
            sent = settled(rig)
            error = check(number, *before).ends(11).lines()[-1]
            assert error['code'] == 11 and rig.network.used() == sent, error

        ended(check(0))
        assert ledger(home) > 5 * MB
        refused(1)
        # Another month has another one, and the first one is as it was when the clock is put back.
        ended(check(2, *ahead))
        refused(3, *ahead)
        refused(4)


def test_a_metered_link_has_a_budget_of_its_own(bench):
    with Rig(bench, 20) as rig:
        # As a modem for mobile networks is called.
        for words in (('set', 'c1a', 'down'), ('set', 'c1a', 'name', 'wwan0'), ('set', 'wwan0', 'up')):
            rig.network.run('client', 'ip', 'link', *words)
        rig.network.run('client', 'ip', 'route', 'replace', 'default', 'via', '10.77.1.2')
        rig.serve()
        home = rig.state()
        used = lambda: settled(rig, 'wwan0')[0]
        before = used()
        ended(rig.begin('--no-confirm', '--budget-metered', '4M', '--monthly-metered', '6M', home=home))
        assert used() - before <= 4 * MB * TOLERANCE, used() - before
        with sqlite3.connect(os.path.join(home, 'luna-uplink.data')) as database:
            assert database.execute('SELECT metered FROM ledger').fetchall() == [(1,)]
        sent = used()
        rig.begin('--no-confirm', '--budget-metered', '4M', '--monthly-metered', '6M', home=home, token=1).ends(11)
        assert used() == sent
        # Whoever says that it is none has the other budget.
        ended(rig.begin('--no-confirm', '--metered', 'no', '--budget', '10M', home=home, token=2))


test_a_metered_link_has_a_budget_of_its_own.seconds = 240


def test_a_schedule_waits_while_reports_wait(bench):
    home = os.path.join(bench.directory, 'scheduled')
    token = os.path.join(bench.directory, 'gateway.token')
    with open(token, 'w') as file:
        file.write('luna-gateway-' + '0' * 64 + '\n')
    gateway = finder(bench, 'scheduled', '--backend', f'http://127.0.0.1:{closed_port()}', '--token-file', token)
    wait_for(lambda: waiting(bench, 'scheduled') > 0, 60, 'a report that waits')
    gateway.signal(signal.SIGTERM)
    gateway.ends(0, 60)
    Luna(bench, 'uplink', 'consent', '--accept', '--state', home).ends(0)
    with Rig(bench, 20) as rig:
        rig.serve()
        before = rig.network.used()
        run = rig.begin('--scheduled', '-v', home=home)
        wait_for(lambda: 'reports wait' in run.stderr(), 30, lambda: run.stderr())
        assert run.process.poll() is None and rig.network.used() == before
        run.signal(signal.SIGKILL)
        run.process.wait()
        assert rig.network.used() == before
        # Without any it does not wait.
        ended(rig.begin('--scheduled', '--no-confirm', '--metered', 'no', '--budget', '10M', token=1))


for name, test in list(globals().items()):
    if name.startswith('test_') and not hasattr(test, 'seconds'):
        test.seconds = 400
