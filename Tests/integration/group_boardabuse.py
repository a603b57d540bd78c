"""What strangers do to a board with the firmware of a tracker: garbage, floods, silence, thousands of connections."""

import os
import struct

import boardowner
import lunaprotocol as luna
import pace
from bench import chance
from boardowner import Owner, code_of, find, meet
from boards import Board, is_emulated_here
from central import Refusal

IN_VM = False
# scripts/test --long connects 10,000 times.
CONNECTIONS = int(os.environ.get('LUNA_CONNECTIONS', '60'))
GROUP_SECONDS = 1200 + CONNECTIONS
# Requests, commands and confirmations of ATT, and what nobody has defined.
OPCODES = [0x01, 0x02, 0x04, 0x06, 0x08, 0x0A, 0x0C, 0x0E, 0x10, 0x12, 0x16, 0x18, 0x1E, 0x20, 0x52, 0xD2, 0x7E, 0xFF]
# What the times of its last commands take in the heap, bytes: far less than one of so many connections or PDUs may leave.
SLACK = 512
# What a tracker may ever take of its heap, bytes; on Linux a pointer is twice as wide.
PEAK = {'qemu-m4': 12 * 1024, 'linux': 16 * 1024}
# Find Information, Read By Type of characteristics, and Read By Group Type of primary services, of all handles.
LONG = [bytes.fromhex('040100ffff'), bytes.fromhex('080100ffff0328'), bytes.fromhex('100100ffff0028')]
# Prepare Write Request for the value of Onboard, and the beginnings of its answers: kept, and Prepare Queue Full.
PREPARE, PREPARED, QUEUE_FULL = '160e00', '170e00', '01160e0009'
# How long a tracker bears a peer that does nothing, s (PROTOCOL.md, 13).
IDLE = 30


def prepare(mode):
    """With a board that has an owner, on the processor with the least memory that there is here."""
    bench = boardowner.prepare(mode)
    bench.port = 'qemu-m4' if is_emulated_here('qemu-m4') else 'linux'
    return bench


def owned(bench, controller=None):
    board = Board(bench, port=bench.port, controller=controller)
    owner = Owner(bench, code_of(board))
    assert owner.onboard(meet(bench, board))
    leave(bench, board)
    return board, owner


def leave(bench, board):
    bench.central.disconnect()
    board.state(' link=none ')


def taken(board):
    """The bytes of its heap that are taken when nothing is under way: the least of some answers. The most that ever were are
    within their limit."""
    answers = [board.numbers_of('m', 'memory') for _ in range(8)]
    assert answers[-1]['peak'] <= PEAK[board.port], answers[-1]
    return min(answer['used'] for answer in answers)


def serves(bench, board, owner, counter):
    """Its owner finds it as it was, and it has neither failed nor started again."""
    meet(bench, board)
    bench.central.subscribe(luna.CONTROL)
    assert owner.ping(owner.app.timestamp + counter), board.text()
    leave(bench, board)
    text = board.text()
    assert 'fault' not in text and text.count('LUNA1:') == 1, text
    assert board.has_power()


def test_garbage_and_floods(bench):
    """With the smallest MTU and a large one; the heap is as it was."""
    lots, (board, owner) = chance(), owned(bench)
    serves(bench, board, owner, 1)
    before = taken(board)
    for mtu in (None, 247, None, 247):
        meet(bench, board, mtu)
        for _ in range(60):
            count = lots.randrange(0, 20 if mtu is None else 200)
            pdu = bytes([lots.choice(OPCODES)]) + lots.randbytes(count)
            try:
                # Answers come in their time, or not at all.
                bench.central.do('send', pdu=pdu.hex(), seconds=0.05)
            except Refusal:
                break
        leave(bench, board)
    serves(bench, board, owner, 2)
    after = taken(board)
    assert after <= before + SLACK, f'the heap has grown: {before}, {after}'


test_garbage_and_floods.seconds = 240


def test_a_flood_whose_answers_nobody_takes(bench):
    """Parts of a write that never ends, then requests with long answers, which the controller keeps, and frames longer than any
    PDU; the connection is ended, and what it took of the heap is given back."""
    board, owner = owned(bench, bench.wire.path)
    serves(bench, board, owner, 1)
    before = taken(board)
    for mtu in (None, 247):
        meet(bench, board, mtu)
        answer, parts = PREPARED, 0
        while answer.startswith(PREPARED):
            part = bytes.fromhex(PREPARE) + struct.pack('<H', 16 * parts) + bytes(16)
            answer, parts = bench.central.do('send', pdu=part.hex(), seconds=5 * pace.slower())['pdu'], parts + 1
        assert answer == QUEUE_FULL and parts < 65, (answer, parts)
        bench.wire.is_stuck = True
        for number in range(300):
            frames = [LONG[number % len(LONG)]] + [b'\xd2' + bytes(1000)] * (20 <= number < 80)
            try:
                for frame in frames:
                    bench.central.do('send', pdu=frame.hex(), seconds=0)
            except Refusal:
                break
        assert bench.central.ends(20) is not None, 'it goes on for who takes no answers'
        bench.wire.is_stuck = False
        board.state(' link=none ')
    serves(bench, board, owner, 2)
    after = taken(board)
    assert after <= before + SLACK, f'the heap has grown: {before}, {after}'


test_a_flood_whose_answers_nobody_takes.seconds = 180


def test_control_packages_of_strangers(bench):
    """Three answers that prove nothing end a connection; nothing is executed."""
    board, owner = owned(bench)
    for _ in range(3):
        meet(bench, board)
        bench.central.subscribe(luna.CONTROL)
        keys = luna.Keys(os.urandom(32))
        for counter in range(3):
            challenge = bench.central.read(luna.CHALLENGE)
            bench.central.write(luna.CONTROL, luna.interactive(keys, challenge, 'factoryReset', 0, owner.app.timestamp + 50 + counter))
        assert bench.central.ends(10) is not None, 'it goes on after three of them'
        board.state(' link=none ')
    assert 'state keyed ' in board.state(' counter=0 ')
    serves(bench, board, owner, 1)


test_control_packages_of_strangers.seconds = 180


def test_an_owner_with_the_smallest_mtu(bench):
    """What a tracker has to say and to be told goes in pieces, and whoever connects to it may have no more."""
    board = Board(bench, port=bench.port)
    owner = Owner(bench, code_of(board))
    mtu = meet(bench, board, None)
    assert mtu == 23, mtu
    assert owner.onboard(mtu), board.text()
    leave(bench, board)
    meet(bench, board, None)
    bench.central.subscribe(luna.CONTROL)
    assert owner.ping(owner.app.timestamp + 1), board.text()
    leave(bench, board)
    assert 'fault' not in board.text() and 'state keyed ' in board.state(' counter='), board.text()


test_an_owner_with_the_smallest_mtu.seconds = 180


def test_a_silent_peer_is_left(bench):
    board, owner = owned(bench)
    meet(bench, board)
    assert bench.central.ends(45) is not None, f'it holds a connection on which nothing happens for {IDLE} s'
    board.state(' link=none ')
    serves(bench, board, owner, 1)


test_a_silent_peer_is_left.seconds = 180


def test_connections(bench):
    """One after the other: the heap is as it was, the watchdog is content, and the next one is served."""
    board, owner = owned(bench)
    serves(bench, board, owner, 1)
    before, address, made = taken(board), None, 0
    while made < CONNECTIONS:
        # It takes connections for a minute after a press, at an address that changes when it rotates.
        address = address or find(bench, board)
        try:
            bench.central.do('connect', address=address, mtu=None, seconds=5)
        except Refusal:
            address = None
            continue
        made += 1
        leave(bench, board)
    after = taken(board)
    assert after <= before + SLACK, f'the heap has grown over {made} connections: {before}, {after}'
    serves(bench, board, owner, 2)


test_connections.seconds = 200 + CONNECTIONS
