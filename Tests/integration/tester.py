"""A server against its own OpenAPI document: what schemathesis makes of it."""

import os
import subprocess
import tempfile

from backends import environment, together

# What a request is refused for may be another thing than what is wrong in it: too many elements, keys that are locked, a
# header that is missing or of another revision, too many requests.
SETTINGS = '[checks]\nnegative_data_rejection.expected-statuses = ["400", "401", "403", "404", "405", "409", "412", "413", "415", "422", "423", "428", "429", "5xx"]\n'


def find_undocumented(port, endless, *options, token=None, left_out=()):
    """Calls every operation but the endless one; raises what it found."""
    with tempfile.TemporaryDirectory(prefix='luna-tester.') as directory:
        settings = os.path.join(directory, 'settings.toml')
        with open(settings, 'w') as file:
            file.write(SETTINGS)
        command = [os.path.join(environment(), 'bin', 'schemathesis'), '--config-file', settings, 'run', f'http://127.0.0.1:{port}/openapi.json']
        if token:
            command += ['-H', 'Authorization: Bearer ' + token]
        done = subprocess.run(
            command + ['--checks', 'all', '--exclude-checks', ','.join(left_out), '--phases', 'examples,coverage,fuzzing,stateful', '--seed', '1', '--generation-database', 'none', '--exclude-path', endless]
            + ['--suppress-health-check', 'all', '--no-color', '--continue-on-failure', *options],
            cwd=directory,
            env=dict(os.environ, HYPOTHESIS_STORAGE_DIRECTORY=directory, COLUMNS='200'),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
    # What it found stands between these headings.
    found = done.stdout.partition('= FAILURES =')[2].partition('= WARNINGS =')[0] or done.stdout[-6000:]
    assert done.returncode == 0, ' | '.join(line[:300] for line in found.splitlines() if line.strip())[:8000]


def together_or_first(works):
    """Runs all at once to their ends; raises the first's findings."""
    errors = []

    def run(work):
        try:
            work()
        except AssertionError as error:
            errors.append(str(error))

    together([lambda work=work: run(work) for work in works])
    assert not errors, errors[0]
