"""The console by keys alone, in a real Chromium: what a person does with Tab, Enter and letters, without a pointer."""

import os

from backends import PATIENCE
from bench import wait_for
from group_accounts import code as code_of
from group_console import EXPECTED, PASSWORD, Bench, names, png
from group_issuer import device

IN_VM = False
# What has the focus, as assistive technology names it.
FOCUS = '''
    const one = document.activeElement;
    return one.getAttribute('aria-label') || [...(one.labels || [])].map((label) => label.textContent).join(' ') || one.textContent;
'''
# Those that write nothing.
NAMED = {'TAB', 'ENTER', 'DELETE', 'END', 'ESCAPE', 'ARROW_RIGHT'}
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


def typed(keys, **boxes):
    """Writes into boxes, one after the other."""
    for name, text in boxes.items():
        keys.to(name.replace('_', ' '))
        keys.press(text)


def test_accepts_an_invitation(bench):
    link = bench.invite('ivy', 'viewer')
    browser = bench.browser()
    keys = Keys(browser)
    browser.open(link[link.index('/ui/'):])
    wait_for(lambda: browser.script(FOCUS) == 'Name', PATIENCE, 'the focus on the name')
    typed(keys, Name='ivy', Password=PASSWORD, Password_again=PASSWORD)
    keys.press('ENTER')
    browser.says('Gateways')
    browser.says('Sign out')
    browser.is_clean(EXPECTED)


def test_changes_the_password_and_sets_up_a_second_factor(bench):
    browser = bench.signed_in('pia', 'viewer')
    del bench.cookies['pia'], bench.accounts['pia']
    keys = Keys(browser)
    browser.open('/ui/me')
    session = lambda: browser.driver.get_cookies()[0]['value']
    before, changed = session(), PASSWORD + ' by keys'
    typed(keys, Password_now=PASSWORD, New_password=changed)
    keys.press('ENTER')
    wait_for(lambda: session() != before, PATIENCE, 'another session')
    browser.open('/ui/me')
    browser.says('You are viewer.')
    typed(keys, Password=changed)
    keys.to('Set up a second factor')
    keys.press('ENTER')
    browser.says('Point your authenticator at this')
    secret = browser.script("return document.querySelector('main p.code').textContent")
    typed(keys, Code=code_of(secret))
    keys.to('Turn it on')
    keys.press('ENTER')
    browser.says('Keep these recovery codes')
    keys.to('Sign out')
    keys.press('ENTER')
    wait_for(lambda: browser.script("return document.activeElement?.labels?.[0]?.textContent") == 'Name', PATIENCE, 'the focus on the name')
    typed(keys, Name='pia', Password=changed)
    keys.press('ENTER')
    browser.says('The six digits of your authenticator')
    wait_for(lambda: browser.script(FOCUS) == 'Code', PATIENCE, 'the focus on the code')
    keys.press(code_of(secret, 30), 'ENTER')
    browser.says('Sign out')
    browser.is_clean(EXPECTED)


def test_takes_back_by_the_notice(bench):
    bench.gateways(['Hasty'])
    browser = bench.signed_in()
    # Notices go after some seconds, which a busy machine may take to come to them.
    browser.driver.execute_cdp_cmd('Page.addScriptToEvaluateOnNewDocument', {
        'source': 'const later = setTimeout; globalThis.setTimeout = (work, time, ...more) => later(work, time === 10_000 ? 1_000_000 : time, ...more);'})
    browser.open('/ui/?q=hasty')
    keys = Keys(browser)
    browser.says('Hasty')
    keys.to('Select Hasty')
    keys.press('DELETE')
    browser.says('Delete Hasty?')
    keys.to('Delete')
    keys.press('ENTER')
    browser.says('No gateway is like that')
    keys.to('Undo')
    keys.press('ENTER')
    wait_for(lambda: names(browser) == ['Hasty'], PATIENCE, 'it to be back')
    browser.is_clean(EXPECTED)


def test_saves_a_search_and_forgets_it(bench):
    bench.gateways(['Sought'])
    browser, keys = at(bench, '/ui/?q=sought')
    browser.says('Sought')
    keys.to('Saved searches')
    keys.press('ENTER')
    typed(keys, Name_of_the_search='By keys')
    keys.to('Save this search')
    keys.press('ENTER')
    browser.says('By keys is saved')
    keys.to('Search')
    # What stands in it is taken out first.
    keys.press('ESCAPE')
    wait_for(lambda: browser.value('Search') == '', PATIENCE, 'the box to be empty')
    keys.press('nothing', 'ENTER')
    browser.says('No gateway is like that')
    keys.to('By keys')
    keys.press('ENTER')
    wait_for(lambda: names(browser) == ['Sought'], PATIENCE, 'what the search finds')
    keys.to('Forget the search By keys')
    keys.press('ENTER')
    wait_for(lambda: not browser.script("return document.querySelector('.saved li')"), PATIENCE, 'the search to be forgotten')
    browser.is_clean(EXPECTED)


def test_gives_a_picture_and_prints_a_label(bench):
    gateway, text = bench.labelled()
    path = os.path.join(bench.backend.directory, 'keys.png')
    with open(path, 'wb') as file:
        file.write(png(300, 200, b'tEXtname\0keys'))
    browser, keys = at(bench, f'/ui/gateways/{gateway}')
    browser.says(text)
    browser.script('globalThis.print = () => { globalThis.printed = getComputedStyle(document.querySelector(".sheet")).display; }')
    # What keys open then is the browser's own, which gives the page a file.
    keys.to('Choose a picture')
    browser.driver.switch_to.active_element.send_keys(path)
    wait_for(lambda: browser.script("return document.querySelector('img.photo')?.complete"), PATIENCE, 'the picture')
    keys.to('Print the label')
    keys.press('ENTER')
    wait_for(lambda: browser.script('return globalThis.printed'), PATIENCE, 'the label to be printed')
    browser.script("dispatchEvent(new Event('afterprint'))")
    for name in ['Save it as PNG', 'Save it as SVG', 'Remove the picture']:
        keys.to(name)
    keys.press('ENTER')
    wait_for(lambda: not browser.script("return document.querySelector('img.photo')"), PATIENCE, 'the picture to go')
    browser.is_clean(EXPECTED)


def test_says_where_it_stands_beside_a_small_map(bench):
    (gateway,) = bench.gateways(['Placed by keys'])
    browser, keys = at(bench, f'/ui/gateways/{gateway}?edit=1')
    wait_for(lambda: browser.script(FOCUS) == 'Name', PATIENCE, 'the focus on the name')
    keys.to('On a map')
    keys.press('ENTER')
    mark = "const [box, map] = ['.map.small .spot.selected', '.map.small'].map((one) => document.querySelector(one)?.getBoundingClientRect());"
    inside = lambda: browser.script(mark + ' return box && box.x >= map.x && box.right <= map.right && box.y >= map.y && box.bottom <= map.bottom')
    wait_for(inside, PATIENCE, 'where it is')
    # The map follows the boxes, and moves by keys, too.
    for name, text in [('Latitude', '48.25'), ('Longitude', '11.5')]:
        keys.to(name)
        browser.script('document.activeElement.select()')
        keys.press(text, 'TAB')
    wait_for(inside, PATIENCE, 'the mark where the boxes say')
    keys.to('Map to say where it stands')
    before = browser.script(mark + ' return box.x')
    keys.press('ARROW_RIGHT')
    wait_for(lambda: browser.script(mark + ' return box.x') < before, PATIENCE, 'the map to move')
    keys.to('Save changes')
    keys.press('ENTER')
    browser.says('Saved')
    place = bench.backend.call('GET', f'/v1/gateways/{gateway}', role='admin').json['place']
    assert (place['latitude'], place['longitude'], place['source']) == (48.25, 11.5, 'given'), place
    browser.is_clean(EXPECTED)


def test_changes_a_role(bench):
    bench.signed_in('rob', 'viewer')
    browser, keys = at(bench, '/ui/accounts')
    keys.to('Role of rob')
    keys.press('o')
    browser.says('rob is operator now.')
    rights = {'Authorization': 'Bearer ' + bench.admin_token()}
    assert [one['role'] for one in bench.backend.call('GET', '/v1/accounts', headers=rights).json['accounts'] if one['name'] == 'rob'] == ['operator']
    del bench.cookies['rob'], bench.accounts['rob']
    browser.is_clean(EXPECTED)


def test_decides_a_conflict(bench):
    """One's own stays by saving again, theirs is taken by its button."""
    (gateway,) = bench.gateways(['Contested'])
    rights = {'Authorization': 'Bearer ' + bench.operator_token()}
    browser, keys = at(bench, f'/ui/gateways/{gateway}')
    record = lambda: bench.backend.call('GET', f'/v1/gateways/{gateway}', headers=rights).json
    for turn, wanted in enumerate(['mine', 'theirs']):
        keys.to('Edit')
        keys.press('ENTER')
        wait_for(lambda: browser.script(FOCUS) == 'Name', PATIENCE, 'the focus on the name')
        theirs, mine = f'theirs {turn}', f'mine {turn}'
        assert bench.backend.call('PATCH', f'/v1/gateways/{gateway}', {'revision': record()['revision'], 'site': theirs}, headers=rights).status == 200
        keys.to('Site')
        browser.script('document.activeElement.select()')
        keys.press(mine)
        keys.to('Save changes')
        keys.press('ENTER')
        browser.says('Somebody else has changed the same')
        if wanted == 'theirs':
            keys.to('Take theirs')
            keys.press('ENTER')
            wait_for(lambda: browser.value('Site') == theirs, PATIENCE, 'theirs in the box')
        keys.to('Save changes')
        keys.press('ENTER')
        browser.find('button', 'Edit')
        assert record()['site'] == f'{wanted} {turn}', record()
    browser.is_clean(EXPECTED)


test_changes_the_password_and_sets_up_a_second_factor.seconds = 120
