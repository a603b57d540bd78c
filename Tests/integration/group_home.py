"""The file of a home: the schema that the command prints, read by Python's jsonschema, agrees with the command; and its
rules, tried without a home: what walks and days make of them, and the clocks of all time zones."""

import datetime
import json
import os
import random
import shutil
import subprocess
import time

import clocks
from bench import ROOT, NotRun, Place, never

IN_VM = False
FILES = os.path.join(ROOT, 'Tests', 'Service', 'LunaHomeTests', 'Files')
HOMES = os.path.join(ROOT, 'scripts', 'examples', 'home')
# Valid for both; 'reference' after its comma was inserted.
EXAMPLES = ['empty', 'full', 'older', 'older.migrated', 'reference'] + sorted(name[:-5] for name in os.listdir(HOMES) if name.endswith('.json'))
MUTATIONS = 300
# In so many of them at least something names what is not there.
BROKEN = 50
# What holds the name of something else, by its key and by the key of the object or list that it is in.
NAMES = {'who', 'place', 'model', 'detailScreen', 'scheduleScreen', 'deviceControl', 'control', 'signInScreen', 'homeScreen'}
HOLDERS = {'drawerMenu', 'to', 'default', 'adapters'}
DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
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
        own = os.path.join(FILES, name + '.json')
        return shutil.copy(own if os.path.exists(own) else os.path.join(HOMES, name + '.json'), self.folder)

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


def references(document):
    """The ways to what names something else of the file."""
    for path, value in places(document):
        holder = path[-2] if len(path) > 1 else None
        isNamed = path[-1] in NAMES or holder in HOLDERS or (holder, path[-1]) in {('exec', 'name'), ('since', 'rule')}
        if isNamed and isinstance(value, str):
            yield path


def broken(document, path):
    """A copy in which something names what is not there."""
    document = json.loads(json.dumps(document))
    holder = document
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = 'nothing of this name'
    return document, pointer(path)


def test_schema_agrees_with_the_reader(home):
    schema = json.loads(home.run('schema').stdout)
    dice = random.Random(13)
    examples = [values(home, name) for name in EXAMPLES]
    cases = [(example, name) for example, name in zip(examples, EXAMPLES)]
    rich = [example for example in examples if example]
    named = [broken(example, path) for example in rich for path in references(example)]
    cases += [mutated(dice.choice(rich), dice) for _ in range(MUTATIONS - len(named))] + named
    venv = subprocess.run([os.path.join(ROOT, 'scripts', 'lib', 'api-venv')], check=True, capture_output=True, text=True).stdout.strip()
    judged = subprocess.run(
        [os.path.join(venv, 'bin', 'python'), '-c', JUDGE], input=json.dumps([schema, [case for case, _ in cases]]),
        capture_output=True, text=True, timeout=never(50),
    )
    assert judged.returncode == 0, judged.stderr[-500:]
    refused, unknown = 0, 0
    for index, ((case, what), paths) in enumerate(zip(cases, json.loads(judged.stdout))):
        code, problems = home.problems(home.path('case.json', json.dumps(case)))
        if index < len(EXAMPLES):
            assert not paths and code == 0, f'{what}: {paths} {problems}'
        errors = {problem['path'] for problem in problems if problem['level'] == 'error'}
        missed = {pointer(path) for path in paths} - errors
        assert not missed, f'{what}: the schema refuses {missed}, the reader only {errors}'
        assert not paths or code == 8, f'{what}: exit {code}'
        refused += bool(paths)
        if index >= len(cases) - len(named):
            # No schema knows what there is.
            found = {problem['path'] for problem in problems if problem['code'] == 'unknownReference' and problem['level'] == 'error'}
            assert what in found, f'{what}: nothing has this name, and the reader says {problems}'
            unknown += 1
    assert refused > MUTATIONS / 4, f'only {refused} of {MUTATIONS} mutations were refused at all'
    assert unknown == len(named) >= BROKEN, f'{unknown} of {len(named)} names of nothing'


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
    # What somebody else has put there stays.
    path = home.example('older')
    with open(path + '.bak', 'w') as file:
        file.write('mine')
    moved = home.run('migrate', path)
    assert moved.returncode == 0 and '.bak-2' in moved.stderr, moved
    assert open(path + '.bak').read() == 'mine' and open(path + '.bak-2', 'rb').read() == before
    # What not everybody may read nobody reads in the copy.
    path = home.example('older')
    os.remove(path + '.bak')
    os.chmod(path, 0o640)
    assert home.run('migrate', path).returncode == 0
    assert os.stat(path).st_mode & 0o777 == 0o640 and os.stat(path + '.bak').st_mode & 0o777 == 0o600


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


def test_what_is_in_the_place_of_the_socket_is_said(home):
    state = home.path('taken')
    os.makedirs(os.path.join(state, 'home.sock'))
    file = home.path('taken.json', '{"server": {"listen": "127.0.0.1:0"}}')
    run = home.run('run', file, '--state', state, LUNA_RADIO='virtual:5')
    assert run.returncode == 7 and 'home.sock' in run.stderr and 'move away what is in its place' in run.stderr, run


def test_a_path_that_is_no_text_is_that_of_no_other_directory(home):
    strange = home.path('d\udce9')
    assert home.run('init', XDG_CONFIG_HOME=strange).returncode == 2
    assert home.run('settings', 'budget', '5M', command='uplink', XDG_CONFIG_HOME=strange).returncode == 2
    made = home.run('create', 'keys', command='tracker', XDG_DATA_HOME=strange)
    assert made.returncode == 4 and 'XDG_DATA_HOME' in made.stderr, made
    assert not [name for name in os.listdir(home.folder) if name.startswith('d') and not name.isascii()]


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
    # The schedule waits for the clock; of a tracker that no rule waits for nothing comes.
    other = home.run('test', '--file', file, '--replay', walk, '--who', 'keys', command='rule')
    assert other.returncode == 1, other.stderr
    timed = home.run('test', 'left', '--file', file, '--replay', walk, '--who', 'keys', command='rule')
    assert 'it tells of keys, and what is judged waits for self' in timed.stderr, timed.stderr
    assert home.run('test', '--file', file, '--replay', file, command='rule').returncode == 8
    assert home.run('test', '--file', file, command='rule').returncode == 2


def test_recordings_give_the_lists_that_are_stored(home):
    """A capture and a walk in Tests, judged by rules in Tests: the same runs at the same times, and the same that is held back."""
    file = os.path.join(FILES, 'replay.json')
    assert home.run('import', os.path.join(FILES, 'comes.keys.json'), '--state', home.path('state'), command='owner').returncode == 0
    for recording, stored in [('walk.gpx', 'walk.jsonl'), ('comes.btsnoop', 'comes.jsonl')]:
        tested = home.run('test', '--file', file, '--replay', os.path.join(FILES, recording), '--state', home.path('state'), '--format', 'jsonl', command='rule')
        assert tested.returncode == 0, tested.stderr
        with open(os.path.join(FILES, stored)) as lines:
            assert tested.stdout == lines.read(), tested.stdout


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


def second_of(text):
    return int(datetime.datetime.fromisoformat(text.replace('Z', '+00:00')).timestamp())


def judged_by_icu(counts):
    # Of a few ICU has older data.
    assert not clocks.icu or len(counts) > 200, len(counts)


def test_rules_keep_to_the_clocks_of_every_zone(home):
    """Times around each change of the clocks until 2040: once each, the first time where there are two, and those that are
    left out when the clocks are put forward over them, as Python and ICU have it."""
    now = int(time.time())
    begin, end = now + 3 * 86400, clocks.stamp(2041)
    rules, expected, by_icu = [], {}, []
    for number, (zone, changes) in enumerate(clocks.zones(begin, end)):
        # One that is there in a zone without changes, too.
        times = {begin // 86400 * 86400 + 2 * 86400 + 43200: None}
        for change, before, after in changes:
            for edge in (change + before, change + after):
                times |= {(edge + shift) // 60 * 60: change for shift in (-1800, -60, 0, 60, 900)}
        days = {}
        for local in times:
            days.setdefault(clocks.day_of(local), []).append(clocks.time_of(local))
        rule = f'z{number}'
        rules.append({
            'id': rule, 'then': [{'ping': {}}],
            'when': [{'time': {'at': at, 'zone': zone.name, 'start': day, 'end': day}} for day, at in days.items()],
        })
        answers = [{judge.first(local) or change for local, change in times.items()} for judge in clocks.judges(zone, changes, begin, end)]
        assert answers[0] == answers[-1], f'{zone.name}: Python and ICU differ: {sorted(answers[0] ^ answers[-1])}'
        by_icu += answers[1:]
        expected[rule] = (zone.name, answers[0])
    file = home.path('clocks.json', json.dumps({'rules': rules}))
    result = home.run('list', '--file', file, '--time', '--count', '1000', '--format', 'jsonl', command='rule')
    assert result.returncode == 0, result.stderr
    found = {rule: [] for rule in expected}
    for line in result.stdout.splitlines():
        run = json.loads(line)
        found[run['rule']].append(second_of(run['time']))
    for rule, (name, moments) in expected.items():
        assert found[rule] == sorted(moments), f'{name}: {sorted(set(found[rule]) ^ moments)}'
    assert sum(map(len, found.values())) > 5000, 'few moments'
    judged_by_icu(by_icu)


def test_windows_keep_to_the_clocks_of_every_zone(home):
    """Whether it is a time of the day, on some days, in the hours around each change of the clocks from 2020 to 2040."""
    begin, end = clocks.stamp(2020), clocks.stamp(2041)
    rules, inputs, expected, by_icu = [], [], set(), []
    for number, (zone, changes) in enumerate(clocks.zones(begin, end)):
        # From 20 min before the clocks jump, or before what they jump to, for half an hour; on all days or on that of it.
        edges = {(edge % 86400, (edge // 86400 + 3) % 7) for change, before, after in changes for edge in (change + before, change + after)}
        windows = []
        for edge, weekday in sorted(edges):
            first, last = (edge - 1200) % 86400, (edge + 600) % 86400
            # What begins on the evening before belongs to that.
            for days in (None, [(weekday - (edge < 1200)) % 7]):
                windows.append((first // 60 * 60, last // 60 * 60, days))
        windows = [window for place, window in enumerate(windows) if window not in windows[:place]]
        for place, (first, last, days) in enumerate(windows):
            window = {'from': clocks.time_of(first), 'to': clocks.time_of(last), 'zone': zone.name}
            if days:
                window['days'] = [DAYS[day] for day in days]
            rules.append({
                'id': f'z{number}-{place}', 'when': [{'message': f'z{number}'}], 'if': {'time': window}, 'then': [{'ping': {}}],
                'cooldown': '0s', 'maxPerHour': 3600,
            })
        judges = clocks.judges(zone, changes, begin, end)
        answers = [set() for _ in judges]
        for change, _, _ in changes:
            for moment in sorted({change + shift for shift in (-1801, -1201, -1200, -1, 0, 599, 600, 1799)}):
                inputs.append((moment, f'z{number}'))
                for judge, answer in zip(judges, answers):
                    local = moment + judge.offset(moment)
                    answer |= {(f'z{number}-{place}', moment) for place, window in enumerate(windows) if is_within(local, *window)}
        assert answers[0] == answers[-1], f'{zone.name}: Python and ICU differ: {sorted(answers[0] ^ answers[-1])[:9]}'
        by_icu += answers[1:]
        expected |= answers[0]
    file = home.path('windows.json', json.dumps({'rules': rules}))
    stamp = lambda moment: datetime.datetime.fromtimestamp(moment, datetime.timezone.utc).strftime('%Y-%m-%dT%H:%M:%SZ')
    day = home.path('windows.jsonl', '\n'.join(json.dumps({'type': 'input', 'time': stamp(moment), 'kind': 'message', 'name': name}) for moment, name in sorted(inputs)))
    tested = home.run('test', '--file', file, '--replay', day, '--format', 'jsonl', command='rule')
    assert tested.returncode == 0, tested.stderr
    lines = [json.loads(line) for line in tested.stdout.splitlines()]
    found = {(line['rule'], second_of(line['time'])) for line in lines if line['type'] == 'firing'}
    assert found == expected, sorted(found ^ expected)[:9]
    assert len(expected) > 5000, 'few moments'
    judged_by_icu(by_icu)


def test_icu_is_a_judge_of_the_clocks(home):
    """The two above go on with Python alone where it is missing, which is said here."""
    if not clocks.icu:
        raise NotRun('Python alone says what clocks show: there is no PyICU (python3-icu)')
    assert clocks.ZoneOfICU('Europe/Berlin').offset(clocks.stamp(2026, 7)) == 7200


def is_within(local, first, last, days):
    """Whether the clocks show a time of a window, which belongs to the day on which it begins."""
    second, day = local % 86400, (local // 86400 + 3) % 7
    if first < last:
        return first <= second < last and (not days or day in days)
    return second >= first and (not days or day in days) or second < last and (not days or (day - 1) % 7 in days)
