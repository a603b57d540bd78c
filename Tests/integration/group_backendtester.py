"""`luna backend` against its own OpenAPI document: what schemathesis makes of it."""

import os
import subprocess

from backends import APIBench, environment, together

IN_VM = False
# A schema cannot say all: that `data` of a package agrees with its other members, that a cursor names a
# day of the calendar, that a time is ahead. Everything else is checked.
NOT_SAID = 'positive_data_acceptance'
# Too many events are 413 by contract.
SETTINGS = '[checks]\nnegative_data_rejection.expected-statuses = ["400", "401", "403", "404", "405", "409", "413", "415", "429", "5xx"]\n'


def prepare(mode):
    return APIBench()


def tester(backend, role, *options):
    settings = os.path.join(backend.directory, f'{role}.toml')
    with open(settings, 'w') as file:
        file.write(SETTINGS)
    command = [os.path.join(environment(), 'bin', 'schemathesis'), '--config-file', settings, 'run', f'http://127.0.0.1:{backend.port}/openapi.json']
    if role:
        command += ['-H', 'Authorization: Bearer ' + backend.token(role)]
    variables = dict(os.environ, HYPOTHESIS_STORAGE_DIRECTORY=backend.directory, COLUMNS='200')
    done = subprocess.run(
        command + ['--checks', 'all', '--exclude-checks', NOT_SAID, '--phases', 'examples,coverage,fuzzing,stateful', '--seed', '1', '--generation-database', 'none']
        + ['--suppress-health-check', 'all', '--no-color', '--continue-on-failure', *options],
        cwd=backend.directory,
        env=variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert done.returncode == 0, ' | '.join(done.stdout.splitlines()[-60:])
    return done.stdout


def test_a_tester_finds_no_undocumented_answer(bench):
    backend = bench.other('--events-per-second', '0', '--requests-per-second', '0').start()
    common = ['--max-examples', '25']
    # Each with every operation: what a token is not for is an answer too.
    together_with = [lambda role=role: tester(backend, role, *common) for role in ('gateway', 'owner', 'admin', None)]
    errors = []

    def run(work):
        try:
            work()
        except AssertionError as error:
            errors.append(str(error))

    together([lambda work=work: run(work) for work in together_with])
    assert not errors, errors[0]
    assert backend.alive()
    assert not [line for line in backend.log() if line['level'] == 'error'], backend.log()[-3:]


test_a_tester_finds_no_undocumented_answer.seconds = 380
