"""The firmware of a tracker as a process, and luna behind a real bluetoothd and kernel."""

from boards import programs_for_vms
from group_board import (  # noqa: F401
    test_a_scan_finds_it,
    test_from_its_first_start_to_its_ringing,
    test_is_followed_through_four_rotations,
    test_obeys_its_owner_who_is_near,
)
from group_onboardvm import Both

IN_VM = True
# Tests/integration/run builds it before the VM begins.
HAS_BOARDS = True
GROUP_SECONDS = 1500


def prepare(mode):
    path = '/tmp/board.sock'
    machine = Both('vhci', f'unix:{path}', mode=mode)
    machine.world.tell('still')
    machine.ear, machine.board_path, machine.board_adapter = 'auto', path, 1
    machine.program = programs_for_vms()
    return machine
