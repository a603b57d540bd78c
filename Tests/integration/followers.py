"""Trackers of others that stay with a home, and a home that hears one of them."""

import json
import os
import sqlite3
import time

from bench import wait_for
from browser import axe
from group_homeweb import EXPECTED, Bench, Home

# The DULT tracker of scripts/vm/strangers.py.
DULT = 'dult:d01700000001'


def follow(home, ids, **identity):
    """Has a home that rests know that trackers came along on a trip, and what they say of themselves."""
    now = time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime())
    ride = {'begin': now, 'end': now, 'fromLatitude': 52.5, 'fromLongitude': 13.4, 'toLatitude': 52.52, 'toLongitude': 13.42, 'metres': 8000,
            'heard': 12, 'listened': 13, 'after': 30, 'made': True}
    database = sqlite3.connect(os.path.join(home.directory, 'state', 'home.sqlite'))
    with database:
        for one in ids:
            suspect = {'type': 'suspect', 'id': one, 'time': now, 'told': now, 'grade': 'suspect', 'family': one.split(':')[0], 'identifiers': [one], 'confidence': 0.97,
                       'trips': 1, 'places': 2, 'minutes': 60, 'metres': 8000, 'reasons': ['madeTrip'], 'rssi': -60, 'rides': [ride, {**ride, 'made': False}],
                       'links': [], 'excluded': None, 'tracker': None, 'mark': None}
            if identity:
                suspect['identity'] = {'time': now, **identity}
            database.execute('REPLACE INTO parts VALUES(?, ?)', ('suspect/' + one, json.dumps(suspect).encode()))
    database.close()


class Listening(Home):
    """A home with a radio of its own."""

    def __init__(self, radio, **more):
        self.radio = radio
        super().__init__({'name': 'Anna', **more})

    def write(self):
        self.file['box'] = {'radio': self.radio}
        super().write()


class Apps(Bench):
    """The browsers of a home."""

    def __init__(self, home):
        self.home, self.browsers, self.cookie, self.headers = home, [], None, {}


def test_one_that_follows_is_asked_and_rung_from_a_browser(bench):
    """A tracker that was written from the drafts of the IETF, and shares no code with the home."""
    home = Listening(bench.ear)
    apps = Apps(home)
    try:
        home.end()
        follow(home, [DULT])
        home.start()
        browser = apps.signed_in()
        browser.open('/ui/screens/watch')
        browser.says('Came along')
        unfold = lambda: browser.script("for (const one of document.querySelectorAll('main details')) one.open = true")
        unfold()
        browser.press(f'Ask what it is: {DULT}')
        browser.says('Done', 120)
        # What it says of itself is text, and stays with what speaks for it.
        wait_for(lambda: unfold() or 'Björn & Söhne' in browser.text(), 30, lambda: f'what it tells: {browser.text()[-600:]}')
        browser.press(f'Make it sound: {DULT}')
        browser.press('Make it sound')
        browser.says('It sounds', 120)
        browser.says('It is silent again', 60)
        sounds = [entry['what'] for entry in bench.world.journal('stranger') if entry['name'] == 'dult' and entry['what'] in ('sound', 'silence')]
        assert sounds == ['sound', 'silence'], sounds
        evidence = home.call('GET', '/api/v1/suspects/' + DULT, headers=apps.owner()).json
        assert evidence['identity']['manufacturer'] == 'Björn & Söhne', evidence
        assert browser.barriers(axe()) == []
        browser.is_clean(EXPECTED)
    finally:
        apps.close()


test_one_that_follows_is_asked_and_rung_from_a_browser.seconds = 600


def test_names_in_the_air_stay_text(bench):
    """What an advertisement is called, and what somebody else's tracker says of itself, is text in every screen."""
    script = '<img src=x onerror=canary=1>'
    bench.world.tell('name ' + script)
    bench.world.tell('live')
    home = Listening(bench.ear, trackers=[{'id': 'called', 'name': 'Called so', 'match': f'name == "{script}"'}])
    apps = Apps(home)
    try:
        home.end()
        follow(home, [DULT], manufacturer=script, model=script, categoryName=script, networkName=script)
        home.start()
        browser = apps.signed_in()
        # It is heard, so its name has been read.
        browser.says('● near', 60)
        for page, text in [('trackers/called', 'Properties'), ('screens/map', 'Without a position'), ('screens/watch', 'Came along'), ('screens/rules', 'New rule')]:
            browser.open('/ui/' + page)
            browser.says(text)
            if page == 'screens/watch':
                wait_for(lambda: browser.script("for (const one of document.querySelectorAll('main details')) one.open = true; return document.body.innerText.split(arguments[0]).length > 4", script), 30,
                         lambda: f'what it says of itself: {browser.text()[-600:]}')
            assert not browser.script("return document.querySelector('main img[src=x]')")
            browser.is_clean(EXPECTED)
    finally:
        bench.world.tell('name Luna')
        bench.world.tell('still')
        apps.close()


test_names_in_the_air_stay_text.seconds = 300


def define_tests(namespace):
    for name, value in list(globals().items()):
        if name.startswith('test_'):
            namespace[name] = value
