"""What a board computes for a rotation and for its onboarding, in instructions that the emulator counts, and what memory it takes."""

import re

import boardowner
from boardowner import Owner, code_of, find
from boards import Board, needs_emulator

IN_VM = False
# The emulated clock has 25 MHz; with LUNA_ICOUNT an instruction takes a nanosecond.
INSTRUCTIONS = 1000 // 25
CLOCK = 64_000_000
# FIRMWARE.md: so many seconds at that clock, with an instruction for each cycle.
ROTATION, ONBOARDING = 0.015 * CLOCK, 0.4 * CLOCK


def prepare(mode):
    return boardowner.prepare(mode)


def tell(what, value, limit):
    """A row of what scripts/firmware/bench prints."""
    print(f'# | {what} | {value:,.0f} | {limit:,.0f} |', flush=True)
    assert 0 < value <= limit, f'{what}: {value:,.0f}, of at most {limit:,.0f}'


def rotated(board):
    """Waits for the next rotation."""
    period = int(re.search(r' period=(\d+) ', board.asked('s', 'state'))[1])
    board.waits_for(lambda: f' period={period} ' not in board.asked('s', 'state'), 90, 'a rotation')


def test_rotation_and_onboarding_in_instructions(bench):
    needs_emulator('qemu-m4')
    # Its periods last for 26 s: the same work, more often.
    board = Board(bench, port='qemu-m4', fast=True, counted=True)
    owner = Owner(bench, code_of(board))
    address = find(bench, board)
    board.numbers_of('i', 'awake')
    assert owner.onboard(bench.central.connect(address))
    board.state('state keyed ')
    tell('instructions of an onboarding, with the connection', board.numbers_of('i', 'awake')['cycles'] * INSTRUCTIONS, ONBOARDING)
    bench.central.disconnect()
    board.state(' link=none ')
    rotated(board)
    board.numbers_of('i', 'awake')
    # The longest stretch without sleep is that in which identifiers, address and frame are made.
    rotated(board)
    tell('instructions of a rotation', board.numbers_of('i', 'awake')['longest'] * INSTRUCTIONS, ROTATION)
    tell('bytes of heap, at most', board.numbers_of('m', 'memory')['peak'], 12 * 1024)
    tell('bytes of stack, at most', board.numbers_of('k', 'stack')['peak'], 13 * 1024)


test_rotation_and_onboarding_in_instructions.seconds = 400
