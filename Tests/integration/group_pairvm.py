"""`luna onboard` and `luna buzz` through a real bluetoothd, to `luna tracker run` on another adapter of the same kernel."""

import json
import os

import lunaprotocol as luna
from bench import Luna, Machine, wait_for
from group_trackergatt import exported, Served
from onboarding import OTHER
from trackers import create

IN_VM = True


class Both(Machine):
    """A machine that keeps its second adapter."""

    def unplug(self, index):
        if index == 0:
            super().unplug(index)


def prepare(mode):
    import dbus

    machine = Both('vhci', 'vhci', mode=mode)
    machine.world.tell('still')
    ear, mouth = machine.world.places
    machine.ear = ('--radio', 'auto', '-i', ear)
    wait_for(lambda: machine.property('Address', adapter=mouth), what='bluetoothd to have the second adapter')

    def powered():
        try:
            return machine.property('Powered', adapter=mouth) or machine.property('Powered', True, adapter=mouth)
        except dbus.DBusException:
            return False  # it is busy with the power that it has on plugging in

    wait_for(powered, what='bluetoothd to power the second adapter')
    return machine


class Owner:
    """Somebody with a state directory of their own, on the first adapter."""

    def __init__(self, machine, name):
        self.machine, self.state = machine, os.path.join(machine.directory, name)

    def run(self, *words):
        return Luna(self.machine, *words, '--format', 'jsonl', '--state', self.state, *self.machine.ear)

    def onboard(self, name, *options, code=None):
        if code:
            path = self.state + '.code'
            with open(path, 'w') as file:
                file.write(luna.code_text(code) + '\n')
            options += ('--code-file', path)
        return self.run('onboard', '--name', name, *options)

    def device(self):
        path = self.state + '.json'
        Luna(self.machine, 'owner', 'export', path, '--state', self.state).ends(0)
        with open(path) as file:
            [device] = json.load(file)['devices']
        os.unlink(path)
        return device


def run_with(machine, radio):
    """The whole of it: codes that are wrong, missing and right, a sound, a reset, and the button in place of a code."""
    mouth = machine.world.places[1]
    box, owner = f'box-{radio}', Owner(machine, f'owner-{radio}')
    code = luna.parse_code(create(machine, box, '--onboardable')['code'])
    machine.mouth = radio
    tracker = Served(machine, box, '-i', mouth)
    tracker.press()

    def told_that_the_code_is_wrong():
        # Where the machine is slow, seconds pass before bluetoothd tells of the tracker.
        tracker.press()
        run = owner.onboard('Keys', '--wait', '3s', code=OTHER).ends(1)
        return 'no tracker has this code' in run.stderr()

    wait_for(told_that_the_code_is_wrong, 40, 'luna to hear the tracker, and to say that it has another code')
    run = owner.onboard('Keys').ends(2)
    assert 'cannot be authenticated' in run.stderr(), run.stderr()
    run = owner.onboard('Keys', code=code).ends(0, 40)
    told = [line['event'] for line in run.lines() if line['type'] == 'onboarding']
    assert told[-2:] == ['discoveredConnectable', 'onboarded'], run.lines()
    device = owner.device()
    assert device['name'] == 'Keys' and not device.get('unauthenticated'), device
    assert [line['state'] for line in tracker.told('state')] == ['keyed'], tracker.told('state')
    tracker.press()
    run = owner.run('buzz', 'Keys', '--seconds', '3').ends(0, 30)
    assert run.lines()[-1]['event'] == 'buzzing' and run.lines()[-1]['verified'], run.lines()
    tracker.tells('sound')
    assert tracker.told('sound')[0]['seconds'] == 3, tracker.told('sound')
    tracker.press()
    owner.run('owner', 'reset', 'Keys', '--yes').ends(0, 30)
    tracker.tells('state', 2)
    # Its owner is another one now, who has no code.
    tracker.press()
    other = Owner(machine, f'other-{radio}')
    run = other.onboard('Found', '--unauthenticated').ends(0, 40)
    assert run.lines()[-1]['unauthenticated'] is True, run.lines()
    found = other.device()
    assert found['unauthenticated'] and found['masterKey'] != device['masterKey'], found
    tracker.stop()
    uuid, keys, _ = exported(machine, box)
    assert (uuid, keys.master_key.hex()) == (found['uuid'].lower(), found['masterKey']), 'different keys'


def test_tracker_through_bluetoothd(machine):
    run_with(machine.ready(), 'dbus')


def test_tracker_without_bluetoothd(machine):
    run_with(machine.ready(), 'exclusive')


test_tracker_through_bluetoothd.seconds = test_tracker_without_bluetoothd.seconds = 150
