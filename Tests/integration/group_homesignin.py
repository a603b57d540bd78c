"""People who sign in to a home at an issuer that its file names, which is a scripted one."""

import re
import time

from group_homeweb import FILE, PASSWORD, Bench as Plain, Home
from group_signin import PAGES, Scripted, Visitor
from issuers import keys_of

IN_VM = False


class Bench(Plain):
    def __init__(self):
        self.issuer = Scripted()
        self.home = Home({**FILE, 'auth': {'oidc': {'issuer': self.issuer.issuer, 'name': 'Ours'}}, 'sdkConfig': {'appId': 'home', 'appSecret': 'hush'}})
        self.browsers, self.cookie, self.headers, self.next = [], None, {}, 1

    def visitor(self):
        """Signing in is limited for each address: one that nobody has come from yet."""
        self.next += 1
        return Visitor(f'127.2.0.{self.next}')

    def close(self):
        super().close()
        self.issuer.close()


def prepare(mode):
    return Bench()


def connected(bench):
    """Connects the first account with the issuer; gives where its browser ends."""
    begun = bench.home.call('POST', '/api/v1/me/identity', {'password': PASSWORD}, bench.owner())
    assert begun.status == 200, begun.body
    cookie = begun.headers['Set-Cookie']
    assert 'SameSite=Lax' in cookie and 'HttpOnly' in cookie, cookie
    browser = bench.visitor()
    name, browser.cookies[name] = cookie.split(';')[0].split('=', 1)
    return browser.follow(begun.json['address'], until=bench.home.base + '/ui/')


def test_an_account_is_connected_and_signs_in(bench):
    home, issuer = bench.home, bench.issuer
    start = home.base + '/api/v1/session/oidc/start'
    assert home.call('GET', '/api/v1/session').json['issuer'] == 'Ours'
    # People are invited: nobody gets an account by this.
    answer = bench.visitor().follow(start)
    assert (answer.status, answer.code) == (403, 'unknownSubject'), answer.body
    assert issuer.heads[-1]['Authorization'].startswith('Basic '), issuer.heads[-1]
    headers = bench.owner()
    assert home.call('POST', '/api/v1/me/identity', {'password': 'wrong horse battery'}, headers).status == 403
    assert home.call('GET', '/api/v1/me', headers=headers).json['connected'] is False
    assert connected(bench) == home.base + '/ui/screens/settings'
    assert home.call('GET', '/api/v1/me', headers=headers).json['connected'] is True
    person = bench.visitor()
    assert person.follow(start + '?next=/ui/screens/map', until=home.base + '/ui/') == home.base + '/ui/screens/map'
    assert person.ask('GET', home.base + '/api/v1/session').json['account'] == 'ada'
    for page in ('//evil.example', 'https://evil.example/ui/', '/ui/\\\\evil', '/api/v1/me'):
        assert bench.visitor().follow(f'{start}?next={page}', until=home.base + '/ui/') == home.base + '/ui/', page
    # An ID token with all groups of a person is long.
    issuer.claims = {'groups': [str(number) * 36 for number in range(200)]}
    assert bench.visitor().follow(start, until=home.base + '/ui/') == home.base + '/ui/'
    # Somebody else has another account, or none.
    issuer.claims = {'sub': 'other'}
    assert bench.visitor().follow(start).code == 'unknownSubject'
    issuer.claims = {}
    bob = bench.member('bob')
    begun = home.call('POST', '/api/v1/me/identity', {'password': PASSWORD}, bob)
    browser = bench.visitor()
    name, browser.cookies[name] = begun.headers['Set-Cookie'].split(';')[0].split('=', 1)
    assert browser.follow(begun.json['address'], until=home.base + '/ui/', **PAGES) == home.base + '/ui/screens/settings?problem=identityTaken'
    assert home.call('DELETE', '/api/v1/me/identity', headers=headers).status == 204
    assert bench.visitor().follow(start).code == 'unknownSubject'


def test_tokens_that_are_not_for_this_sign_in(bench):
    home, issuer = bench.home, bench.issuer
    start, now = home.base + '/api/v1/session/oidc/start', int(time.time())
    connected(bench)
    other, _ = keys_of(issuer.directory, 'two')
    try:
        for name, (issuer.claims, issuer.header, issuer.signer) in {
            'another nonce': ({'nonce': 'n'}, {}, None), 'another issuer': ({'iss': 'https://other.example'}, {}, None),
            'another client': ({'aud': 'other'}, {}, None), 'expired': ({'exp': now - 61}, {}, None), 'nobody': ({'sub': None}, {}, None),
            'none': ({}, {'alg': 'none'}, None), 'another key': ({}, {}, other), 'an access token': ({}, {'typ': 'at+jwt'}, None),
        }.items():
            visitor = bench.visitor()
            answer = visitor.follow(start)
            assert (answer.status, answer.code) == (401, 'signIn'), (name, answer.status, answer.body)
            assert list(visitor.cookies) == ['luna-home-away'], (name, visitor.cookies)
        # Who sees pages is told there.
        assert bench.visitor().follow(start, until=home.base + '/ui/', **PAGES) == home.base + '/ui/sign-in?problem=signIn'
    finally:
        issuer.claims, issuer.header, issuer.signer = {}, {}, None
    # What comes back belongs to the browser that went, and once.
    visitor, stranger = bench.visitor(), bench.visitor()
    back = visitor.follow(start, until=home.base)
    assert stranger.ask('GET', back).code == 'signIn'
    assert visitor.ask('GET', re.sub('state=[^&]*', 'state=x', back)).code == 'signIn'
    assert visitor.ask('GET', back).status == 303
    assert visitor.ask('GET', back).code == 'signIn'


def test_connects_and_signs_in_with_a_browser(bench):
    # Another test may have connected it.
    bench.home.call('DELETE', '/api/v1/me/identity', headers=bench.owner())
    browser = bench.signed_in()
    browser.open('/ui/screens/settings')
    browser.write('Your password here', PASSWORD)
    browser.press('Connect with Ours')
    browser.says('Ours signs you in as well')
    browser.press('Sign out')
    browser.press('Sign in with Ours')
    browser.says('Sign out')
    assert browser.script('return globalThis.canary') == 0 and browser.script('return globalThis.violations') == []
