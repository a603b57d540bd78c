"""Labels in a real Chromium: seen by a camera, in a picture, typed; and what browsers do not allow."""

import os
import re

import codes
from backends import PATIENCE
from bench import wait_for
from group_console import EXPECTED, Bench, png, scan
from group_fleet import BAD, payload

IN_VM = False
# The tracks of the camera that a page has asked for.
WATCH = '''
    globalThis.tracks = [];
    const devices = navigator.mediaDevices, ask = devices.getUserMedia.bind(devices);
    devices.getUserMedia = async (wish) => { const stream = await ask(wish); tracks.push(...stream.getTracks()); return stream; };
'''
STATES = 'return tracks.map((one) => one.readyState)'


def prepare(mode):
    return Bench()


def file(bench, name):
    return os.path.join(bench.backend.directory, name)


def looks(bench, text, permission='granted'):
    """A browser on the page that adds gateways, whose camera sees a code with a text, or a wall."""
    browser = bench.signed_in(camera=codes.video(file(bench, 'camera.y4m'), text))
    browser.permit('camera', permission)
    browser.open('/ui/scan')
    browser.script(WATCH)
    browser.press('Camera')
    return browser


def test_a_camera_sees_a_label(bench):
    text = bench.label()
    browser = looks(bench, text)
    browser.says('Compare the print')
    # It is off once it has seen something.
    assert set(browser.script(STATES)) == {'ended'}
    assert not browser.script("return document.querySelector('video')")
    browser.press('Add this gateway')
    browser.says('is added')
    browser.says(text)
    browser.is_clean(EXPECTED)


def test_the_camera_is_off_where_nobody_looks(bench):
    browser = looks(bench, None)
    on = lambda: browser.script(STATES) and set(browser.script(STATES)) == {'live'}
    off = lambda: set(browser.script(STATES)) == {'ended'}
    wait_for(on, PATIENCE, 'the camera')
    browser.press('Close the camera')
    wait_for(off, PATIENCE, 'the camera to be off when it is closed')
    # When the page is hidden, and when it is left.
    for leave in ["Object.defineProperty(document, 'hidden', { value: true, configurable: true }); document.dispatchEvent(new Event('visibilitychange'));"
                  " delete document.hidden;", "document.querySelector('nav a[href=\"/ui/history\"]').click();"]:
        browser.script('tracks.length = 0')
        browser.press('Camera')
        wait_for(on, PATIENCE, 'the camera')
        browser.script(leave)
        wait_for(off, PATIENCE, f'the camera to be off after {leave}')
        # Who comes back does not look at what it saw last.
        wait_for(lambda: not browser.script("return document.querySelector('video')"), PATIENCE, 'the picture of the camera to go')
    browser.is_clean(EXPECTED)


def test_the_same_label_again(bench):
    """What is wrong with a label is said once; who still holds it there after 10 s is told that it was read."""
    browser = looks(bench, 'LUNA1:ABC')
    assert 'the label of a tracker' in browser.alert()
    browser.script("globalThis.first = document.querySelector('[role=alert]')")
    browser.says('That label was read already.')
    assert browser.script("return document.querySelector('[role=alert]') === first")
    assert set(browser.script(STATES)) == {'live'}
    browser.is_clean(EXPECTED)


def test_the_same_good_label_again(bench):
    """Who goes back and holds it there again hears nothing of it for 10 s, then that it was read, and sees what it says."""
    browser = looks(bench, bench.label())
    browser.says('Compare the print')
    browser.script('''
        globalThis.time = Date.now();
        Date.now = () => globalThis.time;
        globalThis.sent = 0;
        const ask = globalThis.fetch;
        globalThis.fetch = (where, ...how) => ask(where, ...how).finally(() => { if (where === '/v1/payloads/decode') sent += 1; });
    ''')
    browser.press('Back')
    browser.script('notices.length = 0')
    browser.press('Camera')
    # It is seen, several times, and nothing is said.
    wait_for(lambda: browser.script('return sent') >= 4, PATIENCE, 'the label to be seen')
    assert browser.script('return notices.length') == 0 and 'Compare the print' not in browser.text()
    assert set(browser.script(STATES)) == {'ended', 'live'}
    browser.script('globalThis.time += 10001')
    browser.says('That label was read already.')
    browser.says('Compare the print')
    assert set(browser.script(STATES)) == {'ended'}
    browser.press('Add this gateway')
    browser.says('is added')
    browser.is_clean(EXPECTED)


def test_a_picture_of_a_label(bench):
    text = bench.label()
    browser = bench.signed_in()
    browser.open('/ui/scan')
    nothing, other = file(bench, 'nothing.png'), file(bench, 'other.png')
    with open(nothing, 'wb') as one, open(other, 'w') as two:
        one.write(png(300, 300, b'tEXtname\0nothing'))
        two.write('no picture at all')
    for path, words in [(nothing, 'no QR code in this picture'), (other, 'no picture that the browser can open')]:
        browser.find('box', 'Picture of the label').send_keys(path)
        wait_for(lambda: words in browser.alert(), PATIENCE, words)
    browser.find('box', 'Picture of the label').send_keys(codes.picture(file(bench, 'label.png'), text))
    browser.says('Compare the print')
    browser.press('Add this gateway')
    browser.says('is added')
    browser.is_clean(EXPECTED)


def test_a_picture_while_the_server_is_busy(bench):
    """Nobody has to choose it again where the server says when to come again."""
    text = bench.label()
    path = codes.picture(file(bench, 'busy.png'), text)
    browser = bench.signed_in()
    for status, code in [(503, 'overloaded'), (429, 'rateLimited')]:
        browser.open('/ui/scan')
        browser.script('''
            const [status, code] = arguments;
            const ask = globalThis.fetch;
            globalThis.refused = 0;
            globalThis.fetch = async (where, how) => {
                if (where !== '/v1/payloads/decode' || refused > 0) return ask(where, how);
                refused += 1;
                return new Response(JSON.stringify({ code, detail: 'Later.' }), { status, headers: { 'Retry-After': '1' } });
            };
        ''', status, code)
        browser.find('box', 'Picture of the label').send_keys(path)
        browser.says('Compare the print')
        assert browser.script('return refused') == 1
    browser.is_clean(EXPECTED)


def test_a_browser_that_only_seems_to_read_codes(bench):
    """Some have a reader of codes without any code that it reads: the server reads them then. One that reads is used."""
    text = bench.label()
    path = codes.picture(file(bench, 'seems.png'), text)
    browser = bench.signed_in()
    for formats, words in [([], 'Compare the print'), (['qr_code'], 'the label of a tracker')]:
        browser.open('/ui/scan')
        browser.script('''
            const formats = arguments[0];
            globalThis.BarcodeDetector = class {
                static async getSupportedFormats() { return formats; }
                async detect() {
                    if (formats.length === 0) throw new DOMException('none', 'NotSupportedError');
                    return [{ rawValue: 'LUNA1:ABC' }];
                }
            };
        ''', formats)
        browser.find('box', 'Picture of the label').send_keys(path)
        browser.says(words)
    browser.is_clean(EXPECTED)


def test_a_gateway_without_a_label_has_a_place(bench):
    browser = bench.signed_in()
    browser.open('/ui/scan')
    browser.write('Name', 'By its name')
    browser.write('Latitude', '47,75')
    browser.press('Add by name')
    assert 'are degrees' in browser.alert()
    browser.write('Longitude', '11.5')
    browser.press('Add by name')
    browser.says(f'luna finder enroll --backend {bench.base}')
    (found,) = bench.backend.call('GET', '/v1/gateways?q=near:47.75,11.5,10', role='admin').json['gateways']
    assert (found['name'], found['place']) == ('By its name', {'latitude': 47.75, 'longitude': 11.5, 'source': 'given'}), found
    browser.is_clean(EXPECTED)


def test_each_mistake_of_a_label_is_said(bench):
    browser = bench.signed_in()
    browser.open('/ui/scan')
    for text, code, words in BAD:
        browser.write('Label', text)
        browser.script("for (const one of document.querySelectorAll('[role=alert]')) one.remove()")
        browser.press('Read the label')
        assert words in browser.alert(), (code, browser.alert())
    browser.is_clean(EXPECTED)


def test_a_label_with_the_name_of_another(bench):
    """Is refused with the way to that one; who looks at the label again goes on with the other."""
    (gateway,) = bench.gateways(['Namesake'])
    browser = bench.signed_in()
    browser.open('/ui/scan')
    scan(browser, payload(os.urandom(16), name='namesake'))
    browser.press('Add this gateway')
    assert 'another gateway has this name' in browser.alert(), browser.alert()
    browser.press('To Namesake')
    browser.says('About it')
    assert browser.driver.current_url == f'{bench.base}/ui/gateways/{gateway}'
    browser.is_clean(EXPECTED)


def test_a_label_without_a_position(bench):
    """Programs have to say that there is none; on the page one does that by leaving the boxes empty, which it says. Half a
    position is none."""
    text = payload(os.urandom(16), name='Nowhere')
    rights = {'Authorization': 'Bearer ' + bench.operator_token()}
    refused = bench.backend.call('POST', '/v1/gateways', {'payload': text}, headers=rights)
    assert (refused.status, refused.code) == (422, 'noPosition'), refused.body
    browser = bench.signed_in()
    browser.open('/ui/scan')
    scan(browser, text)
    browser.says('empty to add it without a position')
    browser.write('Latitude', '48.25')
    browser.press('Add this gateway')
    assert 'Leave both empty for none' in browser.alert()
    browser.write('Latitude', '')
    browser.press('Add this gateway')
    browser.says('is added')
    gateway = browser.driver.current_url.rpartition('/')[2]
    assert bench.backend.call('GET', f'/v1/gateways/{gateway}', headers=rights).json.get('place') is None
    browser.open('/ui/map')
    browser.says('Without a position')
    browser.says('Nowhere')
    browser.is_clean(EXPECTED)


def test_without_the_camera(bench):
    browser = looks(bench, None, 'denied')
    said = browser.alert()
    assert 'may not be used by this page' in said and 'text of the label' in said, said
    # Typing goes on.
    scan(browser, bench.label())
    browser.is_clean(EXPECTED)


def test_where_the_browser_is(bench):
    place = {'latitude': 48.25, 'longitude': 11.5, 'accuracy': 12}
    for setting in ['denied', 'granted']:
        text = bench.label()
        browser = bench.signed_in()
        browser.permit('geolocation', setting)
        browser.driver.execute_cdp_cmd('Emulation.setGeolocationOverride', place)
        browser.open('/ui/scan')
        scan(browser, text)
        browser.press('Where I am')
        if setting == 'denied':
            assert 'may not tell where it is' in browser.alert()
            # Who allows it then need not begin anew.
            browser.permit('geolocation')
            browser.press('Where I am')
            wait_for(lambda: browser.value('Latitude') == '48.250000', PATIENCE, 'where it is')
            assert not browser.script("return document.querySelector('[role=alert]')")
            browser.write('Latitude', '48.25')
            browser.write('Longitude', '11.5')
        else:
            wait_for(lambda: browser.find('box', 'Latitude').get_attribute('value') == '48.250000', PATIENCE, 'where it is')
        browser.press('Add this gateway')
        browser.says('is added')
        gateway = re.search(r'/ui/gateways/([0-9a-f]{16})', browser.driver.current_url)[1]
        kept = bench.backend.call('GET', f'/v1/gateways/{gateway}', role='admin').json['place']
        wanted = {**place, 'source': 'browser'} if setting == 'granted' else {'latitude': 48.25, 'longitude': 11.5, 'source': 'given'}
        assert kept == wanted, kept
        browser.is_clean(EXPECTED)
