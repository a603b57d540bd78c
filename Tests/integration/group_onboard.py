"""`luna onboard` over H4 to a tracker of Bumble's that speaks the protocol in Python, and to one of ours."""

import fcntl
import os
import pty
import signal
import struct
import subprocess
import termios

import lunaprotocol as luna
import onboarding
from bench import Bench, Luna, World, lasting, never, wait_for
from onboarding import Home, events
from trackers import Tracker, create

IN_VM = False


def prepare(mode):
    bench = Bench()
    bench.tracker_path = os.path.join(bench.directory, 'tracker.sock')
    bench.world = World(bench.directory, f'unix:{bench.tracker_path}', 'tcp:127.0.0.1:0', mode=mode)
    bench.ear = 'h4:tcp:' + bench.world.places[1]
    bench.world.tell('still')
    return bench


onboarding.define_tests(globals())


def test_a_tracker_of_ours(bench):
    """Both sides are luna: onboarded, followed, and the tracker still knows after its power went."""
    code = luna.parse_code(create(bench, 'box', '--onboardable')['code'])
    end, buttons = os.pipe()
    tracker = Tracker(bench, 'h4:' + bench.tracker_path, 'box', stdin=end)
    os.close(end)
    tracker.tells('rotated')
    os.write(buttons, b'button box\n')
    home = Home(bench)
    run = home.onboard(code=code, name='Box').ends(0, 60)
    assert events(run)[-1] == 'onboarded', run.lines()
    tracker.tells('state')
    assert tracker.told('state')[-1]['state'] == 'keyed'
    tracker.signal(signal.SIGTERM)
    tracker.ends(143)
    os.close(buttons)
    [listed] = Luna(bench, 'tracker', 'list').ends(0).lines()
    [device] = home.devices()
    assert listed['device'].lower() == device['uuid'].lower(), (listed, device)
    again = Tracker(bench, 'h4:' + bench.tracker_path, 'box')
    again.tells('rotated')
    followed = Luna(
        bench, 'local', 'Box', '--state', home.state, '--radio', bench.ear, '--format', 'jsonl', '-c', '1', '-T', lasting(20)
    ).ends(0, 30)
    seen = [line for line in followed.lines() if line['type'] == 'device']
    assert seen[-1]['name'] == 'Box', followed.lines()


test_a_tracker_of_ours.seconds = 120
test_a_tracker_of_ours.modes = ('legacy',)


def test_the_code_leaves_the_list_of_processes(bench):
    text = luna.code_text(onboarding.OTHER)
    for words in (['--code', text], ['--code=' + text]):
        run = Luna(bench, 'onboard', '--radio', 'virtual', '--wait', '5s', *words)
        wait_for(lambda: 'listening' in run.stderr(), 10, 'luna to listen')
        with open(f'/proc/{run.process.pid}/cmdline') as file:
            seen = file.read()
        assert '--code' in seen and '--wait' in seen and text[6:] not in seen, 'the code can be read'
        run.signal(signal.SIGINT)
        run.ends(130)
        assert text[6:] not in run.stderr()


test_the_code_leaves_the_list_of_processes.modes = ('legacy',)


def test_asks_on_a_terminal(bench):
    """Without a code: who says no has done nothing, who says yes gets as far as the button."""
    for answer, said in ((b'n', b'nothing was changed'), (b'y', b'button')):
        terminal, end = pty.openpty()
        state = os.path.join(bench.directory, 'asked')
        words = [bench.luna, 'onboard', '--radio', 'virtual:3', '--state', state, '--wait', lasting(20)]
        run = subprocess.Popen(words, stdin=end, stderr=end, stdout=subprocess.DEVNULL)
        os.close(end)
        seen = b''
        try:
            while b'[y/N]' not in seen:
                seen += os.read(terminal, 4096)
            os.write(terminal, answer + b'\n')
            while True:
                seen += os.read(terminal, 4096)
        except OSError:
            pass  # the other end is closed
        assert run.wait(never(15)) == 1 and said in seen and b'cannot be authenticated' in seen, seen
        os.close(terminal)


test_asks_on_a_terminal.modes = ('legacy',)


def test_a_question_ends_with_the_time_that_is_given(bench):
    """Nobody answers: it says so and ends by itself, in lines that the terminal need not break."""
    terminal, end = pty.openpty()
    fcntl.ioctl(end, termios.TIOCSWINSZ, struct.pack('HHHH', 15, 40, 0, 0))
    state = os.path.join(bench.directory, 'unanswered')
    words = [bench.luna, 'onboard', '--radio', 'virtual:3', '--state', state, '-T', '2s']
    run = subprocess.Popen(words, stdin=end, stderr=end, stdout=subprocess.DEVNULL)
    os.close(end)
    seen = b''
    try:
        while True:
            seen += os.read(terminal, 4096)
    except OSError:
        pass  # the other end is closed
    os.close(terminal)
    assert run.wait(never(15)) == 1, seen
    lines = seen.decode().splitlines()
    assert all(len(line) <= 40 for line in lines), lines
    text = ' '.join(' '.join(lines).split())
    assert 'Continue anyway? [y/N] luna: nobody has answered by the end of -T; nothing was changed; give --code-file FILE' in text, text


test_a_question_ends_with_the_time_that_is_given.modes = ('legacy',)


def test_who_breaks_off_a_passphrase_sees_again_what_is_typed(bench):
    # A shell has the terminal: with the program that has it, the terminal would be as new.
    script = 'trap : INT; "$0" "$@"; echo "ended $?"; read rest'
    words = [bench.luna, 'owner', 'seal', '--state', os.path.join(bench.directory, 'sealed')]
    shell, terminal = pty.fork()
    if shell == 0:
        os.execvp('sh', ['sh', '-c', script, *words])
    seen = b''
    try:
        while b'New passphrase: ' not in seen:
            seen += os.read(terminal, 4096)
        assert not termios.tcgetattr(terminal)[3] & termios.ECHO
        os.write(terminal, b'\x03')
        while b'ended 130' not in seen:
            seen += os.read(terminal, 4096)
        assert termios.tcgetattr(terminal)[3] & termios.ECHO, seen
    finally:
        os.close(terminal)
        os.waitpid(shell, 0)


test_who_breaks_off_a_passphrase_sees_again_what_is_typed.modes = ('legacy',)
