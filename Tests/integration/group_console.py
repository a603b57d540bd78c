"""The console in a real Chromium, against a real backend: every flow of a person, attacks, barriers, a backend that goes
away."""

import base64
import json
import os
import re
import statistics
import struct
import subprocess
import time
import zlib

import codes
import pace
import recordings
from backends import LUNA, PATIENCE, ROOT, Backend, soon
from bench import wait_for
from browser import Browser, axe
from group_accounts import code as code_of, on_terminal
from group_fleet import Finder
from group_issuer import device as device_of
from group_homeapi import tiles_file
from playing import Showing

IN_VM = False
PASSWORD = 'correct horse battery staple'
# What comes by itself comes in less than a second; a machine that is busy with other tests is not the server's fault.
# It is much less than the 30 s after which pages ask.
SOON = 25
SCRIPT = '<img src=x onerror="canary=1"><script>canary=1</script>'
# Whom Chromium asks for itself, whatever it shows: none of them has parts of pages.
ASKED_BY_CHROMIUM = {'accounts.google.com', 'clients2.google.com', 'update.googleapis.com', 'passwordsleakcheck-pa.googleapis.com',
                     'content-autofill.googleapis.com', 'optimizationguide-pa.googleapis.com', 'safebrowsing.googleapis.com',
                     'edgedl.me.gvt1.com', 'redirector.gvt1.com'}
# What a browser logs of an answer with an error that the page shows, and of a server that is away.
EXPECTED = ('the server responded with a status of 4', 'ERR_CONNECTION_REFUSED')


class Bench:
    def __init__(self):
        self.backend = Backend().start()
        self.browsers = []
        self.accounts = {}
        self.cookies = {}

    @property
    def base(self):
        return f'http://127.0.0.1:{self.backend.port}'

    def browser(self, **how):
        self.browsers.append(Browser(self.base, **how))
        return self.browsers[-1]

    def tidy(self):
        for browser in self.browsers:
            browser.close()
        self.browsers = []

    def account(self, name, role='admin'):
        """An account, made by its invitation in a browser; gives that browser, signed in."""
        browser = self.browser()
        link = self.invite(name, role)
        browser.open(link[link.index('/ui/'):])
        browser.write('Name', name)
        browser.write('Password', PASSWORD)
        browser.write('Password again', PASSWORD)
        browser.press('Make the account')
        browser.says('Gateways')
        browser.settle()
        self.accounts[name] = role
        return browser

    def invite(self, name, role):
        done = subprocess.run([LUNA, 'account', 'add', name, '--role', role, '--store', self.backend.store, '--format', 'jsonl',
                               '--public-url', self.base],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=PATIENCE)
        assert done.returncode == 0, done.stderr
        return re.search(r'https?://\S+?/ui/invitation#[\w-]+', done.stdout)[0]

    def signed_in(self, name='ada', role='admin', **how):
        """A browser in which somebody is signed in."""
        if name not in self.accounts:
            self.account(name, role).close()
            self.browsers.pop()
        browser = self.browser(**how)
        browser.open('/ui/')
        if name in self.cookies:
            # Signing in is limited, for tests too.
            browser.driver.add_cookie(self.cookies[name])
            browser.open('/ui/')
        else:
            sign_in(browser, name)
            (self.cookies[name],) = browser.driver.get_cookies()
        return browser

    def gateways(self, names, longitude=13.4):
        """Records for gateways; gives their identifiers."""
        made = []
        for name in names:
            answer = self.backend.call('POST', '/v1/gateways', {'name': name, 'place': {'latitude': 52.5, 'longitude': longitude}}, check=False,
                                       headers={'Authorization': 'Bearer ' + self.operator_token()})
            assert answer.status == 201, answer.body
            made.append((answer.json.get('gateway') or answer.json)['id'])
        return made

    def operator_token(self):
        if not hasattr(self, 'token'):
            self.token = self.backend.command('token', 'create', 'admin', 'console', '--role', 'operator')[0]['token']
        return self.token

    def admin_token(self):
        if not hasattr(self, 'all_rights'):
            self.all_rights = self.backend.command('token', 'create', 'admin', 'settings', '--role', 'admin')[0]['token']
        return self.all_rights

    def away(self, ids):
        """Takes gateways of other tests off the map; gives what brings them back."""
        rights = {'Authorization': 'Bearer ' + self.operator_token()}
        changes = [self.backend.call('POST', '/v1/gateways/bulk', {'ids': ids, 'remove': True}, headers=rights).json['change']] if ids else []
        return lambda: [self.backend.call('POST', f'/v1/changes/{change}/undo', headers=rights) for change in changes]

    def close(self):
        self.tidy()
        self.backend.close()


    def hearing(self, name):
        """A gateway that tells of two devices, one of which is unknown and stays; gives its id, and both with that one
        first."""
        hour = int(time.time()) // 3600 * 3600
        path = os.path.join(self.backend.directory, f'{name}.btsnoop')
        stays = recordings.Advertiser('C0:FF:EE:00:00:01', [recordings.ibeacon(1)])
        seldom = recordings.Advertiser('C0:FF:EE:00:00:02', [recordings.named('no name reaches the server')])
        recordings.write(path, [(hour - 3600 * back + 1, stays) for back in range(8)] + [(hour - 3600 * back + 2, seldom) for back in range(0, 6, 2)])
        token = os.path.join(self.backend.directory, f'{name}.token')
        with open(os.open(token, os.O_WRONLY | os.O_CREAT, 0o600), 'w') as file:
            file.write(self.backend.token('gateway', name))
        done = subprocess.run([LUNA, 'finder', '--read', path, '--location', 'static:52.5,13.4', '--backend', self.base, '--token-file', token,
                               '--state', os.path.join(self.backend.directory, name), '--once', '--devices', 'refs'],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=PATIENCE)
        assert done.returncode in (0, 1), done.stderr
        listed = self.backend.call('GET', '/v1/gateways?limit=500', role='admin').json['gateways']
        gateway = next(one['id'] for one in listed if one['key'] == name)
        devices = self.backend.call('GET', f'/v1/gateways/{gateway}/devices', role='admin').json['devices']
        assert len(devices) == 2, devices
        return gateway, sorted(devices, key=lambda one: not one['staying'])

    def label(self):
        """The text of a label that nobody has scanned yet."""
        self.labels = getattr(self, 'labels', 0) + 1
        state = os.path.join(self.backend.directory, f'labelled{self.labels}')
        # No two gateways have one name, as they would by that of this machine.
        text = subprocess.run([LUNA, 'finder', 'label', '--state', state, '--name', f'Label {self.labels}'],
                              stdout=subprocess.PIPE, text=True, timeout=PATIENCE).stdout
        return re.search(r'LUNAG1:[0-9A-Z]+', text)[0]

    def labelled(self):
        """The record of a gateway that somebody has scanned: its id, and the text of its label."""
        payload = self.label()
        answer = self.backend.call('POST', '/v1/gateways', {'payload': payload, 'name': f'Labelled {self.labels}', 'allowNoPosition': True}, check=False,
                                   headers={'Authorization': 'Bearer ' + self.operator_token()})
        assert answer.status == 201, answer.body
        gateway = answer.json['gateway']['id']
        return gateway, self.backend.call('GET', f'/v1/gateways/{gateway}', role='admin').json['label']


def prepare(mode):
    return Bench()


def sign_in(browser, name, password=PASSWORD):
    browser.find('box', 'Name')
    browser.write('Name', name)
    browser.write('Password', password)
    browser.press('Sign in')
    browser.says('Sign out')
    browser.settle()


def save(browser, field, value, said='Saved'):
    """Writes something into an edit, saves it, and waits for what the page says then."""
    browser.write(field, value)
    if said == 'Saved':
        browser.press_for('Save changes', said)
    else:
        browser.press('Save changes')
        browser.says(said)


def test_from_an_invitation_to_the_directory_and_back(bench):
    browser = bench.account('ada')
    browser.says('There is no gateway yet')
    assert '#' not in browser.driver.current_url
    browser.press('Sign out')
    browser.says('Password')
    browser.settle()
    browser.write('Name', 'ada')
    browser.write('Password', 'wrong horse battery')
    browser.press('Sign in')
    assert browser.alert()
    sign_in(browser, 'ada')
    browser.is_clean(EXPECTED)


def test_the_first_five_minutes(bench):
    """FLEET.md, 9: from luna backend to a gateway that is online, by what the screens say."""
    own = Bench.__new__(Bench)
    own.backend, own.browsers = Backend(), []
    own.backend.process, link = on_terminal(own.backend)
    own.backend.port = int(link.group(2))
    finder = Finder(own)
    try:
        began = time.monotonic()
        browser = own.browser()
        browser.open('/ui/setup#' + link.group(3))
        browser.write('Name', 'ada')
        browser.write('Password', PASSWORD)
        browser.write('Password again', PASSWORD)
        browser.press('Make the account')
        browser.says('There is no gateway yet. Run luna finder --backend')
        line = finder.start().line()
        browser.press('Add a gateway')
        browser.write('Label', line)
        browser.press('Read the label')
        browser.says('Compare the print')
        said = 'its print is ' + browser.script("return document.querySelector('dd.code').innerText")
        wait_for(lambda: said in finder.said(), PATIENCE, lambda: f'the finder to say {said}; it says {finder.said()}')
        browser.press('Add this gateway')
        browser.says('is added')
        # The page tells by itself.
        wait_for(lambda: browser.script("return document.querySelector('.state')?.innerText || ''").startswith('Online'), 70 * 4, 'the gateway to be online')
        print(f'note: from the link to a gateway that is online: {time.monotonic() - began:.0f} s')
        browser.is_clean(EXPECTED)
    finally:
        finder.close()
        own.close()


test_the_first_five_minutes.seconds = 400


def test_an_invitation_works_once_and_only_whole(bench):
    link = bench.invite('once', 'viewer')
    browser = bench.browser()
    browser.open('/ui/invitation')
    assert 'not whole' in browser.alert()
    for turn in range(2):
        browser.open(link[link.index('/ui/'):])
        browser.write('Name', 'once')
        browser.write('Password', PASSWORD)
        browser.write('Password again', PASSWORD)
        browser.press('Make the account')
        if turn == 0:
            browser.says('Sign out')
            browser.press('Sign out')
            browser.says('Password')
        else:
            assert browser.alert()


def test_signs_in_by_the_keyboard_alone(bench):
    bench.signed_in()
    browser = bench.browser()
    browser.open('/ui/')
    from selenium.webdriver.common.keys import Keys
    browser.has_focus('Name')
    browser.driver.switch_to.active_element.send_keys('ada', Keys.TAB)
    browser.driver.switch_to.active_element.send_keys(PASSWORD, Keys.ENTER)
    browser.says('Sign out')


def test_sign_in_leads_nowhere_else(bench):
    bench.signed_in()
    browser = bench.browser()
    browser.open('/ui/sign-in?next=%2F%2Fevil.example%2F')
    for target in ['//evil.example/', 'https://evil.example/', '/ui//evil.example', '/ui/\\\\evil.example', '/ui/..//evil.example', '/v1/openapi.json',
                   'javascript:canary=1', '/ui/\t/evil.example', '/uix/']:
        led = browser.driver.execute_async_script(
            "const [target, done] = arguments; import('/ui/assets/pages/signin.js').then(({ safeNext }) => done(new URL(safeNext(target), location.href).href));", target)
        assert led.startswith(bench.base + '/ui/') and 'evil' not in led.split('/')[2], (target, led)
    sign_in(browser, 'ada')
    assert browser.driver.current_url.startswith(bench.base + '/ui/'), browser.driver.current_url
    browser.is_clean(EXPECTED)


def test_edits_a_gateway_and_merges_with_another_editor(bench):
    one, two = bench.signed_in(), bench.signed_in()
    (gateway,) = bench.gateways(['Roof'])
    for browser in [one, two]:
        browser.open(f'/ui/gateways/{gateway}')
        browser.press('Edit')
    save(one, 'Name', 'Roof, left', 'Saved')
    # Another field: merged.
    save(two, 'Site', 'North', 'Roof, left')
    one.press('Edit')
    two.press('Edit')
    save(one, 'Name', 'Roof, right', 'Saved')
    save(two, 'Name', 'Roof, top', 'Somebody else has changed the same')
    two.says('Roof, right')
    two.press('Save changes')
    two.says('Roof, top')
    # What only one of them has touched stays so where they differ in something else.
    one.says('Roof, top')
    for browser in [one, two]:
        browser.press('Edit')
    one.write('Manufacturer', 'Roofers')
    save(one, 'Name', 'Roof, front', 'Saved')
    save(two, 'Name', 'Roof, back', 'Somebody else has changed the same')
    assert two.value('Manufacturer') == 'Roofers'
    two.press('Save changes')
    two.says('Roofers')
    record = bench.backend.call('GET', f'/v1/gateways/{gateway}', role='admin').json
    assert (record['name'], record['manufacturer'], record['site']) == ('Roof, back', 'Roofers', 'North'), record
    for browser in [one, two]:
        browser.is_clean(EXPECTED)


def test_a_conflict_reads_as_the_page_does(bench):
    (gateway,) = bench.gateways(['Weathercock'])
    browser, rights = bench.signed_in(), {'Authorization': 'Bearer ' + bench.operator_token()}
    browser.open(f'/ui/gateways/{gateway}?edit=1')
    revision = bench.backend.call('GET', f'/v1/gateways/{gateway}', headers=rights).json['revision']
    theirs = {'tags': ['north', 'tin'], 'place': {'latitude': 52.25, 'longitude': 13.5, 'text': 'on the church'}}
    assert bench.backend.call('PATCH', f'/v1/gateways/{gateway}', {'revision': revision, **theirs}, headers=rights).status == 200
    browser.write('Tags', 'south')
    save(browser, 'Place', 'at home', 'Somebody else has changed the same')
    said = browser.script("return [...document.querySelectorAll('.conflict')].map((one) => one.textContent).join()")
    for text in ['north tin', 'south', 'on the church, 52.25000, 13.50000', 'at home, 52.50000, 13.40000']:
        assert text in said, (text, said)
    assert not set('{["') & set(said), said
    browser.is_clean(EXPECTED)


def test_deletes_and_undoes(bench):
    browser = bench.signed_in()
    bench.gateways(['Going', 'Staying'])
    browser.open('/ui/')
    browser.says('Going')
    # The buttons of a row show when it has the focus, also after the page was drawn anew.
    browser.script("[...document.querySelectorAll('.row .to')].find((one) => one.textContent.includes('Going')).focus()")
    bench.gateways(['Coming'])
    browser.says('Coming')
    assert 'Going' in browser.script("return document.activeElement.closest('.row')?.textContent ?? ''")
    browser.press('Delete Going')
    browser.press('Delete')
    wait_for(lambda: not browser.script("return [...document.querySelectorAll('.row strong')].some((one) => one.textContent === 'Going')"),
             PATIENCE, 'the row to go')
    browser.press_notice('Undo')
    wait_for(lambda: browser.script("return [...document.querySelectorAll('.row strong')].some((one) => one.textContent === 'Going')"),
             PATIENCE, 'the row to be back')
    browser.is_clean(EXPECTED)


def on_a_phone(bench, name):
    """A phone that shows the directory, with a gateway of this name."""
    browser = bench.signed_in(size='phone')
    bench.gateways([name])
    browser.driver.execute_cdp_cmd('Emulation.setTouchEmulationEnabled', {'enabled': True})
    browser.open('/ui/')
    browser.says(name)
    return browser


def test_swipes_a_row(bench):
    browser = on_a_phone(bench, 'Swiped')
    find = "[...document.querySelectorAll('.row')].find((one) => one.textContent.includes('Swiped'))"

    def swipe(distance, down=0, meanwhile=None):
        x, y = browser.script(f"const one = {find}; one.scrollIntoView({{ block: 'center' }}); const box = one.getBoundingClientRect(); return [box.right - 60, box.y + box.height / 2]")
        browser.drag(x, y, -distance, down, meanwhile)

    def opened():
        return browser.script(f"return {find}.classList.contains('open')")

    def another(name):
        bench.gateways([name])
        browser.says(name)

    # A little is none; some shows the buttons; back hides them.
    swipe(20)
    assert not opened()
    swipe(90)
    wait_for(opened, PATIENCE, 'the buttons of the row')
    assert browser.script(f"const box = {find}.querySelector('.actions .danger').getBoundingClientRect(); return box.width > 0 && box.right <= innerWidth")
    # It stays so when the page is drawn anew by what others do.
    another('While it is open')
    assert opened()
    swipe(-90)
    wait_for(lambda: not opened(), PATIENCE, 'the row to close')
    swipe(90, meanwhile=lambda: another('Below the finger'))
    wait_for(opened, PATIENCE, 'the buttons of the row')
    swipe(-90)
    wait_for(lambda: not opened(), PATIENCE, 'the row to close')
    # Who scrolls swipes nothing.
    swipe(70, down=150)
    assert not opened()
    # All the way deletes at once, and can be undone.
    swipe(260)
    browser.press_notice('Undo')
    wait_for(lambda: browser.script(f'return Boolean({find})'), PATIENCE, 'the row to be back')
    browser.is_clean(EXPECTED)


def test_pulls_the_directory(bench):
    browser = on_a_phone(bench, 'Pulled')
    # Neither what others do has this page ask, nor that nothing tells it for half a minute.
    browser.driver.execute_cdp_cmd('Page.addScriptToEvaluateOnNewDocument', {'source': '''
        globalThis.EventSource = class extends EventTarget { close() {} };
        const every = globalThis.setInterval;
        globalThis.setInterval = (work, pause, ...more) => (pause >= 30000 ? 0 : every(work, pause, ...more));
    '''})
    browser.open('/ui/')
    browser.says('Pulled')
    browser.script('''
        globalThis.asked = 0;
        const fetched = globalThis.fetch;
        globalThis.fetch = (place, ...more) => { if (String(place).startsWith('/v1/gateways?')) asked += 1; return fetched(place, ...more); };
    ''')

    def drag(right, down):
        browser.script('scrollTo(0, 0)')
        browser.drag(200, 300, right, down)

    # A little is none, and neither is what goes to the side; nothing else asks just now.
    drag(0, 40)
    drag(-120, 100)
    wait_for(lambda: browser.script("return document.querySelector('.pull').hidden"), PATIENCE, 'the end of the pull')
    assert browser.script('return asked') == 0
    drag(0, 160)
    wait_for(lambda: browser.script('return asked'), PATIENCE, 'the directory to be asked for')
    assert browser.script('return asked') == 1
    browser.is_clean(EXPECTED)


def test_an_admin_purges_what_is_deleted(bench):
    id = bench.gateways(['Gone for good'])[0]
    rights = {'Authorization': 'Bearer ' + bench.operator_token()}
    bench.backend.call('DELETE', f'/v1/gateways/{id}', headers=rights)
    operator = bench.signed_in('olaf', 'operator')
    operator.open('/ui/history')
    operator.says('Undo')
    assert 'Purge' not in operator.text()
    browser = bench.signed_in()
    browser.open('/ui/history')
    button = f"const row = [...document.querySelectorAll('.changes li')].find((one) => one.textContent.includes('{id}') && one.textContent.includes('removed')); const button = [...(row?.querySelectorAll('button') || [])].find((one) => one.textContent === 'Purge');"
    wait_for(lambda: browser.script(button + ' button?.click(); return Boolean(button)'), PATIENCE, 'its button')
    browser.says('This cannot be undone')
    browser.script("document.querySelector('dialog .danger').click()")
    browser.says('Purged.')
    wait_for(lambda: browser.script(button + ' return Boolean(row) && !button'), PATIENCE, 'the button to go')
    assert bench.backend.call('POST', f'/v1/gateways/{id}/purge', headers={'Authorization': 'Bearer ' + bench.admin_token()}, check=False).status == 404
    browser.is_clean(EXPECTED)


def test_all_that_a_gateway_tells_is_on_its_page(bench):
    token = bench.backend.token('gateway', 'teller')
    health = {
        'version': '7.8.9', 'uptime': 90061, 'radioPath': 'observe', 'adapters': [{'id': 'hci3', 'state': 'scanning', 'packetsPerSecond': 41.5}],
        'packetsPerSecond': 41.5, 'packetsDropped': 1201, 'packetsMalformed': 1202, 'advertisers': 1203, 'families': {'tile': 3},
        'sightingsPerMinute': 300.5, 'recoveries': 1204, 'silentSeconds': 0, 'queueDepth': 1205, 'queueOldestSeconds': 12, 'outageHoursLeft': 160,
        'eventsLost': 1206, 'uploadFailures': 1207, 'lastUploadSeconds': 4, 'backendMilliseconds': 1208, 'commandsDone': 1209,
        'commandsFailed': 1210, 'locationState': 'stale', 'clockOffsetMilliseconds': -1211, 'uplinkVerdict': 'differs', 'uplinkRatio': 0.52,
        'uplinkSeconds': 7200, 'uplinkLocated': 'common', 'cpuPercent': 2.4,
        'memoryMiB': 18.2, 'diskFreeMiB': 20480, 'temperature': 48.5, 'throttled': True}
    answer = bench.backend.call('POST', '/v1/telemetry', {'health': health, 'items': []}, headers={'Authorization': 'Bearer ' + token})
    assert answer.status == 200, answer.body
    listed = bench.backend.call('GET', '/v1/gateways?q=key:teller', role='admin').json['gateways']
    id, rights = listed[0]['id'], {'Authorization': 'Bearer ' + bench.operator_token()}
    place = {'latitude': 52.5, 'longitude': 13.25, 'text': 'above the door', 'source': 'gpsd', 'accuracy': 7}
    record = bench.backend.call('GET', f'/v1/gateways/{id}', headers=rights)
    answer = bench.backend.call('PATCH', f'/v1/gateways/{id}', {'place': place}, headers={**rights, 'If-Match': record.headers['etag']})
    assert answer.status == 200, answer.body
    browser = bench.signed_in()
    browser.open(f'/ui/gateways/{id}')
    browser.says('Slowed down')
    facts = browser.script("return Object.fromEntries([...document.querySelectorAll('.facts dt')].map((one) => [one.textContent, one.nextSibling.textContent]))")
    # Each member has its place, and nothing that cannot be read: families are on the page of devices.
    assert facts['Revision'] == '2', facts
    told = ' '.join(facts.values())
    for text in ['7.8.9', '1 d 1 h', 'observe', 'hci3 scanning', '41.5', '300.5', '160 h', '-1211 ms', 'stale', 'differs', '0.52 times as fast', '2 h before it told', 'what both paths share', '2.4 %', '18.2 MiB',
                 '20480 MiB', '48.5 °C', 'yes', 'above the door', '52.50000, 13.25000 (by satellites, within 7 m)', *map(str, range(1201, 1211))]:
        assert text in told, (text, facts)
    assert not any(word in told for word in ['undefined', 'null', 'NaN', '[object']), facts
    browser.is_clean(EXPECTED)


def test_charts_go_on_with_the_day(bench):
    token = {'Authorization': 'Bearer ' + bench.backend.token('gateway', 'charted')}

    def tell(*ages):
        samples = [{'time': soon(-age), 'health': {'packetsPerSecond': age}} for age in ages]
        answer = bench.backend.call('POST', '/v1/telemetry', {'health': {'packetsPerSecond': 40}, 'samples': samples, 'items': []}, headers=token)
        assert answer.status == 200, answer.body

    tell()
    tell(3000, 2400)
    gateway = bench.backend.call('GET', '/v1/gateways?q=key:charted', role='admin').json['gateways'][0]['id']
    browser = bench.signed_in()
    browser.open(f'/ui/gateways/{gateway}')
    live(browser)
    rows = lambda: browser.script("return document.querySelector('.charts tbody')?.childElementCount")
    before = wait_for(rows, PATIENCE, 'the charts')
    browser.script("document.querySelector('.charts details').open = true; document.querySelector('.charts summary').focus()")
    # Ten minutes later, and something is told.
    browser.script('const now = Date.now; Date.now = () => now() + 600_000')
    tell(1200)
    wait_for(lambda: rows() == before + 1, SOON, 'the new sample')
    assert browser.script("return [document.querySelector('.charts details').open, document.activeElement === document.querySelector('.charts summary')]") == [True, True]
    browser.is_clean(EXPECTED)


def test_devices_of_a_gateway(bench):
    gateway, (stays, seldom) = bench.hearing('kitchen')
    browser = bench.signed_in()
    browser.open(f'/ui/gateways/{gateway}')
    browser.press('Devices')
    browser.says('What kitchen hears')
    browser.says('Unknown, and stays')
    browser.says('Listening prevents nothing')
    browser.says('iBeacon')
    # In hours as everybody sees and as a screen reader says them.
    strips = browser.script("return [...document.querySelectorAll('.strip')].map((one) => one.getAttribute('aria-label'))")
    assert sorted(set(strips)) == ['Heard in 3 hours of the last 24', 'Heard in 8 hours of the last 24'], strips
    assert 'no name reaches' not in browser.text()

    def shown():
        return browser.script("return [...document.querySelectorAll('.row strong')].map((one) => one.textContent)")

    # Forgotten and back, by the keyboard.
    browser.script("[...document.querySelectorAll('.row .to')].find((one) => one.textContent.includes(arguments[0])).focus()", seldom['ref'])
    browser.press('Forget ' + seldom['ref'])
    wait_for(lambda: seldom['ref'] not in shown(), PATIENCE, 'the device to go')
    browser.press_notice('Undo')
    wait_for(lambda: seldom['ref'] in shown(), PATIENCE, 'the device to be back')
    # A name, by its own page.
    browser.open(f'/ui/devices/{stays["ref"]}?edit=1')
    browser.write('Name', SCRIPT[:60])
    browser.find('box', 'Priority').send_keys('High')
    browser.write('Place', 'on the shelf')
    browser.press('Save changes')
    browser.says('on the shelf')
    browser.says(SCRIPT[:60])
    browser.press('Approve')
    browser.says('Approved')
    browser.open(f'/ui/gateways/{gateway}/devices')
    browser.says('There are none')
    browser.says(SCRIPT[:60])
    browser.is_clean(EXPECTED)
    # A viewer sees it, and changes nothing.
    viewer = bench.signed_in('vera', 'viewer')
    for page in [f'/ui/gateways/{gateway}/devices', f'/ui/devices/{stays["ref"]}']:
        viewer.open(page)
        viewer.says(SCRIPT[:60])
        said = viewer.script("return [...document.querySelectorAll('main button')].map((one) => one.getAttribute('aria-label') || one.textContent.trim())")
        assert not [text for text in said if text.startswith(('Forget', 'Approve', 'Edit'))], said
    viewer.open('/ui/devices/' + 'f' * 16)
    assert 'no device has this ref' in viewer.alert()


def test_two_edit_a_device(bench):
    _, (stays, _) = bench.hearing('pantry')
    one, two = bench.signed_in(), bench.signed_in()
    for browser in [one, two]:
        browser.open(f'/ui/devices/{stays["ref"]}?edit=1')
    save(one, 'Name', 'Freezer', 'Saved')
    # Another field is merged, the same one is a question.
    save(two, 'Place', 'left', 'Freezer')
    one.open(f'/ui/devices/{stays["ref"]}?edit=1')
    two.press('Edit')
    one.write('Manufacturer', 'Coolers')
    save(one, 'Name', 'Fridge', 'Saved')
    save(two, 'Name', 'Stove', 'Somebody else has changed the same')
    two.says('Fridge')
    two.press('Save changes')
    two.says('Stove')
    # What only one of them has touched stays so.
    two.says('Coolers')


def test_devices_follow_what_others_do(bench):
    """In the list and on the page of one, without a reload: by themselves they ask only after a minute, or never."""
    gateway, (stays, seldom) = bench.hearing('larder')
    rights = {'Authorization': 'Bearer ' + bench.operator_token()}
    several, one = bench.signed_in(), bench.signed_in()
    several.open(f'/ui/gateways/{gateway}/devices')
    one.open(f'/ui/devices/{stays["ref"]}')
    for browser in [several, one]:
        browser.says('Unknown, and stays')
        live(browser)
    path = f'/v1/gateways/{gateway}/devices'
    answer = bench.backend.call('PATCH', f'{path}/{stays["ref"]}', {'revision': stays['revision'], 'name': 'Scales', 'approved': True}, headers=rights)
    assert answer.status == 200, answer.body
    for browser in [several, one]:
        wait_for(lambda browser=browser: all(text in browser.text() for text in ['Scales', 'Approved']), SOON, 'what somebody else says of the device')
    # Whoever edits it goes on doing that.
    one.press('Edit')
    one.write('Place', 'half a pl')
    assert bench.backend.call('PATCH', f'{path}/{stays["ref"]}', {'revision': answer.json['revision'], 'name': 'Kitchen scales'}, headers=rights).status == 200
    assert bench.backend.call('POST', f'{path}/{seldom["ref"]}/forget', headers=rights).status == 200
    wait_for(lambda: 'Kitchen scales' in several.text() and seldom['ref'] not in several.text(), SOON, 'both in the list')
    assert one.value('Place') == 'half a pl'
    for browser in [several, one]:
        browser.is_clean(EXPECTED)


def test_the_focus_stays_while_a_page_is_drawn_anew(bench):
    """On the page of a gateway, and on that of what it hears."""
    gateway, (stays, _) = bench.hearing('pinned')
    rights = {'Authorization': 'Bearer ' + bench.operator_token()}
    path = f'/v1/gateways/{gateway}'
    browser = bench.signed_in()
    browser.open('/ui' + path[3:])
    live(browser)
    browser.find('button', 'Edit', what='found.focus(); return true')
    # What was said of a file stays to be read, too.
    file = os.path.join(bench.backend.directory, 'no-picture.png')
    with open(file, 'w') as one:
        one.write('no picture at all')
    browser.find('box', 'Choose a picture').send_keys(file)
    said = browser.alert()
    browser.find('button', 'Edit', what='found.focus(); return true')
    revision = bench.backend.call('GET', path, headers=rights).json['revision']
    assert bench.backend.call('PATCH', path, {'revision': revision, 'name': 'Pinned anew'}, headers=rights).status == 200
    wait_for(lambda: 'Pinned anew' in browser.text(), SOON, 'the new name')
    assert browser.script("return [document.title, document.querySelector('h1').textContent]") == ['Pinned anew · Luna', 'Pinned anew']
    assert browser.script("return [document.activeElement.textContent.trim(), document.activeElement.isConnected]") == ['Edit', True]
    assert browser.alert() == said
    browser.open('/ui' + path[3:] + '/devices')
    live(browser)
    # The last that can be folded.
    focus = "return document.activeElement.tagName"
    browser.script("[...document.querySelectorAll('main summary')].pop().focus()")
    assert browser.script(focus) == 'SUMMARY'
    answer = bench.backend.call('PATCH', f'{path}/devices/{stays["ref"]}', {'revision': stays['revision'], 'name': 'Weights'}, headers=rights)
    assert answer.status == 200, answer.body
    wait_for(lambda: 'Weights' in browser.text(), SOON, 'the name of the device')
    assert browser.script(focus) == 'SUMMARY'
    browser.is_clean(EXPECTED)


def test_label_and_picture(bench):
    gateway, payload = bench.labelled()
    browser = bench.signed_in()
    browser.open(f'/ui/gateways/{gateway}')
    browser.says(payload)
    sizes = wait_for(lambda: browser.script("const one = document.querySelector('img.label'); return one?.complete && [one.naturalWidth, one.naturalHeight]"),
                     PATIENCE, 'the label')
    assert min(sizes) > 0, sizes
    assert browser.script("return [...document.querySelectorAll('a[download]')].map((one) => one.download.split('.').pop())") == ['png', 'svg']
    browser.script('globalThis.print = () => { globalThis.printed = getComputedStyle(document.querySelector(".sheet")).display; }')
    browser.press('Print the label')
    wait_for(lambda: browser.script('return globalThis.printed'), PATIENCE, 'the label to be printed')
    browser.script("dispatchEvent(new Event('afterprint'))")
    assert not browser.script("return document.querySelector('.sheet')")
    # A picture that is too large is made small, and tells nothing of its place.
    path = os.path.join(bench.backend.directory, 'photo.png')
    with open(path, 'wb') as file:
        file.write(png(2000, 500, b'tEXtGPS\0' + b'canary-of-the-place'))
    browser.find('box', 'Choose a picture').send_keys(path)
    source = wait_for(lambda: browser.script("return document.querySelector('img.photo')?.complete && document.querySelector('img.photo').src"), PATIENCE, 'the picture')
    assert browser.script("const one = document.querySelector('img.photo'); return [one.naturalWidth, one.naturalHeight]") == [1024, 256]
    kept = bench.backend.call('GET', source[len(bench.base):], role='admin', check=False).body
    assert kept[:2] == b'\xff\xd8' and b'canary' not in kept
    browser.press('Remove the picture')
    wait_for(lambda: not browser.script("return document.querySelector('img.photo')"), PATIENCE, 'the picture to go')
    # What is no picture is refused, and said.
    with open(path, 'w') as file:
        file.write('<svg xmlns="http://www.w3.org/2000/svg" onload="canary=1"/>')
    browser.find('box', 'Choose a picture').send_keys(path)
    assert 'no picture' in browser.alert()
    # The same file again, which is a picture by now.
    with open(path, 'wb') as file:
        file.write(png(200, 100, b'tEXtname\0again'))
    browser.find('box', 'Choose a picture').send_keys(path)
    wait_for(lambda: browser.script("return document.querySelector('img.photo')?.naturalWidth") == 200, PATIENCE, 'the picture')
    browser.is_clean(EXPECTED)


def test_a_picture_of_a_camera_stands_upright(bench):
    """However that was held, which the JPEG says (Exif): what the page makes small, and what programs give to the server."""
    (gateway,) = bench.gateways(['Upright'])
    rights = {'Authorization': 'Bearer ' + bench.operator_token(), 'Content-Type': 'image/jpeg'}
    browser = bench.signed_in()
    browser.open(f'/ui/gateways/{gateway}')
    red, blue = 'red', 'blue'
    # Red on the left and blue on the right, and what stands first and last when it is shown as it is to be.
    plain = base64.b64decode(browser.driver.execute_async_script('''
        const [done, canvas] = [arguments[0], document.createElement('canvas')];
        [canvas.width, canvas.height] = [80, 40];
        const context = canvas.getContext('2d');
        for (const [colour, x] of [['red', 0], ['blue', 40]]) { context.fillStyle = colour; context.fillRect(x, 0, 40, 40); }
        canvas.toBlob(async (blob) => done(btoa(String.fromCharCode(...new Uint8Array(await blob.arrayBuffer())))), 'image/jpeg', 0.95);
    '''))
    assert plain[:2] == b'\xff\xd8'
    path = os.path.join(bench.backend.directory, 'held.jpg')

    def shown(before):
        """What is on the page once it shows another picture: its size, and the colours of its first and last corner."""
        wait_for(lambda: browser.script("const one = document.querySelector('img.photo'); return one?.complete && one.naturalWidth && one.src !== arguments[0]", before),
                 PATIENCE, 'the picture')
        return browser.script('''
            const [one, canvas] = [document.querySelector('img.photo'), document.createElement('canvas')];
            [canvas.width, canvas.height] = [one.naturalWidth, one.naturalHeight];
            const context = canvas.getContext('2d', { willReadFrequently: true });
            context.drawImage(one, 0, 0);
            const colour = (x, y) => { const [red, , blue] = context.getImageData(x, y, 1, 1).data; return red > blue + 100 ? 'red' : blue > red + 100 ? 'blue' : 'neither'; };
            return [canvas.width, canvas.height, colour(5, 5), colour(canvas.width - 5, canvas.height - 5)];
        ''')

    source = lambda: browser.script("return document.querySelector('img.photo')?.src ?? null")
    for orientation, wanted in [(1, [80, 40, red, blue]), (6, [40, 80, red, blue]), (3, [80, 40, blue, red]), (8, [40, 80, blue, red])]:
        picture = turned(plain, orientation)
        with open(path, 'wb') as file:
            file.write(picture)
        before = source()
        browser.find('box', 'Choose a picture').send_keys(path)
        assert shown(before) == wanted, (orientation, 'by the page', shown(before))
        before = source()
        answer = bench.backend.call('PUT', f'/v1/gateways/{gateway}/picture', picture, headers=rights)
        assert answer.status == 200, answer.body
        browser.open(f'/ui/gateways/{gateway}')
        assert shown(before) == wanted, (orientation, 'by a program', shown(before))
    browser.is_clean(EXPECTED)


def turned(jpeg, orientation):
    """A JPEG that says how the camera was held, as cameras say it: in Exif, before all else."""
    exif = b'Exif\0\0MM\0*' + struct.pack('>IHHHIHHI', 8, 1, 0x0112, 3, 1, orientation, 0, 0)
    return jpeg[:2] + b'\xff\xe1' + struct.pack('>H', len(exif) + 2) + exif + jpeg[2:]


def scan(browser, text):
    """Gives the text of a label to the page that adds gateways, as far as what it says is shown."""
    browser.write('Label', text)
    browser.press('Read the label')
    browser.says('Compare the print')


def test_a_place_is_pointed_at_on_a_small_map(bench):
    bench.gateways(['Landmark'])
    text = bench.label()
    browser = bench.signed_in()
    browser.open('/ui/scan')
    scan(browser, text)
    browser.press('On a map')
    wait_for(lambda: browser.script("return document.querySelectorAll('.map.small .known').length"), PATIENCE, 'where the others are')
    degrees = lambda: [browser.value(name) for name in ['Latitude', 'Longitude']]
    browser.driver.find_element('css selector', '.map.small').click()
    wait_for(lambda: all(degrees()), PATIENCE, 'the place in the boxes')
    pointed = [float(one) for one in degrees()]
    assert abs(pointed[0] - 52.5) < 1 and abs(pointed[1] - 13.4) < 1, pointed
    assert browser.script("return document.querySelectorAll('.map.small .spot.selected').length") == 1
    browser.write('Latitude', 'north')
    browser.press('Add this gateway')
    assert 'are degrees' in browser.alert()
    browser.write('Latitude', '52.61')
    browser.press('Add this gateway')
    browser.says('is added')
    (found,) = [one for one in bench.backend.call('GET', '/v1/gateways?q=near:52.61,' + str(pointed[1]) + ',50', role='admin').json['gateways']]
    place = found['place']
    assert (place['latitude'], place['source']) == (52.61, 'given') and 'accuracy' not in place, place
    browser.is_clean(EXPECTED)


def test_a_gateway_is_moved_on_a_small_map(bench):
    (gateway,) = bench.gateways(['Movable'])
    rights = {'Authorization': 'Bearer ' + bench.operator_token()}
    place = {'latitude': 52.5, 'longitude': 13.4, 'text': 'left', 'source': 'gpsd', 'accuracy': 7}
    answer = bench.backend.call('PATCH', f'/v1/gateways/{gateway}', {'revision': 1, 'place': place}, headers=rights)
    assert answer.status == 200, answer.body
    kept = lambda: bench.backend.call('GET', f'/v1/gateways/{gateway}', role='admin').json['place']
    browser = bench.signed_in()
    browser.open(f'/ui/gateways/{gateway}')
    # Other words change nothing of who said where it is.
    browser.press('Edit')
    save(browser, 'Place', 'right', 'Saved')
    assert kept() == {**place, 'text': 'right'}, kept()
    browser.press('Edit')
    browser.press('On a map')
    wait_for(lambda: browser.script("return document.querySelectorAll('.map.small .spot.selected').length"), PATIENCE, 'where it is')
    browser.script('''
        const one = document.querySelector('.map.small'), box = one.getBoundingClientRect();
        one.dispatchEvent(new MouseEvent('click', { bubbles: true, clientX: box.x + box.width / 2 + 60, clientY: box.y + box.height / 2 }));
    ''')
    longitude = lambda: float(browser.value('Longitude'))
    wait_for(lambda: longitude() > 13.4005, PATIENCE, lambda: f'another place in the boxes; it is {longitude()}')
    browser.press('Save changes')
    wait_for(lambda: not browser.script("return document.querySelector('.map.small')"), PATIENCE, 'the edit to be saved')
    moved = kept()
    assert 13.4005 < moved['longitude'] < 13.41 and moved['source'] == 'given' and 'accuracy' not in moved and moved['text'] == 'right', moved
    browser.is_clean(EXPECTED)


def test_a_label_that_is_known_already(bench):
    gateway, text = bench.labelled()
    name = f'Labelled {bench.labels}'
    browser = bench.signed_in()
    browser.open('/ui/scan')
    scan(browser, text)
    browser.press('Add this gateway')
    assert 'has a record already' in browser.alert()
    browser.press(f'To {name}')
    browser.says('About it')
    assert browser.driver.current_url == f'{bench.base}/ui/gateways/{gateway}'
    # Of one that was removed, that can be undone where it is noticed.
    bench.backend.call('DELETE', f'/v1/gateways/{gateway}', headers={'Authorization': 'Bearer ' + bench.operator_token()})
    browser.open('/ui/scan')
    scan(browser, text)
    browser.press('Add this gateway')
    assert 'was removed' in browser.alert()
    browser.press('Undo the removal')
    browser.says(f'{name} is back')
    assert browser.driver.current_url == f'{bench.base}/ui/gateways/{gateway}'
    browser.is_clean(EXPECTED)


def test_a_gateway_gets_a_token_anew(bench):
    gateway, text = bench.labelled()
    other = bench.label()
    browser = bench.signed_in()
    browser.open(f'/ui/gateways/{gateway}')
    browser.says(text)
    browser.press('New code')
    browser.press('Make the code')
    # What the page says works as it says it, and the label before is not shown any more.
    browser.says(f'luna finder enroll --backend {bench.base}')
    code = browser.script("return document.querySelector('.one-time').textContent")
    wait_for(lambda: text not in browser.text(), PATIENCE, 'the label to go')
    assert code in browser.text()
    state = os.path.join(bench.backend.directory, 'anew')
    done = subprocess.run([LUNA, 'finder', 'enroll', '--backend', bench.base, '--state', state], input=code + '\n', stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    token = open(os.path.join(state, 'gateway.token')).read().strip()
    upload = lambda: bench.backend.call('POST', '/trackerEvent', [], headers={'Authorization': 'Bearer ' + token}, check=False).status
    assert upload() == 200
    # Another machine: its label takes the place, and ends the token.
    browser.press('Another label')
    browser.says('A new label for')
    assert 'By name' not in browser.text()
    scan(browser, other)
    browser.press('Take this label')
    browser.says('waits for the gateway with this label')
    # Of the other key, with the name of the record.
    label = bench.backend.call('GET', f'/v1/gateways/{gateway}', role='admin').json['label']
    assert label != text
    browser.says(label)
    assert upload() == 401
    # One that another gateway has is refused, with the way to that one.
    taken, theirs = bench.labelled()
    browser.open(f'/ui/scan?gateway={gateway}')
    scan(browser, theirs)
    browser.press('Take this label')
    assert 'that of another gateway' in browser.alert()
    browser.press(f'To Labelled {bench.labels}')
    browser.says('About it')
    assert browser.driver.current_url == f'{bench.base}/ui/gateways/{taken}'
    browser.is_clean(EXPECTED)
    viewer = bench.signed_in('vera', 'viewer')
    viewer.open(f'/ui/gateways/{gateway}')
    viewer.says('About it')
    assert 'Its token' not in viewer.text()


def tile_server():
    """A server of tiles."""
    return Showing('image/png', png(256, 256, b'tEXtname\0tile'))


def look_at(browser):
    """What the map shows once nothing moves it: its centre and zoom, as it keeps them when it was moved."""
    return json.loads(browser.driver.execute_async_script('''
        const done = arguments[0];
        let [before, frames] = [null, 0];
        const step = () => {
            const now = document.querySelector('.leaflet-zoom-anim, .leaflet-pan-anim') ? null : sessionStorage.getItem('luna.map');
            frames = now !== null && now === before ? frames + 1 : 0;
            before = now;
            if (frames >= 3) done(now); else requestAnimationFrame(step);
        };
        requestAnimationFrame(step);
    '''))


def policy(bench):
    return bench.backend.call('GET', '/ui/map', check=False).headers['content-security-policy']


def test_the_map_asks_nobody_until_an_admin_agrees(bench):
    browser = bench.signed_in()
    (gateway,) = bench.gateways(['Tower'])
    tiles = tile_server()
    host = f'127.0.0.1:{tiles.port}'
    try:
        url = f'http://{host}/{{z}}/{{x}}/{{y}}.png'
        browser.open('/ui/map')
        browser.find('box', 'Look')
        wait_for(lambda: browser.script("return document.querySelectorAll('.graticule').length"), PATIENCE, 'lines instead of tiles')
        assert host not in policy(bench)
        # A source that nobody agreed to is kept, and stays off.
        browser.script("document.querySelector('main details').open = true")
        browser.write('Standard: address', url)
        browser.write('Standard: whose map it is', '<b>Somebody</b>')
        browser.script('globalThis.isBefore = true')
        browser.press('Save the sources')
        wait_for(lambda: (bench.backend.call('GET', '/v1/settings', headers={'Authorization': 'Bearer ' + bench.admin_token()}).json['tilesStandard'] or {}).get('url') == url,
                 PATIENCE, 'the setting')
        # It is loaded anew, since it is told then which servers it may ask.
        wait_for(lambda: browser.script("return !globalThis.isBefore && Boolean(document.querySelector('#look'))"), PATIENCE, 'the page anew')
        browser.settle()
        assert host not in policy(bench) and not browser.script("return document.querySelector('#look option[value=standard]')")
        bench.backend.call('PATCH', '/v1/settings', {'tilesStandard': {'url': url, 'attribution': '<b>Somebody</b>', 'on': True}},
                           headers={'Authorization': 'Bearer ' + bench.admin_token()})
        assert f"img-src 'self' data: blob: http://{host};" in policy(bench), policy(bench)
        browser.open(f'/ui/map?gateway={gateway}')
        assert not tiles.asked, 'tiles were asked for before anybody wanted them'
        browser.is_clean(EXPECTED)
        browser.script("document.querySelector('.leaflet-control-zoom-in').click()")
        before = look_at(browser)
        choose(browser, 'standard')
        wait_for(lambda: browser.script("return document.querySelectorAll('img.leaflet-tile-loaded').length"), PATIENCE, 'tiles')
        assert tiles.asked and look_at(browser) == before, (len(tiles.asked), before, look_at(browser))
        browser.says('<b>Somebody</b>')
        choose(browser, '')
        wait_for(lambda: browser.script("return document.querySelectorAll('.graticule').length"), PATIENCE, 'lines again')
        assert look_at(browser) == before and not browser.script("return document.querySelector('img.leaflet-tile')")
        browser.hosts.discard(host)
        browser.look()
        browser.hosts.discard(host)
        browser.is_clean(EXPECTED)
        # Taken back, it is in no policy, and a page that does not know that yet is told.
        choose(browser, 'standard')
        bench.backend.call('PATCH', '/v1/settings', {'tilesStandard': None}, headers={'Authorization': 'Bearer ' + bench.admin_token()})
        assert host not in policy(bench)
        browser.open('/ui/map')
        assert not browser.script("return document.querySelector('#look option[value=standard]')")
        for wrong in [{}, {'url': 'https://tiles.example/'}, {'url': 'http://tiles.example/{z}/{x}/{y}'}, {'url': "https://a; script-src *'/{z}/{x}/{y}"},
                      {'url': 'https://a b/{z}/{x}/{y}'}, {'url': 'https://u@a/{z}/{x}/{y}'}, {'url': 'https://{s}.a/{z}/{x}/{y}'},
                      {'url': 'javascript:{z}{x}{y}'}, {'url': url, 'on': 'yes'}, {'url': url, 'attribution': 'a\n'}, {'url': url, 'more': 1}, 'x']:
            answer = bench.backend.call('PATCH', '/v1/settings', {'tilesHybrid': wrong}, headers={'Authorization': 'Bearer ' + bench.admin_token()}, check=False)
            assert answer.status in (400, 422), (wrong, answer.status)
    finally:
        tiles.close()


def test_the_first_gateway_makes_a_map(bench):
    own = Bench()
    try:
        browser = own.signed_in()
        browser.open('/ui/map')
        browser.says('There is no gateway yet.')
        live(browser)
        own.gateways(['First of all'])
        wait_for(lambda: browser.script("return document.querySelector('.map .spot')?.title") == 'First of all', SOON, 'its marker')
        browser.is_clean(EXPECTED)
    finally:
        own.close()


def test_the_map_comes_from_a_file_beside_the_backend(bench):
    browser = bench.signed_in()
    bench.gateways(['Mast'])
    path = os.path.join(bench.backend.directory, 'map.mbtiles')
    viewer = {'Authorization': 'Bearer ' + bench.admin_token()}
    get = lambda place, **how: bench.backend.call('GET', '/v1/tiles' + place, headers=viewer, check=False, **how)
    picture = png(256, 256, b'tEXtname\0tile')
    bench.backend.stop()
    bench.backend.start('--tiles', f'satellite={path}')
    try:
        # A file that is not there is no map, and harms nothing else.
        assert bench.backend.call('GET', '/v1/tiles', headers=viewer).json == {'looks': []}
        assert get('/satellite/0/0/0').status == 503
        tiles_file(path, {**{(2, x, y): picture for x in range(4) for y in range(4)}, (1, 0, 0): b'<script>'}, '<b>Somebody</b>')
        (look,) = bench.backend.call('GET', '/v1/tiles', headers=viewer).json['looks']
        assert look == {'look': 'satellite', 'url': '/v1/tiles/satellite/{z}/{x}/{y}', 'attribution': '<b>Somebody</b>', 'least': 1, 'most': 2}, look
        answer = get('/satellite/2/0/3')
        assert (answer.status, answer.headers['content-type'], answer.body) == (200, 'image/png', picture)
        assert bench.backend.call('GET', '/v1/tiles/satellite/2/0/3', check=False).status == 401
        for place in ['/satellite/1/0/1', '/standard/2/0/3', '/other/2/0/3', '/satellite/2/4/0', '/satellite/-1/0/0', '/satellite/2/x/0']:
            assert get(place).status == 404, place
        # An own server's address beside it is not asked.
        url = 'https://tiles.example/{z}/{x}/{y}'
        bench.backend.call('PATCH', '/v1/settings', {'tilesSatellite': {'url': url, 'on': True}}, headers=viewer)
        assert bench.backend.call('GET', '/v1/tiles', headers=viewer).json['looks'] == [look]
        browser.open('/ui/map')
        choose(browser, 'satellite')
        wait_for(lambda: browser.script("return document.querySelectorAll('img.leaflet-tile-loaded').length"), PATIENCE, 'tiles')
        # Deeper than the file goes, its deepest tiles are made larger.
        for _ in range(3):
            browser.script("document.querySelector('.leaflet-control-zoom-in').click()")
            # What is pressed while it zooms is not heard.
            look_at(browser)
        wait_for(lambda: browser.script("return document.querySelectorAll('img.leaflet-tile-loaded').length"), PATIENCE, 'larger tiles')
        browser.says('<b>Somebody</b>')
        browser.look()
        browser.is_clean(EXPECTED)
    finally:
        bench.backend.call('PATCH', '/v1/settings', {'tilesSatellite': None}, headers=viewer)
        bench.backend.stop()
        bench.backend.start()


def choose(browser, look):
    browser.script("const one = document.querySelector('#look'); one.value = arguments[0]; one.dispatchEvent(new Event('change'))", look)


def test_five_gateways_on_one_spot(bench):
    browser = bench.signed_in()
    names = [f'Mast {number}' for number in range(5)]
    ids = bench.gateways(names)
    others = [one['id'] for one in bench.backend.call('GET', '/v1/gateways?limit=500', role='admin').json['gateways'] if one['id'] not in ids]
    back = bench.away(others)
    try:
        five(bench, browser, ids, names)
    finally:
        back()


def five(bench, browser, ids, names):
    browser.open('/ui/map')

    def shown(kind):
        return browser.script(f"return document.querySelectorAll('.map .{kind}').length")

    # One cluster says how many, and their names to whom it has the focus.
    wait_for(lambda: shown('cluster') == 1 and shown('spot') == 0, PATIENCE, 'one cluster')
    browser.script("document.querySelector('.map .cluster').focus()")
    wait_for(lambda: all(name in browser.script("return document.querySelector('.leaflet-tooltip')?.innerText || ''") for name in names), PATIENCE, 'their names')
    browser.script("document.querySelector('.map .cluster').blur()")
    # They are on one spot: nothing but spreading them shows them.
    for _ in range(20):
        if shown('spot') == 5:
            break
        browser.script("document.querySelector('.map .cluster')?.dispatchEvent(new MouseEvent('click', { bubbles: true }))")
        try:
            wait_for(lambda: shown('spot') == 5, 2, 'five')
        except AssertionError:
            pass
    assert shown('spot') == 5

    def places():
        return {tuple(place) for place in browser.script(
            "return [...document.querySelectorAll('.map .spot')].map((one) => { const box = one.getBoundingClientRect(); return [box.x, box.y]; })")}

    wait_for(lambda: len(places()) == 5, PATIENCE, 'five places')
    # What changes meanwhile, changes where it is: nothing folds what somebody has spread, nor takes the focus away.
    focus = "return document.activeElement.getAttribute('aria-label')"
    browser.script("[...document.querySelectorAll('.map .spot')].find((one) => one.getAttribute('aria-label') === 'Mast 1').focus()")
    rights = {'Authorization': 'Bearer ' + bench.operator_token()}
    record = bench.backend.call('GET', f'/v1/gateways/{ids[1]}', headers=rights)
    bench.backend.call('PATCH', f'/v1/gateways/{ids[1]}', {'name': 'Mast one'}, headers={**rights, 'If-Match': record.headers['etag']})
    wait_for(lambda: browser.script(focus) == 'Mast one', PATIENCE, 'the new name, with the focus on it')
    assert shown('spot') == 5
    # Another that comes makes the map be drawn anew.
    more = bench.gateways(['Mast 5'], longitude=13.403)
    wait_for(lambda: shown('spot') == 6, PATIENCE, 'the sixth')
    assert browser.script(focus) == 'Mast one'
    browser.script("document.querySelector('.map .cluster').focus()")
    bench.away(more)
    wait_for(lambda: shown('spot') == 5, PATIENCE, 'five again')
    wait_for(lambda: 'Mast one' in browser.script("return document.querySelector('.leaflet-tooltip')?.innerText || ''"), PATIENCE, 'the names of the one with the focus')
    assert browser.script("return document.activeElement.classList.contains('cluster')")
    # The one that is chosen stays in sight at any zoom.
    browser.script("[...document.querySelectorAll('.map .spot')].find((one) => one.getAttribute('aria-label') === 'Mast 2').dispatchEvent(new MouseEvent('click', { bubbles: true }))")
    browser.says('Mast 2')
    for _ in range(3):
        browser.script("document.querySelector('.leaflet-control-zoom-out').click()")
        look_at(browser)
        assert browser.script("return document.querySelectorAll('.map .spot.selected').length") == 1
    assert browser.script("return [...document.querySelectorAll('.callout a')].map((one) => [one.textContent.trim(), one.pathname + one.search])") == [
        ['Open', f'/ui/gateways/{ids[2]}'], ['Edit', f'/ui/gateways/{ids[2]}?edit=1']]
    # Without clusters each stands by itself.
    browser.script("document.querySelector('.tools input').click()")
    wait_for(lambda: shown('spot') >= 1, PATIENCE, 'spots')
    # Whoever leaves in the middle of a zoom hears nothing of it.
    browser.script("document.querySelector('.leaflet-control-zoom-in').click()")
    browser.press('Open')
    browser.says('About it')
    browser.is_clean(EXPECTED)


def test_what_a_spot_opens_is_whole(bench):
    """Also where what comes into it makes it higher than it was when it opened, at the upper edge of the map."""
    others = [one['id'] for one in bench.backend.call('GET', '/v1/gateways?limit=500', role='admin').json['gateways']]
    back = bench.away(others)
    try:
        rights = {'Authorization': 'Bearer ' + bench.operator_token()}
        text = 'behind the third door of the long corridor, ' * 4
        lines = [{'name': name, 'place': {'latitude': latitude, 'longitude': 13.4, 'text': text}} for name, latitude in [('Uppermost', 52.6), ('Lowermost', 52.5)]]
        assert bench.backend.call('POST', '/v1/gateways/import', {'lines': lines}, headers=rights).status == 201
        browser = bench.signed_in()
        browser.open('/ui/map')
        spot = "[...document.querySelectorAll('.map .spot')].find((one) => one.getAttribute('aria-label') === 'Uppermost')"
        wait_for(lambda: browser.script(f'return Boolean({spot})'), PATIENCE, 'the spot')
        browser.script(f"{spot}.dispatchEvent(new MouseEvent('click', {{ bubbles: true }}))")
        browser.says(text.strip())
        inside = '''
            const [box, map] = ['.leaflet-popup', '.map'].map((one) => document.querySelector(one).getBoundingClientRect());
            return box.top >= map.top && box.bottom <= map.bottom && box.left >= map.left && box.right <= map.right;
        '''
        wait_for(lambda: browser.script(inside), PATIENCE, 'the callout to be within the map')
        browser.is_clean(EXPECTED)
    finally:
        back()


def png(width, height, text):
    """A grey PNG with a chunk of text."""
    def chunk(body):
        return struct.pack('>I', len(body) - 4) + body + struct.pack('>I', zlib.crc32(body))

    rows = (b'\0' + b'\x80' * width) * height
    return (b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR' + struct.pack('>IIBBBBB', width, height, 8, 0, 0, 0, 0)) + chunk(text)
            + chunk(b'IDAT' + zlib.compress(rows)) + chunk(b'IEND'))


def test_every_order_of_the_directory(bench):
    browser = bench.signed_in()
    bench.gateways(['Ordered'])
    browser.open('/ui/')
    browser.says('Ordered')
    orders = browser.script("return [...document.querySelector('[aria-label=Order]').options].map((one) => one.value)")
    assert len(orders) > 3, orders
    for order in orders:
        browser.script("""const box = document.querySelector('[aria-label=Order]');
            document.querySelector('.directory').replaceChildren();
            box.value = arguments[0];
            box.dispatchEvent(new Event('change', { bubbles: true }));""", order)
        browser.says('Ordered')
        assert not browser.script("return document.querySelector('[role=alert]')?.textContent"), order
    browser.is_clean(EXPECTED)


def test_sections_count_what_is_not_loaded(bench):
    lines = [{'name': f'Wide {number:03}', 'site': 'Wide'} for number in range(130)]
    rights = {'Authorization': 'Bearer ' + bench.operator_token()}
    made = bench.backend.call('POST', '/v1/gateways/import', {'lines': lines}, headers=rights)
    assert made.status == 201, made.body
    browser = bench.signed_in()
    browser.open('/ui/?q=site:Wide&sort=site')
    live(browser)
    summary = lambda: browser.script("return document.querySelector('.directory summary')?.innerText.replace(/\\s+/g, ' ')")
    wait_for(lambda: summary() == 'Wide 100 of 130', PATIENCE, lambda: f'the section; it is {summary()}')
    browser.press('Show more')
    wait_for(lambda: summary() == 'Wide 130', PATIENCE, lambda: f'all of it; it is {summary()}')
    # What others change leaves as many rows as there were.
    (one,) = bench.backend.call('GET', '/v1/gateways?q=name:%22Wide%20129%22', role='admin').json['gateways']
    bench.backend.call('PATCH', f'/v1/gateways/{one["id"]}', {'revision': one['revision'], 'name': 'Wide last'}, headers=rights)
    wait_for(lambda: 'Wide last' in names(browser), PATIENCE, 'the last row under its new name')
    assert len(names(browser)) == 130
    bench.away(made.json['ids'])
    browser.is_clean(EXPECTED)


def test_more_than_one_answer_holds_stays(bench):
    """Whoever had so many gateways shown keeps them, with what becomes of them."""
    lines = [{'name': f'Broad {number:03}'} for number in range(620)]
    rights = {'Authorization': 'Bearer ' + bench.operator_token()}
    made = bench.backend.call('POST', '/v1/gateways/import', {'lines': lines}, headers=rights)
    assert made.status == 201, made.body
    browser = bench.signed_in()
    browser.open('/ui/?q=broad')
    live(browser)
    rows = lambda: browser.script("return document.querySelectorAll('.row').length")
    for shown in range(100, 700, 100):
        wait_for(lambda: rows() == shown, PATIENCE, lambda: f'{shown} rows; there are {rows()}')
        # The keys go on where they were.
        assert shown == 100 or browser.script('return document.activeElement.textContent') == 'Show more'
        if shown < 600:
            browser.find('button', 'Show more', what='found.focus(); found.click(); return true')
    listed = lambda name: bench.backend.call('GET', f'/v1/gateways?q=name:%22{name.replace(" ", "%20")}%22', role='admin').json['gateways'][0]
    one, other = listed('Broad 599'), listed('Broad 000')
    bench.backend.call('PATCH', f'/v1/gateways/{one["id"]}', {'revision': one['revision'], 'name': 'Broad last'}, headers=rights)
    wait_for(lambda: 'Broad last' in names(browser), SOON, 'the new name')
    assert rows() == 600
    bench.backend.call('DELETE', f'/v1/gateways/{other["id"]}', headers=rights)
    wait_for(lambda: 'Broad 000' not in names(browser), SOON, 'the row to go')
    assert rows() == 599
    bench.away([id for id in made.json['ids'] if id != other['id']])
    browser.is_clean(EXPECTED)


def test_the_first_tags_come_first(bench):
    """Also where who has them would be on another page by name."""
    lines = [{'name': f'Tagged {number:03}', 'tags': ['zz']} for number in range(100)] + [{'name': 'Tagged last', 'tags': ['aa']}]
    rights = {'Authorization': 'Bearer ' + bench.operator_token()}
    made = bench.backend.call('POST', '/v1/gateways/import', {'lines': lines}, headers=rights)
    assert made.status == 201, made.body
    browser = bench.signed_in()
    browser.open('/ui/?q=tagged&sort=tag')
    headings = lambda: browser.script("return [...document.querySelectorAll('.directory summary h2')].map((one) => one.textContent)")
    wait_for(lambda: headings() == ['aa', 'zz'], PATIENCE, lambda: f'both tags; they are {headings()}')
    assert names(browser)[0] == 'Tagged last' and len(names(browser)) == 100
    bench.away(made.json['ids'])
    browser.is_clean(EXPECTED)


def marked(browser, *chosen, was=False):
    """Selects rows of the directory by their names, or takes them out again where they `was` selected: once they are drawn so."""
    for name in chosen:
        wait_for(lambda: browser.script('''
            const box = document.querySelector(`[aria-label="Select ${arguments[0]}"]`);
            if (box?.checked !== arguments[1]) return false;
            box.click();
            return true;
        ''', name, was), PATIENCE, f'the row {name}, which is {"selected" if was else "not selected"}')


def test_what_is_typed_beside_a_selection_stays(bench):
    bench.gateways(['Selected'])
    browser = bench.signed_in()
    browser.open('/ui/')
    browser.says('Selected')
    live(browser)
    marked(browser, 'Selected')
    browser.write('Tag', 'half-a-t')
    bench.gateways(['In between'])
    wait_for(lambda: 'In between' in names(browser), PATIENCE, 'what somebody else adds')
    assert browser.script("return document.activeElement.value") == 'half-a-t'
    browser.says('1 selected')
    browser.is_clean(EXPECTED)


def test_changes_many_at_once(bench):
    several = [f'Several {number}' for number in range(3)]
    ids = bench.gateways(several)
    record = lambda id: bench.backend.call('GET', f'/v1/gateways/{id}', role='admin', check=False)
    browser = bench.signed_in()
    browser.open('/ui/?q=several')
    browser.says('Several 2')
    marked(browser, *several)
    browser.says('3 selected')
    browser.write('Tag', 'many')
    browser.press_for('Add tag', 'Changed.')
    wait_for(lambda: [record(id).json.get('tags') for id in ids] == [['many']] * 3, PATIENCE, 'the tag')
    marked(browser, *several[:2])
    browser.write('Site', 'Far away')
    browser.press_for('Set site', 'Changed.')
    assert [record(id).json.get('site') for id in ids] == ['Far away', 'Far away', None]
    # What is typed so may be searched for from now on.
    browser.open('/ui/')
    wait_for(lambda: 'site:\"Far away\"' in browser.script("return [...document.querySelectorAll('#suggestions option')].map((one) => one.value)"),
             PATIENCE, 'the site among what is suggested')
    browser.open('/ui/?q=several')
    browser.says('Several 2')
    marked(browser, *several[1:])
    browser.script("document.querySelector('.bulk .danger').click()")
    browser.says('2 gateways will be refused from now on')
    browser.script("document.querySelector('dialog .danger').click()")
    wait_for(lambda: names(browser) == several[:1], PATIENCE, 'two of them to go')
    browser.press_notice('Undo')
    wait_for(lambda: names(browser) == several, PATIENCE, 'them to be back')
    # What is refused of some is said; what cannot be, stays to be read while the list is drawn anew.
    full = [f'tag{number}' for number in range(32)]
    rights = {'Authorization': 'Bearer ' + bench.operator_token()}
    filled = bench.backend.call('PATCH', f'/v1/gateways/{ids[2]}', {'revision': record(ids[2]).json['revision'], 'tags': full}, headers=rights)
    assert filled.status == 200, filled.body
    marked(browser, *several)
    browser.write('Tag', 'more')
    browser.press('Add tag')
    browser.says('1 gateway could not be changed.')
    # What is nothing new is nothing to undo.
    marked(browser, *several[:2])
    browser.write('Tag', 'more')
    browser.press_for('Add tag', 'It was so already.')
    assert browser.script("return notices.every((one) => !one.textContent.includes('It was so already.') || !one.querySelector('button'))")
    marked(browser, several[0])
    browser.write('Tag', 'No tag')
    browser.press('Add tag')
    said = browser.alert()
    bench.gateways(['Several more'])
    wait_for(lambda: 'Several more' in names(browser), PATIENCE, 'what somebody else adds')
    assert browser.alert() == said
    # One change by itself is undone in the history.
    edited = bench.backend.call('PATCH', f'/v1/gateways/{ids[0]}', {'revision': record(ids[0]).json['revision'], 'site': 'Near'}, headers=rights)
    assert edited.status == 200, edited.body
    browser.open('/ui/history')
    undo = """const row = [...document.querySelectorAll('.changes li')].find((one) => one.textContent.includes(arguments[0]) && one.textContent.includes('site'));
        const button = row && [...row.querySelectorAll('button')].find((one) => one.textContent === 'Undo'); button?.click(); return Boolean(button)"""
    assert wait_for(lambda: browser.script(undo, ids[0]), PATIENCE, 'the change of the site')
    browser.says('Undone.')
    assert record(ids[0]).json['site'] == 'Far away'
    browser.is_clean(EXPECTED)


def press_in_history(browser, text, button):
    """Presses a button of the newest change that says something."""
    wait_for(lambda: browser.script('''
        const row = [...document.querySelectorAll('.changes li')].find((one) => one.firstChild.textContent.includes(arguments[0]));
        const found = row && [...row.querySelectorAll(':scope > button, :scope > details > summary')].find((one) => one.textContent === arguments[1]);
        found?.click();
        return Boolean(found);
    ''', text, button), PATIENCE, lambda: f'{button} beside {text!r}; the page says {browser.text()[:600]!r}')


def test_many_are_taken_back_in_the_history(bench):
    """At once, but for what was changed since; then one of them by itself; and whose changes one wants to see."""
    ids = bench.gateways(['Past 1', 'Past 2', 'Past 3'])
    rights = {'Authorization': 'Bearer ' + bench.operator_token()}
    record = lambda id: bench.backend.call('GET', f'/v1/gateways/{id}', role='admin').json
    sites = lambda: [record(id).get('site') for id in ids]
    browser = bench.signed_in()
    browser.open('/ui/history')
    live(browser)
    # What others do comes by itself.
    bulk = bench.backend.call('POST', '/v1/gateways/bulk', {'ids': ids, 'set': {'site': 'Past'}}, headers=rights).json['change']
    wait_for(lambda: 'admin:console changed 3 gateways' in browser.text(), SOON, 'the change of many')
    edited = bench.backend.call('PATCH', f'/v1/gateways/{ids[0]}', {'revision': record(ids[0])['revision'], 'site': 'Present'}, headers=rights)
    assert edited.status == 200, edited.body
    press_in_history(browser, 'admin:console changed 3 gateways', 'Undo')
    browser.says('1 gateway could not be changed back.')
    assert sites() == ['Present', None, None]
    press_in_history(browser, f'changed 2 gateways to undo change {bulk}', 'Which')
    press_in_history(browser, 'Past 2', 'Undo')
    browser.says('Undone.')
    assert sites() == ['Present', 'Past', None]
    wait_for(lambda: ids[1] in browser.script("return document.querySelector('.changes > li').firstChild.textContent"), PATIENCE, 'what was done just now')
    # What was opened stays so while the list is drawn anew.
    assert browser.script("return document.querySelector('.changes details[open] ol')?.textContent ?? ''").count('changed') == 2
    who = lambda: browser.script("return [...new Set([...document.querySelectorAll('.changes strong')].map((one) => one.textContent))].sort()")
    assert {'ada', 'admin:console'} <= set(who()), who()
    browser.write('Who', 'admin:console')
    browser.press('Show')
    wait_for(lambda: who() == ['admin:console'], PATIENCE, lambda: f'the changes of one; there are those of {who()}')
    assert browser.script('return new URLSearchParams(location.search).get("actor")') == 'admin:console'
    browser.open('/ui/history?actor=ada')
    wait_for(lambda: who() == ['ada'], PATIENCE, lambda: f'the changes of another; there are those of {who()}')
    assert browser.value('Who') == 'ada'
    browser.is_clean(EXPECTED)


def test_a_long_history_is_shown_by_pages(bench):
    own = Bench()
    try:
        rights = {'Authorization': 'Bearer ' + own.operator_token()}
        made = own.backend.call('POST', '/v1/gateways/import', {'lines': [{'name': f'Long {number}'} for number in range(510)]}, headers=rights)
        assert made.status == 201, made.body
        browser = own.signed_in()
        browser.open('/ui/history')
        rows = lambda: browser.script("return document.querySelectorAll('.changes > li').length")
        wait_for(lambda: rows() >= 490, PATIENCE, lambda: f'the newest changes; there are {rows()}')
        assert 'added 510 gateways' not in browser.text()
        browser.press('Show more')
        browser.says('added 510 gateways')
        assert 'Show more' not in browser.text()
        press_in_history(browser, 'added 510 gateways', 'Undo')
        browser.says('removed 510 gateways to undo')
        assert own.backend.call('GET', '/v1/gateways?limit=1', headers=rights).json['total'] == 0
        browser.is_clean(EXPECTED)
    finally:
        own.close()


test_a_long_history_is_shown_by_pages.seconds = 200


def test_changes_all_that_a_search_finds(bench):
    """Also those that are not loaded; what comes meanwhile is not among them."""
    lines = [{'name': f'Whole {number:03}', 'site': 'Whole'} for number in range(120)]
    rights = {'Authorization': 'Bearer ' + bench.operator_token()}
    made = bench.backend.call('POST', '/v1/gateways/import', {'lines': lines}, headers=rights)
    assert made.status == 201, made.body
    total = lambda search: bench.backend.call('GET', f'/v1/gateways?limit=1&q={search}', role='admin').json['total']
    browser = bench.signed_in()
    browser.open('/ui/?q=site:Whole')
    browser.says('Whole 099')
    live(browser)
    marked(browser, 'Whole 000')
    browser.press('Select all 120')
    browser.says('120 selected')
    browser.write('Tag', 'whole')
    browser.press_for('Add tag', 'Changed.')
    assert total('tag:whole') == 120
    marked(browser, 'Whole 000')
    browser.press('Select all 120')
    more = bench.backend.call('POST', '/v1/gateways/import', {'lines': [{'name': 'Whole 0', 'site': 'Whole', 'tags': ['whole']}]}, headers=rights)
    assert more.status == 201, more.body
    wait_for(lambda: 'Whole 0' in names(browser), PATIENCE, 'one more')
    browser.write('Tag', 'whole')
    browser.press('Remove tag')
    assert 'finds another number of gateways than before: it finds 121 now' in browser.alert() and total('tag:whole') == 121
    browser.press('Select all 121')
    browser.press('Remove tag')
    tags = lambda: bench.backend.call('GET', f'/v1/gateways/{made.json["ids"][-1]}', role='admin').json.get('tags')
    wait_for(lambda: not tags() and total('tag:whole') == 0, PATIENCE, 'the tag to go')
    # Who takes one out of all has those that are shown.
    marked(browser, 'Whole 000')
    browser.press('Select all 121')
    marked(browser, 'Whole 000', was=True)
    browser.says('99 selected')
    bench.away(made.json['ids'] + more.json['ids'])
    browser.is_clean(EXPECTED)


def test_text_of_others_stays_text(bench):
    browser = bench.signed_in()
    (gateway,) = bench.gateways([SCRIPT[:60]])
    browser.open(f'/ui/gateways/{gateway}')
    browser.press('Edit')
    for box in ['Site', 'Manufacturer', 'Place', 'Note']:
        browser.write(box, SCRIPT)
    browser.press('Save changes')
    browser.says('Saved')
    browser.says(SCRIPT)
    for path in ['/ui/', '/ui/map', '/ui/history', f'/ui/gateways/{gateway}', '/ui/?q=%3Cimg%20src%3Dx%20onerror%3Dcanary%3D1%3E']:
        browser.open(path)
        browser.is_clean(EXPECTED)


def test_says_when_the_backend_is_away_and_keeps_what_was_typed(bench):
    browser = bench.signed_in()
    (gateway,) = bench.gateways(['Barn'])
    browser.open(f'/ui/gateways/{gateway}')
    browser.press('Edit')
    browser.write('Note', 'half a sentence')
    bench.backend.stop()
    browser.press('Save changes')
    browser.says('No connection since')
    assert browser.value('Note') == 'half a sentence'
    bench.backend.start()
    wait_for(lambda: 'No connection' not in browser.text(), PATIENCE, 'the connection to be back')
    # That it is away, the stream may have noticed before the attempt to save has failed.
    browser.find('button', 'Save changes', what='return !found.disabled')
    browser.press_for('Save changes', 'Saved')
    browser.says('half a sentence')


def test_a_form_is_half_filled_while_the_backend_is_away_for_a_minute(bench):
    """Long enough for what is tried again to be tried seldom."""
    browser = bench.signed_in()
    (gateway,) = bench.gateways(['Granary'])
    browser.open(f'/ui/gateways/{gateway}')
    live(browser)
    browser.press('Edit')
    browser.write('Note', 'half a sent')
    bench.backend.stop()
    gone = time.monotonic()
    browser.says('No connection since')
    said = browser.script("return document.querySelector('.connection').innerText")
    while time.monotonic() < gone + 60:
        # Somebody goes on typing, and waits.
        browser.find('box', 'Note').send_keys('.')
        time.sleep(5)
        assert browser.script("return document.querySelector('.connection').innerText") == said
    written = browser.value('Note')
    assert written.startswith('half a sent...'), written
    bench.backend.start()
    rights = {'Authorization': 'Bearer ' + bench.operator_token()}
    assert bench.backend.call('PATCH', f'/v1/gateways/{gateway}', {'revision': 1, 'site': 'Meanwhile'}, headers=rights).status == 200
    # It is asked every half a minute at least.
    wait_for(lambda: browser.script("return document.querySelector('.connection').hidden"), PATIENCE, 'the bar to go')
    live(browser)
    assert browser.value('Note') == written
    browser.find('button', 'Save changes', what='return !found.disabled')
    browser.press_for('Save changes', 'Saved, together with what somebody else has changed')
    browser.says(written)
    browser.says('Meanwhile')
    # What comes later comes by itself.
    record = bench.backend.call('GET', f'/v1/gateways/{gateway}', headers=rights).json
    assert record['note'] == written, record
    assert bench.backend.call('PATCH', f'/v1/gateways/{gateway}', {'revision': record['revision'], 'site': 'Afterwards'}, headers=rights).status == 200
    wait_for(lambda: 'Afterwards' in browser.text(), SOON, 'what comes later')
    browser.is_clean(EXPECTED)


test_a_form_is_half_filled_while_the_backend_is_away_for_a_minute.seconds = 200


def test_a_session_that_ends_elsewhere_ends_here(bench):
    bench.signed_in()
    browser = bench.signed_in('bob', 'viewer')
    # Nothing tells of it but the answer to a request.
    browser.driver.execute_cdp_cmd('Page.addScriptToEvaluateOnNewDocument', {'source': 'globalThis.EventSource = class extends EventTarget { close() {} };'})
    browser.open('/ui/')
    done = subprocess.run([LUNA, 'account', 'sessions', 'bob', '--end', '--store', bench.backend.store], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    browser.press('Refresh')
    browser.says('You were signed out')
    # What is wrong with the next sign-in is said, and does not count as one more end.
    before = browser.driver.current_url
    browser.write('Name', 'bob')
    browser.write('Password', 'wrong horse battery')
    browser.press('Sign in')
    assert 'is wrong' in browser.alert()
    assert (browser.driver.current_url, browser.value('Name')) == (before, 'bob')
    browser.is_clean(EXPECTED)


def test_who_tries_too_often_reads_for_how_long(bench):
    browser = bench.browser()
    browser.open('/ui/sign-in')
    browser.script('''
        const ask = globalThis.fetch;
        const said = JSON.stringify({ code: 'rateLimited', title: 'Too many tries.', detail: 'the limit is for each address' });
        globalThis.fetch = async (where, how) => (how?.method === 'POST' ? new Response(said, { status: 429, headers: { 'Retry-After': '64' } }) : ask(where, how));
    ''')
    browser.write('Name', 'ada')
    browser.write('Password', PASSWORD)
    browser.press('Sign in')
    said = browser.alert()
    assert 'Too many tries: the limit is for each address' in said and 'Try again in 1 min 4 s.' in said, said
    browser.is_clean(EXPECTED)


def test_who_cannot_sign_out_is_told(bench):
    browser = bench.signed_in()
    browser.script('''
        const ask = globalThis.fetch;
        globalThis.fetch = (where, how) => (how?.method === 'DELETE' ? Promise.reject(new TypeError('no network')) : ask(where, how));
    ''')
    browser.press('Sign out')
    browser.says('You are still signed in.')
    assert browser.driver.current_url == bench.base + '/ui/'
    browser.is_clean(EXPECTED)


def test_who_goes_on_meanwhile_sees_that_page(bench):
    """What takes its time does not come in the place of the page that somebody went on to."""
    browser = bench.signed_in()
    browser.open('/ui/me')
    browser.script('''
        const ask = globalThis.fetch;
        globalThis.fetch = async (where, ...how) => {
            const answer = await ask(where, ...how);
            if (!where.startsWith('/v1/changes?')) return answer;
            const text = await answer.text();
            await new Promise((resolve) => { globalThis.goOn = resolve; });
            setTimeout(() => { globalThis.wentOn = true; }, 500);
            return new Response(text, answer);
        };
        document.querySelector('nav a[href="/ui/history"]').click();
    ''')
    wait_for(lambda: browser.script('return Boolean(globalThis.goOn)'), PATIENCE, 'the history, held back')
    browser.script("document.querySelector('nav a[href=\"/ui/about\"]').click()")
    browser.says('Licences')
    browser.script('globalThis.goOn()')
    wait_for(lambda: browser.script('return Boolean(globalThis.wentOn)'), PATIENCE, 'the history to be there')
    assert browser.script("return [document.querySelector('h1').textContent, location.pathname]") == ['About', '/ui/about']
    browser.is_clean(EXPECTED)


def test_a_code_that_is_missing_is_asked_for(bench):
    browser = bench.signed_in()
    browser.open('/ui/device')
    browser.press('Go on')
    assert 'The code is missing.' in browser.alert()
    browser.has_focus('Code')
    browser.is_clean(EXPECTED)


def test_an_address_of_no_page_says_so(bench):
    browser = bench.signed_in()
    # What is escaped in the last two is no text.
    for page in ['/ui/nothing', '/ui/gateways/%', '/ui/devices/%ff']:
        browser.open(page)
        browser.says('There is no such page.')
    browser.is_clean(EXPECTED)


def test_past_the_row_of_pages_nothing_is_made_anew(bench):
    browser = bench.signed_in()
    browser.open('/ui/scan')
    browser.write('Label', 'half a label')
    browser.find('link', 'To the page', what='found.click(); return true')
    wait_for(lambda: browser.script("return document.activeElement.id") == 'main', PATIENCE, 'the focus on the page')
    browser.settle()
    assert (browser.value('Label'), browser.driver.current_url) == ('half a label', bench.base + '/ui/scan')
    browser.is_clean(EXPECTED)


def test_an_admin_sets_the_limits_of_health(bench):
    token = {'Authorization': 'Bearer ' + bench.backend.token('gateway', 'warm')}
    assert bench.backend.call('POST', '/v1/telemetry', {'health': {'temperature': 50}, 'items': []}, headers=token).status == 200
    (gateway,) = bench.backend.call('GET', '/v1/gateways?q=key:warm', role='admin').json['gateways']
    hot = 'its processor has 50 °C'
    browser = bench.signed_in()
    browser.open(f'/ui/gateways/{gateway["id"]}')
    browser.says('50 °C')
    assert hot not in browser.text()
    browser.open('/ui/settings')
    try:
        # What cannot be is said at the box, and what cannot be together by the server.
        browser.write('Late after', '0')
        browser.press('Save the limits')
        assert 'Late after is a whole number from 1 to' in browser.alert()
        browser.write('Late after', '900')
        browser.write('Offline after', '60')
        browser.press('Save the limits')
        wait_for(lambda: 'late only after it is offline' in browser.alert(), PATIENCE, 'why that cannot be')
        browser.write('Late after', '')
        browser.write('Offline after', '')
        browser.write('Temperature', '45.5')
        browser.press('Save the limits')
        browser.says('Saved.')
        browser.open('/ui/settings')
        assert browser.value('Temperature') == '45.5'
        assert browser.find('box', 'Late after').get_attribute('placeholder') == '150'
        browser.open(f'/ui/gateways/{gateway["id"]}')
        browser.says(hot)
        browser.is_clean(EXPECTED)
        viewer = bench.signed_in('vera', 'viewer')
        assert 'Settings' not in viewer.text()
    finally:
        bench.backend.call('PATCH', '/v1/settings', {'healthLimits': None}, headers={'Authorization': 'Bearer ' + bench.admin_token()})


def second_factor(browser, meanwhile=lambda: None, first=PASSWORD):
    """Sets up a second factor on one's own page, with a password that may be wrong at `first`; gives its secret."""
    browser.write('Password', first)
    browser.press('Set up a second factor')
    browser.says('Point your authenticator at this')
    assert browser.script("return document.querySelector('img[alt=\"QR code of the second factor\"]').naturalWidth") > 100
    meanwhile()
    secret = browser.script("return document.querySelector('main p.code').textContent")
    browser.write('Code', '000000' if code_of(secret) != '000000' else '000001')
    browser.press('Turn it on')
    assert browser.alert()
    if first != PASSWORD:
        assert 'password is wrong' in browser.alert()
        browser.write('Password', PASSWORD)
    browser.write('Code', code_of(secret))
    browser.press('Turn it on')
    browser.says('Keep these recovery codes')
    return secret


def test_signs_in_with_a_second_factor(bench):
    browser = bench.signed_in('tom', 'viewer')
    del bench.cookies['tom'], bench.accounts['tom']
    browser.open('/ui/me')
    second_factor(browser)
    recovery = browser.script("return [...document.querySelectorAll('ul.code li')].map((one) => one.textContent)")
    assert len(recovery) == 10, recovery
    browser.press('Sign out')
    # The password alone opens nothing; a recovery code stands for one that the authenticator shows.
    browser.find('box', 'Name')
    browser.write('Name', 'tom')
    browser.write('Password', PASSWORD)
    browser.press('Sign in')
    browser.says('or one of your recovery codes')
    assert browser.script("return fetch('/v1/session').then((answer) => answer.json())")['signedIn'] is False
    browser.write('Code', recovery[0])
    browser.press('Sign in')
    browser.says('Sign out')
    browser.is_clean(EXPECTED)


def test_signs_in_with_a_code_of_the_authenticator(bench):
    """Which is good once: who has looked over a shoulder has nothing of it."""
    browser = bench.signed_in('tim', 'viewer')
    del bench.cookies['tim'], bench.accounts['tim']
    browser.open('/ui/me')
    secret = second_factor(browser, first='wrong horse battery')

    def to_the_code():
        browser.press('Sign out')
        browser.find('box', 'Name')
        browser.write('Name', 'tim')
        browser.write('Password', PASSWORD)
        browser.press('Sign in')
        browser.says('The six digits of your authenticator')

    to_the_code()
    # That of the next step, which is taken too: that of this one has turned it on.
    code = code_of(secret, 30)
    browser.write('Code', code)
    browser.press('Sign in')
    browser.says('Sign out')
    browser.says('Gateways')
    browser.settle()
    to_the_code()
    browser.write('Code', code)
    browser.press('Sign in')
    browser.alert()
    assert browser.script("return fetch('/v1/session').then((answer) => answer.json())")['signedIn'] is False
    browser.is_clean(EXPECTED)


def test_changes_the_password(bench):
    """Who does goes on; whoever has the same session elsewhere, be it stolen, is out, and the old password opens nothing."""
    browser, stolen = bench.signed_in('pat', 'viewer'), bench.signed_in('pat', 'viewer')
    live(stolen)
    browser.open('/ui/me')

    def change(old):
        browser.write('Password now', old)
        browser.write('New password', PASSWORD + ' again')
        browser.press('Change password')

    session = lambda: browser.driver.get_cookies()[0]['value']
    before = session()
    change('wrong horse battery')
    assert 'password' in browser.alert()
    assert session() == before
    change(PASSWORD)
    wait_for(lambda: session() != before, PATIENCE, 'another session')
    stolen.says('You were signed out')
    browser.open('/ui/me')
    browser.says('You are viewer.')
    for password, status in [(PASSWORD, 401), (PASSWORD + ' again', 200)]:
        answer = bench.backend.call('POST', '/v1/session', {'name': 'pat', 'password': password}, headers={'Origin': bench.base}, source='127.0.0.77')
        assert answer.status == status, answer.body
    del bench.cookies['pat'], bench.accounts['pat']
    browser.is_clean(EXPECTED)


def test_nothing_moves_for_who_does_not_want_it(bench):
    for is_still in [False, True]:
        browser = bench.signed_in(is_still=is_still)
        bench.gateways([f'Still {is_still}'])
        browser.open('/ui/dashboard')
        browser.says('Gateways')
        browser.press('Arrange')
        wait_for(lambda: browser.script("return Boolean(document.querySelector('.arranging .widget'))"), PATIENCE, 'the dashboard to be arranged')
        moves = browser.script("return getComputedStyle(document.querySelector('.widget')).animationName")
        assert (moves == 'none') == is_still, (is_still, moves)
        browser.open('/ui/map')
        wait_for(lambda: browser.script("return document.querySelectorAll('.graticule').length"), PATIENCE, 'the map')
        fades = browser.script("return document.querySelector('.map').classList.contains('leaflet-fade-anim')")
        assert fades != is_still, (is_still, fades)
        browser.is_clean(EXPECTED)


def test_an_admin_looks_after_accounts(bench):
    browser, lou = bench.signed_in(), bench.signed_in('lou', 'viewer')
    browser.open('/ui/accounts')
    # What is refused is said, and stays to be read while the list is drawn anew.
    role = "document.querySelector('[aria-label=\"Role of ada\"]')"
    browser.script(f"const box = {role}; box.value = 'viewer'; box.dispatchEvent(new Event('change', {{ bubbles: true }}))")
    wait_for(lambda: browser.script(f"return {role}?.value === 'admin'"), PATIENCE, 'the role to be what it was')
    assert 'give another account the role admin first' in browser.alert()
    # What the server was away for did not come to be, either.
    browser.script('globalThis.ask = globalThis.fetch; globalThis.fetch = () => Promise.reject(new TypeError("no network"));')
    role = role.replace('ada', 'lou')
    browser.script(f"const box = {role}; box.value = 'operator'; box.dispatchEvent(new Event('change', {{ bubbles: true }}))")
    wait_for(lambda: browser.script(f"return {role}.value === 'viewer'"), PATIENCE, 'the role to be what it was')
    assert 'cannot be reached' in browser.alert()
    browser.script('globalThis.fetch = ask')
    wait_for(lambda: browser.script("return document.querySelector('.connection').hidden"), PATIENCE, 'the connection to be back')
    # Somebody's sessions, and their end.
    sessions = "[...document.querySelectorAll('summary')].find((one) => one.textContent === 'Where lou is signed in').parentElement"
    browser.script(f'{sessions}.open = true')
    first = f"const [button] = {sessions}.querySelectorAll('button');"
    wait_for(lambda: browser.script(first + ' return Boolean(button)'), PATIENCE, 'a session that can be ended')
    # Each is ended once, and goes then.
    end = first + " if (button && !button.dataset.pressed) { button.dataset.pressed = 'yes'; button.click(); } return !button"
    wait_for(lambda: browser.script(end), PATIENCE, 'all of them to be over')
    lou.says('You were signed out')
    # Who has lost the password.
    browser.press('New link for lou')
    browser.press('Make the link')
    browser.says('Give this link to lou')
    assert browser.script("return Boolean(document.querySelector('img[alt=\"QR code of the link for lou\"]'))")
    link = re.search(r'/ui/invitation#[\w-]+', browser.text())[0]
    lou.open(link)
    lou.write('Name', 'lou')
    lou.write('Password', PASSWORD + '2')
    lou.write('Password again', PASSWORD + '2')
    lou.press('Make the account')
    lou.says('Sign out')
    del bench.cookies['lou'], bench.accounts['lou']
    browser.is_clean(EXPECTED)


def test_a_viewer_sees_and_changes_nothing(bench):
    (gateway,) = bench.gateways(['Attic'])
    browser = bench.signed_in('vera', 'viewer')
    browser.says('Attic')
    for name in ['Add', 'Accounts', 'Delete Attic', 'Edit Attic']:
        assert name not in browser.script("return [...document.querySelectorAll('a, button')].map((one) => one.getAttribute('aria-label') || one.textContent.trim())")
    browser.open(f'/ui/gateways/{gateway}')
    assert not browser.script("return [...document.querySelectorAll('button')].some((one) => one.textContent.trim() === 'Edit')")


def names(browser):
    return browser.script("return [...document.querySelectorAll('.row strong')].map((one) => one.textContent)")


def test_two_browsers_see_each_others_changes(bench):
    """Without a reload: the pages ask by themselves only after 30 s, and what is waited for is shown long before."""
    one, two = bench.signed_in(), bench.signed_in('olga', 'operator')
    (gateway,) = bench.gateways(['Chimney'])
    two.open('/ui/')
    two.says('Chimney')
    live(two)
    one.open(f'/ui/gateways/{gateway}')
    one.press('Edit')
    one.write('Name', 'Chimney, west')
    one.press('Save changes')
    one.says('Saved')
    wait_for(lambda: 'Chimney, west' in names(two), SOON, 'the edit in the other browser')
    (other,) = bench.gateways(['Gable'])
    wait_for(lambda: 'Gable' in names(two), SOON, 'the enrolment in the other browser')
    bench.backend.call('DELETE', f'/v1/gateways/{other}', check=False, headers={'Authorization': 'Bearer ' + bench.operator_token()})
    wait_for(lambda: 'Gable' not in names(two), SOON, 'the removal in the other browser')
    # The page of the gateway itself, too.
    two.open(f'/ui/gateways/{gateway}')
    two.says('Chimney, west')
    live(two)
    one.press('Edit')
    one.write('Name', 'Chimney, east')
    one.press('Save changes')
    wait_for(lambda: 'Chimney, east' in two.text(), SOON, 'the edit on the page of the gateway')
    for browser in [one, two]:
        browser.is_clean(EXPECTED)


def test_what_one_browser_does_is_in_another_within_a_second(bench):
    """Edits, by the page, from the press of the button on; enrolments and removals from the request on: until they are drawn
    in the directory of another."""
    one, two = bench.signed_in(), bench.signed_in('olga', 'operator')
    (gateway,) = bench.gateways(['Dormer'])
    two.open('/ui/')
    two.says('Dormer')
    live(two)
    two.script('''
        globalThis.drawn = {};
        const look = () => {
            const [now, names] = [Date.now(), new Set([...document.querySelectorAll('.row strong')].map((one) => one.textContent))];
            for (const name of names) drawn[name] ??= [now, null];
            for (const name of Object.keys(drawn)) if (!names.has(name)) drawn[name][1] ??= now;
        };
        look();
        new MutationObserver(look).observe(document.body, { childList: true, subtree: true, characterData: true });
    ''')

    def seen(name, turn):
        return wait_for(lambda: two.script('return drawn[arguments[0]]?.[arguments[1]]', name, turn), SOON, f'{name} in the other browser')

    def ask(method, path, body=None):
        """Has the page of the first browser ask the server; gives when it did, and the answer."""
        return one.driver.execute_async_script('''
            const [method, path, body, done] = arguments;
            import('/ui/assets/api.js').then(({ call }) => { const now = Date.now(); call(method, path, body ?? undefined).then((answer) => done([now, answer])); });
        ''', method, path, body)

    one.open(f'/ui/gateways/{gateway}')
    took = {'edit': [], 'enrolment': [], 'removal': []}
    for turn in range(5):
        one.press('Edit')
        one.write('Name', f'Dormer {turn}')
        began = one.find('button', 'Save changes', what='const now = Date.now(); found.click(); return now')
        took['edit'].append(seen(f'Dormer {turn}', 0) - began)
        one.find('button', 'Edit')
        began, made = ask('POST', '/v1/gateways', {'name': f'Oriel {turn}', 'allowNoPosition': True})
        took['enrolment'].append(seen(f'Oriel {turn}', 0) - began)
        began, _ = ask('DELETE', f'/v1/gateways/{made["gateway"]["id"]}')
        took['removal'].append(seen(f'Oriel {turn}', 1) - began)
    medians = {what: statistics.median(several) for what, several in took.items()}
    print('note: until another browser shows it: ' + ', '.join(f'{what} {median:.0f} ms' for what, median in medians.items()))
    assert max(medians.values()) <= 1000 * pace.slower(), took
    for browser in [one, two]:
        browser.is_clean(EXPECTED)


def test_a_row_says_when_a_gateway_was_heard_last(bench):
    """Also where nothing else about it becomes different, so that no change comes by itself."""
    browser = bench.signed_in()
    rights = {'Authorization': 'Bearer ' + bench.backend.token('gateway', 'ticking')}
    tell = lambda: bench.backend.call('POST', '/v1/telemetry', {'health': {'uptime': 60}, 'items': []}, headers=rights)
    tell()
    # Half a minute goes by in a second.
    browser.driver.execute_cdp_cmd('Page.addScriptToEvaluateOnNewDocument', {
        'source': 'const begin = setInterval; globalThis.setInterval = (work, time, ...more) => begin(work, time === 30_000 ? 1000 : time, ...more);'})
    browser.open('/ui/')
    browser.says('ticking')
    live(browser)
    seen = lambda: browser.script(
        "return [...document.querySelectorAll('.row')].find((one) => one.textContent.includes('ticking')).querySelector('time').dateTime")
    first = seen()
    tell()
    wait_for(lambda: seen() != first, SOON, 'the time of the last sign')
    browser.is_clean(EXPECTED)


def live(browser):
    """Waits until the stream is open."""
    wait_for(lambda: browser.driver.execute_async_script(
        "const done = arguments[0]; import('/ui/assets/stream.js').then(({ isLive }) => done(isLive()));"), PATIENCE, 'the stream')


def test_what_changes_while_a_page_is_made_is_on_it(bench):
    """What was asked for before a change, and came after it was told, is asked for again; and the stream begins where the
    page did."""
    browser = bench.signed_in()
    browser.driver.get_log('performance')
    browser.driver.get(bench.base + '/ui/me')
    browser.settle()
    live(browser)
    browser.script('''
        const ask = globalThis.fetch;
        globalThis.fetch = async (where, ...how) => {
            const answer = await ask(where, ...how);
            if (!globalThis.goOn && where.startsWith('/v1/gateways?')) await new Promise((resolve) => { globalThis.goOn = resolve; });
            return answer;
        };
        document.querySelector('nav a[href="/ui/"]').click();
    ''')
    wait_for(lambda: browser.script('return Boolean(globalThis.goOn)'), PATIENCE, 'the list, held back')
    told = "const done = arguments[0]; import('/ui/assets/stream.js').then(({ changesTold }) => done(changesTold()));"
    before = browser.driver.execute_async_script(told)
    bench.gateways(['Just then'])
    wait_for(lambda: browser.driver.execute_async_script(told) > before, PATIENCE, 'the stream to tell')
    browser.script('globalThis.goOn()')
    wait_for(lambda: 'Just then' in names(browser), SOON, 'what has come meanwhile')
    browser.is_clean(EXPECTED)


def test_ten_tabs_have_one_stream(bench):
    browser = bench.signed_in()
    live(browser)
    for _ in range(9):
        browser.driver.switch_to.new_window('tab')
        browser.open('/ui/')
    for handle in browser.driver.window_handles:
        browser.driver.switch_to.window(handle)
        live(browser)
    bench.gateways(['Turret'])
    for handle in browser.driver.window_handles:
        browser.driver.switch_to.window(handle)
        wait_for(lambda: 'Turret' in names(browser), SOON, 'the new gateway in every tab')
    held, waiting = browser.driver.execute_async_script(
        "const done = arguments[0]; navigator.locks.query().then(({ held, pending }) => done([held.length, pending.length]));")
    assert (held, waiting) == (1, 9)
    # The tab that holds it goes; another one goes on.
    browser.driver.switch_to.window(browser.driver.window_handles[0])
    browser.driver.close()
    browser.driver.switch_to.window(browser.driver.window_handles[0])
    live(browser)
    bench.gateways(['Spire'])
    wait_for(lambda: 'Spire' in names(browser), SOON, 'the next one, by another stream')


def tabs(browser, several, path='/ui/'):
    """Opens so many tabs of one browser at a page, all of which live; gives them."""
    browser.open(path)
    for _ in range(several - 1):
        browser.tab(path)
    handles = browser.driver.window_handles
    for handle in handles:
        browser.driver.switch_to.window(handle)
        live(browser)
    return handles


def test_what_is_saved_in_a_tab_is_in_the_nine_others(bench):
    browser = bench.signed_in()
    (gateway,) = bench.gateways(['Belfry'])
    first, *others = tabs(browser, 10)
    browser.driver.switch_to.window(first)
    browser.open(f'/ui/gateways/{gateway}')
    browser.press('Edit')
    save(browser, 'Name', 'Belfry, north', 'Saved')
    for handle in others:
        browser.driver.switch_to.window(handle)
        wait_for(lambda: 'Belfry, north' in names(browser), SOON, lambda: f'the new name in every tab; there are {names(browser)}')
        browser.is_clean(EXPECTED)


def test_who_signs_out_in_a_tab_has_in_the_nine_others(bench):
    """Be it in the tab that holds the stream, which goes away with that, or in another."""
    for tab in [0, -1]:
        browser = bench.signed_in('abe', 'viewer')
        handles = tabs(browser, 10)
        browser.driver.switch_to.window(handles[tab])
        browser.press('Sign out')
        browser.find('box', 'Password')
        for handle in handles:
            if handle == handles[tab]:
                continue
            browser.driver.switch_to.window(handle)
            browser.says('You were signed out', SOON)
            assert 'Belfry' not in browser.text()
        bench.tidy()
        del bench.cookies['abe']


def test_the_stream_catches_up_after_the_backend_was_away(bench):
    browser = bench.signed_in()
    live(browser)
    bench.backend.stop()
    browser.says('No connection since')
    bench.backend.start()
    bench.gateways(['Cupola'])
    wait_for(lambda: 'Cupola' in names(browser), PATIENCE, 'what was added meanwhile')
    wait_for(lambda: 'No connection' not in browser.text(), PATIENCE, 'the connection to be back')


def test_a_page_comes_by_itself_when_the_backend_is_back(bench):
    browser = bench.signed_in()
    live(browser)
    bench.backend.stop()
    browser.script("document.querySelector('nav a[href=\"/ui/settings\"]').click()")
    browser.says('This page cannot be shown')
    bench.backend.start()
    browser.says('Late after')


def test_a_proxy_without_its_backend_is_a_backend_that_is_away(bench):
    """What it answers in the place of the backend is no answer: the bar stays as it is until there is one."""
    browser = bench.signed_in()
    browser.script('''
        const ask = globalThis.fetch;
        globalThis.refused = 0;
        globalThis.fetch = async (...how) => {
            if (globalThis.isBack) return ask(...how);
            refused += 1;
            return new Response('<h1>Bad Gateway</h1>', { status: 502 });
        };
    ''')
    browser.press('Refresh')
    browser.says('No connection since')
    bar = "return document.querySelector('.connection').hidden"
    browser.press('Refresh')
    seen = browser.script('return refused')
    wait_for(lambda: browser.script('return refused') > seen, PATIENCE, 'the backend to be asked again')
    assert not browser.script(bar) and 'without a reason' not in browser.text()
    browser.script('globalThis.isBack = true')
    wait_for(lambda: browser.script(bar), PATIENCE, 'the bar to go')
    browser.is_clean(EXPECTED)


def test_catches_up_after_a_reset(bench):
    """Of so many changes at once none is told; what the pages show is asked for anew, and nothing typed is lost."""
    own = Bench()
    try:
        rights = {'Authorization': 'Bearer ' + own.operator_token()}
        (gateway,) = own.gateways(['Before'])
        browser, editing = own.signed_in(), own.signed_in()
        editing.open(f'/ui/gateways/{gateway}')
        editing.press('Edit')
        editing.write('Note', 'half a sentence')
        for one in [browser, editing]:
            live(one)
            one.driver.execute_async_script(
                "const done = arguments[0]; import('/ui/assets/stream.js').then(({ listen }) => { listen('reset', () => { globalThis.wasReset = true; }); done(); });")
        lines = [{'name': f'Flood {number:04}'} for number in range(1000)]
        made = own.backend.call('POST', '/v1/gateways/import', {'lines': lines}, headers=rights)
        assert made.status == 201, made.body
        for one in [browser, editing]:
            wait_for(lambda one=one: one.script('return Boolean(globalThis.wasReset)'), SOON, 'the reset')
        wait_for(lambda: '1,001 gateways' in browser.text(), SOON, lambda: f'all of them; the page says {browser.text()[:200]!r}')
        assert editing.value('Note') == 'half a sentence'
        # And then what happens.
        own.backend.call('PATCH', f'/v1/gateways/{gateway}', {'revision': 1, 'name': 'Afterwards'}, headers=rights)
        wait_for(lambda: 'Afterwards' in names(browser), SOON, 'the next change')
        save(editing, 'Site', 'North', 'Saved')
        for one in [browser, editing]:
            one.is_clean(EXPECTED)
    finally:
        own.close()


test_catches_up_after_a_reset.seconds = 200


def test_the_page_lays_out_as_the_server_does(bench):
    browser = bench.browser()
    browser.open('/ui/sign-in')
    vectors = json.load(open(os.path.join(ROOT, 'Tests/Service/LunaFleetTests/DashboardVectors.json')))
    (cases,) = vectors.values()
    assert len(cases) >= 200
    wrong = browser.driver.execute_async_script('''
        const [cases, done] = arguments;
        import('/ui/assets/layout.js').then(({ Layout }) => done(cases.filter((one) => {
            const layout = new Layout(one);
            const steps = { add: (step) => layout.add(step.name, step.size), drop: (step) => layout.drop(step.name, step),
                remove: (step) => layout.remove(step.name), undo: () => layout.undo() };
            const outcomes = one.steps.map((step) => steps[step.kind](step));
            const widgets = layout.widgets.map(({ name, size, row, column }) => [name, size, row, column]);
            const wanted = one.out.map(({ name, size, row, column }) => [name, size, row, column]);
            return JSON.stringify([outcomes, widgets, layout.lastUsed.row, layout.lastUsed.column])
                !== JSON.stringify([one.outcomes, wanted, one.lastUsedAfter.row, one.lastUsedAfter.column]);
        }).map((one) => one.id)));
    ''', cases)
    assert wrong == [], wrong


def places(browser):
    """Where the widgets are on the screen: name -> [row, column, columns]."""
    return browser.script('''
        return Object.fromEntries([...document.querySelectorAll('.widget')].map((one) => {
            const column = one.style.gridColumn.match(/(\\d+) \\/ span (\\d)/);
            return [one.dataset.widget, [Number(one.style.gridRow.split(' ')[0]), Number(column[1]), Number(column[2])]];
        }));
    ''')


def drag(browser, name, row, column):
    """Drags a widget to a slot by the mouse; row and column count from 1."""
    from selenium.webdriver.common.action_chains import ActionChains

    browser.script("document.querySelector('.dashboard').scrollIntoView()")
    x, y, tox, toy = browser.script('''
        const [name, row, column] = arguments;
        const [one, grid] = [document.querySelector(`[data-widget="${name}"]`), document.querySelector('.dashboard')];
        const [from, box, style] = [one.getBoundingClientRect(), grid.getBoundingClientRect(), getComputedStyle(grid)];
        const columns = style.gridTemplateColumns.split(' ').length;
        return [from.x + 20, from.y + 60, box.x + (column - 0.5) * box.width / columns,
            box.y + (row - 0.6) * (parseFloat(style.gridAutoRows) + parseFloat(style.rowGap))];
    ''', name, row, column)
    actions = ActionChains(browser.driver, duration=20)
    actions.w3c_actions.pointer_action.move_to_location(int(x), int(y)).pointer_down().move_to_location(int(x + tox) // 2, int(y + toy) // 2)
    actions.w3c_actions.pointer_action.move_to_location(int(tox), int(toy)).pointer_up()
    actions.perform()


def arranged(browser, **wanted):
    wait_for(lambda: all(places(browser).get(name) == value for name, value in wanted.items()), PATIENCE, lambda: f'{wanted}; it is {places(browser)}')


def kept(bench, browser):
    """Waits until the server has what the browser shows."""
    def same():
        answer = browser.driver.execute_async_script(
            "const done = arguments[0]; fetch('/v1/me/layout').then((one) => one.json()).then(done);")
        stored = {one['name']: [one['row'] + 1, one['column'] + 1, 2 if one['size'] == 'medium' else 1]
                  for layout in answer['layouts'] if layout['columns'] == 4 for one in layout['widgets']}
        return stored == places(browser)
    wait_for(same, PATIENCE, 'the layout at the server')


def test_the_dashboard_by_mouse_and_in_another_browser(bench):
    browser = bench.signed_in('dora', 'operator')
    browser.open('/ui/dashboard')
    arranged(browser, gateways=[1, 1, 1], packets=[2, 1, 2])
    browser.press('Arrange')
    # On one of its size: they change places.
    drag(browser, 'gateways', 1, 4)
    arranged(browser, gateways=[1, 4, 1], queue=[1, 1, 1])
    # On a free slot.
    drag(browser, 'gateways', 4, 2)
    arranged(browser, gateways=[4, 2, 1])
    # On one of another size: that one goes to the nearest free slots.
    drag(browser, 'gateways', 2, 1)
    arranged(browser, gateways=[2, 1, 1])
    assert places(browser)['packets'] != [2, 1, 2]
    browser.press('Undo')
    arranged(browser, gateways=[4, 2, 1], packets=[2, 1, 2])
    browser.press('Remove Versions')
    wait_for(lambda: 'versions' not in places(browser), PATIENCE, 'the widget to go')
    browser.press('Widgets')
    browser.press('Versions')
    wait_for(lambda: 'versions' in places(browser), PATIENCE, 'the widget to be back')
    browser.write('Key of telemetry', 'luna.finder.event.recovery')
    browser.press('Add the key')
    wait_for(lambda: 'key:luna.finder.event.recovery' in places(browser), PATIENCE, 'the widget of a key')
    browser.press('Close')
    browser.press('Done')
    kept(bench, browser)
    mine = places(browser)
    other = bench.signed_in('dora', 'operator')
    other.open('/ui/dashboard')
    arranged(other, **mine)
    assert places(other) == mine
    for one in [browser, other]:
        one.is_clean(EXPECTED)


def test_the_dashboard_by_touch(bench):
    """A finger that stays on a widget begins to arrange, one that goes on moves it, one from the edge opens the library."""
    browser = bench.signed_in('tess', 'viewer', size='phone')
    browser.driver.execute_cdp_cmd('Emulation.setTouchEmulationEnabled', {'enabled': True})
    browser.open('/ui/dashboard')
    arranged(browser, gateways=[1, 1, 1], attention=[1, 2, 1])

    def title(name):
        return browser.script('const box = document.querySelector(`[data-widget=${arguments[0]}] h2`).getBoundingClientRect(); return [box.x + 8, box.y + 8]', name)

    x, y = title('gateways')
    touch = lambda kind, *points: browser.driver.execute_cdp_cmd('Input.dispatchTouchEvent', {'type': kind, 'touchPoints': list(points)})
    touch('touchStart', {'x': x, 'y': y})
    wait_for(lambda: browser.script("return Boolean(document.querySelector('.arranging'))"), PATIENCE, 'arranging to begin')
    touch('touchEnd')
    (x, y), (tox, _) = title('gateways'), title('attention')
    browser.drag(x, y, tox - x, 0)
    arranged(browser, gateways=[1, 2, 1], attention=[1, 1, 1])
    browser.press('Done')
    shown = lambda: browser.script("return document.querySelector('.library').checkVisibility()")
    # Neither from the middle nor downwards.
    browser.drag(150, 400, 120, 0)
    browser.drag(30, 300, 70, 150)
    assert not shown()
    browser.drag(30, 400, 120, 0)
    wait_for(shown, PATIENCE, 'the library')
    browser.press('Versions')
    wait_for(lambda: 'versions' in places(browser), PATIENCE, 'the widget')
    browser.is_clean(EXPECTED)


def test_the_dashboard_by_keys_alone(bench):
    from selenium.webdriver.common.keys import Keys

    browser = bench.signed_in('kay', 'viewer')
    browser.open('/ui/dashboard')

    def key(*keys):
        browser.driver.switch_to.active_element.send_keys(*keys)

    def at(name):
        for _ in range(60):
            if browser.script("return document.activeElement.dataset.widget || document.activeElement.getAttribute('aria-label') || document.activeElement.textContent") == name:
                return
            key(Keys.TAB)
        raise AssertionError(f'Tab does not lead to {name}')

    at('Arrange')
    key(Keys.ENTER)
    at('gateways')
    key(Keys.ENTER)
    key(Keys.ARROW_DOWN)
    key(Keys.ARROW_DOWN)
    key(Keys.ARROW_DOWN)
    # Nothing moves before it is dropped.
    arranged(browser, gateways=[1, 1, 1])
    key(Keys.ENTER)
    arranged(browser, gateways=[4, 1, 1])
    at('gateways')
    key(Keys.ENTER)
    key(Keys.ARROW_RIGHT)
    key(Keys.ESCAPE)
    key(Keys.ENTER)
    key(Keys.ENTER)
    arranged(browser, gateways=[4, 1, 1])
    key(Keys.DELETE)
    wait_for(lambda: 'gateways' not in places(browser), PATIENCE, 'the widget to go')
    browser.says('Undo')
    key(Keys.ESCAPE)
    wait_for(lambda: not browser.script("return document.querySelector('.arranging')"), PATIENCE, 'the end of arranging')
    kept(bench, browser)
    browser.is_clean(EXPECTED)


def test_a_full_dashboard_says_so(bench):
    browser = bench.signed_in('fay', 'viewer')
    fill_dashboard(browser)
    browser.press('Arrange')
    browser.press('Widgets')
    browser.press('Availability')
    browser.says('remove one first')


def fill_dashboard(browser):
    """Opens a dashboard without a free slot."""
    show(browser, [{'name': f'key:luna.{number}', 'size': 'small', 'row': number // 4, 'column': number % 4} for number in range(32)])


def show(browser, widgets):
    """Opens a dashboard with some widgets."""
    browser.open('/ui/dashboard')
    status = browser.driver.execute_async_script('''
        const [widgets, done] = arguments;
        import('/ui/assets/api.js').then(({ call }) => call('PUT', '/v1/me/layout', { columns: 4, widgets })).then(() => done('kept'), (error) => done(error.message));
    ''', widgets)
    assert status == 'kept', status
    browser.open('/ui/dashboard')


def test_the_dashboard_lives(bench):
    browser = bench.signed_in('liv', 'viewer')
    browser.open('/ui/dashboard')
    shown = lambda: browser.script("return document.querySelector('[data-widget=gateways] .number')?.textContent")
    there = bench.backend.call('GET', '/v1/gateways?limit=1', role='admin').json['total']
    wait_for(lambda: shown() == str(there), PATIENCE, lambda: f'{there} gateways; it is {shown()}')
    bench.gateways(['Minaret'])
    # Dashboards hear every 5 s, and ask by themselves after a minute.
    wait_for(lambda: shown() == str(there + 1), SOON, lambda: f'one gateway more than {there}; it is {shown()}')
    assert 'Failed sign-ins' not in browser.text()
    browser.is_clean(EXPECTED)


def test_what_is_simulated_is_marked(bench):
    """FLEET.md, 8: by its radio, by the tag of its record, and among the numbers of the dashboard."""
    token = {'Authorization': 'Bearer ' + bench.backend.token('gateway', 'mirage')}
    assert bench.backend.call('POST', '/v1/telemetry', {'health': {'radioPath': 'virtual'}, 'items': []}, headers=token).status == 200
    mirage = bench.backend.call('GET', '/v1/gateways?q=key:mirage', role='admin').json['gateways'][0]['id']
    (phantom,) = bench.gateways(['Phantom'])
    rights = {'Authorization': 'Bearer ' + bench.operator_token()}
    assert bench.backend.call('POST', '/v1/gateways/bulk', {'ids': [phantom], 'addTags': ['simulated']}, headers=rights).status == 200
    browser = bench.signed_in()
    for page, state in [(f'/ui/gateways/{mirage}', 'Online'), (f'/ui/gateways/{phantom}', 'Never seen'), ('/ui/?q=mirage', 'Online')]:
        browser.open(page)
        browser.says(f'{state}, simulated')
    browser.open(f'/ui/map?gateway={phantom}')
    browser.says('Simulated: 1 gateway of those on the map')
    wait_for(lambda: browser.script("return document.querySelector('.map .spot.simulated')?.title") == 'Phantom, simulated', PATIENCE, 'its marker')
    browser.open('/ui/dashboard')
    browser.says('Simulated: 2 gateways of those that are counted here.')
    browser.open(f'/ui/gateways/{mirage}/devices')
    browser.says('Simulated: nothing of this is real.')
    browser.is_clean(EXPECTED)
    bench.away([mirage, phantom])


def test_the_table_of_a_widget_stays_open(bench):
    """Also when its numbers become others."""
    browser = bench.signed_in('leo', 'viewer')
    show(browser, [{'name': 'availability', 'size': 'small', 'row': 0, 'column': 0}])
    widget = "document.querySelector('[data-widget=availability]')"
    wait_for(lambda: browser.script(f"return Boolean({widget}?.querySelector('summary'))"), PATIENCE, 'the widget')
    browser.script(f"{widget}.querySelector('details').open = true; {widget}.querySelector('summary').focus()")
    table = lambda: browser.script(f"return {widget}.querySelector('table').textContent")
    before = table()
    bench.gateways(['Obelisk'])
    wait_for(lambda: table() != before, SOON, lambda: f'other numbers than {before}')
    assert browser.script(f"return [{widget}.querySelector('details').open, document.activeElement.tagName]") == [True, 'SUMMARY']
    browser.is_clean(EXPECTED)


def test_use_is_recorded_only_when_wanted(bench):
    (gateway,) = bench.gateways(['Used'])
    rights = {'Authorization': 'Bearer ' + bench.admin_token()}

    def counted(key):
        answer = bench.backend.call('GET', f'/v1/dashboard/data?widgets=key:luna.console.{key}', headers=rights).json
        return sum(one.get('value') or 0 for one in answer['widgets'][f'key:luna.console.{key}']['series'][0]['points'])

    def uses(name):
        browser = bench.signed_in()
        browser.open(f'/ui/gateways/{gateway}')
        browser.press('Edit')
        save(browser, 'Name', name, 'Saved')
        return browser

    recorded = "const done = arguments[0]; import('/ui/assets/session.js').then(({ session }) => done(session.recordsUsage));"
    assert uses('Used once').driver.execute_async_script(recorded) is False
    before = os.environ.get('XDG_DATA_HOME')
    bench.backend.stop()
    os.environ['XDG_DATA_HOME'] = bench.backend.directory
    try:
        bench.backend.start('--telemetry-usage')
        browser = uses('Used twice')
        wait_for(lambda: counted('gateway.appear') == 1, PATIENCE, 'the page of a gateway to be counted')
        wait_for(lambda: counted('gateway.operation.save') == 1, PATIENCE, 'the save to be counted')
        assert counted('scan.appear') == 0
        browser.is_clean(EXPECTED)
    finally:
        bench.backend.stop()
        os.environ.pop('XDG_DATA_HOME')
        if before:
            os.environ['XDG_DATA_HOME'] = before
        bench.backend.start()


def test_searches_are_saved_and_shared(bench):
    bench.gateways(['Well', 'Weir'])
    browser = bench.signed_in('sam', 'operator')
    browser.open('/ui/?q=weir')
    browser.script("document.querySelector('details:has(.saved) summary').click()")
    browser.write('Name of the search', 'The weir')
    browser.find('box', 'Share it with everybody', what='found.click(); return true')
    browser.press('Save this search')
    browser.says('The weir is saved')
    other = bench.signed_in('vic', 'viewer')
    other.open('/ui/')
    other.says('Well')
    other.script("document.querySelector('details:has(.saved) summary').click()")
    other.press('The weir', exact=False)
    wait_for(lambda: names(other) == ['Weir'], PATIENCE, 'what the search finds')
    browser.press('Forget the search The weir')
    wait_for(lambda: not browser.script("return document.querySelector('.saved li')"), PATIENCE, 'the search to be forgotten')
    for one in [browser, other]:
        one.is_clean(EXPECTED)


def test_the_theme_follows_the_account(bench):
    bench.signed_in('tea', 'viewer').open('/ui/me')
    browser = bench.browsers[-1]
    browser.fill('Theme', 'dark')
    theme = "return document.documentElement.getAttribute('data-theme')"
    wait_for(lambda: browser.driver.execute_async_script(
        "const done = arguments[0]; fetch('/v1/me/theme').then((one) => one.json()).then(({ theme }) => done(theme === 'dark'));"), PATIENCE, 'the theme at the server')
    other = bench.signed_in('tea', 'viewer')
    wait_for(lambda: other.script(theme) == 'dark', PATIENCE, 'the theme in another browser')


def test_the_page_that_is_shown_is_in_sight(bench):
    """In the row of pages, where they do not fit beside each other: when it is loaded, and when somebody goes there."""
    browser = bench.signed_in(size='phone')
    whole = '''
        const [nav, here] = ['nav', 'nav [aria-current]'].map((one) => document.querySelector(one)?.getBoundingClientRect());
        return Boolean(here) && document.querySelector('nav').scrollWidth > nav.width && here.left >= nav.left && here.right <= nav.right;
    '''
    for path in ['/ui/', '/ui/map', '/ui/settings', '/ui/about']:
        browser.open(path)
        wait_for(lambda: browser.script(whole), PATIENCE, f'{path} in the row of pages')
    for path in ['/ui/history', '/ui/about', '/ui/']:
        browser.script("document.querySelector(`nav a[href='${arguments[0]}']`).click()", path)
        wait_for(lambda: browser.driver.current_url == bench.base + path and browser.script(whole), PATIENCE, f'{path} in the row of pages')
    browser.is_clean(EXPECTED)


def test_a_position_is_written_as_people_write_it(bench):
    """What programs reckon may have digits that mean nothing; looking at them changes nothing."""
    rights = {'Authorization': 'Bearer ' + bench.operator_token()}
    lines = [{'name': 'Reckoned', 'place': {'latitude': 54.090700000000005, 'longitude': -0.30000000000000004, 'source': 'given'}}]
    (gateway,) = bench.backend.call('POST', '/v1/gateways/import', {'lines': lines}, headers=rights).json['ids']
    record = lambda: bench.backend.call('GET', f'/v1/gateways/{gateway}', headers=rights).json
    browser = bench.signed_in()
    browser.open(f'/ui/gateways/{gateway}')
    # Its history calls it what people call it.
    wait_for(lambda: browser.script("return [...document.querySelectorAll('.changes a')].map((one) => one.textContent)") == ['Reckoned'], PATIENCE, 'its name in its history')
    browser.press('Edit')
    assert (browser.value('Latitude'), browser.value('Longitude')) == ('54.0907', '-0.3')
    browser.press_for('Save changes', 'Saved.')
    assert (record()['revision'], record()['place']['latitude']) == (1, 54.090700000000005), record()
    browser.press('Edit')
    save(browser, 'Place', 'by the mill')
    assert record()['place'] == {'latitude': 54.0907, 'longitude': -0.3, 'text': 'by the mill', 'source': 'given'}, record()
    browser.is_clean(EXPECTED)


def test_words_beside_each_other_stand_on_one_line(bench):
    """A verdict with the state beside it, and what is said of the boxes above a map."""
    (gateway,) = bench.gateways(['Level'])
    browser = bench.signed_in()
    feet = '''
        return arguments[0].map((one) => {
            const words = [...document.querySelectorAll(one)].flatMap((part) => [...part.childNodes]).find((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
            const range = document.createRange();
            range.selectNodeContents(words);
            return range.getBoundingClientRect().bottom;
        });
    '''
    for path, words in [(f'/ui/gateways/{gateway}', ['main .state', 'main .badge']), ('/ui/map', ['.tools label', '.tools label[for]'])]:
        browser.open(path)
        one, other = wait_for(lambda: browser.script('return document.querySelector(arguments[0]) !== null', words[0]) and browser.script(feet, words), PATIENCE, 'the words')
        assert abs(one - other) < 1.5, (path, one, other)
    browser.is_clean(EXPECTED)


def test_nothing_leaves_for_another_host(bench):
    """By a proxy that everything goes through: pages cannot tell of what a browser fetches before anybody asks, nor of what
    their workers do."""
    browser = bench.signed_in(is_recorded=True)
    (gateway,) = bench.gateways(['Secluded'])
    hearing, (device, _) = bench.hearing('secluded-too')
    for path in ['/ui/sign-in', '/ui/', '/ui/map', '/ui/dashboard', f'/ui/gateways/{gateway}', f'/ui/gateways/{gateway}?edit=1', f'/ui/gateways/{hearing}/devices',
                 f'/ui/devices/{device["ref"]}', '/ui/scan', '/ui/device', '/ui/history', '/ui/accounts', '/ui/settings', '/ui/me', '/ui/about', '/ui/setup',
                 '/ui/invitation', '/ui/nothing']:
        browser.open(path)
        browser.is_clean(EXPECTED)
    browser.open('/ui/')
    browser.says('Secluded')
    live(browser)
    wanted = list(browser.proxy.wanted)
    others = {host for host, _, _ in wanted} - {bench.base.split('/')[2]}
    assert {host.partition(':')[0] for host in others} <= ASKED_BY_CHROMIUM, sorted(others)
    # It sees all of it: pages, their parts, what they ask, and the stream.
    for part in ['/ui/map', '/ui/assets/main.js', '/v1/gateways/map', '/v1/stream']:
        assert any(path.partition('?')[0] == part for _, _, path in wanted), part
    # And whoever is wanted else.
    browser.driver.get('http://elsewhere.invalid/')
    wait_for(lambda: any(host == 'elsewhere.invalid' for host, _, _ in browser.proxy.wanted), PATIENCE, 'another host')


def test_long_words_make_no_page_scroll_sideways(bench):
    """Words without a blank, as long as they may be, in everything that somebody writes, on the smallest screens."""
    word = 'W' * 64
    bench.signed_in()
    bench.account('w' * 64, 'viewer').close()
    bench.browsers.pop()
    (gateway,) = bench.gateways([word])
    fields = {'revision': 1, 'site': word, 'note': word * 4, 'tags': ['w' * 32, 'v' * 32], 'manufacturer': word}
    rights = {'Authorization': 'Bearer ' + bench.admin_token()}
    answer = bench.backend.call('PATCH', f'/v1/gateways/{gateway}', fields, check=False, headers=rights)
    assert answer.status == 200, answer.body
    hearing, (device, _) = bench.hearing('L' * 60)
    ref = device['ref']
    answer = bench.backend.call('PATCH', f'/v1/gateways/{hearing}/devices/{ref}', {'revision': device['revision'], 'name': word, 'place': word * 3, 'manufacturer': word}, check=False, headers=rights)
    assert answer.status == 200, answer.body
    labelled, _ = bench.labelled()
    pages = ['/ui/', f'/ui/?q={word}', '/ui/map', '/ui/dashboard', f'/ui/gateways/{gateway}', f'/ui/gateways/{gateway}?edit=1', f'/ui/gateways/{labelled}',
             f'/ui/gateways/{hearing}/devices', f'/ui/devices/{ref}', f'/ui/devices/{ref}?edit=1', '/ui/device', '/ui/history', '/ui/accounts', '/ui/settings', '/ui/me',
             '/ui/about', f'/ui/{word}']
    found = []
    for size in ['narrow', 'half']:
        browser = bench.signed_in(size=size)
        for page in pages:
            browser.open(page)
            found += [(size, page, *one) for one in [browser.stays_wide()] if one]
        browser.open(f'/ui/?q={word}')
        browser.script("document.querySelector('details:has(.saved)').open = true")
        browser.write('Name of the search', f'{size}{word}')
        browser.press('Save this search')
        browser.says('is saved')
        found += [(size, 'saved', *one) for one in [browser.stays_wide()] if one]
        bench.tidy()
    assert not found, found


def test_no_page_has_barriers(bench):
    rules = axe()
    bench.signed_in()
    (gateway,) = bench.gateways(['Cellar'])
    hearing, (device, _) = bench.hearing('attic')
    labelled, _ = bench.labelled()
    pages = ['/ui/', '/ui/map', '/ui/dashboard', f'/ui/gateways/{gateway}', f'/ui/gateways/{gateway}?edit=1', f'/ui/gateways/{labelled}',
             f'/ui/gateways/{gateway}/devices', f'/ui/gateways/{hearing}/devices', f'/ui/devices/{device["ref"]}',
             f'/ui/devices/{device["ref"]}?edit=1', '/ui/scan', '/ui/device', '/ui/history',
             '/ui/accounts', '/ui/settings', '/ui/me', '/ui/about', '/ui/nothing']
    found = []
    for size in ['phone', 'desk', 'zoomed']:
        for is_dark in [False, True]:
            browser = bench.browser(size=size, is_dark=is_dark)
            for page in ['/ui/sign-in', '/ui/sign-in?problem=unknownSubject', '/ui/setup']:
                browser.open(page)
                found += [(size, is_dark, page, *one) for one in browser.barriers(rules)]
            bench.tidy()
            browser = bench.signed_in(size=size, is_dark=is_dark)
            for page in pages:
                browser.open(page)
                found += [(size, is_dark, page, *one) for one in browser.barriers(rules)]
                browser.is_clean(EXPECTED)
            browser.open('/ui/dashboard')
            browser.press('Arrange')
            browser.press('Widgets')
            found += [(size, is_dark, 'arranging', *one) for one in browser.barriers(rules)]
            bench.tidy()
    assert not found, found


def test_no_state_has_barriers(bench):
    """What pages show only now and then: nothing found, mistakes, questions, what is selected, conflicts, what a label says, what was undone,
    and a server that is away."""
    rules = axe()
    bench.signed_in()
    (gateway,) = bench.gateways(['Stately'])
    bench.gateways(['Stately too'])
    rights = {'Authorization': 'Bearer ' + bench.operator_token()}
    text, found = bench.label(), []
    ids = [one['id'] for one in bench.backend.call('GET', '/v1/gateways?q=stately', headers=rights).json['gateways']]

    def question(browser):
        browser.open('/ui/?q=stately')
        browser.says('Stately too')
        browser.script("document.querySelector('.row .to').focus()")
        browser.press('Delete Stately')
        browser.says('Delete Stately?')

    def selected(browser):
        browser.open('/ui/?q=stately')
        marked(browser, 'Stately')
        browser.write('Tag', 'No tag')
        browser.press('Add tag')
        browser.alert()

    def mistake(browser):
        browser.open('/ui/?q=nofield:1')
        browser.alert()

    def conflict(browser):
        browser.open(f'/ui/gateways/{gateway}')
        browser.press('Edit')
        record = bench.backend.call('GET', f'/v1/gateways/{gateway}', headers=rights).json
        site = f"{record['revision']} of others"
        assert bench.backend.call('PATCH', f'/v1/gateways/{gateway}', {'revision': record['revision'], 'site': site}, headers=rights).status == 200
        save(browser, 'Site', f"{record['revision']} of mine", 'Somebody else has changed the same')

    def saved(browser):
        browser.press_for('Save changes', 'Saved')

    def many(browser):
        site = str(time.monotonic())
        assert bench.backend.call('POST', '/v1/gateways/bulk', {'ids': ids, 'set': {'site': site}}, headers=rights).status == 200
        browser.open('/ui/history')
        press_in_history(browser, 'changed 2 gateways', 'Which')

    def read(browser):
        browser.open('/ui/scan')
        scan(browser, text)

    def unread(browser):
        browser.open('/ui/scan')
        browser.write('Label', 'LUNA1:ABC')
        browser.press('Read the label')
        browser.alert()

    def away(browser):
        browser.open(f'/ui/gateways/{gateway}')
        bench.backend.stop()
        browser.says('No connection since')

    for size in ['phone', 'desk', 'zoomed']:
        for is_dark in [False, True]:
            browser = bench.signed_in(size=size, is_dark=is_dark)
            browser.open('/ui/?q=nothingislikethis')
            found += [(size, is_dark, 'nothing', *one) for one in browser.barriers(rules)]
            for state in [question, selected, mistake, conflict, saved, many, read, unread, away]:
                state(browser)
                found += [(size, is_dark, state.__name__, *one) for one in browser.barriers(rules)]
            bench.backend.start()
            bench.tidy()
    assert not found, found


def test_no_verdict_of_a_network_has_barriers(bench):
    """The pages of gateways by what their uplink checks said, and what the dashboard makes of it."""
    rules, found, words = axe(), [], ['fair', 'throttled', 'prioritised', 'blocked', 'inconclusive', 'unknown']
    browser, rights = bench.signed_in(), {'Authorization': 'Bearer ' + bench.operator_token()}
    for word in words:
        health = {'version': '1', 'uplinkVerdict': word, 'uplinkSeconds': 60}
        health |= {} if word == 'unknown' else {'uplinkRatio': 0.52, 'uplinkLocated': 'perConnection'}
        token = bench.backend.token('gateway', f'said-{word}')
        answer = bench.backend.call('POST', '/v1/telemetry', {'health': health, 'items': []}, headers={'Authorization': 'Bearer ' + token})
        assert answer.status == 200, answer.body
        id = bench.backend.call('GET', f'/v1/gateways?q=key:said-{word}', role='admin').json['gateways'][0]['id']
        record = bench.backend.call('GET', f'/v1/gateways/{id}', headers=rights)
        tagged = bench.backend.call('PATCH', f'/v1/gateways/{id}', {'tags': ['provider-verdicts']}, headers={**rights, 'If-Match': record.headers['etag']})
        assert tagged.status == 200, tagged.body
        browser.open(f'/ui/gateways/{id}')
        browser.says('Its network')
        fact = "return [...document.querySelectorAll('.facts dt')].find((one) => one.textContent === 'Its network')?.nextSibling.textContent"
        assert browser.script(fact) == word, (word, browser.text())
        found += browser.barriers_in_all_looks(rules, word)
    show(browser, [{'name': 'uplink', 'size': 'small', 'row': 0, 'column': 0}, {'name': 'providers', 'size': 'medium', 'row': 1, 'column': 0}])
    browser.says(', '.join(f'1 {word}' for word in sorted(words)))
    colours = wait_for(lambda: browser.script("const one = document.querySelector('[data-widget=uplink] canvas'); return one && Chart.getChart(one)?.data.datasets[0].backgroundColor"),
                       PATIENCE, 'the colours of the verdicts')
    assert len(colours) >= len(words) and len(set(colours)) == len(colours), colours
    found += browser.barriers_in_all_looks(rules, 'the dashboard')
    browser.is_clean(EXPECTED)
    assert not found, found


def test_nothing_on_the_way_in_has_barriers(bench):
    """Invitations, the code after the password, the second factor with its picture, and the approval of a program."""
    rules, found = axe(), []
    link = bench.invite('axel', 'viewer')
    browser = bench.browser()

    def look(what):
        found.extend(browser.barriers_in_all_looks(rules, what))

    browser.open('/ui/invitation')
    look('half a link')
    browser.open(link[link.index('/ui/'):])
    look('invitation')
    for name, text in [('Name', 'axel'), ('Password', PASSWORD), ('Password again', PASSWORD + '2')]:
        browser.write(name, text)
    browser.press('Make the account')
    browser.alert()
    look('two passwords')
    browser.write('Password again', PASSWORD)
    browser.press('Make the account')
    browser.says('Sign out')
    browser.open('/ui/me')
    secret = second_factor(browser, lambda: look('picture of the second factor'))
    look('recovery codes')
    browser.press('Sign out')
    browser.find('box', 'Name')
    browser.write('Name', 'axel')
    browser.write('Password', PASSWORD)
    browser.press('Sign in')
    browser.says('or one of your recovery codes')
    look('code')
    browser.write('Code', '000000' if code_of(secret, 30) != '000000' else '000001')
    browser.press('Sign in')
    browser.alert()
    look('wrong code')
    browser.is_clean(EXPECTED)
    browser = bench.signed_in()
    browser.open('/ui/device')
    browser.write('Code', device_of(bench.backend, 'gateway:axle')['user_code'])
    browser.press('Go on')
    browser.says('Did somebody send it to you?')
    look('a program')
    browser.is_clean(EXPECTED)
    assert not found, found


def test_nothing_that_is_seldom_shown_has_barriers(bench):
    """The camera, nothing at all, what a map opens, a code that is shown once, accounts with all that belongs to them, a
    conflict, a full dashboard, and what viewers see."""
    rules, found = axe(), []
    own = Bench()
    try:
        browser = own.signed_in()

        def look(what):
            found.extend(browser.barriers_in_all_looks(rules, what))

        for page, text in [('/ui/', 'There is no gateway yet'), ('/ui/map', 'There is no gateway yet'), ('/ui/dashboard', 'Gateways'), ('/ui/history', 'History')]:
            browser.open(page)
            browser.says(text)
            look('no gateway at ' + page)
        # Two of them, since one by itself is not in a cluster.
        (gateway, _) = own.gateways(['Axis', 'Axon'])
        browser.open('/ui/map')
        wait_for(lambda: browser.script("return document.querySelectorAll('.map .cluster').length"), PATIENCE, 'a cluster')
        browser.script("document.querySelector('.map .cluster').focus()")
        wait_for(lambda: browser.script("return document.querySelector('.leaflet-tooltip')"), PATIENCE, 'its names')
        look('cluster')
        for _ in range(20):
            if browser.script("return document.querySelectorAll('.map .spot').length") == 2:
                break
            browser.script("document.querySelector('.map .cluster')?.dispatchEvent(new MouseEvent('click', { bubbles: true }))")
            look_at(browser)
        assert browser.script("return document.querySelectorAll('.map .spot').length") == 2
        look('spread')
        browser.script("document.querySelector('.map .spot').dispatchEvent(new MouseEvent('click', { bubbles: true }))")
        wait_for(lambda: browser.script("return document.querySelector('.callout')"), PATIENCE, 'the callout')
        # What fades in cannot be read before it is there.
        look_at(browser)
        wait_for(lambda: browser.script("return getComputedStyle(document.querySelector('.leaflet-popup')).opacity") == '1', PATIENCE, 'the callout')
        look('callout')
        # Where a page is large, it lies over a neighbour for as long as it is open.
        found[:] = [one for one in found if not (one[0] == 'callout' and one[3] == 'target-size' and all('leaflet-marker-icon' in each for each in one[4]))]
        browser.open(f'/ui/gateways/{gateway}')
        browser.press('New code')
        browser.says('A new code for')
        look('question of a code')
        browser.press('Make the code')
        browser.says('luna finder enroll')
        look('code')
        browser.open('/ui/scan')
        browser.write('Name', 'By axe')
        browser.press('Add by name')
        browser.says('luna finder enroll')
        look('code of a new one')
        browser.open('/ui/accounts')
        browser.press('New link for ada')
        browser.press('Make the link')
        browser.says('Give this link to ada')
        browser.script("for (const one of document.querySelectorAll('main details')) one.open = true")
        browser.says('This browser')
        look('accounts')
        browser.is_clean(EXPECTED)
    finally:
        own.close()
    bench.signed_in()
    browser = bench.signed_in(camera=codes.video(os.path.join(bench.backend.directory, 'axe.y4m')))
    browser.permit('camera')
    browser.open('/ui/scan')
    browser.press('Camera')
    wait_for(lambda: browser.script("return document.querySelector('video')?.videoWidth"), PATIENCE, 'what the camera sees')
    look('camera')
    hearing, (device, _) = bench.hearing('axes')
    browser.open(f'/ui/devices/{device["ref"]}?edit=1')
    rights = {'Authorization': 'Bearer ' + bench.operator_token()}
    changed = bench.backend.call('PATCH', f'/v1/gateways/{hearing}/devices/{device["ref"]}', {'revision': device['revision'], 'name': 'Hatchet'}, headers=rights)
    assert changed.status == 200, changed.body
    save(browser, 'Name', 'Adze', 'Somebody else has changed the same')
    look('conflict of a device')
    fill_dashboard(browser)
    browser.press('Arrange')
    browser.press('Widgets')
    browser.press('Availability')
    browser.says('remove one first')
    look('full dashboard')
    browser.is_clean(EXPECTED)
    (gateway,) = bench.gateways(['Axe'])
    browser = bench.signed_in('vera', 'viewer')
    for page in ['/ui/', '/ui/map', '/ui/dashboard', f'/ui/gateways/{gateway}', f'/ui/gateways/{hearing}/devices', f'/ui/devices/{device["ref"]}', '/ui/history',
                 '/ui/me', '/ui/about', '/ui/scan', '/ui/accounts', '/ui/settings']:
        browser.open(page)
        look('viewer at ' + page)
    browser.is_clean(EXPECTED)
    assert not found, found


test_nothing_on_the_way_in_has_barriers.seconds = test_no_verdict_of_a_network_has_barriers.seconds = 200
test_nothing_that_is_seldom_shown_has_barriers.seconds = 300
test_long_words_make_no_page_scroll_sideways.seconds = 300
test_more_than_one_answer_holds_stays.seconds = 180
test_no_state_has_barriers.seconds = test_no_page_has_barriers.seconds = 450
for test in [test_two_browsers_see_each_others_changes, test_ten_tabs_have_one_stream, test_the_dashboard_by_mouse_and_in_another_browser,
             test_what_is_saved_in_a_tab_is_in_the_nine_others, test_who_signs_out_in_a_tab_has_in_the_nine_others, test_the_dashboard_by_keys_alone, test_searches_are_saved_and_shared, test_the_stream_catches_up_after_the_backend_was_away]:
    test.seconds = 180
