"""The file of a home: the schema that the command prints, read by Python's jsonschema, agrees with the command."""

import json
import os
import random
import shutil
import subprocess

from bench import ROOT, Place, never

IN_VM = False
FILES = os.path.join(ROOT, 'Tests', 'Service', 'LunaHomeTests', 'Files')
# Valid for both; 'reference' after its comma was inserted.
EXAMPLES = ['empty', 'full', 'older', 'older.migrated', 'reference']
MUTATIONS = 300
# Reads pairs of a document and nothing, prints for each the paths that the schema refuses.
JUDGE = '''
import json, sys
import jsonschema
schema, documents = json.load(sys.stdin)
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)

def paths(error):
    # What fits no alternative of its own type fails in the one that is of that type.
    if error.validator == "anyOf" and error.context:
        deeper = [e for e in error.context if len(e.absolute_path) > len(error.absolute_path)]
        if deeper:
            return [p for e in deeper for p in paths(e)]
    return [list(error.absolute_path)]

json.dump([[p for e in validator.iter_errors(d) for p in paths(e)] for d in documents], sys.stdout)
'''


class Home(Place):
    """What belongs to a home."""

    def run(self, *words, command='home', **environment):
        return subprocess.run([self.luna, command, *words], env=self.environment | environment, capture_output=True, text=True, timeout=never(15))

    def path(self, name, text=None):
        path = super().path(name)
        if text is not None:
            with open(path, 'w') as file:
                file.write(text)
        return path

    def example(self, name):
        return shutil.copy(os.path.join(FILES, name + '.json'), self.folder)

    def problems(self, path):
        result = self.run('check', path, '--format', 'jsonl')
        lines = [json.loads(line) for line in result.stdout.splitlines()]
        return result.returncode, [line for line in lines if line['type'] == 'problem']


def prepare(mode):
    return Home('home')


def pointer(path):
    return ''.join('/' + str(part).replace('~', '~0').replace('/', '~1') for part in path)


def values(home, name):
    """An example without comments, as the command understands it."""
    path = home.example(name)
    if name == 'reference':
        home.run('check', '--fix', path)
    text, inside, out, i = open(path).read(), False, [], 0
    while i < len(text):
        if inside:
            out.append(text[i : i + 2] if text[i] == '\\' else text[i])
            i += len(out[-1])
            inside = out[-1] != '"'
        elif text.startswith('//', i):
            i = text.find('\n', i) if '\n' in text[i:] else len(text)
        elif text.startswith('/*', i):
            i = text.find('*/', i) + 2
        else:
            inside = text[i] == '"'
            if text[i] in '}]':
                while out and out[-1].isspace():
                    out.pop()
                if out and out[-1] == ',':
                    out.pop()
            out.append(text[i])
            i += 1
    return json.loads(''.join(out))


def places(value, path=()):
    """Every member and element, with the way to it."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield path + (key,), inner
        yield from places(inner, path + (key,))


def mutated(document, dice):
    """A copy in which a key is gone, a type is another one, a text or a number is a strange one."""
    document = json.loads(json.dumps(document))
    path, value = dice.choice(list(places(document)))
    holder = document
    for key in path[:-1]:
        holder = holder[key]
    kind = dice.randrange(3)
    if kind == 0:
        del holder[path[-1]]
    elif kind == 1:
        others = [None, True, 7, 1.5, 'word', [], {}, ['a'], {'a': 1}]
        holder[path[-1]] = dice.choice([o for o in others if type(o) is not type(value)])
    else:
        strange = {str: ['', 'no such', '99:99', '-1s', 'x\n', '#12', '\u00e4'], int: [-(10**9), 0, 10**12], float: [-1e9, 1e9]}
        holder[path[-1]] = dice.choice(strange.get(type(value), [{'zzz': 1}, [None]]))
    return document, f'{pointer(path)} {kind}'


def test_schema_agrees_with_the_reader(home):
    schema = json.loads(home.run('schema').stdout)
    dice = random.Random(13)
    examples = [values(home, name) for name in EXAMPLES]
    cases = [(example, name) for example, name in zip(examples, EXAMPLES)]
    rich = [example for example in examples if example]
    cases += [mutated(dice.choice(rich), dice) for _ in range(MUTATIONS)]
    venv = subprocess.run([os.path.join(ROOT, 'scripts', 'lib', 'api-venv')], check=True, capture_output=True, text=True).stdout.strip()
    judged = subprocess.run(
        [os.path.join(venv, 'bin', 'python'), '-c', JUDGE], input=json.dumps([schema, [case for case, _ in cases]]),
        capture_output=True, text=True, timeout=never(50),
    )
    assert judged.returncode == 0, judged.stderr[-500:]
    refused = 0
    for index, ((case, what), paths) in enumerate(zip(cases, json.loads(judged.stdout))):
        code, problems = home.problems(home.path('case.json', json.dumps(case)))
        if index < len(EXAMPLES):
            assert not paths and code == 0, f'{what}: {paths} {problems}'
        errors = {problem['path'] for problem in problems if problem['level'] == 'error'}
        missed = {pointer(path) for path in paths} - errors
        assert not missed, f'{what}: the schema refuses {missed}, the reader only {errors}'
        assert not paths or code == 8, f'{what}: exit {code}'
        refused += bool(paths)
    assert refused > MUTATIONS / 4, f'only {refused} of {MUTATIONS} mutations were refused at all'


test_schema_agrees_with_the_reader.seconds = 300


def test_reference_example_is_mended(home):
    path = home.example('reference')
    before = open(path, 'rb').read()
    code, problems = home.problems(path)
    assert code == 8
    comma = [p for p in problems if p['code'] == 'missingComma']
    assert [(p['line'], p['column']) for p in comma] == [(9, 27)], problems
    assert home.run('check', '--fix', path).returncode == 0
    after = open(path, 'rb').read()
    assert len(after) == len(before) + 1
    at = next(i for i in range(len(after)) if after[i : i + 1] != before[i : i + 1])
    assert after[at : at + 1] == b',' and after[:at] + after[at + 1 :] == before
    code, problems = home.problems(path)
    assert code == 0 and all(p['level'] == 'warning' for p in problems)


def test_seed_has_both_faults(home):
    code, problems = home.problems(home.example('seed'))
    assert code == 8
    assert [(p['code'], p['line']) for p in problems if p['level'] == 'error'] == [('missingComma', 17), ('extraClose', 24)]


def test_migration_keeps_comments_and_a_copy(home):
    path = home.example('older')
    os.chmod(path, 0o600)
    before = open(path, 'rb').read()
    assert home.run('migrate', path).returncode == 0
    assert open(path, 'rb').read() == open(os.path.join(FILES, 'older.migrated.json'), 'rb').read()
    assert open(path + '.bak', 'rb').read() == before
    assert os.stat(path).st_mode & 0o777 == os.stat(path + '.bak').st_mode & 0o777 == 0o600
    os.remove(path + '.bak')
    assert home.run('migrate', path).returncode == 0 and not os.path.exists(path + '.bak')


def test_first_file(home):
    made = home.run('init')
    assert made.returncode == 0, made.stderr
    assert home.run('check').returncode == 0
    assert home.run('init').returncode == 2, 'an existing file was replaced'
    assert home.run('init', '--force').returncode == 0
    shown = home.run('show', '--format', 'jsonl')
    lines = [json.loads(line) for line in shown.stdout.splitlines()]
    assert {'type': 'setting', 'path': '/name', 'value': '"Home"'}.items() <= next(l for l in lines if l['path'] == '/name').items()


def test_files_that_are_not_there(home):
    assert home.run('check', home.path('absent.json')).returncode == 8
    assert home.run('check', '--fix', '-').returncode == 2
    assert home.run('show', home.path('bad.json', '{"name":5}')).returncode == 8
    for words in (('check',), ('run',), ('show',)):
        without = home.run(*words, XDG_CONFIG_HOME=home.path('nothing'))
        assert without.returncode == 8 and 'luna home init writes one' in without.stderr, without.stderr


RULES = """{ "places": [ { "id": "home", "latitude": 52.5, "longitude": 13.4, "radius": 80 } ],
  "rules": [ { "id": "left", "when": [ { "exit": { "who": "self", "place": "home" } } ], "then": [ { "notify": {} } ] },
             { "id": "back", "when": [ { "enter": { "who": "self", "place": "home" } } ], "then": [ { "buzz": {} } ] } ],
  "schedules": [ { "id": "evening", "when": [ { "time": { "at": [ "20:00" ] } } ], "then": [ { "ping": {} } ] } ] }"""


def test_rules_are_tested_with_a_walk(home):
    file, walk = home.path('rules.json', RULES), os.path.join(FILES, 'walk.gpx')
    tested = home.run('test', '--file', file, '--replay', walk, '--format', 'jsonl', command='rule')
    lines = [json.loads(line) for line in tested.stdout.splitlines()]
    assert tested.returncode == 0, tested.stderr
    assert [(line['type'], line['rule'], line['time'][:19]) for line in lines] == [
        ('firing', 'left', '2026-06-01T10:12:00'), ('firing', 'back', '2026-06-01T10:35:00')], lines
    for words, code in ((['--expect', '2'], 0), (['--expect', '1'], 1), (['back', '--expect', '1'], 0), (['evening'], 1), (['none'], 1)):
        result = home.run('test', *words, '--file', file, '--replay', walk, command='rule')
        assert result.returncode == code, f'{words}: {result.returncode} {result.stderr}'
    assert home.run('test', '--file', file, '--replay', file, command='rule').returncode == 8
    assert home.run('test', '--file', file, command='rule').returncode == 2


def test_tells_who_comes_home(home):
    """The example: who is there at first has not come, who is heard again after minutes has."""
    file = os.path.join(ROOT, 'scripts', 'examples', 'home', 'comes-home.json')
    checked = home.run('check', file, '--format', 'jsonl')
    assert checked.returncode == 0 and checked.stdout == '', checked.stdout

    def line(second, **fields):
        return json.dumps({'type': 'input', 'time': f'2026-06-01T08:{second // 60:02}:{second % 60:02}Z', **fields})

    # At home for a minute, away for half an hour in which others are heard, then at home again.
    lines = [line(second, kind='frame', tracker='keys', rssi=-60, adapter='hci0') for second in range(0, 60, 5)]
    lines += [line(second, kind='alive') for second in range(60, 1860, 10)]
    lines += [line(second, kind='frame', tracker='keys', rssi=-60, adapter='hci0') for second in range(1860, 1890, 5)]
    day = home.path('day.jsonl', '\n'.join(lines))
    tested = home.run('test', '--file', file, '--replay', day, '--to', '2026-06-01T08:32:00Z', '--format', 'jsonl', command='rule')
    told = [json.loads(line) for line in tested.stdout.splitlines()]
    assert [(one['type'], one['rule'], one['who'], one['time'][11:16]) for one in told] == [
        ('firing', 'left', 'keys', '08:12'), ('firing', 'came', 'keys', '08:31')], told


def test_next_runs_by_the_clock(home):
    file = home.path('rules.json', RULES)
    result = home.run('list', '--file', file, '--time', '--count', '3', '--format', 'jsonl', command='rule')
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert len(lines) == 3 and all(line['type'] == 'run' and line['rule'] == 'evening' for line in lines), lines
    assert len(home.run('list', '--file', file, '--format', 'jsonl', command='rule').stdout.splitlines()) == 3
