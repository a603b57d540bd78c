"""What others try on the console, in a real Chromium: pages of other origins, frames, and scripts in everything that
somebody writes."""

import hashlib
import html
import json

from backends import PATIENCE
from bench import wait_for
from group_console import EXPECTED, SCRIPT, Bench, live, scan
from group_fleet import payload
from playing import Showing

IN_VM = False


# What another page would have somebody press, unseen.
FRAMED = ['/ui/accounts', '/ui/', '/ui/device', '/ui/sign-in', '/ui/map']


class Attacker(Showing):
    """A page of another origin, which sends what it can to the console; the browser sends its cookies along, since the host is
    the same. What came of it stands in `outcome`."""

    def __init__(self, base, gateway):
        forged = {'name': 'evil', 'role': 'admin'}
        head, tail = json.dumps({**forged, 'x': '|'})[:-2].split('|')[0], '"}'
        page = f'''<!doctype html><title>Another page</title>
            <iframe name="shown" srcdoc="<main>Nobody minds</main>"></iframe><iframe name="answer"></iframe>
            {''.join(f'<iframe class="taken" src="{base}{path}"></iframe>' for path in FRAMED)}
            <img src="{base}/v1/session"><img src="{base}/v1/gateways/{gateway}/purge">
            <form method="post" action="{base}/v1/accounts" enctype="text/plain" target="answer"><input name="{html.escape(head)}" value="{html.escape(tail)}"></form>
            <form method="post" action="{base}/v1/gateways/{gateway}/purge" target="answer"></form>
            <script>
            const asked = (path, how) => fetch('{base}' + path, {{ credentials: 'include', ...how }}).then((answer) => answer.type === 'opaque' ? 'sent' : answer.text(), () => 'refused');
            const body = JSON.stringify({json.dumps(forged)});
            async function attack() {{
              for (const form of document.forms) {{ form.submit(); await new Promise((done) => setTimeout(done, 500)); }}
              const outcome = {{}};
              outcome.read = await asked('/v1/accounts');
              outcome.json = await asked('/v1/accounts', {{ method: 'POST', headers: {{ 'Content-Type': 'application/json' }}, body }});
              outcome.simple = await asked('/v1/accounts', {{ method: 'POST', mode: 'no-cors', body }});
              outcome.remove = await asked('/v1/gateways/{gateway}', {{ method: 'DELETE' }});
              outcome.out = await asked('/v1/session', {{ method: 'DELETE' }});
              outcome.stream = await new Promise((done) => {{
                const source = new EventSource('{base}/v1/stream', {{ withCredentials: true }});
                source.onopen = source.onmessage = () => done('heard');
                source.onerror = () => {{ source.close(); done('refused'); }};
              }});
              globalThis.outcome = outcome;
            }}
            addEventListener('load', attack);
            </script>'''
        super().__init__('text/html; charset=utf-8', page.encode())


def prepare(mode):
    return Bench()


def test_a_page_of_another_origin(bench):
    (gateway,) = bench.gateways(['Guarded'])
    browser = bench.signed_in()
    attacker = Attacker(bench.base, gateway)
    try:
        browser.driver.get(attacker.url)
        outcome = wait_for(lambda: browser.script('return globalThis.outcome'), PATIENCE, 'the attack to be over')
        framed = lambda frame: (browser.driver.switch_to.frame(frame), browser.script(
            "return [document.URL, document.body.innerText, document.querySelectorAll('main, nav, form, script[src]').length]"), browser.driver.switch_to.default_content())[1]
        # A frame is looked into like this, and those of the console hold nothing of it.
        assert framed('shown')[1:] == ['Nobody minds', 1]
        taken = browser.driver.find_elements('css selector', '.taken')
        assert len(taken) == len(FRAMED)
        for path, frame in zip(FRAMED, taken):
            url, text, parts = framed(frame)
            assert not url.startswith(bench.base) and parts == 0, (path, url, text)
            assert not any(word in text for word in ['Guarded', 'ada', 'Sign in', 'Luna']), (path, text)
        loaded = [browser.script('try { return arguments[0].contentDocument !== null; } catch { return false; }', frame) for frame in taken]
        assert not any(loaded), loaded
    finally:
        attacker.close()
    # What it reads is refused by the browser, what it sends by the server.
    assert [outcome[name] for name in ['read', 'json', 'remove', 'out', 'stream']] == ['refused'] * 5, outcome
    rights = {'Authorization': 'Bearer ' + bench.admin_token()}
    assert [one['name'] for one in bench.backend.call('GET', '/v1/accounts', headers=rights).json['accounts']] == ['ada']
    assert bench.backend.call('GET', f'/v1/gateways/{gateway}', headers=rights).status == 200
    # Of each of them the browser says that it is not shown.
    frames = [entry['message'] for entry in browser.driver.get_log('browser') if 'frame-ancestors' in entry['message'] or 'X-Frame-Options' in entry['message']]
    assert len(frames) >= len(FRAMED), frames
    # Who was signed in still is.
    browser.open('/ui/')
    browser.says('Guarded')
    browser.says('Sign out')


def test_scripts_in_all_that_somebody_writes(bench):
    """In every text of a record, a device, a label, an import, a saved search and an address; on every page that shows it."""
    browser = bench.signed_in()
    rights = {'Authorization': 'Bearer ' + bench.admin_token()}
    call = lambda method, path, body=None: bench.backend.call(method, path, body, headers=rights, check=False)
    printed = hashlib.sha256(b'attack').digest()[:16]
    label = payload(printed, **{name: name[:2] + SCRIPT[:60] for name in ['name', 'site', 'manufacturer', 'model']})
    browser.open('/ui/scan')
    scan(browser, label)
    shows = lambda: [browser.says(name + SCRIPT[:60]) for name in ['na', 'si', 'ma', 'mo']]
    shows()
    browser.is_clean(EXPECTED)
    browser.press('Add this gateway')
    browser.says('is added')
    shows()
    labelled = browser.driver.current_url.rpartition('/')[2]
    lines = [{'name': 'i' + SCRIPT[:60], 'site': SCRIPT[:80], 'manufacturer': SCRIPT[:80], 'note': SCRIPT, 'place': {'text': SCRIPT}}]
    made = call('POST', '/v1/gateways/import', {'lines': lines})
    assert made.status == 201, made.body
    (imported,) = made.json['ids']
    hearing, (device, _) = bench.hearing('attacked')
    fields = {'revision': device['revision'], 'name': SCRIPT[:80], 'place': SCRIPT, 'manufacturer': SCRIPT[:80]}
    assert call('PATCH', f'/v1/gateways/{hearing}/devices/{device["ref"]}', fields).status == 200
    # Where only certain words can be, nothing else is taken.
    for place, body in [('/v1/accounts', {'name': SCRIPT, 'role': 'viewer'}), ('/v1/tokens', {'kind': 'gateway', 'name': SCRIPT})]:
        assert call('POST', place, body).status in (400, 422), place
    assert call('PATCH', f'/v1/gateways/{imported}', {'revision': 1, 'tags': [SCRIPT]}).status == 422
    health = {'version': 'v<script>canary=1</script>', 'radioPath': 'observe'}
    token = bench.backend.token('gateway', 'attacked')
    told = bench.backend.call('POST', '/v1/telemetry', {'health': health, 'items': []}, headers={'Authorization': 'Bearer ' + token}, check=False)
    assert told.status == 200, told.body
    for part in [{'radioPath': SCRIPT[:30]}, {'families': {SCRIPT[:30]: 1}}, {'adapters': [{'id': SCRIPT[:30], 'state': 'scanning'}]}]:
        refused = bench.backend.call('POST', '/v1/telemetry', {'health': part, 'items': []}, headers={'Authorization': 'Bearer ' + token}, check=False)
        assert refused.status == 400, (part, refused.body)
    browser.open('/ui/?q=' + 'attacked')
    browser.script("document.querySelector('details:has(.saved)').open = true")
    browser.write('Name of the search', SCRIPT)
    browser.press('Save this search')
    browser.says('is saved')
    address = 'img%20src%3Dx%20onerror%3D%22canary%3D1%22'
    # A key of telemetry, as somebody types it, and as one may lie in a layout.
    browser.open('/ui/dashboard')
    browser.press('Arrange')
    browser.press('Widgets')
    browser.write('Key of telemetry', SCRIPT)
    browser.press('Add the key')
    browser.alert()
    browser.is_clean(EXPECTED)
    status = browser.driver.execute_async_script('''
        const [widgets, done] = arguments;
        import('/ui/assets/api.js').then(({ call }) => call('PUT', '/v1/me/layout', { columns: 4, widgets })).then(() => done('kept'), (error) => done(error.message));
    ''', [{'name': 'key:' + SCRIPT, 'size': 'medium', 'row': 0, 'column': 0}])
    assert status == 'kept', status
    browser.open('/ui/dashboard')
    browser.says(SCRIPT)
    for page in ['/ui/', '/ui/?sort=site', '/ui/map', '/ui/dashboard', f'/ui/gateways/{labelled}', f'/ui/gateways/{imported}', f'/ui/gateways/{imported}?edit=1',
                 f'/ui/gateways/{hearing}/devices', f'/ui/devices/{device["ref"]}', f'/ui/devices/{device["ref"]}?edit=1', '/ui/history', '/ui/accounts',
                 f'/ui/?q=%3C{address}%3E', f'/ui/%3C{address}%3E', f'/ui/gateways/%3C{address}%3E', f'/ui/scan?gateway=%3C{address}%3E',
                 f'/ui/devices/%3C{address}%3E', '/ui/me']:
        browser.open(page)
        browser.is_clean(EXPECTED)
    browser.open('/ui/')
    live(browser)
    # What arrives while somebody looks, too.
    call('PATCH', f'/v1/gateways/{imported}', {'revision': 1, 'name': 'j' + SCRIPT[:60]})
    browser.says('j' + SCRIPT[:60])
    browser.is_clean(EXPECTED)


def test_scripts_in_what_a_server_says(bench):
    """A server that takes what ours refuses: families and radios of a gateway, and reasons and remedies, as those of an
    import. The page is asked for what it makes of them."""
    token = bench.backend.token('gateway', 'answered')
    health = {'version': 'markedversion', 'radioPath': 'markedradio', 'families': {'markedfamily': 3},
              'adapters': [{'id': 'hci0', 'state': 'scanning'}], 'uplinkVerdict': 'markedverdict', 'uplinkLocated': 'markedplace'}
    told = bench.backend.call('POST', '/v1/telemetry', {'health': health, 'items': []}, headers={'Authorization': 'Bearer ' + token})
    assert told.status == 200, told.body
    (gateway,) = bench.backend.call('GET', '/v1/gateways?q=key:answered', role='admin').json['gateways']
    browser = bench.signed_in()
    browser.driver.execute_cdp_cmd('Page.addScriptToEvaluateOnNewDocument', {'source': '''
        const [ask, script] = [globalThis.fetch, %s];
        const escaped = JSON.stringify(script).slice(1, -1);
        globalThis.fetch = async (...how) => {
            const answer = await ask(...how);
            const text = await answer.text();
            const said = answer.status >= 400 ? JSON.stringify({ code: 'import', title: script, detail: 'De' + script, hint: 'Hi' + script, errors: [{ line: 1, detail: script }] })
                : text.replace(/marked([a-z]+)/g, (_, word) => word.slice(0, 2) + escaped);
            return new Response(answer.status === 204 ? null : said, { status: answer.status, headers: answer.headers });
        };
    ''' % json.dumps(SCRIPT)})
    browser.open(f'/ui/gateways/{gateway["id"]}')
    for word in ['ra', 've', 'pl']:
        browser.says(word + SCRIPT)
    browser.is_clean(EXPECTED)
    browser.open(f'/ui/gateways/{gateway["id"]}/devices')
    browser.says('Fa' + SCRIPT)
    browser.is_clean(EXPECTED)
    for page in ['/ui/?q=nofield:1', '/ui/gateways/' + '0' * 16, '/ui/devices/' + '0' * 16]:
        browser.open(page)
        said = browser.alert()
        assert 'De' + SCRIPT in said and 'Hi' + SCRIPT in said, said
        browser.is_clean(EXPECTED)
