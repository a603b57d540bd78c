"""`luna home run` against its own OpenAPI document."""

import json

from group_homeweb import Home
from tester import find_undocumented, together_or_first

IN_VM = False
# A schema cannot say all: that a place in the file stays, that a condition names a tracker that is there.
NOT_SAID = 'positive_data_acceptance'
# What never ends cannot be compared with a schema; group_homeapi looks at it.
ENDLESS = '/api/v1/stream'
# The home takes 50 requests a second of one caller.
RATE = '45/s'


class Bench:
    def __init__(self):
        self.home = Home()

    def tidy(self):
        pass

    def close(self):
        self.home.close()


def prepare(mode):
    return Bench()


def test_a_tester_finds_no_undocumented_answer(bench):
    home = bench.home

    def token(role):
        done = home.command('account', 'token', 'add', role, '--role', role)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)['token']

    def tester(role):
        # A cookie that the tester made up beside a token: it takes the cookie for what let it in.
        left_out = [NOT_SAID] + ['ignored_auth'] * bool(role)
        find_undocumented(home.port, ENDLESS, '--max-examples', '25', '--rate-limit', RATE, token=role and token(role), left_out=left_out)

    together_or_first([lambda role=role: tester(role) for role in ('guest', 'member', 'owner', None)])
    assert home.call('GET', '/readyz').status == 200


test_a_tester_finds_no_undocumented_answer.seconds = 300
