"""Contacts and shares by the command: cards as pictures, envelopes that others make and open, a share from one person to
another, and what becomes of it."""

import contextlib
import glob
import json
import os
import shutil
import sqlite3
import subprocess
import time

import lunaprotocol as luna
from bench import ROOT, NotRun, Place, lasting
from harms import full, small_disk

IN_VM = False
KEY = '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f'


class Person:
    """Somebody with a state directory of their own."""

    def __init__(self, place, name):
        self.place, self.name = place, name
        self.state = os.path.join(place.folder, name)

    def luna(self, *words, code=0, jsonl=True, table=False):
        run = subprocess.run(
            [self.place.luna, *words, '--state', self.state, *(['--format', 'table' if table else 'jsonl'] if jsonl or table else [])],
            cwd=self.place.folder, env=self.place.environment, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        assert run.returncode == code, (words, run.returncode, run.stdout, run.stderr)
        self.said = run.stderr
        return [json.loads(line) for line in run.stdout.splitlines()] if jsonl and not table else run.stdout

    def database(self):
        return b''.join(open(path, 'rb').read() for path in glob.glob(os.path.join(self.state, 'luna-finder-memory-devices.data*')))


class People(Place):
    """Those who share."""

    def __init__(self):
        super().__init__('share')
        self.people = 0

    def person(self, name):
        self.people += 1
        person = Person(self, f'{name}-{self.people}')
        person.card = person.luna('contact', 'card', '--name', name)[0]
        return person

    def owner(self):
        """Anna, who has a tracker."""
        anna = self.person('Anna')
        devices = {'format': 'luna-devices', 'version': 1, 'devices': [{
            'uuid': '6BA7B810-9DAD-41D1-80B4-00C04FD430C8', 'kind': 'luna', 'name': 'bike', 'onboardingTimestamp': time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime()), 'masterKey': KEY}]}
        with open(self.path('devices.json'), 'w') as file:
            json.dump(devices, file)
        anna.luna('owner', 'import', self.path('devices.json'))
        return anna


def prepare(mode):
    return People()


def friends(place):
    """Anna and Ben, who have each other's card and have compared."""
    anna, ben = place.owner(), place.person('Ben')
    anna.luna('contact', 'add', 'ben', '--card', ben.card['text'])
    ben.luna('contact', 'add', 'anna', '--card', anna.card['text'])
    anna.luna('contact', 'verify', 'ben', '--yes')
    ben.luna('contact', 'verify', 'anna', '--yes')
    return anna, ben


def test_cards_are_exchanged_as_pictures(place):
    anna, ben = place.person('Zoë'), place.person('Ben')
    picture = place.path('card.png')
    card = anna.luna('contact', 'card', '-o', picture)[0]
    assert card == anna.card and card['type'] == 'card', card
    read = subprocess.run(['zbarimg', '--quiet', '--raw', picture], capture_output=True, text=True)
    assert read.stdout.strip() == card['text'], (read, card)
    contact = ben.luna('contact', 'add', 'zoe', '--card', picture)[0]
    assert contact['code'] == card['code'] and contact['verified'] is False, contact
    assert ben.luna('contact', 'verify', 'zoe', '--yes')[0]['verified'] is True
    # One person, one name, and not oneself.
    ben.luna('contact', 'add', 'other', '--card', card['text'], code=2)
    ben.luna('contact', 'add', 'zoe', '--card', place.person('Carl').card['text'], code=2)
    ben.luna('contact', 'add', 'me', '--card', ben.card['text'], code=2)
    ben.luna('contact', 'add', 'none', '--card', place.path('none'), code=8)
    # As it is pasted.
    pasted = ben.luna('contact', 'add', 'pasted', '--card', f' \n{place.person("Dora").card["text"]}\n')[0]
    ben.luna('contact', 'remove', pasted['name'], jsonl=False)
    # Another key: those who had the old one compare again.
    anna.luna('contact', 'card', '--new', code=2)
    new = anna.luna('contact', 'card', '--new', '--yes')[0]
    assert new['name'] == card['name'] and new['code'] != card['code'], new
    assert anna.luna('contact', 'card') == [new]
    drawn = anna.luna('contact', 'card', '--qr', table=True)
    assert '█' in drawn or '▀' in drawn, drawn
    ben.luna('contact', 'remove', 'zoe', jsonl=False)
    assert ben.luna('contact', 'list') == []


def secrets_in(data):
    """What of the tracker's keys is in some bytes: of the master key and its branches, of each period, and identifiers of others
    than three days from now on. Half of one is as much as all of it."""
    keys, now = luna.Keys(bytes.fromhex(KEY)), int(time.time()) // 1024
    secrets = {'master key': keys.master_key, 'identification': keys.kid, 'location': keys.kao, 'control': keys.kbo, 'owner': keys.kow, 'interactive': keys.kint}
    for period in range(now - 10, now + 270):
        secrets |= {f'BOTP of {period}': keys.botp(period), f'Kctl of {period}': keys.kctl(period)}
    whole = {}
    for period in [*range(now - 60, now - 2), *range(now + 258, now + 320)]:
        whole |= {f'EID of {period}': keys.eid(period), f'AOTP of {period}': keys.aotp(period)}
    return [name for name, secret in secrets.items() if secret[:16] in data or secret[16:] in data] + [name for name, value in whole.items() if value in data]


def test_a_share_goes_from_one_to_the_other_and_ends(place):
    anna, ben = friends(place)
    file = place.path('bike.lunashare')
    made = anna.luna('share', 'add', 'bike', 'ben', '--days', '3', '--rights', 'see,status,ring', '--rings', '2', '--yes', '-o', file)[0]
    assert 'cannot take back what was seen' in anna.said, anna.said
    assert (made['rights'], made['ringsPerPeriod'], made['ringSeconds'], made['state']) == ('see,status,ring', 2, 12, 'live'), made
    assert 253 <= made['periodCount'] <= 256, made
    assert os.stat(file).st_mode & 0o777 == 0o600
    inside = open(file, 'rb').read()
    assert inside[:8] == b'LUNSHAR1'
    seen = ben.luna('share', 'inspect', file)[0]
    assert (seen['tracker'], seen['contact'], seen['serial'], seen['until']) == ('bike', 'anna', 1, made['until']), seen
    assert ben.luna('owner', 'list') == []
    taken = ben.luna('share', 'import', file)[0]
    assert (taken['direction'], taken['tracker'], taken['until']) == ('received', 'bike of anna', made['until']), taken
    device = ben.luna('owner', 'list')[0]
    assert (device['kind'], device['name']) == ('luna-shared', 'bike of anna'), device
    # Nobody has said when it was onboarded.
    assert 'onboardingTimestamp' not in device, device
    assert secrets_in(ben.database()) == []
    # What is in it can be found so.
    keys, now = luna.Keys(bytes.fromhex(KEY)), int(time.time()) // 1024
    assert any(keys.eid(period) in ben.database() for period in range(now + 5, now + 9))
    assert secrets_in(inside) == []
    # It is not handed on: neither as keys, nor as a share.
    ben.luna('owner', 'export', place.path('export.json'), jsonl=False)
    assert '0 devices are in' in ben.said, ben.said
    with open(place.path('export.json')) as exported:
        assert json.load(exported)['devices'] == []
    ben.luna('contact', 'add', 'carl', '--card', place.person('Carl').card['text'])
    ben.luna('share', 'add', 'bike of anna', 'carl', '--yes', code=1)
    assert 'cannot be shared' in ben.said, ben.said
    # The same again is no news; nor does a stranger read it.
    ben.luna('share', 'import', file, code=1)
    assert 'serial' in ben.said, ben.said
    place.person('Carl').luna('share', 'inspect', file, code=8)
    # What rings it: the present period, which may be either of two where one begins just now, and five more.
    packages = [json.loads(line) for line in ben.luna('owner', 'packages', 'bike of anna', jsonl=False).splitlines()]
    periods = [package['keyRollingCounter'] for package in packages]
    assert len(periods) in (6, 7) and periods == list(range(periods[0], periods[0] + len(periods))), packages
    assert abs(periods[-1] - 5 - int(time.time()) // 1024) <= 1, packages
    renewed = anna.luna('share', 'renew', made['id'][:8], '--days', '9', '-o', file, '--force')[0]
    assert renewed['serial'] == 2 and renewed['until'] > made['until'], renewed
    assert ben.luna('share', 'import', file)[0]['until'] == renewed['until']
    assert len(ben.luna('owner', 'list')) == 1
    end = place.path('end.lunashare')
    assert anna.luna('share', 'end', made['id'], '-o', end)[0]['state'] == 'ended'
    assert anna.luna('share', 'list')[0]['state'] == 'ended'
    anna.luna('share', 'renew', made['id'], '-o', file, '--force', code=1)
    shutil.copytree(ben.state, ben.state + '-copy')
    assert ben.luna('share', 'import', end)[0]['state'] == 'ended'
    assert ben.luna('owner', 'list') == []
    # To end it cannot do more: a copy of what was there before goes on until its date.
    copy = Person(place, os.path.basename(ben.state) + '-copy')
    assert [one['name'] for one in copy.luna('owner', 'list')] == ['bike of anna']
    assert copy.luna('owner', 'packages', 'bike of anna', jsonl=False)
    # What was sent before does not bring it back.
    ben.luna('share', 'import', file, code=1)
    assert ben.luna('owner', 'list') == []


def test_what_was_forgotten_comes_back_renewed(place):
    anna, ben = friends(place)
    file = place.path('again.lunashare')
    made = anna.luna('share', 'add', 'bike', 'ben', '--days', '2', '--yes', '-o', file)[0]
    ben.luna('share', 'import', file)
    ben.luna('owner', 'forget', 'bike of anna', '--yes', jsonl=False)
    assert [(one['state'], one['tracker']) for one in ben.luna('share', 'list')] == [('forgotten', '-')]
    ben.luna('share', 'import', file, code=1)
    assert 'ask the sender to renew it' in ben.said, ben.said
    anna.luna('share', 'renew', made['id'], '-o', file, '--force')
    ben.luna('share', 'import', file)
    assert [(one['state'], one['tracker']) for one in ben.luna('share', 'list')] == [('live', 'bike of anna')]


def test_a_file_without_a_name_can_be_typed(place):
    """What it is called by default comes of names that people draw."""
    anna, ben = friends(place)
    for name, file in [('🚲', 'ben.lunashare'), ('🚲 bike', 'bike-ben.lunashare')]:
        anna.luna('owner', 'rename', '6BA7B810-9DAD-41D1-80B4-00C04FD430C8', name)
        assert anna.luna('share', 'add', '6BA7B810-9DAD-41D1-80B4-00C04FD430C8', 'ben', '--days', '1', '--yes')[0]['file'] == file
        assert ben.luna('share', 'import', file)[0]['tracker'] == f'{name} of anna'


def test_where_reports_are_is_compared(place):
    anna, ben = friends(place)
    file = place.path('elsewhere.lunashare')
    anna.luna('share', 'add', 'bike', 'ben', '--days', '1', '--backend', 'https://luna.example', '--yes', '-o', file)
    ben.luna('share', 'inspect', file)
    assert 'anna has its reports at https://luna.example, and no backend is named here' in ben.said, ben.said
    ben.luna('share', 'import', file, '--backend', 'https://LUNA.example/')
    assert 'reports' not in ben.said, ben.said
    ben.luna('share', 'inspect', file, '--backend', 'https://other.example')
    assert 'and you ask https://other.example' in ben.said, ben.said


def test_nobody_else_ends_a_share(place):
    """Carl's program is one that was altered: it ends a share of his that has the uuid of Anna's."""
    anna, ben = friends(place)
    file = place.path('annas.lunashare')
    made = anna.luna('share', 'add', 'bike', 'ben', '--days', '3', '--yes', '-o', file)[0]
    ben.luna('share', 'import', file)
    carl = place.person('Carl')
    carl.luna('owner', 'import', place.path('devices.json'))
    carl.luna('contact', 'add', 'ben', '--card', ben.card['text'])
    ben.luna('contact', 'add', 'carl', '--card', carl.card['text'])
    carl.luna('share', 'add', 'bike', 'ben', '--days', '3', '--yes', '-o', place.path('carls.lunashare'))
    with contextlib.closing(sqlite3.connect(os.path.join(carl.state, 'luna-finder-memory-devices.data'))) as database, database:
        assert database.execute('UPDATE shares SET share = ?, serial = 40', (bytes.fromhex(made['id'].replace('-', '')),)).rowcount == 1
    end = place.path('carls-end.lunashare')
    assert carl.luna('share', 'end', made['id'], '-o', end)[0]['serial'] == 41
    ended = ben.luna('share', 'import', end)[0]
    assert (ended['contact'], ended['state']) == ('carl', 'ended'), ended
    assert [one['name'] for one in ben.luna('owner', 'list')] == ['bike of anna']
    assert [(one['contact'], one['state']) for one in ben.luna('share', 'list') if one['contact'] == 'anna'] == [('anna', 'live')]
    # Anna's own end is taken, though its serial is below his.
    assert anna.luna('share', 'end', made['id'], '-o', end, '--force')[0]['serial'] == 2
    assert ben.luna('share', 'import', end)[0]['contact'] == 'anna'
    assert ben.luna('owner', 'list') == []


def test_no_share_is_kept_that_has_no_room(place):
    anna, _ = friends(place)
    with small_disk(place.path('little'), '64k'):
        file = place.path('little/bike.lunashare')
        full(file)
        anna.luna('share', 'add', 'bike', 'ben', '--yes', '-o', file, code=7)
        assert 'No space left' in anna.said and os.listdir(place.path('little')) == ['ballast'], anna.said
    assert anna.luna('share', 'list') == []


def test_who_seals_on_a_full_disk_knows_what_holds(place):
    """There may be room to seal the keys, and none to write the file anew, which takes the traces: the passphrase holds then, and
    who took it for a failure would throw it away."""
    anna, word, held = place.owner(), place.path('word'), 0
    with open(word, 'w') as file:
        file.write('correct horse')

    def luna(*words):
        return subprocess.run(
            [place.luna, 'owner', *words, '--state', state], env=place.environment, stdin=subprocess.DEVNULL, capture_output=True, text=True)

    with small_disk(place.path('disk'), '4m'):
        for room in range(20, 600, 20):
            state = place.path(f'disk/{room}')
            shutil.copytree(anna.state, state)
            free = full(state)
            os.truncate(place.path('disk/ballast'), os.path.getsize(place.path('disk/ballast')) - room * 1024)
            run = luna('seal', '--new-passphrase-file', word)
            free()
            asked = luna('export', '-')
            assert run.returncode in (0, 7) and asked.returncode in (0, 4), (run, asked)
            isSealed = asked.returncode == 4
            assert isSealed == (run.returncode == 0 or 'sealed under the new passphrase' in run.stderr), (room, run, asked)
            assert not isSealed or luna('export', '-', '--passphrase-file', word).returncode == 0, room
            shutil.rmtree(state)
            held += isSealed and run.returncode == 7
            if run.returncode == 0:
                break
    assert held, 'there was never room for the one and not for the other'


def test_a_short_share_is_a_code_for_a_camera(place):
    anna, ben = friends(place)
    picture, small = place.path('day.png'), place.path('day.bin')
    made = anna.luna('share', 'add', 'bike', 'ben', '--days', '1', '--yes', '-o', picture)[0]
    assert os.stat(picture).st_mode & 0o777 == 0o600
    # Another reader sees the share itself, byte for byte.
    with open(small, 'wb') as file:
        subprocess.run(['zbarimg', '--quiet', '--raw', '--oneshot', '-Sbinary', picture], stdout=file, check=True)
    assert open(small, 'rb').read(8) == b'LUNSHAR1'
    assert ben.luna('share', 'inspect', small)[0]['until'] == made['until']
    taken = ben.luna('share', 'import', picture)[0]
    assert (taken['tracker'], taken['until']) == ('bike of anna', made['until']), taken
    anna.luna('share', 'add', 'bike', 'ben', '--days', '9', '--yes', '-o', place.path('long.png'), code=2)
    assert 'a code has 2900 at most' in anna.said and not os.path.exists(place.path('long.png')), anna.said
    # What was not made is not kept.
    assert len(anna.luna('share', 'list')) == 1
    svg = place.path('end.svg')
    anna.luna('share', 'end', made['id'], '-o', svg)
    assert open(svg).read().startswith('<svg')


def test_until_a_moment_in_the_words_of_the_rights(place):
    anna, ben = friends(place)
    file, now = place.path('until.lunashare'), int(time.time())
    made = anna.luna('share', 'add', 'bike', '--with', 'ben', '--status', '--ring', '--until', str(now + 7200), '--yes', '-o', file)[0]
    until = time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(now + 7200))
    assert (made['contact'], made['rights'], made['until'][:19]) == ('ben', 'see,status,ring', until), made
    assert 7 <= made['periodCount'] <= 9, made
    assert ben.luna('share', 'import', file)[0]['rights'] == 'see,status,ring'
    for words, told in [
            (['ben', '--with', 'ben'], 'CONTACT'), ([], 'CONTACT'), (['--with', 'ben', '--until', str(now - 60)], 'over'),
            (['--with', 'ben', '--until', str(now + 401 * 86400)], 'too far'), (['--with', 'ben', '--days', '3', '--until', str(now + 60)], 'until')]:
        anna.luna('share', 'add', 'bike', *words, '--yes', '-o', place.path('none'), code=2)
        assert told in anna.said, (words, anna.said)


def test_what_is_shared_is_not_watched_but_listed(place):
    """A tracker that somebody shares stays with whoever it is shared with: no suspect, and no secret either."""
    anna, ben = friends(place)
    keys, air, file = (place.path(name) for name in ('keys.json', 'air.pcapng', 'other.lunashare'))
    subprocess.run([place.luna, 'tracker', 'export', '--radio', 'virtual:5', keys], env=place.environment, check=True, capture_output=True)
    anna.luna('owner', 'import', keys)
    device = next(one['name'] for one in anna.luna('owner', 'list') if one['name'] != 'bike')
    anna.luna('share', 'add', device, 'ben', '--days', '1', '--yes', '-o', file)
    ben.luna('share', 'import', file)
    subprocess.run([place.luna, 'capture', '--radio', 'virtual:5', '-w', air, '-T', lasting(8)], env=place.environment, check=True, capture_output=True)
    excluded = lambda person: {line['why'] for line in person.luna('watch', '-r', air, code=1) if line['type'] == 'excluded'}
    assert excluded(ben) == {'shared'}
    assert excluded(anna) == {'own'}


def test_who_was_not_compared_is_asked_for_twice(place):
    anna, ben = place.owner(), place.person('Ben')
    anna.luna('contact', 'add', 'ben', '--card', ben.card['text'])
    anna.luna('share', 'add', 'bike', 'ben', code=2)
    assert 'was not compared' in anna.said and '--yes' in anna.said, anna.said
    anna.luna('share', 'add', 'bike', 'nobody', '--yes', code=1)
    anna.luna('share', 'add', 'bike', 'ben', '--days', '400', '--past', '1', '--yes', code=2)
    anna.luna('share', 'add', 'bike', 'ben', '--rights', 'see,all', '--yes', code=2)
    file = place.path('large.lunashare')
    anna.luna('share', 'add', 'bike', 'ben', '--days', '400', '--rights', 'see,status,ring', '--rings', '8', '--yes', '-o', file, code=2)
    assert '4 MiB' in anna.said and not os.path.exists(file), anna.said
    anna.luna('share', 'add', 'bike', 'ben', '--yes', '-o', file)
    # Ben does not know Anna yet.
    ben.luna('share', 'import', file, code=8)
    assert '(sender)' in ben.said, ben.said


def test_foreign_envelopes_are_opened_and_ours_by_others(place):
    made = subprocess.run([os.path.join(ROOT, 'scripts', 'lib', 'api-venv'), 'hpke'], capture_output=True, text=True)
    if made.returncode:
        raise NotRun(f'pyhpke cannot be installed: {made.stderr.strip()[-200:]}')
    python = os.path.join(made.stdout.strip(), 'bin', 'python')
    script, numbers = os.path.join(ROOT, 'Tests', 'integration', 'foreign_hpke.py'), ['14', '1000']
    questions = subprocess.run([python, script, 'questions', *numbers], check=True, capture_output=True).stdout
    with open(place.path('questions.json'), 'wb') as file:
        file.write(questions)
    answers = subprocess.run([place.luna, 'selftest', '--answer', place.path('questions.json')], check=True, capture_output=True).stdout
    checked = subprocess.run([python, script, 'check', *numbers], input=answers, capture_output=True, text=False)
    assert checked.stdout.strip() == b'2000', checked


def test_the_vectors_are_those_of_the_text(place):
    run = subprocess.run([os.path.join(ROOT, 'scripts', 'lib', 'share-vectors'), '--check'], capture_output=True, text=True)
    if 'No module named' in run.stderr:
        made = subprocess.run([os.path.join(ROOT, 'scripts', 'lib', 'api-venv'), 'hpke'], capture_output=True, text=True)
        if made.returncode:
            raise NotRun(f'the Python package cryptography is not here, and cannot be installed: {made.stderr.strip()[-200:]}')
        python = os.path.join(made.stdout.strip(), 'bin', 'python')
        run = subprocess.run([python, os.path.join(ROOT, 'scripts', 'lib', 'share-vectors'), '--check'], capture_output=True, text=True)
    assert run.returncode == 0, run
    checked = subprocess.run([place.luna, 'selftest'], capture_output=True, text=True)
    for group in ('share-record', 'share-envelope', 'contact-card'):
        assert f'{group}: ' in checked.stdout, checked.stdout
    assert checked.stdout.splitlines()[-1].endswith(' 0 failed'), checked.stdout[-300:]
