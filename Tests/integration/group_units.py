"""What udev makes of an adapter by the rules of this project."""

import os
import shutil
import subprocess

from bench import ROOT, Machine

IN_VM = True


def prepare(mode):
    return Machine('vhci', daemon=False, mode=mode)


def by_udev(rules, device):
    """What `udevadm test` says about a device when only these rules are there."""
    os.makedirs('/run/udev/rules.d', exist_ok=True)
    path = shutil.copy(os.path.join(ROOT, 'udev', rules), '/run/udev/rules.d')
    try:
        run = subprocess.run(['udevadm', 'test', '--action=add', device], capture_output=True, text=True)
        return run.stdout + run.stderr
    finally:
        os.unlink(path)


def test_an_adapter_starts_its_scan(machine):
    said = by_udev('71-luna-scan.rules', '/sys/class/bluetooth/hci0')
    assert 'SYSTEMD_WANTS=' in said and 'luna-scan@hci0.service' in said, said[-2000:]
    said = by_udev('70-luna.rules', '/sys/class/bluetooth/hci0')
    assert 'luna-scan' not in said, said[-2000:]


def test_the_switch_belongs_to_the_group(machine):
    device = '/sys/class/misc/rfkill'
    assert os.path.exists(device), 'the kernel has no rfkill'
    said = by_udev('70-luna.rules', device)
    assert '70-luna.rules' in said and 'mode=0664' in said.replace(' ', '').lower() or '0664' in said, said[-2000:]
