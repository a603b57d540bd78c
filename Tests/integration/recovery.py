"""How long it takes until luna hears again after a fault, for the groups recovery*.

Each case prints a line that `run` gathers into a table: the fault, how long it took to notice it, how long until
luna heard again (from when it was noticed, or from when the hardware answers again), and the steps that were told.
"""

import contextlib
import signal
import time

import kernel
import pace
from bench import Machine, NotRun, wait_for

# What the project promises, where the hardware answers.
MEDIAN = 10


def machine_with(*adapters, mode):
    """A machine of a group, with these adapters."""
    machine = Machine(*adapters, mode=mode)
    machine.recovery = Recovery()
    return machine


class Recovery:
    """The cases of a group."""

    def __init__(self):
        self.seconds = []

    def case(self, fault, luna, break_it, mend=None, away=2, notice=10, within=15, adapter=None, tells=True):
        """Breaks something and waits until luna hears again.

        `mend` is done `away` seconds after luna has noticed; without it luna has to see to it alone. Returns the
        lines about the steps."""
        before = len(luna.lines())

        def since():
            lines = luna.lines()[before:]
            return [line for line in lines if adapter is None or line.get('adapter', adapter) == adapter]

        def steps():
            return [line for line in since() if line['type'] == 'recovery']

        def noticed():
            alive(luna, fault)
            return steps() or any(line['type'] == 'state' and line['state'] != 'listening' for line in since())

        began = time.monotonic()
        break_it()
        wait_for(noticed, notice, f'luna to notice: {fault}; it said: {luna.stderr()}')
        noticed_after = time.monotonic() - began
        start = time.monotonic()
        if mend:
            time.sleep(away)
            start = time.monotonic()
            mend()

        def recovered():
            alive(luna, fault)
            return [line for line in steps() if line['outcome'] == 'recovered']

        wait_for(recovered, within, f'luna to recover: {fault}; it said: {luna.stderr()}; steps: {steps()}')
        took = time.monotonic() - start
        count = len(luna.advertisements())
        wait_for(lambda: len(luna.advertisements()) >= count + 5, 5, f'advertisements after: {fault}')
        self.note(fault, noticed_after, took, ', '.join(f'{line["step"]} {line["outcome"]}' for line in steps()))
        check_steps(steps())
        return steps()

    def unplugged(self, machine, luna, where=''):
        return self.case(f'{where}unplugged and back', luna, lambda: machine.unplug(0), lambda: machine.plug(0))

    def blocked(self, luna, where=''):
        """A person blocks Bluetooth, and takes that back."""
        steps = self.case(
            f'{where}rfkill block, taken back', luna, lambda: kernel.block_bluetooth(True), lambda: kernel.block_bluetooth(False), away=8)
        only_waits(steps)
        return steps

    def switched_off(self, machine, luna, where=''):
        """A person switches the adapter off, and on."""
        only_waits(self.case(
            f'{where}switched off, and on', luna, lambda: machine.property('Powered', False),
            lambda: machine.property('Powered', True), away=8))

    def measure(self, fault, luna, break_it, mend, noticed, recovered, notice=10, within=15):
        """The same for a fault of something else than an adapter: what `noticed` and `recovered` say counts."""

        def once(condition):
            def look():
                alive(luna, fault)
                return condition()

            return look

        began = time.monotonic()
        break_it()
        wait_for(once(noticed), notice, f'luna to notice: {fault}; it said: {luna.stderr()}')
        noticed_after = time.monotonic() - began
        mend()
        start = time.monotonic()
        wait_for(once(recovered), within, f'luna to recover: {fault}; it said: {luna.stderr()}')
        self.note(fault, noticed_after, time.monotonic() - start, '')

    def note(self, fault, noticed_after, took, told):
        self.seconds.append(took)
        print(f'recovered | {fault} | {noticed_after:.1f} | {took:.1f} | {told} |', flush=True)

    def check(self):
        ordered = sorted(self.seconds)
        if not ordered:
            raise NotRun('it is about what the others of its group have measured, of which none was run')
        median = ordered[len(ordered) // 2]
        assert median < MEDIAN * pace.slower(), f'the median is {median:.1f} s: {ordered}'


def plug_in(machine, *indexes):
    """These adapters are plugged in and on."""
    for index in indexes:
        if machine.world.places[index] is None:
            machine.plug(index)
        name = machine.world.places[index]
        wait_for(lambda: machine.property('Powered', adapter=name), what=f'power of {name}')


def told_to(machine, indexes, since):
    """The commands that the controllers of these adapters were given."""
    return [one for index in indexes for one in machine.world.journal('command', adapter=index, since=since)]


@contextlib.contextmanager
def undisturbed(machine, *indexes):
    """Around what concerns one adapter: nobody tells these others anything meanwhile, and who listens with them hears all the
    time. What is done to rfkill, to the bus or to bluetoothd concerns all adapters, and has no place in here."""
    plug_in(machine, *indexes)
    names = [machine.world.places[index] for index in indexes]
    # Passively: in an active scan the kernel switches the scan on anew every ten seconds by itself.
    beside = machine.scan('observe', '--passive', *(word for name in names for word in ('-i', name))).hears(10)
    wait_for(lambda: not told_to(machine, indexes, time.time() - 3), 30, f'{names} to be set up')
    since = time.time()
    yield
    beside.hears(len(beside.advertisements()) + 10)
    told = told_to(machine, indexes, since)
    assert not told, f'other adapters were told {told[:3]}'
    lines = beside.lines()
    steps = [line for line in lines if line['type'] == 'recovery']
    states = {line['state'] for line in lines if line['type'] == 'state'}
    assert states == {'listening'} and not steps, f'{names} were disturbed: {states}, {steps[:3]}'
    heard = {line['adapter'] for line in lines if line['type'] == 'advertisement'}
    assert heard == set(names), heard
    ends(beside)


def alive(luna, fault):
    assert luna.process.poll() is None, f'luna ended with {luna.process.returncode} at: {fault}; it said: {luna.stderr()}'


def only_waits(steps):
    """Nothing was done against what a person wants."""
    assert {line['step'] for line in steps} <= {'wait', 'scan'}, steps


def check_steps(steps):
    """Every line is whole."""
    for line in steps:
        assert line['adapter'] and line['reason'] and line['attempt'] >= 1, line
        assert line['step'] in ('scan', 'power', 'rfkill', 'interface', 'usb', 'wait'), line
        assert line['outcome'] in ('done', 'failed', 'waiting', 'recovered', 'quiet'), line
        assert ('seconds' in line) == (line['outcome'] == 'recovered'), line


def ends(luna):
    luna.signal(signal.SIGINT)
    luna.ends(130)
