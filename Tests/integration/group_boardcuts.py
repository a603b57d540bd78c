"""Power cuts of a board with the firmware of a tracker: the process, or its emulator, is killed behind a packet."""

import os

import boardowner
import lunaprotocol as luna
from bench import chance, never
from boardowner import Owner, code_of, meet
from boards import Board, FlashRecord, is_emulated_here
from central import Refusal

IN_VM = False
# scripts/test --long cuts the power 500 times.
CUTS = int(os.environ.get('LUNA_CUTS', '12'))
GROUP_SECONDS = 1200 + 12 * CUTS
DATA = 2


def prepare(mode):
    return boardowner.prepare(mode)


def forgets(board, key):
    """Its button returns it to factory state; nothing of the key stays."""
    board.hold()
    with open(board.flash, 'rb') as file:
        assert key not in file.read(), 'a key is left behind'


def test_power_cuts_behind_each_message_of_an_onboarding(bench):
    """Afterwards it is in factory state with its code, or obeys its owner."""
    board = Board(bench, controller=bench.wire.path)
    code = code_of(board)
    packets, seen, is_done = 0, set(), False
    while not is_done:
        packets += 1
        owner, mtu = Owner(bench, code), meet(bench, board)
        bench.wire.cut_behind(packets, board, kinds=(DATA,))
        is_done = owner.onboard(mtu)
        assert not is_done or packets > 10, f'an onboarding of {packets} packets'
        board = board.again()
        state = board.state('state ')
        assert 'LUNA1:' not in board.text(), 'it is another tracker'
        record = FlashRecord.newest(board.flash)
        assert record.code == code
        seen.add(state.split()[1])
        if record.key:
            assert 'state keyed ' in state and record.key == owner.key, state
            meet(bench, board)
            bench.central.subscribe(luna.CONTROL)
            assert owner.ping(owner.app.timestamp + 1), 'its owner cannot use it'
            bench.central.disconnect()
            forgets(board, record.key)
        else:
            assert 'state factory ' in state and not is_done, state
    assert seen == {'factory', 'keyed'}, seen


test_power_cuts_behind_each_message_of_an_onboarding.seconds = 600


def test_power_cuts_at_random_moments(bench):
    """It always starts again, has its key, and executes no command twice."""
    lots = chance()
    port = 'qemu-m4' if is_emulated_here('qemu-m4') else 'linux'
    board = Board(bench, port=port, controller=bench.wire.path)
    owner = Owner(bench, code_of(board))
    assert owner.onboard(meet(bench, board))
    key, issued, executed, sequence = owner.key, owner.app.timestamp, 0, 0
    for number in range(CUTS):
        board = board.again()
        # While it starts, while somebody connects, between commands, and in the middle of one.
        bench.wire.cut_behind(lots.randrange(1, 400), board)
        try:
            board.state('state keyed ')
            meet(bench, board)
            bench.central.subscribe(luna.CONTROL)
            # It takes ten commands a minute.
            for _ in range(9):
                issued += 1
                if owner.ping(issued):
                    executed = issued
                if bench.wire.was_cut.is_set():
                    break
        except (Refusal, AssertionError, OSError, IndexError) as error:
            assert bench.wire.was_cut.wait(never(5)), f'cut {number}: it has power, but {error!r}; the console says: {board.text()!r}'
        board.cut()
        record = FlashRecord.newest(board.flash)
        assert record.key == key, f'cut {number}: another key'
        assert executed <= record.counter <= issued, f'cut {number}: {record.counter}, of {executed} to {issued}'
        assert record.sequence >= sequence, f'cut {number}: an older record'
        assert 'fault' not in board.text(), f'cut {number}: {board.text()!r}'
        sequence, executed = record.sequence, record.counter
    board = board.again()
    board.state('state keyed ')
    meet(bench, board)
    bench.central.subscribe(luna.CONTROL)
    assert owner.ping(issued + 1), 'its owner cannot use it'
    bench.central.disconnect()
    forgets(board, key)


test_power_cuts_at_random_moments.seconds = 300 + 12 * CUTS
