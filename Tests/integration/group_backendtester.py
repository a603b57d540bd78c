"""`luna backend` against its own OpenAPI document."""

from backends import APIBench
from tester import find_undocumented, together_or_first

IN_VM = False
# A schema cannot say all: that `data` of a package agrees with its other members, that a cursor names a
# day of the calendar, that a time is ahead. Everything else is checked.
NOT_SAID = 'positive_data_acceptance'
# What never ends cannot be compared with a schema; group_stream looks at it.
ENDLESS = '/v1/stream'


def prepare(mode):
    return APIBench()


def test_a_tester_finds_no_undocumented_answer(bench):
    backend = bench.other('--events-per-second', '0', '--requests-per-second', '0').start()

    tokens = {role: backend.token(role) for role in ('gateway', 'owner')} | {None: None}
    for role in ('viewer', 'operator', 'admin'):
        tokens[role] = backend.command('token', 'create', 'admin', f'tester-{role}', '--role', role)[0]['token']

    def tester(role):
        # A cookie that the tester made up beside an admin's token: it takes the cookie for what let it in.
        left_out = [NOT_SAID] + ['ignored_auth'] * (role in ('viewer', 'operator', 'admin'))
        find_undocumented(backend.port, ENDLESS, '--max-examples', '25', token=tokens[role], left_out=left_out)

    # Each with every operation: what a token is not for is an answer too.
    together_or_first([lambda role=role: tester(role) for role in tokens])
    assert backend.alive()
    assert not [line for line in backend.log() if line['level'] == 'error'], backend.log()[-3:]


test_a_tester_finds_no_undocumented_answer.seconds = 570
