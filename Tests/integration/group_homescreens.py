"""The screens of a home's app in a real Chromium: the first five minutes, one's own screens, and each of the others."""

import base64
import calendar
import datetime
import http.client
import json
import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import tempfile
import time
import types

from backends import LUNA, PATIENCE, ROOT, Backend
from bench import closed_port, lasting, never, wait_for
from browser import Browser, axe
from followers import follow
from group_homeweb import EXPECTED, FILE, PASSWORD, SCRIPT, Bench as Plain, Home
from group_mqtt import Broker

IN_VM = False
EXAMPLES = os.path.join(ROOT, 'scripts/examples/home')
# What is said of an own screen that is broken, or not there, belongs into the console too.
BROKEN = EXPECTED + ('Failed to load module script', 'Failed to fetch dynamically imported module')
HOSTILE = '<img src=x onerror="canary=1">'


class Bench(Plain):
    def person(self, home):
        """A browser in which the first account of a home is made by its link."""
        browser = self.browser(home)
        name, value = home.person(home.link('link'), 'ada')['Cookie'].split('=', 1)
        browser.open('/ui/sign-in')
        browser.driver.add_cookie({'name': name, 'value': value, 'path': '/', 'sameSite': 'Strict', 'httpOnly': True})
        browser.open('/ui/')
        browser.says('Sign out')
        return browser


def prepare(mode):
    return Bench()


def raw(home, target, headers=None):
    """A request whose path nobody tidies up."""
    connection = http.client.HTTPConnection('127.0.0.1', home.port, timeout=PATIENCE)
    connection.putrequest('GET', target, skip_host=False)
    for name, value in (headers or {}).items():
        connection.putheader(name, value)
    connection.endheaders()
    answer = connection.getresponse()
    answer.body = answer.read()
    connection.close()
    return answer


# Screens and controls of one's own


def own_home(bench):
    """A home with a folder of screens: that of the example, and some that go wrong."""
    with open(os.path.join(EXAMPLES, 'own.json')) as file:
        text = re.sub(r'^\s*//.*$', '', file.read(), flags=re.M)
    made = json.loads(text)
    experience = made['userExperience']
    for name in ['thrower', 'empty', 'missing', 'wrong']:
        experience['screens'].append({'name': name, 'class': f'web:{name}', 'title': name})
    # The screen of one tracker, by its model.
    made['devices'].append({'class': 'Device', 'oemModel': 'attic-1', 'detailScreen': 'attic'})
    made['trackers'].append({'id': 'attic', 'name': '<b>Attic</b>', 'model': 'attic-1'})
    experience['screens'].append({'name': 'attic', 'class': 'web:attic', 'title': 'Under the roof'})
    experience['drawerMenu'] += ['thrower', 'empty', 'missing', 'wrong']
    folder = os.path.join(bench.home.directory, 'web')
    os.makedirs(folder, exist_ok=True)
    for name in os.listdir(os.path.join(EXAMPLES, 'web')):
        with open(os.path.join(EXAMPLES, 'web', name)) as source, open(os.path.join(folder, name), 'w') as target:
            target.write(source.read())
    sources = {'thrower.js': "export function mount(element, { listen }) { listen(() => {}); throw new Error('no <b>luck</b>'); }\n", 'empty.js': 'export const nothing = 1;\n',
               'wrong.js': 'export function mount( {\n', '.hidden.js': 'secret',
               'attic.js': "export function mount(element, { tracker }) { element.textContent = `It is up in ${tracker.name}.`; }\n", 'notes.txt': 'secret'}
    for name, source in sources.items():
        with open(os.path.join(folder, name), 'w') as file:
            file.write(source)
    with open(os.path.join(bench.home.directory, 'outside.js'), 'w') as file:
        file.write('secret')
    for link, target in [('out.js', '../outside.js'), ('loop.js', 'loop.js'), ('root', '/')]:
        if not os.path.lexists(os.path.join(folder, link)):
            os.symlink(target, os.path.join(folder, link))
    return Home(made, webRoot=folder)


def test_own_files_come_from_their_folder_alone(bench):
    home = own_home(bench)
    try:
        headers = home.person(home.link('link'), 'ada')
        given = raw(home, '/ui/web/gauge.js', headers)
        assert given.status == 200 and given.headers['Content-Type'].startswith('text/javascript') and b'mount' in given.body
        # The same policy as that of the program's own.
        assert given.headers['Content-Security-Policy'] == raw(home, '/ui/').headers['Content-Security-Policy']
        assert given.headers['X-Content-Type-Options'] == 'nosniff'
        assert raw(home, '/ui/web/gauge.js', {**headers, 'If-None-Match': given.headers['ETag']}).status == 304
        assert raw(home, '/ui/web/gauge.js').status == 401, 'who is not signed in'
        for target in ['outside.js', '../outside.js', '..%2foutside.js', '%2e%2e/outside.js', '..\\outside.js', './gauge.js', 'root/etc/passwd', 'out.js', 'loop.js',
                       '.hidden.js', 'notes.txt', '', '.', '..', '/etc/passwd', 'gauge.js/', 'gauge.js%00.js', 'x' * 400 + '.js']:
            answer = raw(home, '/ui/web/' + target, headers)
            assert answer.status in (400, 404) and b'secret' not in answer.body and b'root:' not in answer.body, (target, answer.status, answer.body)
        assert home.call('POST', '/ui/web/gauge.js', {}, headers).status == 405
    finally:
        home.close()
    # Without a folder there is nothing.
    assert raw(bench.home, '/ui/web/gauge.js', bench.owner()).status == 404


def test_own_screens_and_controls(bench):
    home = own_home(bench)
    try:
        browser = bench.person(home)
        headers = home.session(home.call('POST', '/api/v1/setup', {'secret': home.link('link').split('#')[1]}, {'Origin': home.base}))
        # A screen: what it shows lives, and what it asks for is done.
        browser.press('All rooms')
        browser.says('Kitchen')
        do = lambda value: home.call('POST', '/api/v1/trackers/kitchen/do', {'action': 'set:warmth', 'value': value}, headers)
        wait_for(lambda: do(17.5).status == 202 and '17.5' in browser.text(), PATIENCE, 'the value in the own screen')
        browser.press('Warmer: Kitchen')
        wait_for(lambda: home.call('GET', '/api/v1/trackers/kitchen', headers=headers).json['properties']['warmth']['value'] == 18, PATIENCE, 'what the own screen has set')
        # A control of a property.
        browser.open('/ui/trackers/kitchen')
        wait_for(lambda: browser.value('Warmth of Kitchen') == '18', PATIENCE, 'the value in the own control')
        browser.open('/ui/trackers/attic')
        browser.says('Under the roof')
        browser.says('It is up in <b>Attic</b>.')
        browser.is_clean()
        # What goes wrong is said in its place, as text; the rest of the app goes on.
        for name, text in [('thrower', 'no <b>luck</b>'), ('empty', 'it exports no mount'), ('wrong', 'cannot be shown'), ('missing', 'cannot be shown')]:
            browser.press(name)
            wait_for(lambda: text in (browser.alert() or ''), PATIENCE, f'{name} to say {text}')
            assert 'has to export mount' in browser.alert()
        # When it has been mended, it can be tried again.
        with open(os.path.join(home.file['server']['webRoot'], 'missing.js'), 'w') as file:
            file.write("export function mount(element) { element.textContent = 'It is there now.'; }\n")
        browser.press('Try again')
        browser.says('It is there now.')
        browser.press('All rooms')
        browser.says('Kitchen')
        browser.is_clean(BROKEN + ('Uncaught',))
    finally:
        bench.tidy()
        home.close()


# The first five minutes


class Fresh(Home):
    """A home that `luna home init` has written in an empty directory."""

    def write(self):
        done = subprocess.run([LUNA, 'home', 'init', self.path, '--state', os.path.join(self.directory, 'state')], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=PATIENCE)
        assert done.returncode == 0, done.stderr
        with open(self.path) as file:
            text = file.read()
        channel = '{ "id": "hook", "type": "ntfy", "url": "http://127.0.0.1:' + str(closed_port()) + '", "topic": "t" }'
        text = text.replace('"channels": [', '"channels": [' + channel, 1)
        with open(self.path, 'w') as file:
            file.write(text.replace('{', f'{{ "server": {{"listen": "127.0.0.1:{self.port}"}}, "box": {{"radio": "virtual:7", "location": "static:52.5,13.4"}},', 1)
                       if text.index('{') > text.index('\n{') else text.replace('\n{', f'\n{{ "server": {{"listen": "127.0.0.1:{self.port}"}}, "box": {{"radio": "virtual:7", "location": "static:52.5,13.4"}},', 1))


class Demo(Home):
    """The same, all of it made up."""

    def write(self):
        self.file['box'] = {'location': 'static:52.5186,13.3763'}
        super().write()

    def start(self):
        self.log = open(os.path.join(self.directory, 'log'), 'a+')
        # Killed, it leaves its own folder behind.
        self.process = subprocess.Popen([LUNA, 'home', 'run', self.path, '--demo', '--format', 'jsonl'], stdout=subprocess.DEVNULL, stderr=self.log,
                                        env=dict(os.environ, TMPDIR=self.directory))
        wait_for(self.answers, PATIENCE, 'the home to answer')
        return self

    def link(self, *words):
        # It answers before it says how to sign in.
        said = lambda: re.search(r'(http://\S+/setup#\w+)', open(self.log.name).read())
        return wait_for(said, PATIENCE, 'the link').group(1)


def keyboard(browser):
    from selenium.webdriver import ActionChains
    return lambda *what: ActionChains(browser.driver).send_keys(*what).perform()


def select_all(browser):
    from selenium.webdriver import ActionChains
    from selenium.webdriver.common.keys import Keys
    ActionChains(browser.driver).key_down(Keys.CONTROL).send_keys('a').key_up(Keys.CONTROL).perform()


def focus_on(browser, keys, name):
    """Presses Tab until what has this name has the focus."""
    from selenium.webdriver.common.keys import Keys
    said = '''const one = document.activeElement; return one.getAttribute('aria-label') || [...(one.labels || [])].map((label) => label.textContent).join(' ').trim() || one.textContent.trim()'''
    for _ in range(120):
        if browser.script(said) == name:
            return
        keys(Keys.TAB)
    raise AssertionError(f'the keyboard does not reach {name}; it is at {browser.script(said)!r}')


def first_minutes(bench, home, trackers):
    from selenium.webdriver.common.keys import Keys
    browser = bench.browser(home)
    browser.open(home.link('link').split(str(home.port), 1)[1])
    keys = keyboard(browser)
    rules = axe()
    browser.find('box', 'Password again')
    browser.has_focus('Name')
    keys('ada', Keys.TAB, PASSWORD, Keys.TAB, PASSWORD, Keys.ENTER)
    # The name.
    browser.says('What is this home called?')
    focus_on(browser, keys, 'Name of the home')
    select_all(browser)
    keys(HOSTILE, Keys.ENTER)
    # The place: where the box says that it is.
    browser.says('Where is it?')
    assert not browser.barriers(rules)
    focus_on(browser, keys, 'Latitude')
    select_all(browser)
    keys('1')
    focus_on(browser, keys, 'Where the box is')
    keys(Keys.ENTER)
    wait_for(lambda: float(browser.value('Latitude')) > 50, PATIENCE, 'the position of the box')
    focus_on(browser, keys, 'Next')
    keys(Keys.ENTER)
    # Who is told.
    browser.says('Who is told?')
    assert not browser.barriers(rules)
    focus_on(browser, keys, 'Name')
    keys('Ada')
    focus_on(browser, keys, 'Topic of ntfy')
    keys('my-topic')
    focus_on(browser, keys, 'Save and test')
    keys(Keys.ENTER)
    browser.says('this home is made up' if isinstance(home, Demo) else 'Not sent by hook')
    focus_on(browser, keys, 'Next')
    keys(Keys.ENTER)
    # The list.
    for text in trackers:
        browser.says(text)
    browser.says(HOSTILE)
    wait_for(lambda: browser.driver.current_url.endswith('/ui/'), PATIENCE, 'the list')
    browser.open('/ui/screens/places')
    browser.says('Home')
    browser.is_clean(EXPECTED)
    # Done once, it is not asked for again.
    browser.driver.get(browser.base + '/ui/welcome')
    wait_for(lambda: browser.driver.current_url.endswith('/ui/'), PATIENCE, 'the list')


def test_from_an_empty_directory_to_a_live_list(bench):
    home = Fresh()
    try:
        first_minutes(bench, home, ['There is no tracker yet.'])
    finally:
        bench.tidy()
        home.close()


def test_the_same_in_a_demonstration(bench):
    demo = {'trackers': [{'id': 'wallet', 'device': 'Wallet'}, {'id': 'camera', 'device': 'Camera'}],
            'notifications': {'channels': [{'id': 'hook', 'type': 'ntfy', 'url': f'http://127.0.0.1:{closed_port()}', 'topic': 't'}]}}
    home = Demo(demo)
    try:
        first_minutes(bench, home, ['Wallet', 'Camera', '2 trackers, simulated'])
    finally:
        bench.tidy()
        home.close()


def test_each_step_can_be_skipped(bench):
    from selenium.webdriver.common.keys import Keys
    home = Fresh()
    try:
        browser = bench.browser(home)
        browser.open(home.link('link').split(str(home.port), 1)[1])
        keys = keyboard(browser)
        browser.find('box', 'Password again')
        browser.has_focus('Name')
        keys('ada', Keys.TAB, PASSWORD, Keys.TAB, PASSWORD, Keys.ENTER)
        for title in ['What is this home called?', 'Where is it?', 'Who is told?']:
            browser.says(title)
            focus_on(browser, keys, 'Skip')
            keys(Keys.ENTER)
        browser.says('There is no tracker yet.')
        browser.is_clean(EXPECTED)
    finally:
        bench.tidy()
        home.close()


# Screens


def test_a_thermostat_is_set_and_scheduled(bench):
    """The reference example of the contract, after `check --fix`."""
    model = {'class': 'AylaDevice', 'detailScreen': 'amap_thermostat', 'icon': 'ic_ayla_evb', 'managedProperties': [
        {'control': 'decimal_input', 'name': 'temp_setpoint', 'notify': False, 'schedule': True}, {'name': 'current_temp', 'control': 'readonly_text', 'notify': True, 'schedule': False},
        {'name': 'on_off', 'notify': False, 'schedule': True, 'actions': [{'name': 'turn_off', 'value': 0}, {'name': 'turn_on', 'value': 1}]}],
        'name': 'My Thermostat', 'oemModel': 'tstat-1', 'scheduleScreen': 'schedule'}
    home = Home({'devices': [model], 'trackers': [{'id': 'hall', 'name': HOSTILE, 'model': 'tstat-1'}],
                 'schedules': [{'id': 'filed', 'name': 'Of the file', 'when': [{'time': {'at': ['05:00']}}], 'then': [{'set': {'who': 'hall', 'property': 'on_off', 'value': 1}}]}]})
    try:
        browser = bench.person(home)
        headers = home.session(home.call('POST', '/api/v1/setup', {'secret': home.link('link').split('#')[1]}, {'Origin': home.base}))
        values = lambda: home.call('GET', '/api/v1/trackers/hall', headers=headers).json['properties']
        browser.press(HOSTILE)
        browser.says('Rules')
        browser.says('Of the file')
        browser.fill('temp_setpoint', '21.5')
        # It has no type, so it is a text.
        wait_for(lambda: str(values().get('temp_setpoint', {}).get('value')) == '21.5', PATIENCE, lambda: f'the temperature; there are {values()}')
        browser.press('To the schedules')
        browser.says('Of the file')
        browser.says('Next: ')
        # What stands in the file is put to sleep, and woken.
        for isOn in [False, True]:
            browser.find('box', 'On: Of the file', what='found.click(); return true')
            asleep = lambda: bool([one for one in home.call('GET', '/api/v1/rules', headers=headers).json['rules'] if one['id'] == 'filed'][0]['status']['snoozedUntil'])
            wait_for(lambda: asleep() != isOn, PATIENCE, 'the schedule of the file to be ' + ('on' if isOn else 'off'))
            wait_for(lambda: browser.find('box', 'On: Of the file', what='return [found.checked]')[0] == isOn, PATIENCE, 'the switch')
        # A new one, for the temperature on a Monday.
        browser.press('New schedule')
        browser.write('Name', 'Warm')
        browser.write('To what', '19.5')
        browser.find('box', 'At', what="found.value = '06:30'; return true")
        for day in ['tue', 'wed', 'thu', 'fri', 'sat', 'sun']:
            browser.find('box', day, what='found.click(); return true')
        browser.press('Save')
        browser.says('Warm')
        made = wait_for(lambda: [one for one in home.call('GET', '/api/v1/rules', headers=headers).json['rules'] if one['managedBy'] == 'web'], PATIENCE, 'the schedule')[0]
        assert (made['when'], made['then']) == ([{'time': {'at': ['06:30'], 'days': ['mon']}}], [{'set': {'who': 'hall', 'property': 'temp_setpoint', 'value': '19.5'}}]), made
        runs = [one['time'] for one in home.call('GET', '/api/v1/runs?count=3', headers=headers).json['runs'] if one['rule'] == made['id']]
        assert len(runs) == 3, runs
        browser.find('box', 'On: Warm', what='found.click(); return true')
        wait_for(lambda: home.call('GET', '/api/v1/rules/' + made['id'], headers=headers).json.get('enabled') is False, PATIENCE, 'the schedule to be off')
        browser.press('Remove: Warm')
        browser.press('Remove')
        wait_for(lambda: home.call('GET', '/api/v1/rules/' + made['id'], headers=headers).status == 404, PATIENCE, 'the schedule to be gone')
        browser.is_clean(EXPECTED)
    finally:
        bench.tidy()
        home.close()


def test_an_invitation_is_a_code_for_a_camera(bench):
    bench.owner()
    browser = bench.signed_in()
    browser.open('/ui/screens/settings')
    browser.says('Invite somebody')
    browser.write('Name', 'visitor')
    browser.press('Make the link')
    browser.says('Give this link to visitor')
    link = re.search(r'http://\S+/join#\w+', browser.text()).group()
    source = wait_for(lambda: browser.script("const one = document.querySelector('main [role=status] img'); return one && one.complete && one.naturalWidth > 0 ? one.src : null"), PATIENCE, 'the picture of the link')
    with tempfile.NamedTemporaryFile(suffix='.png') as file:
        file.write(base64.b64decode(source.split(',', 1)[1]))
        file.flush()
        read = subprocess.run(['zbarimg', '--quiet', '--raw', file.name], stdout=subprocess.PIPE, text=True, timeout=PATIENCE)
    assert read.stdout.strip() == link, read.stdout
    browser.is_clean(EXPECTED)


def test_what_a_guest_may_do_is_given_and_changed(bench):
    """Which trackers a guest sees and rings, and until when: said with the invitation, and changed at once later."""
    home, owner = bench.home, bench.owner()
    account = lambda: next(one for one in home.call('GET', '/api/v1/accounts', headers=owner).json['accounts'] if one['name'] == 'gwen')
    ring = lambda headers: home.call('POST', '/api/v1/trackers/heating/do', {'action': 'turn_on'}, headers).status
    browser = bench.signed_in()
    browser.open('/ui/screens/settings')
    browser.says('Invite somebody')
    browser.write('Name', 'gwen')
    browser.fill('Role', 'guest')
    browser.fill('Heating', 'see')
    browser.fill('Until the end of', '2031-05-06')
    browser.press('Make the link')
    browser.says('Give this link to gwen')
    made = account()
    assert (made['role'], made['trackers'], made['see']) == ('guest', [], ['heating']) and made['until'].startswith('2031-05-0'), made
    browser.says('sees Heating')
    guest = home.person(re.search(r'http://\S+/join#\w+', browser.text()).group(), 'gwen')
    assert ring(guest) == 403
    # Nobody changes what they may do themselves.
    assert not browser.script("return document.querySelector('[aria-label=\"Change: ada\"]')")
    browser.press('Change: gwen')
    assert [browser.value(name) for name in ('Role', 'Until the end of', 'Heating', SCRIPT)] == ['guest', '2031-05-06', 'see', '']
    browser.fill('Heating', 'ring')
    browser.press('Save')
    browser.says('sees and rings Heating')
    now = account()
    assert (now['trackers'], now['see'], now['until']) == (['heating'], [], made['until']), now
    assert home.call('GET', '/api/v1/trackers', headers=guest).status == 401
    # Without an end, and without a tracker.
    browser.press('Change: gwen')
    browser.fill('Heating', '')
    browser.fill('Until the end of', '')
    browser.press('Save')
    browser.says('sees nothing')
    now = account()
    assert (now['role'], now['trackers'], now['see'], now['until']) == ('guest', [], [], None), now
    browser.press('Change: gwen')
    browser.fill('Role', 'member')
    browser.press('Save')
    wait_for(lambda: account()['role'] == 'member', PATIENCE, 'the other role')
    browser.says('Invite somebody')
    assert browser.barriers(axe()) == []
    browser.is_clean(EXPECTED)


def test_a_passkey_signs_in(bench):
    """With an authenticator of the browser's own, which knows who is there."""
    home = Home()
    try:
        name, value = home.person(home.link('link'), 'ada')['Cookie'].split('=', 1)
        # Browsers keep none for an address.
        browser = Browser(f'http://localhost:{home.port}')
        bench.browsers.append(browser)
        browser.driver.execute_cdp_cmd('WebAuthn.enable', {})
        browser.driver.execute_cdp_cmd('WebAuthn.addVirtualAuthenticator', {'options': {
            'protocol': 'ctap2', 'transport': 'internal', 'hasResidentKey': True, 'hasUserVerification': True, 'isUserVerified': True,
            'automaticPresenceSimulation': True}})
        browser.open('/ui/sign-in')
        assert 'passkey' not in browser.text()
        browser.driver.add_cookie({'name': name, 'value': value, 'path': '/', 'sameSite': 'Strict', 'httpOnly': True})
        browser.open('/ui/screens/settings')
        browser.write('What you call it', HOSTILE)
        browser.write('Your password', PASSWORD)
        browser.press('Add a passkey')
        browser.says(HOSTILE)
        browser.press('Sign out')
        browser.press('Sign in with a passkey')
        browser.says('Sign out')
        browser.open('/ui/screens/settings')
        browser.press(f'Remove the passkey: {HOSTILE}')
        browser.press('Remove')
        wait_for(lambda: HOSTILE not in browser.text(), PATIENCE, 'the passkey to go')
        browser.is_clean(EXPECTED)
    finally:
        bench.tidy()
        home.close()


def test_a_network_that_is_cut_is_told(bench):
    browser = bench.signed_in()
    browser.driver.execute_cdp_cmd('Page.addScriptToEvaluateOnNewDocument', {'source': '''{
        const Real = EventSource;
        globalThis.streams = 0;
        globalThis.EventSource = class extends Real { constructor(...all) { super(...all); streams += 1; globalThis.stream = this; } };
    }'''})
    browser.open('/ui/')
    browser.says('Heating')
    browser.script('globalThis.stayed = true')
    cut = lambda isCut: browser.driver.execute_cdp_cmd('Network.emulateNetworkConditions', {'offline': isCut, 'latency': 0, 'downloadThroughput': -1, 'uploadThroughput': -1})
    browser.driver.execute_cdp_cmd('Network.enable', {})
    cut(True)
    browser.says('this device has no network', 25)
    # What was known stays.
    assert 'Heating' in browser.text()
    cut(False)
    wait_for(lambda: 'No connection' not in browser.text(), PATIENCE, 'the connection')
    assert browser.script('return globalThis.stayed')
    # A service that hangs is told apart from a network that is away.
    wait_for(lambda: browser.script('return stream.readyState === EventSource.OPEN'), PATIENCE, 'the stream')
    streams = browser.script('return streams')
    os.kill(bench.home.process.pid, signal.SIGSTOP)
    try:
        browser.says('the server does not answer', 25)
    finally:
        os.kill(bench.home.process.pid, signal.SIGCONT)
    wait_for(lambda: 'No connection' not in browser.text(), PATIENCE, 'the connection')
    # The stream has noticed nothing. After a power cut nobody would ever end it.
    wait_for(lambda: browser.script('return streams') > streams, PATIENCE, 'another stream')
    assert browser.script('return globalThis.stayed')
    browser.is_clean(EXPECTED + ('ERR_',))


def test_who_cannot_sign_out_is_told(bench):
    browser = bench.signed_in()
    browser.open('/ui/')
    browser.script('''
        const ask = globalThis.fetch;
        globalThis.fetch = (where, how) => (how?.method === 'DELETE' ? Promise.reject(new TypeError('no network')) : ask(where, how));
    ''')
    browser.press('Sign out')
    browser.says('You are still signed in.')
    assert browser.driver.current_url == bench.home.base + '/ui/'
    browser.is_clean(EXPECTED)


def test_a_browser_that_is_told_already_stays_so(bench):
    """Another subscription would leave that before it with the server, and its messages would go nowhere. What a push service does
    is played."""
    home = Home({**FILE, 'contacts': [{'id': 'ada', 'name': 'Ada', 'push': True}], 'notifications': {'channels': [{'id': 'browsers', 'type': 'push'}]}})
    try:
        browser = bench.person(home)
        browser.driver.execute_cdp_cmd('Page.addScriptToEvaluateOnNewDocument', {'source': '''{
            Object.defineProperty(Notification, 'permission', { get: () => 'granted' });
            Notification.requestPermission = async () => 'granted';
            globalThis.made = [];
            globalThis.there = null;
            const coded = (bytes) => btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
            const decoded = (text) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0));
            PushManager.prototype.getSubscription = async () => there;
            PushManager.prototype.subscribe = async ({ applicationServerKey: key }) => {
                const { publicKey } = await crypto.subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, true, ['deriveBits']);
                const keys = { p256dh: coded(new Uint8Array(await crypto.subtle.exportKey('raw', publicKey))), auth: coded(new Uint8Array(16)) };
                const endpoint = `https://push.example/${made.push(key)}`;
                globalThis.there = { options: { applicationServerKey: decoded(key).buffer }, unsubscribe: async () => { globalThis.there = null; }, toJSON: () => ({ endpoint, keys }) };
                return there;
            };
        }'''})
        browser.open('/ui/screens/notifications')
        listed = '''
            const card = [...document.querySelectorAll('main section')].find((one) => one.querySelector('h2')?.textContent === 'Browsers');
            const buttons = [...card?.querySelectorAll('button') ?? []];
            return !buttons.some((one) => one.disabled) && buttons.filter((one) => one.textContent === 'Remove').length;
        '''
        for _ in range(2):
            browser.press_for('Tell this browser', 'This browser is told from now on.')
            assert wait_for(lambda: browser.script(listed), PATIENCE, 'the list of browsers') == 1
            assert browser.script('return made.length') == 1
        # With one of another key the server could not tell it anything.
        browser.script('there.options.applicationServerKey = new Uint8Array(65).buffer')
        browser.press_for('Tell this browser', 'This browser is told from now on.')
        assert browser.script('return made.length') == 2
        browser.is_clean(EXPECTED)
    finally:
        home.close()


def test_one_signs_in_whatever_an_address_leads_to(bench):
    browser = bench.browser()
    for target in ['http%3A%2F%2F%5B', '%2F%2F%5B', '%2F%2Fevil.example%2Fui%2F']:
        browser.open('/ui/sign-in?next=' + target)
        browser.has_focus('Name')
    browser.is_clean(EXPECTED)


def test_without_a_stream_the_page_asks(bench):
    """With `allowMobileDSS` off nothing is told at once: what has changed is there with the next question, each 10 s."""
    home = Home({**FILE, 'sdkConfig': {'allowMobileDSS': False}})
    try:
        headers = home.person(home.link('link'), 'ada')
        browser = bench.signed_in(home, headers)
        # Whoever is in the list with the keyboard stays there.
        browser.find('link', 'Heating')
        browser.script('''
            document.querySelector('main .row a').focus();
            globalThis.held = document.activeElement;
            globalThis.asks = 0;
            const real = fetch;
            globalThis.fetch = (path, ...more) => { asks += path === '/api/v1/trackers'; return real(path, ...more); };
        ''')
        wait_for(lambda: browser.script('return asks') >= 2, PATIENCE, 'two questions')
        assert browser.script("return held.matches('main .row a') && document.activeElement === held")
        browser.press('Heating')
        browser.says('Properties')
        browser.script('globalThis.stayed = true')
        assert home.call('POST', '/api/v1/trackers/heating/do', {'action': 'set:temp_setpoint', 'value': 11}, headers).status == 202
        wait_for(lambda: browser.value('temp_setpoint') == '11', PATIENCE, 'a change that nobody tells')
        assert browser.script('return globalThis.stayed')
        browser.is_clean(EXPECTED)
        assert '/api/v1/trackers' in browser.asked and '/api/v1/stream' not in browser.asked, browser.asked
    finally:
        bench.tidy()
        home.close()


def test_a_backend_that_is_gone_is_told(bench):
    """Though it is fetched from each five minutes only; and so is that it is back, without a reload."""
    backend = Backend()
    try:
        backend.start()
        home = Home({**FILE, 'service': {'endpoints': {'Field.Europe': {'url': f'http://127.0.0.1:{backend.port}'}}}})
        try:
            headers = home.person(home.link('link'), 'ada')
            link = lambda: home.call('GET', '/api/v1/trackers', headers=headers).json['backend']
            wait_for(lambda: link()['state'] == 'works', PATIENCE, lambda: f'the backend to be reached: {link()}')
            browser = bench.signed_in(home, headers)
            browser.says('Heating')
            browser.script('globalThis.stayed = true')
            told = lambda: 'The backend cannot be reached' in browser.text()
            assert not told()
            backend.stop()
            browser.says('The backend cannot be reached', 25)
            # It is told apart from a home that is away, and all else goes on.
            assert 'Heating' in browser.text() and 'No connection' not in browser.text()
            backend.start()
            wait_for(lambda: not told(), 25, 'the backend to be back')
            assert browser.script('return globalThis.stayed') and link()['state'] == 'works', link()
            browser.is_clean(EXPECTED)
        finally:
            bench.tidy()
            home.close()
    finally:
        backend.close()


# What the API would answer: 200 trackers, some on one spot, and where one of them was each five minutes of a year.
CROWD = """
const plain = globalThis.fetch, start = Date.parse('2025-01-01T00:00:00Z'), all = 105120;
const near = (index) => ({ latitude: 52.5 + (index % 20) / 1000, longitude: 13.4 + Math.floor(index / 20) / 500, accuracy: 40 });
const spot = (index) => (index < 4 ? near(0) : near(index));
const trackers = [{ id: 'self', name: 'self', model: '', icon: null, device: null, tags: [], actions: [], properties: { location: { value: near(7), at: '2025-01-01T00:00:00Z', fresh: true } } },
  ...Array.from({ length: 200 }, (_, index) => ({ id: `t${index}`, name: `Tracker ${index}`, model: '', icon: null, device: null, tags: [], actions: [], properties: { location: { value: spot(index), at: '2025-01-01T00:00:00Z', fresh: true } } }))];
globalThis.fetch = (address, how) => {
  const url = new URL(address, location.href);
  const answer = (json) => Promise.resolve(new Response(JSON.stringify(json), { status: 200, headers: { 'Content-Type': 'application/json' } }));
  if (url.pathname === '/api/v1/trackers') return answer({ name: 'x', notices: [], trackers });
  if (!url.pathname.endsWith('/track')) return plain(address, how);
  const first = Math.max(0, Math.ceil((Date.parse(url.searchParams.get('from')) - start) / 300000));
  const features = [];
  for (let index = first; index < Math.min(all, first + 5000); index += 1) features.push({ geometry: { coordinates: [13.4 + Math.sin(index / 97) / 50, 52.5 + Math.cos(index / 131) / 50] }, properties: { time: new Date(start + index * 300000).toISOString() } });
  return answer({ features });
};
"""
PAN = """
const done = arguments[0], canvas = document.querySelector('.map'), place = canvas.getBoundingClientRect();
const x = place.left + place.width / 2, y = place.top + place.height / 2;
const tell = (type, dx, to) => to.dispatchEvent(new MouseEvent(type, { bubbles: true, cancelable: true, clientX: x + dx, clientY: y, button: 0, buttons: 1, view: window }));
const times = [];
tell('mousedown', 0, canvas.querySelector('.leaflet-overlay-pane') || canvas);
const step = (now) => {
  times.push(now);
  tell('mousemove', 150 * Math.sin(times.length / 15), canvas);
  if (now - times[0] < 3000) { requestAnimationFrame(step); return; }
  tell('mouseup', 0, canvas);
  const gaps = times.slice(1).map((one, index) => one - times[index]).sort((a, b) => a - b);
  const moved = document.querySelector('.leaflet-map-pane').style.transform;
  done({ rate: 1000 * gaps.length / (times.at(-1) - times[0]), p95: gaps[Math.floor(gaps.length * 0.95)], moved });
};
requestAnimationFrame(step);
"""


def test_a_map_of_200_trackers_and_a_year_moves_smoothly(bench):
    bench.owner()
    browser = bench.signed_in(size='page')
    browser.driver.execute_cdp_cmd('Page.addScriptToEvaluateOnNewDocument', {'source': CROWD})
    browser.open('/ui/screens/map')
    browser.says('Tracker 199')
    # The box is no tracker.
    wait_for(lambda: browser.script("return document.querySelectorAll('.map .spot, .map .cluster').length"), PATIENCE, 'markers')
    assert 'self' not in browser.text().split()
    counted = lambda: browser.script("return [...document.querySelectorAll('.map .spot')].length + [...document.querySelectorAll('.map .cluster [aria-hidden]')].reduce((sum, one) => sum + Number(one.textContent), 0)")
    wait_for(lambda: counted() == 200, PATIENCE, lambda: f'200 trackers on the map; there are {counted()}')
    plain = browser.driver.execute_async_script(PAN)
    browser.script("document.querySelector('#day').value = '2025-12-31'")
    browser.find('box', 'Span', what="found.value = '366'; return true")
    began = time.monotonic()
    browser.find('box', 'Track of', what="found.value = 't5'; found.dispatchEvent(new Event('change')); return true")
    browser.says('105,120 positions in this year')
    took = time.monotonic() - began
    # A machine that does other things too gets three tries.
    tries = []
    while not tries or (max(one['rate'] for one in tries) <= 30 and len(tries) < 3):
        tries.append(browser.driver.execute_async_script(PAN))
    best = max(tries, key=lambda one: one['rate'])
    print(f"# 200 trackers: {plain['rate']:.0f} frames/s, p95 {plain['p95']:.0f} ms; with a year of track: {best['rate']:.0f} frames/s, p95 {best['p95']:.0f} ms; shown in {took:.1f} s", flush=True)
    # A busy machine draws the trackers alone more slowly, too.
    assert best['moved'] and best['rate'] > min(30, 0.6 * plain['rate']), (plain, tries)
    browser.is_clean(EXPECTED)


def test_controls_show_what_a_property_means(bench):
    properties = [{'name': 'charge', 'type': 'number', 'roles': ['battery']}, {'name': 'level', 'type': 'number', 'roles': ['signal'], 'unit': 'dBm'},
                  {'name': 'at_home', 'type': 'bool', 'roles': ['presence']}, {'name': 'room', 'roles': ['zone']},
                  {'name': 'siren', 'control': 'sound', 'actions': [{'name': 'Wail', 'value': 'on'}, {'name': 'Hush', 'value': 'off'}]}]
    home = Home({'trackers': [{'id': 'dog', 'name': 'Dog', 'model': 'collar'}], 'devices': [{'class': 'Device', 'oemModel': 'collar', 'managedProperties': properties}]})
    try:
        headers = home.person(home.link('link'), 'ada')
        for name, value in [('charge', 15), ('level', -70), ('at_home', True), ('room', HOSTILE)]:
            assert home.call('POST', '/api/v1/trackers/dog/do', {'action': f'set:{name}', 'value': value}, headers).status == 202, name
        browser = bench.signed_in(home, headers)
        browser.says('Battery 15 %')
        browser.says('● near')
        browser.says(HOSTILE)
        browser.open('/ui/trackers/dog')
        browser.says('15 %')
        meters = wait_for(lambda: browser.script("const all = [...document.querySelectorAll('meter')]; return all.length === 2 && all.map((one) => [one.getAttribute('aria-label'), one.value])"), PATIENCE, 'the meters')
        assert meters == [['charge', 15], ['level', -70]], meters
        tags = lambda: browser.script("return [...document.querySelectorAll('.control .tag')].map((one) => one.textContent)")
        wait_for(lambda: tags() == ['yes', HOSTILE], PATIENCE, lambda: f'the words; they are {tags()}')
        browser.press('Wail')
        wait_for(lambda: home.call('GET', '/api/v1/trackers/dog', headers=headers).json['properties']['siren']['value'] == 'on', PATIENCE, 'the siren')
        assert browser.barriers(axe()) == []
        browser.is_clean(EXPECTED)
    finally:
        bench.tidy()
        home.close()


HISTORY = '''
const real = fetch;
const values = [{ time: '2026-01-01T10:00:00Z', value: 1 }, { time: '2026-01-03T10:00:00Z', value: 2 }];
globalThis.fetch = (path, ...more) => String(path).includes('/history?') ? Promise.resolve(new Response(JSON.stringify({ values }))) : real(path, ...more);
'''


def test_what_is_old_or_was_not_taken_is_shown_so(bench):
    properties = [{'name': 'level', 'type': 'number', 'min': 0, 'max': 1, 'maxAge': '3s'}, {'name': 'lamp', 'type': 'bool'}]
    home = Home({'trackers': [{'id': 'door', 'name': 'Door', 'model': 'door'}], 'devices': [{'class': 'Device', 'oemModel': 'door', 'managedProperties': properties}]})
    try:
        headers = home.person(home.link('link'), 'ada')
        browser = bench.signed_in(home, headers)
        # The page asks for everything now and then: nobody tells that a value has become old.
        browser.driver.execute_cdp_cmd('Page.addScriptToEvaluateOnNewDocument', {
            'source': '{ const real = setInterval; globalThis.setInterval = (work, pause, ...more) => real(work, pause === 10000 ? 500 : pause, ...more); }'})
        browser.open('/ui/trackers/door')
        browser.says('Properties')
        assert home.call('POST', '/api/v1/trackers/door/do', {'action': 'set:level', 'value': 0.5}, headers).status == 202
        wait_for(lambda: browser.value('level') == '0.5', PATIENCE, 'half of it')
        browser.find('box', 'level', what="return found.closest('.control').classList.contains('stale')")
        browser.says('old: ')
        # Over some days the times of day alone say nothing.
        browser.script(HISTORY)
        browser.fill('Span', '1')
        labels = lambda: browser.script("const one = document.querySelector('main figure.chart canvas'); return one && Chart.getChart(one)?.data.labels")
        wait_for(lambda: len(set(labels() or [])) == 2, PATIENCE, lambda: f'times that differ; they are {labels()}')
        # What could not be set is what it was.
        home.end(signal.SIGKILL)
        browser.find('box', 'lamp', what='found.click(); return true')
        browser.says('The server cannot be reached.')
        wait_for(lambda: browser.script("return !document.querySelector('[role=switch]').checked"), PATIENCE, 'the switch to be off')
        home.start()
        browser.is_clean(EXPECTED + ('ERR_',))
    finally:
        bench.tidy()
        home.close()


def test_a_day_of_the_map_is_one_of_the_calendar(bench):
    browser = bench.signed_in()
    browser.driver.execute_cdp_cmd('Emulation.setTimezoneOverride', {'timezoneId': 'Europe/Berlin'})
    browser.open('/ui/screens/map')
    browser.script('''
        globalThis.wanted = [];
        const real = fetch;
        globalThis.fetch = (path, ...more) => { wanted.push(String(path)); return real(path, ...more); };
        document.querySelector('#day').value = '2026-10-25';
    ''')
    browser.fill('Track of', 'heating')
    span = '/track?from=2026-10-24T22%3A00%3A00.000Z&to=2026-10-25T23%3A00%3A00.000Z'
    wait_for(lambda: any(span in one for one in browser.script('return wanted')), PATIENCE, lambda: f"a day of 25 hours; what was asked is {browser.script('return wanted')}")
    browser.is_clean(EXPECTED)


def test_rules_are_sentences(bench):
    rule = {'id': 'night', 'name': 'Night', 'when': [{'system': 'radioLost'}, {'message': 'go'}],
            'if': {'all': [{'nobodyHome': {'tag': 'warm'}}, {'not': {'any': [{'inside': {'who': 'heating', 'place': 'home'}}, {'time': {'from': '22:00', 'to': '06:00'}}]}}, {'since': {'rule': 'filed', 'more': '1h'}}]},
            'then': [{'blink': {'who': 'heating'}}, {'wait': '5s'}, {'rule': {'do': 'snooze', 'for': '2h'}}]}
    home = Home({**FILE, 'rules': FILE['rules'] + [rule]})
    try:
        browser = bench.signed_in(home, home.person(home.link('link'), 'ada'))
        browser.open('/ui/screens/rules')
        browser.says('When the radio is lost, or when the message “go” comes, and if no tracker with the tag warm is near and not (Heating is at Home or the time is from 22:00 until 06:00) '
                     'and Of the file ran longer ago than 1h: blink Heating, then wait 5s, then let this rule sleep for 2h.')
        browser.is_clean(EXPECTED)
    finally:
        bench.tidy()
        home.close()


RECORDINGS = os.path.join(ROOT, 'Tests', 'Service', 'LunaHomeTests', 'Files')


def recorded_day(begin):
    """The walk and the capture that group_home judges, as what a home was told from a time on: its lines, and how much later
    than theirs their times are."""
    stamp = lambda at: datetime.datetime.fromtimestamp(at, datetime.timezone.utc).strftime('%Y-%m-%dT%H:%M:%S.%fZ')
    with open(os.path.join(RECORDINGS, 'walk.gpx')) as file:
        walk = re.findall(r'lat="([\d.]+)" lon="([\d.]+)"><time>(.*?)</time>', file.read())
    heard = subprocess.run([LUNA, 'scan', '--read', os.path.join(RECORDINGS, 'comes.btsnoop'), '--format', 'jsonl'], check=True, capture_output=True, text=True)
    heard = [line for line in map(json.loads, heard.stdout.splitlines()) if line['type'] == 'advertisement']
    keys = next(line['address'] for line in heard if line['rssi'] == -48 and any(one['beacon'] == 'luna' for one in line.get('beacons', [])))
    later = [begin - seconds(walk[0][2]), begin + 3600 - seconds(heard[0]['time'])]
    lines = [(seconds(at) + later[0], {'kind': 'fix', 'tracker': 'self', 'latitude': float(latitude), 'longitude': float(longitude), 'accuracy': 20, 'report': at})
             for latitude, longitude, at in walk]
    lines.append((seconds(heard[0]['time']) + later[1] - 1, {'kind': 'receiver', 'scanning': True}))
    for line in heard:
        what = {'kind': 'frame', 'tracker': 'keys', 'rssi': line['rssi'], 'adapter': ''} if line['address'] == keys else {'kind': 'alive'}
        lines.append((seconds(line['time']) + later[1], what))
    return [(round(at * 1_000_000), json.dumps({'type': 'input', 'time': stamp(at), **what})) for at, what in lines], later


def seconds(text):
    return datetime.datetime.fromisoformat(text.replace('Z', '+00:00')).timestamp()


def test_a_rule_is_tested_alike_everywhere(bench):
    """What the command says of a day the API says, and the editor shows; and of the recordings in Tests it is what is stored there."""
    with open(os.path.join(RECORDINGS, 'replay.json')) as file:
        replay = json.loads(re.sub(r'^\s*//.*$', '', file.read(), flags=re.M))
    home = Home({**{key: replay[key] for key in ('places', 'rules')}, 'trackers': [{'id': 'keys', 'name': 'Keys', 'model': 'luna-tracker'}]})
    try:
        owner = home.person(home.link('link'), 'ada')
        home.end()
        begin = int(time.time()) - 30 * 3600
        lines, later = recorded_day(begin)
        database = sqlite3.connect(os.path.join(home.directory, 'state', 'home.sqlite'))
        with database:
            database.executemany('INSERT INTO inputs(time, value) VALUES(?, ?)', lines)
        database.close()
        day = os.path.join(home.directory, 'day.jsonl')
        with open(day, 'w') as file:
            file.writelines(line + '\n' for _, line in lines)
        # The app changes what it has made itself.
        home.file['rules'] = []
        home.write()
        home.start()
        for rule in replay['rules']:
            assert home.call('POST', '/api/v1/rules', rule, owner).status == 201, rule
        span = {name: time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime(at)) for name, at in [('from', begin - 60), ('to', begin + 7200)]}
        known = lambda one: (one['type'], one['rule'], one['time'], one.get('why'))
        browser = bench.signed_in(home, owner)
        browser.open('/ui/screens/rules')
        home.file['rules'] = replay['rules']
        home.write()
        stored = []
        for name, shift in zip(['walk.jsonl', 'comes.jsonl'], later):
            with open(os.path.join(RECORDINGS, name)) as file:
                stored += [(one['type'], one['rule'], round((seconds(one['time']) + shift) * 1000), one.get('why')) for one in map(json.loads, file)]
        found = []
        for rule in replay['rules']:
            said = subprocess.run([LUNA, 'rule', 'test', rule['id'], '--file', home.path, '--replay', day, '--to', span['to'], '--format', 'jsonl', '--utc'],
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=PATIENCE)
            told = [json.loads(line) for line in said.stdout.splitlines()]
            assert told, said.stderr
            answer = home.call('POST', '/api/v1/rules/test', {'rule': rule, **span}, owner).json['outcomes']
            assert [known(one) for one in answer] == [known(one) for one in told], (answer, told)
            found += [(one['type'], one['rule'], round(seconds(one['time']) * 1000), one.get('why')) for one in told]
            browser.press(f'Edit: {rule["id"]}')
            browser.has_focus('Name')
            browser.press('Test on the last week')
            browser.says('Nothing was sent.')
            shown = browser.script("return [...document.querySelectorAll('main section [role=status] li')].map((one) => [...one.querySelectorAll(':scope > span')].map((part) => part.textContent)).reverse()")
            text = lambda one: f'{one["rule"]} {"did not run: " + one["why"] if one["type"] == "held" else "ran"} ({one["cause"]["trigger"]})'
            moments = browser.script("const form = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' }); return arguments[0].map((one) => form.format(new Date(one)))", [one['time'] for one in answer])
            # The home goes on hearing, and rules may say something of that.
            assert shown[:len(answer)] == [[text(one), moment] for one, moment in zip(answer, moments)], (shown, answer)
            browser.press('Cancel')
        assert sorted(found, key=str) == sorted(stored, key=str), (found, stored)
        assert home.call('GET', '/api/v1/firings', headers=owner).json['firings'] == []
        browser.is_clean(EXPECTED)
    finally:
        bench.tidy()
        home.close()


def test_the_map_names_its_places(bench):
    """What the map shows, a list says; and it leads to where a place is changed."""
    home = Home(FILE)
    try:
        headers = home.person(home.link('link'), 'ada')
        made = home.call('POST', '/api/v1/places', {'name': HOSTILE, 'latitude': 52.51, 'longitude': 13.41, 'radius': 70}, headers)
        assert made.status == 201, made.body
        rule = {'name': 'Goes', 'when': [{'exit': {'place': made.json['id']}}], 'then': [{'blink': {}}]}
        assert home.call('POST', '/api/v1/rules', rule, headers).status == 201
        browser = bench.signed_in(home, headers)
        # People read names: ids are made up.
        browser.open('/ui/screens/rules')
        browser.says(f'When any tracker leaves {HOSTILE}: blink it.')
        browser.open('/ui/screens/map')
        browser.says('70 m around 52.51000, 13.41000')
        # One of the file is shown where it is changed, and cannot be.
        browser.press('Home')
        browser.says('stands in home.json:')
        assert not browser.script("return document.querySelector('main form')")
        browser.open('/ui/screens/map')
        browser.press(HOSTILE)
        browser.find('box', 'Radius, m')
        assert (browser.value('Name'), browser.value('Radius, m')) == (HOSTILE, '70')
        browser.is_clean(EXPECTED)
    finally:
        bench.tidy()
        home.close()


def test_a_rule_sleeps_and_wakes(bench):
    """Also one of the file, which nobody can change in the app."""
    home, owner = bench.home, bench.owner()
    until = lambda: next(one for one in home.call('GET', '/api/v1/rules', headers=owner).json['rules'] if one['id'] == 'filed')['status']['snoozedUntil']
    browser = bench.signed_in()
    browser.open('/ui/screens/rules')
    browser.press('Snooze: Of the file')
    browser.has_focus('For')
    browser.fill('For', '28800')
    before = time.time()
    browser.press('Let it sleep')
    browser.says('sleeps until')
    end = calendar.timegm(time.strptime(until()[:19], '%Y-%m-%dT%H:%M:%S'))
    assert before - 1 <= end - 28800 <= time.time() + 1, (until(), before)
    browser.press('Wake: Of the file')
    browser.says('It is awake again.')
    browser.find('button', 'Snooze: Of the file')
    assert until() is None
    browser.is_clean(EXPECTED)


def test_trackers_have_their_pictures(bench):
    home = Home({'trackers': [{'id': 'bike', 'name': 'Bike', 'icon': 'bike.svg'}, {'id': 'cat', 'name': 'Cat', 'icon': 'gone.svg'}, {'id': 'dog', 'name': 'Dog', 'icon': '../dog'}, {'id': 'egg', 'name': '🥚 Egg'}]}, webRoot=bench.home.directory)
    try:
        with open(os.path.join(bench.home.directory, 'bike.svg'), 'w') as file:
            file.write('<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><rect width="10" height="10"/></svg>')
        browser = bench.signed_in(home, home.person(home.link('link'), 'ada'))
        pictures = lambda: browser.script("return [...document.querySelectorAll('.row')].map((one) => one.querySelector('img.picture')?.naturalWidth > 0 ? 'picture' : one.querySelector('.letter')?.textContent || 'none')")
        wait_for(lambda: sorted(pictures()) == ['C', 'D', 'picture', '🥚'], PATIENCE, 'the pictures')
        browser.is_clean(EXPECTED)
    finally:
        bench.tidy()
        home.close()


def test_what_a_broker_says_stays_text(bench):
    """And so do the names of places, of the home, and of properties."""
    file = {'name': HOSTILE, 'places': [{'id': 'home', 'name': HOSTILE, 'latitude': 52.5, 'longitude': 13.4, 'radius': 100}],
            'trackers': [{'id': 'door', 'name': 'Door', 'model': 'door'}],
            'devices': [{'class': 'Device', 'oemModel': 'door', 'managedProperties': [
                {'name': 'note', 'type': 'text', 'control': 'readonly_text', 'source': {'mqtt': 'house/door'}}, {'name': HOSTILE, 'type': 'text'}]}],
            'rules': [{'id': 'gone', 'name': HOSTILE, 'when': [{'exit': {'place': 'home'}}], 'then': [{'blink': {}}]}]}
    said = 'Open ' + HOSTILE
    with tempfile.TemporaryDirectory() as directory, Broker(types.SimpleNamespace(directory=directory)) as broker:
        # It is kept, so that the home hears it whenever it comes.
        subprocess.run(broker.client('pub', '-r', '-t', 'house/door', '-m', said), check=True)
        home = Home({**file, 'outputs': {'mqtt': {'host': '127.0.0.1', 'port': broker.port}}})
        try:
            browser = bench.signed_in(home, home.person(home.link('link'), 'ada'))
            browser.press('Door')
            browser.says(said)
            for page in ['places', 'rules', 'map', 'notifications', 'settings']:
                browser.open('/ui/screens/' + page)
                browser.says(HOSTILE)
            browser.is_clean(EXPECTED)
        finally:
            bench.tidy()
            home.close()


def test_floors_lie_on_the_map(bench):
    with tempfile.TemporaryDirectory() as directory:
        edges = {'south': 52.498, 'west': 13.396, 'north': 52.502, 'east': 13.404}
        plans = []
        for name in ['Ground floor', HOSTILE]:
            path = os.path.join(directory, f'floor-{len(plans)}.svg')
            with open(path, 'w') as file:
                file.write('<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100"><script>canary=1</script><rect width="100" height="100" fill="#abc"/></svg>')
            plans.append({'file': path, 'name': name, **edges})
        home = Home({**FILE, 'places': [{**FILE['places'][0], 'color': '#ff00ff'}]}, floorPlans=plans)
        try:
            headers = home.person(home.link('link'), 'ada')
            given = raw(home, '/api/v1/plans/0', headers)
            assert given.status == 200 and given.headers['Content-Type'].startswith('image/svg+xml')
            assert 'sandbox' in given.headers['Content-Security-Policy'], 'what a drawing may do'
            assert raw(home, '/api/v1/plans/2', headers).status == 404 and raw(home, '/api/v1/plans/0').status == 401
            browser = bench.signed_in(home, headers)
            browser.open('/ui/screens/map')
            shown = lambda: browser.script("const all = [...document.querySelectorAll('img.plan')]; return all.length === 1 && all[0].naturalWidth > 0 ? all[0].alt : null")
            wait_for(lambda: shown() == 'Ground floor', PATIENCE, 'the floor')
            # The place lies over it in its own colour.
            wait_for(lambda: browser.script('''
                return [...document.querySelectorAll('.map canvas')].filter((one) => one.width > 0).some((one) => {
                  const { data } = one.getContext('2d').getImageData(0, 0, one.width, one.height);
                  for (let at = 0; at < data.length; at += 4) if (data[at + 3] > 200 && data[at] > 200 && data[at + 1] < 60 && data[at + 2] > 200) return true;
                  return false;
                });
            '''), PATIENCE, 'the colour of the place')
            choose = lambda value: browser.find('box', 'Floor', what=f"found.value = '{value}'; found.dispatchEvent(new Event('change')); return true")
            choose(1)
            wait_for(lambda: shown() == HOSTILE, PATIENCE, 'the other floor')
            assert browser.barriers(axe()) == []
            choose('')
            wait_for(lambda: not browser.script("return document.querySelector('img.plan')"), PATIENCE, 'no floor')
            browser.is_clean(EXPECTED)
        finally:
            bench.tidy()
            home.close()


# Sharing


def with_bike():
    """The home of somebody who has a tracker."""
    home = Home({'name': 'Anna', 'trackers': [{'id': 'bike', 'device': 'bike'}]})
    home.end()
    keys = os.path.join(home.directory, 'devices.json')
    with open(keys, 'w') as file:
        json.dump({'format': 'luna-devices', 'version': 1, 'devices': [{
            'uuid': '6BA7B810-9DAD-41D1-80B4-00C04FD430C8', 'kind': 'luna', 'name': 'bike', 'masterKey': bytes(range(16)).hex() * 2,
            'onboardingTimestamp': time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime())}]}, file)
    subprocess.run([LUNA, 'owner', 'import', keys, '--state', os.path.join(home.directory, 'state')], check=True, capture_output=True)
    return home.start()


def test_a_tracker_is_shared_with_another_home(bench):
    anna, ben = with_bike(), Home({'name': 'Ben'})

    def take(browser):
        """The file that the page offers last, taken by the other home."""
        data = browser.driver.execute_async_script('''
            const done = arguments[0];
            fetch(document.querySelector('main [role=status] a.button').href).then((answer) => answer.arrayBuffer()).then((bytes) => done([...new Uint8Array(bytes)]));
        ''')
        connection = http.client.HTTPConnection('127.0.0.1', ben.port, timeout=PATIENCE)
        connection.request('POST', '/api/v1/shares/import', bytes(data), {**headers, 'Content-Type': 'application/octet-stream'})
        answer = connection.getresponse()
        told = json.loads(answer.read())
        connection.close()
        assert answer.status == 200, told
        return told

    try:
        headers = ben.person(ben.link('link'), 'ben')
        card = ben.call('PUT', '/api/v1/card', {'name': HOSTILE}, headers).json
        browser = bench.person(anna)
        browser.open('/ui/screens/shares')
        browser.write('Your name', 'Anna')
        browser.press('Make a card')
        browser.says('LUNACARD:1:')
        text = re.search(r'LUNACARD:1:[\w-]+', browser.text()).group()
        assert ben.call('POST', '/api/v1/cards', {'text': text, 'name': 'anna'}, headers).status == 201
        browser.write('Their card', card['text'])
        browser.press('Add them')
        browser.says(card['code'])
        # Before the button works, what ending cannot do was read; and who was not compared is asked for twice.
        assert 'cannot take back what was seen' in browser.text()
        is_off = lambda: browser.script("return [...document.querySelectorAll('button')].find((one) => one.textContent === 'Share it').disabled")
        tick = lambda name: browser.find('box', name).send_keys(' ')
        assert is_off()
        tick('I have read what ending cannot do')
        assert is_off()
        tick('Nobody has compared the code of this card: share all the same')
        assert not is_off()
        browser.press(f'Compare the code: {HOSTILE}')
        browser.press('It is the same')
        browser.says('· compared')
        wait_for(is_off, PATIENCE, 'what was read before to be asked for again')
        tick('I have read what ending cannot do')
        browser.press('Share it')
        browser.says('Send it by any way')
        shared = take(browser)
        assert (shared['name'], shared['state']) == ('bike of anna', 'live'), shared
        trackers = ben.call('GET', '/api/v1/trackers', headers=headers).json['trackers']
        assert [one['sharedUntil'] for one in trackers] == [shared['until']], trackers
        # The page of the tracker says who sees it, and leads to where that is ended.
        browser.open('/ui/trackers/bike')
        browser.says('Shared with')
        browser.says('see · until')
        assert HOSTILE in browser.text()
        browser.press('To sharing')
        browser.press(f'End: bike for {HOSTILE}')
        browser.press('End it')
        browser.says('ended; was until')
        assert take(browser)['state'] == 'ended'
        assert ben.call('GET', '/api/v1/trackers', headers=headers).json['trackers'] == []
        browser.open('/ui/trackers/bike')
        browser.says('Nobody.')
        browser.is_clean(EXPECTED)
    finally:
        bench.tidy()
        anna.close()
        ben.close()


def test_sharing_by_keyboard_alone(bench):
    from selenium.webdriver.common.keys import Keys
    anna, ben = with_bike(), Home({'name': 'Ben'})
    try:
        card = ben.call('PUT', '/api/v1/card', {'name': 'Ben'}, ben.person(ben.link('link'), 'ben')).json
        browser, rules = bench.person(anna), axe()
        keys = keyboard(browser)

        def use(name, *what):
            focus_on(browser, keys, name)
            keys(*(what or [Keys.ENTER]))

        browser.open('/ui/screens/shares')
        use('Your name', 'Anna', Keys.ENTER)
        browser.says('LUNACARD:1:')
        use('Their card', card['text'])
        use('Add them')
        browser.says(card['code'])
        assert browser.barriers(rules) == []
        # Who was not compared is asked for twice; here the code is compared.
        is_off = lambda: browser.script("return [...document.querySelectorAll('button')].find((one) => one.textContent === 'Share it').disabled")
        use('I have read what ending cannot do', ' ')
        assert is_off()
        use('Compare the code: Ben')
        browser.says(f'{card["code"]}. Let them read it')
        assert browser.barriers(rules) == []
        use('It is the same')
        browser.says('· compared')
        wait_for(is_off, PATIENCE, 'what was read before to be asked for again')
        use('I have read what ending cannot do', ' ')
        wait_for(lambda: not is_off(), PATIENCE, 'the button to work')
        use('Share it')
        browser.says('Send it by any way')
        # The file to send is the next thing.
        wait_for(lambda: browser.script("return document.activeElement.textContent.startsWith('Save the file')"), PATIENCE, 'the focus on the file')
        assert browser.barriers(rules) == []
        use('End: bike for Ben')
        use('End it')
        browser.says('ended; was until')
        assert browser.barriers(rules) == []
        # A guest is invited so, too.
        browser.open('/ui/screens/settings')
        browser.says('Invite somebody')
        use('Name', 'visitor')
        use('Make the link')
        browser.says('Give this link to visitor')
        assert browser.barriers(rules) == []
        browser.is_clean(EXPECTED)
    finally:
        bench.tidy()
        anna.close()
        ben.close()


def test_a_card_is_added_by_a_picture_of_its_code(bench):
    home, folder = with_bike(), tempfile.mkdtemp()
    try:
        picture = os.path.join(folder, 'card.png')
        made = subprocess.run([LUNA, 'contact', 'card', '--name', 'Ben', '-o', picture, '--state', os.path.join(folder, 'state'), '--format', 'jsonl'],
                              check=True, capture_output=True, text=True)
        browser = bench.person(home)
        browser.open('/ui/screens/shares')
        browser.write('Your name', 'Anna')
        browser.press('Make a card')
        browser.says('LUNACARD:1:')
        browser.find('box', 'Or a picture of it').send_keys(picture)
        browser.press('Add them')
        browser.says(json.loads(made.stdout)['code'])
        browser.says('Ben')
        # There is no channel for mail: nothing is promised that needs one.
        assert not browser.script("return [...document.querySelectorAll('label')].some((one) => one.checkVisibility() && one.textContent.startsWith('Make it anew'))")
        browser.is_clean(EXPECTED)
    finally:
        bench.tidy()
        home.close()
        shutil.rmtree(folder)


def with_followers():
    """The home of somebody with whom two trackers stay: one of the room that obeys strangers, and a Tile. With their ids."""
    heard = subprocess.run([LUNA, 'scan', '--radio', 'virtual:7', '--format', 'jsonl', '-T', lasting(6)], capture_output=True, text=True, timeout=never(60))
    lines = [json.loads(line) for line in heard.stdout.splitlines()]
    address = next(line['address'] for line in lines if line['type'] == 'advertisement' and '"dult"' in json.dumps(line.get('beacons')))
    ids = ['dult:' + address.replace(':', '').lower(), 'tile:0123456789ab']
    home = Home({'name': 'Anna'})
    home.end()
    follow(home, ids)
    return home.start(), ids


def test_a_tracker_that_follows_is_shown_rung_and_printed(bench):
    home, (one, tile) = with_followers()
    try:
        browser = bench.person(home)
        unfold = lambda: browser.script("for (const one of document.querySelectorAll('main details')) one.open = true")
        browser.open('/ui/screens/watch')
        browser.says('Came along')
        unfold()
        wait_for(lambda: browser.script("return document.querySelectorAll('main .map.leaflet-container path').length >= 12"), PATIENCE, 'both maps')
        wait_for(lambda: browser.script("return document.querySelectorAll('main figure.chart canvas').length === 2"), PATIENCE, 'both charts')
        browser.says('Make it sound: only its owner, in the Tile app.')
        # Of the one that changes its identifier, and not of the Tile.
        assert browser.text().count('what is said here ends where no link leads to the next one') == 1, browser.text()
        found = browser.barriers(axe())
        assert not found, found
        browser.press(f'Ask what it is: {one}')
        browser.says('Done')
        # What was open is still open when it is drawn anew.
        wait_for(lambda: 'Example Trackers' in browser.text(), PATIENCE, 'what it tells')
        browser.press(f'Make it sound: {one}')
        browser.press('Make it sound')
        browser.says('It sounds')
        browser.script("window.print = () => { window.printed = document.querySelector('.sheet').textContent; }")
        browser.press(f'Print: {one}')
        wait_for(lambda: browser.script('return window.printed'), PATIENCE, 'the sheet')
        sheet = browser.script('return window.printed')
        for text in [one, 'Example Trackers', 'It came along on a trip.', '8 km', 'Cannot be found']:
            assert text in sheet, (text, sheet)
        browser.script("dispatchEvent(new Event('afterprint'))")
        assert not browser.script("return document.querySelector('.sheet')")
        browser.is_clean(EXPECTED)
    finally:
        bench.tidy()
        home.close()


def test_an_empty_watch_says_what_was_listened_to(bench):
    """That nothing was found stands only beside what was listened to and what cannot be found, and beside that it is off."""
    home = Home({'name': 'Anna'})
    try:
        owner = home.person(home.link('link'), 'ada')
        browser = bench.signed_in(home, owner)
        browser.open('/ui/screens/watch')
        browser.says('Nothing was found in what was listened to. That does not mean that nothing is there.')
        shown = browser.text()
        for text in ['Listened', 'hours and', 'since', 'Gaps', 'none', 'Cannot be found', 'trackers that are silent', 'satellite navigation and a mobile network of their own',
                     'those that are known, which can be used to follow as well', 'No tracker that is known was heard on a trip, or marked.']:
            assert text in shown, (text, shown)
        assert 'safe' not in shown.lower(), shown
        home.file['watch'] = {'enabled': False}
        home.write()
        home.process.send_signal(signal.SIGHUP)
        wait_for(lambda: home.call('GET', '/api/v1/suspects', headers=owner).json['enabled'] is False, PATIENCE, 'the other file')
        browser.open('/ui/about')
        browser.open('/ui/screens/watch')
        browser.says('Nothing is listened to: “watch” is off in the file, or the home has not begun.')
        assert 'Cannot be found' in browser.text(), browser.text()
        browser.is_clean(EXPECTED)
    finally:
        bench.tidy()
        home.close()


def test_a_discreet_watch_tells_nobody_but_owners(bench):
    with tempfile.TemporaryDirectory() as directory, Broker(types.SimpleNamespace(directory=directory)) as broker:
        home, one = Home({**FILE, 'watch': {'discreet': True}, 'outputs': {'mqtt': {'host': '127.0.0.1', 'port': broker.port}}}), 'tile:0123456789ab'
        try:
            home.end()
            follow(home, [one])
            home.start()
            owner = home.person(home.link('link'), 'ada')
            member = home.person(home.link('account', 'add', 'max', '--role', 'member'), 'max')
            assert [found['id'] for found in home.call('GET', '/api/v1/suspects', headers=owner).json['suspects']] == [one]
            for path in ['suspects', 'suspects/' + one]:
                assert home.call('GET', '/api/v1/' + path, headers=member).status == 404, path
            screens = lambda browser: browser.script("return [...document.querySelectorAll('nav a')].map((one) => one.getAttribute('href'))")
            assert '/ui/screens/watch' in screens(bench.signed_in(home, owner))
            browser = bench.signed_in(home, member)
            assert '/ui/screens/watch' not in screens(browser), screens(browser)
            browser.open('/ui/screens/watch')
            browser.says('This is not for your account.')
            # The broker has everything by now that it is told at first.
            broker.has('luna/our_house/status', 'online')
            wait_for(lambda: broker.last('luna/our_house/tracker/heating/state'), PATIENCE, 'the state of a tracker')
            assert not any(one in text or 'suspect' in text for message in broker.messages for text in message), broker.messages
            assert one not in home.call('GET', '/metrics').body.decode()
            assert home.call('GET', '/api/v1/outbox', headers=member).json['sent'] == []
            browser.is_clean(EXPECTED)
        finally:
            bench.tidy()
            home.close()


def put(browser, legend, name, value):
    """Puts something into a box of a part of a form: parts say by their legends which they are."""
    wait_for(lambda: browser.script('''
        const [legend, name, value] = arguments;
        const part = [...document.querySelectorAll('fieldset')].find((one) => one.querySelector(':scope > legend')?.textContent === legend);
        const box = [...(part?.querySelectorAll('input, textarea, select') || [])].find((one) => one.checkVisibility() && one.labels[0]?.textContent === name);
        if (!box) return false;
        box.value = value;
        box.dispatchEvent(new Event('change', { bubbles: true }));
        return box.value === value;
    ''', legend, name, value), PATIENCE, f'the box {name} of {legend}')


def test_a_rule_keeps_in_its_form_what_nobody_changes(bench):
    rule = {
        'id': 'night', 'name': 'Night', 'enabled': False, 'cooldown': '90s', 'maxPerHour': 3, 'quiet': 'drop', 'level': 'warn',
        'when': [{'enter': {'who': 'warm', 'place': 'home'}}, {'exit': {'place': 'home'}}, {'dwell': {'who': 'heating', 'place': 'home', 'after': '1h'}},
                 {'beaconIn': {'who': 'heating', 'minRssi': -80}}, {'beaconOut': {}}, {'property': {'who': 'heating', 'property': 'temp_setpoint', 'above': 25.5, 'hysteresis': 2}},
                 {'property': {'who': 'heating', 'property': 'on_off', 'is': '1'}}, {'property': {'who': 'heating', 'property': 'on_off', 'changes': True}},
                 {'time': {'at': ['08:00', '20:00:30'], 'days': ['weekdays'], 'zone': 'Europe/Berlin', 'start': '2026-01-01', 'end': '2026-12-31'}},
                 {'time': {'every': '15m', 'from': '08:00', 'to': '10:00'}}, {'watch': {'grade': 'notice'}}, {'system': 'radioLost'}, {'message': 'go'}],
        'if': {'all': [{'any': [{'property': {'property': 'on_off', 'below': 2}}, {'not': {'inside': {'who': 'heating', 'place': 'home'}}}]},
                       {'time': {'from': '22:00', 'to': '06:00', 'days': ['sat', 'sun']}}, {'nobodyHome': {'tag': 'warm'}}, {'since': {'rule': 'filed', 'less': '5m'}}]},
        'then': [{'notify': {'template': 'First\nand second: {{value}}', 'level': 'alarm'}}, {'buzz': {'who': 'heating', 'seconds': 5}}, {'stopSound': {}}, {'blink': {'who': 'warm'}}, {'ping': {}},
                 {'set': {'who': 'heating', 'property': 'on_off', 'value': 1}}, {'finder': 'stop'}, {'wait': '5s'}, {'rule': {'id': 'filed', 'do': 'snooze', 'for': '2h'}}],
    }
    owner = bench.owner()
    made = bench.home.call('POST', '/api/v1/rules', rule, owner)
    assert made.status == 201, made.body
    browser = bench.signed_in()
    browser.open('/ui/screens/rules')
    browser.press('Edit: Night')
    browser.has_focus('Name')
    browser.write('Name', 'Late')
    assert browser.barriers(axe()) == []
    browser.press_for('Save', 'The rule holds')
    got = bench.home.call('GET', '/api/v1/rules/night', headers=owner)
    assert {name: value for name, value in got.json.items() if name not in ('managedBy', 'status')} == {**rule, 'name': 'Late'}, got.body
    browser.is_clean(EXPECTED)
    assert bench.home.call('DELETE', '/api/v1/rules/night', headers={**owner, 'If-Match': got.headers['ETag']}).status == 204


def test_a_rule_of_many_parts_is_made_by_form(bench):
    browser = bench.signed_in()
    browser.open('/ui/screens/rules')
    browser.press('New rule')
    browser.has_focus('Name')
    browser.write('Name', 'Parts')
    # The tracker that was chosen stays.
    put(browser, 'Trigger 1', 'What happens', 'property')
    for name, value in [('Property', 'temp_setpoint'), ('Compared', 'above'), ('Limit', '25.5')]:
        put(browser, 'Trigger 1', name, value)
    # By the keyboard: whoever adds a part is in it.
    browser.find('button', 'Add a trigger').send_keys('\n')
    browser.has_focus('What happens')
    browser.driver.switch_to.active_element.send_keys('the')
    for name, value in [('When', 'every'), ('Every', '15 minutes')]:
        put(browser, 'Trigger 2', name, value)
    put(browser, 'And if', 'Only if', 'any')
    put(browser, 'Condition 1', 'What', 'not')
    put(browser, 'Not', 'What', 'nobodyHome')
    put(browser, 'Not', 'With the tag', 'warm')
    browser.press('Add a condition')
    for name, value in [('What', 'since'), ('Rule', 'filed'), ('Time', '1h')]:
        put(browser, 'Condition 2', name, value)
    browser.press('Add an action')
    for name, value in [('What is done', 'set'), ('Tracker', 'heating'), ('Property', 'on_off'), ('New value', '0')]:
        put(browser, 'Action 2', name, value)
    browser.press('Add an action')
    for name, value in [('What is done', 'wait'), ('For', '5s')]:
        put(browser, 'Action 3', name, value)
    browser.press('Earlier: Action 3')
    browser.press('Remove: Action 1')
    browser.says('When temp_setpoint of Heating goes above 25.5, or when every 15 minutes, and if not no tracker with the tag warm is near or Of the file ran longer ago than 1h: wait 5s, then set on_off of Heating to 0.')
    # What the home has against it stands beside its box, and is said with it.
    browser.press('Save')
    browser.has_focus('Every')
    described = browser.find('box', 'Every', what="return found.getAttribute('aria-invalid') && found.getAttribute('aria-describedby').split(' ').map((id) => document.getElementById(id).textContent)")
    assert any('"15 minutes" is not a duration' in text for text in described), described
    assert browser.barriers(axe()) == []
    put(browser, 'Trigger 2', 'Every', '15m')
    browser.press_for('Save', 'The rule holds')
    owner = bench.owner()
    made = [one for one in bench.home.call('GET', '/api/v1/rules', headers=owner).json['rules'] if one.get('name') == 'Parts'][0]
    assert made['when'] == [{'property': {'who': 'heating', 'property': 'temp_setpoint', 'above': 25.5}}, {'time': {'every': '15m'}}], made
    assert made['if'] == {'any': [{'not': {'nobodyHome': {'tag': 'warm'}}}, {'since': {'rule': 'filed', 'more': '1h'}}]}, made
    assert made['then'] == [{'wait': '5s'}, {'set': {'who': 'heating', 'property': 'on_off', 'value': 0}}], made
    browser.is_clean(EXPECTED)
    tag = bench.home.call('GET', '/api/v1/rules/' + made['id'], headers=owner).headers['ETag']
    assert bench.home.call('DELETE', '/api/v1/rules/' + made['id'], headers={**owner, 'If-Match': tag}).status == 204


def test_no_new_screen_has_barriers(bench):
    rules = axe()
    found = []
    home = bench.home
    screens = ['/ui/', '/ui/trackers/odd', '/ui/trackers/heating', '/ui/screens/map', '/ui/screens/places', '/ui/screens/rules', '/ui/screens/schedules', '/ui/screens/notifications', '/ui/screens/contacts',
               '/ui/screens/onboard', '/ui/screens/watch', '/ui/screens/shares', '/ui/screens/settings', '/ui/about', '/ui/welcome']
    for size in ['small', 'page', 'zoomed']:
        for is_dark in [False, True]:
            browser = bench.signed_in(size=size, is_dark=is_dark)
            for page in screens:
                browser.open(page)
                wait_for(lambda: not browser.script("return document.querySelector('.skeleton')"), PATIENCE, 'the page')
                found += [(size, is_dark, page, *one) for one in browser.barriers(rules)]
                browser.is_clean(EXPECTED)
            for page, button in [('/ui/screens/places', 'New place'), ('/ui/screens/schedules', 'New schedule'), ('/ui/screens/contacts', 'New contact')]:
                browser.open(page)
                browser.press(button)
                wait_for(lambda: browser.script("return document.querySelector('main form, main .empty')"), PATIENCE, 'the form')
                found += [(size, is_dark, button, *one) for one in browser.barriers(rules)]
                browser.is_clean(EXPECTED)
            bench.tidy()
    assert not found, found


test_no_new_screen_has_barriers.seconds = 600
for test in [test_a_rule_keeps_in_its_form_what_nobody_changes, test_a_rule_of_many_parts_is_made_by_form, test_own_screens_and_controls, test_from_an_empty_directory_to_a_live_list, test_the_same_in_a_demonstration, test_each_step_can_be_skipped, test_a_thermostat_is_set_and_scheduled,
             test_a_tracker_is_shared_with_another_home, test_sharing_by_keyboard_alone, test_a_tracker_that_follows_is_shown_rung_and_printed, test_a_network_that_is_cut_is_told, test_a_backend_that_is_gone_is_told, test_a_map_of_200_trackers_and_a_year_moves_smoothly]:
    test.seconds = 180
