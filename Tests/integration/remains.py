"""What programs and groups would leave running, and how it is ended."""

import contextlib
import glob
import os
import select
import shutil
import signal
import subprocess

# In the environment of all that a group starts: the folder of the group.
MARK = 'LUNA_TEST_FOLDER'


def family(process):
    """A process and all that descends from it, itself first."""
    children = {}
    for name in filter(str.isdigit, os.listdir('/proc')):
        with contextlib.suppress(OSError), open(f'/proc/{name}/stat', errors='replace') as file:
            # What is before the bracket is its name, in which anything may be.
            parent = int(file.read().rpartition(')')[2].split()[1])
            children.setdefault(parent, []).append(int(name))
    found = [process]
    for one in found:
        found += children.get(one, [])
    return found


def end_family(process):
    """Ends a program at once, with what it has started, which would go on without it."""
    if process.poll() is None:
        # It starts nothing more meanwhile.
        process.send_signal(signal.SIGSTOP)
        for one in family(process.pid):
            with contextlib.suppress(OSError):
                os.kill(one, signal.SIGKILL)
    process.wait()


def processes(folder):
    """What the group of a folder has started, and what that has: all but this process."""
    mark, found = f'{MARK}={folder}'.encode(), []
    for name in filter(str.isdigit, os.listdir('/proc')):
        with contextlib.suppress(OSError), open(f'/proc/{name}/environ', 'rb') as file:
            if int(name) != os.getpid() and mark in file.read().split(b'\0'):
                found.append(int(name))
    return found


def end_group(folder):
    """Ends it at once, and what is started meanwhile."""
    for _ in range(200):
        left = processes(folder)
        if not left:
            return
        for one in left:
            with contextlib.suppress(OSError):
                end(one)


def still_running(folder, end):
    """What a group has left running once those that were told to end have had until then, by its words. It is ended."""
    while (found := processes(folder)) and (seconds := end.left()) > 0:
        with contextlib.suppress(ProcessLookupError):
            ended = os.pidfd_open(found[0])
            try:
                select.select([ended], [], [], seconds)
            finally:
                os.close(ended)
    left = [words(one) for one in processes(folder)]
    end_group(folder)
    return left


def words(process):
    with contextlib.suppress(OSError), open(f'/proc/{process}/cmdline', errors='replace') as file:
        return f'process {process}: ' + file.read().replace('\0', ' ').strip()[:80]
    return f'process {process}'


def still_there(folder):
    """What a run has left in the folder of its temporary files, and elsewhere under its name. It is removed."""
    name = os.path.basename(folder)
    # Swift's own tools leave some.
    left = [one for one in os.listdir(folder) if not one.startswith(('TemporaryDirectory.', 'swift-', 'org.swift.'))]
    elsewhere = glob.glob(f'/dev/shm/{name}.*')
    for one in elsewhere:
        shutil.rmtree(one, ignore_errors=True) if os.path.isdir(one) else os.unlink(one)
    networks = glob.glob(f'/run/netns/{name}.*')
    for one in networks:
        subprocess.run(['ip', 'netns', 'delete', os.path.basename(one)], check=False)
    for one in glob.glob(f'/etc/netns/{name}.*'):
        shutil.rmtree(one, ignore_errors=True)
    shutil.rmtree(folder, ignore_errors=True)
    return sorted(left + elsewhere + networks)


def end(process):
    """Ends a process that may be anybody's child, and waits until it is over: what hangs in the kernel is not waited for."""
    handle = os.pidfd_open(process)
    try:
        signal.pidfd_send_signal(handle, signal.SIGKILL)
        over = select.poll()
        over.register(handle, select.POLLIN)
        over.poll(10_000)
    finally:
        os.close(handle)
