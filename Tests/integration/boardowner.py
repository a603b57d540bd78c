"""The owner of a board, and strangers around it: a central of Bumble's that speaks the protocol in Python."""

import os

import lunaprotocol as luna
from bench import Bench, World, wait_for
from boards import Wire
from central import Central, Refusal


def prepare(mode):
    """A bench with a controller for a board, behind a wire that can be cut, and one for whoever it meets."""
    bench = Bench()
    bench.board_path, bench.central_path = (os.path.join(bench.directory, name) for name in ('board.sock', 'central.sock'))
    bench.world = World(bench.directory, f'unix:{bench.board_path}', f'unix:{bench.central_path}', mode=mode)
    bench.world.tell('still')
    bench.program = {}
    bench.central = Central(bench.central_path)
    bench.wire = Wire(bench)
    close = bench.close
    bench.close = lambda: (bench.central.close(), bench.wire.close(), close())
    return bench


def find(bench, board, seconds=60):
    """Presses the button, and waits for its frame; the address."""
    board.press()

    def look():
        assert board.has_power(), 'the board has no power'
        return next((address for address, frame in reversed(bench.central.frames()) if frame['pduConnectable']), None)

    return wait_for(look, seconds, 'a frame that accepts connections')


def meet(bench, board, mtu=247):
    """Presses the button and connects; the MTU."""
    return bench.central.connect(find(bench, board), mtu)


def code_of(board):
    board.says('LUNA1:')
    return luna.parse_code(next(word for word in board.text().split() if word.startswith('LUNA1:')))


class Owner:
    """Who onboards a board and commands it, as far as its power allows."""

    def __init__(self, bench, code):
        self.central, self.app = bench.central, luna.App(code)

    @property
    def key(self):
        return self.app.agreement.master_key

    def onboard(self, mtu):
        """Whether the board has told that it is onboarded."""
        try:
            self.central.subscribe(luna.ONBOARD)
            self.central.write(luna.ONBOARD, self.app.request(self.central.read(luna.INFO)))
            self.central.write(luna.ONBOARD, self.app.finish(self.central.message(mtu)))
            self.app.done(self.central.message(mtu))
            return True
        except (Refusal, AssertionError, IndexError):
            return False

    def ping(self, counter):
        """Whether a ping with this counter was executed, which its receipt proves."""
        keys = luna.Keys(self.key)
        try:
            package = luna.interactive(keys, self.central.read(luna.CHALLENGE), 'ping', 0, counter)
            self.central.write(luna.CONTROL, package)
            return luna.open_receipt(keys, package, self.central.indicated(luna.CONTROL))[0] == 0
        except (Refusal, luna.Refused, AssertionError, IndexError):
            return False
