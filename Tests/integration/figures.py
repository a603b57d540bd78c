"""What a backend on PostgreSQL does, in numbers: the table of SCALE.md, 4. Tests/integration/run prints it after the tests."""


def tell(line, what, value, unit='', at_most=None, at_least=None):
    """A figure of one line of that table. What it has to be is for two cores with nothing else to do: a test that may run
    beside others fails only well behind that."""
    if at_most is not None:
        bar, is_kept = f'at most {number(at_most)} {unit}', value <= at_most
    elif at_least is not None:
        bar, is_kept = f'at least {number(at_least)} {unit}', value >= at_least
    else:
        bar, is_kept = '', True
    cells = [str(line), what, bar.strip(), f'{number(value)} {unit}'.strip() + ('' if is_kept else ' (missed)')]
    print('measured | ' + ' | '.join(cells) + ' |', flush=True)


def number(value):
    return f'{value:,}' if isinstance(value, int) else f'{value:,.3g}' if value < 1000 else f'{value:,.0f}'


def table(lines):
    """Of what tests have told."""
    rows = [line.removeprefix('measured ') for line in lines if line.startswith('measured |')]
    if not rows:
        return ''
    rows.sort(key=lambda row: int(row.split('|')[1]))
    return '\n'.join(['| SCALE.md, 4 | what | has to be | was |', '|---|---|---|---|', *rows])
