"""The console by keys alone, in a real Chromium: what a person does with Tab, Enter and letters, without a pointer."""

from backends import PATIENCE
from bench import wait_for
from group_console import EXPECTED, Bench, names
from group_issuer import device

IN_VM = False
# What has the focus, as assistive technology names it.
FOCUS = '''
    const one = document.activeElement;
    return one.getAttribute('aria-label') || [...(one.labels || [])].map((label) => label.textContent).join(' ') || one.textContent;
'''
# Those that write nothing.
NAMED = {'TAB', 'ENTER', 'DELETE', 'END', 'ESCAPE'}
MOST = 150


def prepare(mode):
    return Bench()


class Keys:
    """Somebody with nothing but a keyboard."""

    def __init__(self, browser):
        from selenium.webdriver.common.keys import Keys as Names

        self.browser, self.names = browser, Names

    def press(self, *keys):
        from selenium.webdriver.common.action_chains import ActionChains

        # To what has the focus when they come, as a keyboard does: a page that lives may draw that anew.
        ActionChains(self.browser.driver).send_keys(*(getattr(self.names, key) if key in NAMED else key for key in keys)).perform()

    def to(self, name):
        """Goes on with Tab until something with this name has the focus."""
        seen = []
        for _ in range(MOST):
            said = self.browser.script(FOCUS).strip()
            if said == name:
                return
            seen.append(said[:40])
            self.press('TAB')
        raise AssertionError(f'Tab does not lead to {name}, but to {seen}')


def at(bench, path):
    """A browser that shows a page to an admin, and the admin's keys."""
    browser = bench.signed_in()
    browser.open(path)
    return browser, Keys(browser)


def test_finds_and_edits_a_gateway(bench):
    bench.gateways(['Keyed', 'Other'])
    browser, keys = at(bench, '/ui/')
    browser.says('Keyed')
    keys.to('Search')
    keys.press('keyed', 'ENTER')
    wait_for(lambda: names(browser) == ['Keyed'], PATIENCE, 'what the search finds')
    # The way to a row's page comes after its box.
    keys.to('Select Keyed')
    keys.press('TAB')
    keys.press('ENTER')
    browser.says('About it')
    keys.to('Edit')
    keys.press('ENTER')
    wait_for(lambda: browser.script(FOCUS) == 'Name', PATIENCE, 'the focus on the name')
    keys.press('END', ', left')
    keys.to('Save changes')
    keys.press('ENTER')
    browser.says('Saved')
    browser.says('Keyed, left')
    browser.is_clean(EXPECTED)


def test_deletes_and_brings_back(bench):
    bench.gateways(['Leaving'])
    browser, keys = at(bench, '/ui/?q=leaving')
    browser.says('Leaving')
    keys.to('Select Leaving')
    keys.press('DELETE')
    browser.says('Delete Leaving?')
    keys.to('Delete')
    keys.press('ENTER')
    browser.says('No gateway is like that')
    browser.open('/ui/history')
    keys.to('Undo')
    keys.press('ENTER')
    browser.says('Undone.')
    browser.open('/ui/?q=leaving')
    wait_for(lambda: names(browser) == ['Leaving'], PATIENCE, 'it to be back')
    browser.is_clean(EXPECTED)


def test_changes_many_and_takes_one_of_them_back(bench):
    ids = bench.gateways(['Plural 1', 'Plural 2'])
    browser, keys = at(bench, '/ui/?q=plural')
    browser.says('Plural 2')
    for name in ['Plural 1', 'Plural 2']:
        keys.to(f'Select {name}')
        keys.press(' ')
    browser.says('2 selected')
    keys.to('Tag')
    keys.press('by-keys')
    keys.to('Add tag')
    keys.press('ENTER')
    browser.says('Changed.')
    tags = lambda: [bench.backend.call('GET', f'/v1/gateways/{id}', role='admin').json.get('tags') or [] for id in ids]
    wait_for(lambda: tags() == [['by-keys']] * 2, PATIENCE, 'both tags')
    browser.open('/ui/history')
    # The newest changes stand first, and what belongs to one of many stands in it.
    keys.to('Which')
    keys.press('ENTER')
    keys.to('Undo')
    keys.press('ENTER')
    wait_for(lambda: sorted(tags()) == [[], ['by-keys']], PATIENCE, lambda: f'one of them without its tag; they have {tags()}')
    # What was taken back can be, too: it is the newest now.
    browser.open('/ui/history')
    keys.to('Undo')
    keys.press('ENTER')
    wait_for(lambda: tags() == [['by-keys']] * 2, PATIENCE, lambda: f'both tags again; they have {tags()}')
    # Whose changes are shown.
    keys.to('Who')
    keys.press('nobody', 'ENTER')
    browser.says('Nothing was changed by nobody.')
    browser.is_clean(EXPECTED)


def test_adds_a_gateway(bench):
    text = bench.label()
    browser, keys = at(bench, '/ui/scan')
    wait_for(lambda: browser.script(FOCUS) == 'Label', PATIENCE, 'the focus on the label')
    # As a hand scanner does.
    keys.press(text, 'ENTER')
    browser.says('Compare the print')
    keys.to('Latitude')
    keys.press('52.5')
    keys.to('Longitude')
    keys.press('13.4')
    keys.to('Add this gateway')
    keys.press('ENTER')
    browser.says('is added')
    browser.is_clean(EXPECTED)


def test_opens_a_gateway_on_the_map(bench):
    others = [one['id'] for one in bench.backend.call('GET', '/v1/gateways?limit=500', role='admin').json['gateways']]
    back = bench.away(others)
    try:
        (gateway,) = bench.gateways(['Lighthouse'])
        browser, keys = at(bench, '/ui/map')
        has = lambda name: wait_for(lambda: browser.script(FOCUS).strip() == name, PATIENCE, lambda: f'the focus on {name}; it is on {browser.script(FOCUS)}')
        wait_for(lambda: browser.script("return document.querySelectorAll('.map .spot').length") == 1, PATIENCE, 'the gateway')
        # It opens, closes, and opens again; the keys go on where one was.
        for _ in range(2):
            keys.to('Lighthouse')
            keys.press('ENTER')
            has('Open')
            keys.press('ESCAPE')
            has('Lighthouse')
        keys.press('ENTER')
        has('Open')
        keys.press('TAB')
        has('Edit')
        keys.press('ENTER')
        has('Name')
        assert browser.driver.current_url == f'{bench.base}/ui/gateways/{gateway}?edit=1'
        browser.is_clean(EXPECTED)
    finally:
        back()


def test_approves_edits_and_forgets_a_device(bench):
    gateway, (stays, seldom) = bench.hearing('larder')
    browser, keys = at(bench, f'/ui/gateways/{gateway}/devices')
    browser.says('Unknown, and stays')
    keys.to(f'Approve {stays["ref"]}')
    keys.press('ENTER')
    browser.says(f'{stays["ref"]} is approved')
    browser.says('There are none')
    keys.to(f'Forget {seldom["ref"]}')
    keys.press('DELETE')
    browser.says('is hidden until it is heard a day later')
    wait_for(lambda: names(browser) == [stays['ref']], PATIENCE, lambda: f'one device; there are {names(browser)}')
    keys.to(f'Edit {stays["ref"]}')
    keys.press('e')
    wait_for(lambda: browser.script(FOCUS) == 'Name', PATIENCE, 'the focus on the name')
    keys.press('Bread bin')
    keys.to('Save changes')
    keys.press('ENTER')
    browser.says('Saved.')
    browser.says('Bread bin')
    browser.is_clean(EXPECTED)


def test_approves_a_program(bench):
    code = device(bench.backend, 'gateway:scullery')['user_code']
    browser, keys = at(bench, '/ui/device')
    wait_for(lambda: browser.script(FOCUS) == 'Code', PATIENCE, 'the focus on the code')
    keys.press(code, 'ENTER')
    browser.says('Did somebody send it to you?')
    # What is to be compared is said first.
    shown = code.replace('-', '')
    wait_for(lambda: browser.script(FOCUS).replace('-', '') == shown, PATIENCE, 'the focus on the code to compare')
    keys.to('Approve')
    keys.press('ENTER')
    browser.says('Approved.')
    wait_for(lambda: browser.script(FOCUS) == 'Code', PATIENCE, 'the focus on the next code')
    browser.is_clean(EXPECTED)


def test_invites_somebody_and_ends_a_session(bench):
    bench.signed_in('kim', 'viewer')
    browser, keys = at(bench, '/ui/accounts')
    keys.to('Where kim is signed in')
    keys.press('ENTER')
    wait_for(lambda: browser.script("return [...document.querySelectorAll('main details[open] button')].length"), PATIENCE, 'the sessions')
    keys.to('End')
    keys.press('ENTER')
    keys.to('Name')
    keys.press('lee')
    keys.to('Invite')
    keys.press('ENTER')
    browser.says('Give this link to lee')
    browser.is_clean(EXPECTED)


def test_sets_limits_and_a_theme(bench):
    browser, keys = at(bench, '/ui/settings')
    keys.to('Disk left')
    keys.press('300')
    keys.to('Save the limits')
    keys.press('ENTER')
    browser.says('Saved.')
    browser.open('/ui/me')
    keys.to('Theme')
    keys.press('d')
    wait_for(lambda: browser.script("return document.documentElement.getAttribute('data-theme')") == 'dark', PATIENCE, 'the theme')
    browser.is_clean(EXPECTED)
