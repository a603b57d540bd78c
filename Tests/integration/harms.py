"""What people, programs and disks do to a file that is in use."""

import contextlib
import errno
import os
import shutil
import subprocess
import time

from bench import needs_root


def write_into(path, place, count):
    with open(path, 'r+b') as file:
        file.seek(place)
        file.write(bytes(number * 151 % 256 for number in range(count)))
    # The clock of files is too coarse for a test in a hurry.
    os.utime(path, (time.time() + 2,) * 2)


def link(path):
    os.rename(path, path + '.elsewhere')
    os.symlink(path + '.elsewhere', path)


def directory(path):
    os.unlink(path)
    os.mkdir(path)


def locked(path):
    """For who opens it from now on. Returns what takes that back."""
    mode = os.stat(path).st_mode & 0o777
    os.chmod(path, 0)
    return lambda: os.path.exists(path) and os.chmod(path, mode)


def copied(path):
    shutil.copy(path, path + '.copy')
    os.rename(path + '.copy', path)


@contextlib.contextmanager
def small_disk(place, size):
    """A disk in memory, mounted at a folder that is made for it."""
    needs_root('mount a small disk')
    os.mkdir(place)
    subprocess.run(['mount', '-t', 'tmpfs', '-o', f'size={size}', 'luna-test', place], check=True)
    try:
        yield
    finally:
        subprocess.run(['umount', '-l', place], check=True)


def full(path):
    """Leaves no room on the disk of a file. Returns what gives it back."""
    ballast = os.path.join(os.path.dirname(path), 'ballast')
    with open(ballast, 'wb', buffering=0) as file:
        try:
            while file.write(bytes(4096)):
                pass
        except OSError as error:
            assert error.errno == errno.ENOSPC, error
    return lambda: os.unlink(ballast)


def tell(file, what, result, isRight=True):
    """A line of the table of harms and files, which Tests/integration/run prints for who asks for these tests."""
    cells = [file, what, result if isRight else f'FAULT: {result}']
    print('harmed | ' + ' | '.join(' '.join(cell.replace('|', '/').split()) for cell in cells) + ' |', flush=True)


# What is done to one file; a full disk, which is none, is done to all of them.
HARMS = {
    'deleted': os.unlink,
    'moved': lambda path: os.rename(path, path + '.elsewhere'),
    'replaced': copied,
    'cut to nothing': lambda path: os.truncate(path, 0),
    'cut in half': lambda path: os.truncate(path, os.path.getsize(path) // 2),
    'a page less': lambda path: os.truncate(path, max(0, os.path.getsize(path) - 4096)),
    'noise at the beginning': lambda path: write_into(path, 0, 4096),
    'noise in the middle': lambda path: write_into(path, os.path.getsize(path) // 2, 4096),
    'noise all over': lambda path: write_into(path, 0, os.path.getsize(path)),
    'a link': link,
    'a directory': directory,
    'no permission': locked,
}
# What to put before a program that is to be harmed: without it root may open whatever it likes.
CONFINED = ['setpriv', '--bounding-set=-dac_override,-dac_read_search'] if os.geteuid() == 0 else []
