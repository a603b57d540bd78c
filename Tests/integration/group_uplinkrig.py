"""luna uplink check in a network of namespaces (veth, htb) with a middlebox in it: what it limits, drops, resets or prefers by
what is in a connection, on ways of every length. Only root can make one. Its modes: with a server of ours on 443 (own), on long
and bad ways (ways), and with recordings of Wehe's (wehe)."""

from bench import Bench, wait_for
from long_wire import Way
from packet_rules import Rule
from ruled_network import NAME, OTHER
from uplink_rig import Rig, alike, answers, datagrams, differs, ended, not_missed, stream

IN_VM = False
# Small slots: what is limited to half of 20 Mbit/s is seen in them.
SMALL = ('--budget', '30M')
# Sixteen pairs, and one that is not counted.
SLOTS = 34


def prepare(mode):
    return Bench()


def runs(mode, seconds):
    """In which group a test is, and how long it may take."""

    def mark(test):
        test.modes, test.seconds = (mode,), seconds
        return test

    return mark


def hello(**more):
    """A rule for those who ask for the server by its name."""
    return Rule(NAME, **more)


# With a server of ours


@runs('own', 240)
def test_a_limit_for_a_name_is_found_both_ways(bench):
    with Rig(bench, 20, hello(rate='10mbit')) as rig:
        rig.serve()
        for direction in ('up', 'down'):
            result = rig.check(*SMALL, '--direction', direction)
            differs(result, 'throttled', 0.5)
            assert result['direction'] == direction and result['pairs'] <= 16, result
            assert not any(slot['failed'] for slot in result['slots']), result


@runs('own', 240)
def test_a_limit_of_each_connection_is_found(bench):
    with Rig(bench, 20, hello(rate='5mbit', each=True)) as rig:
        rig.serve()
        differs(rig.check(*SMALL), 'throttled', 0.25)


@runs('own', 240)
def test_a_limit_that_lets_a_burst_through_is_found(bench):
    with Rig(bench, 20, hello(rate='8mbit', burst='64k', each=True)) as rig:
        rig.serve()
        for direction in ('up', 'down'):
            differs(rig.check(*SMALL, '--direction', direction), 'throttled', 0.4)


@runs('own', 240)
def test_a_name_that_is_preferred_is_found(bench):
    with Rig(bench, 5, hello(rate='15mbit')) as rig:
        rig.serve()
        for direction in ('up', 'down'):
            differs(rig.check('--budget', '15M', '--direction', direction), 'prioritised', 3)


@runs('own', 240)
def test_resets_are_found(bench):
    with Rig(bench, 20, hello(action='reset')) as rig:
        rig.serve()
        result = rig.check(*SMALL)
        differs(result, 'blocked')
        failed = [slot['failed'] for slot in result['slots'] if slot['kind'] == 'original']
        assert failed.count(True) >= 0.8 * len(failed), result
        assert not any(slot['failed'] for slot in result['slots'] if slot['kind'] == 'control'), result


@runs('own', 400)
def test_silence_is_found(bench):
    with Rig(bench, 20, hello(action='drop')) as rig:
        rig.serve()
        differs(rig.check(*SMALL, seconds=300), 'blocked')


@runs('own', 600)
def test_a_block_after_some_bytes_is_found_both_ways(bench):
    with Rig(bench, 20, hello(action='drop', after=200_000)) as rig:
        rig.serve()
        for direction in ('up', 'down'):
            result = rig.check(*SMALL, '--direction', direction, seconds=300)
            differs(result, 'blocked')
            # Something went before.
            assert all(slot['seconds'] > 0 for slot in result['slots'] if slot['kind'] == 'original'), result


@runs('own', 240)
def test_resets_after_some_bytes_are_found(bench):
    with Rig(bench, 20, hello(action='reset', after=200_000)) as rig:
        rig.serve()
        differs(rig.check(*SMALL), 'blocked')


@runs('own', 240)
def test_answers_that_are_limited_are_found(bench):
    """Requests are small, and wait for answers of 2 KiB, which take 64 ms at this rate, with their heads 73 ms."""
    with Rig(bench, 20, hello(rate='256kbit', burst='3k')) as rig:
        rig.serve()
        result = rig.check('luna-command')
        differs(result, 'throttled')
        assert result['ratio'] < 0.5 and not any('mbps' in slot for slot in result['slots']), result


@runs('own', 240)
def test_a_name_of_others_is_found_beside_none(bench):
    """https-generic asks for the name of the control, and its control for none."""
    with Rig(bench, 20, Rule('example.com', rate='10mbit')) as rig:
        rig.serve()
        result = rig.check('https-generic', *SMALL)
        differs(result, 'throttled', 0.5)
        assert result['profile'] == 'https-generic', result


@runs('own', 400)
def test_what_treats_both_alike_is_no_difference(bench):
    # No rule, a rule for another name, one for all that is TLS, and a slow link.
    third = Rule('\x17\x03\x03', packet=3, rate='10mbit')
    for link, rule in ((20, None), (20, Rule(OTHER, rate='10mbit')), (20, third), (5, None)):
        with Rig(bench, link, rule) as rig:
            rig.serve()
            for direction in ('up', 'down'):
                alike(rig.check('--budget', '20M', '--direction', direction))


@runs('own', 400)
def test_a_link_that_halves_is_no_difference_and_hides_none(bench):
    for rule in (None, hello(rate='10mbit')):
        with Rig(bench, 20, rule) as rig:
            rig.serve()
            for direction in ('up', 'down'):
                run = rig.begin('--no-confirm', '--metered', 'no', *SMALL, '--direction', direction)
                wait_for(lambda run=run: halfway(run), 60, 'half of the slots')
                rig.network.change(10, 5 if rule else None)
                result = ended(run)
                if rule:
                    differs(result, 'throttled', 0.5)
                else:
                    alike(result)
                rig.network.change(20, 10 if rule else None)


def halfway(run):
    assert run.process.poll() is None, (run.last_lines(), run.stderr())
    # A third of all slots is half of those of the first look. What changes between the two slots of a pair makes a pair
    # that says nothing, and one of those is all that a check of this budget can have: a pair begins now.
    last = next((line['share'] for line in reversed(run.lines()) if 'share' in line), 0)
    return last >= 0.3 and round(last * SLOTS) % 2 == 0


# On long and bad ways


@runs('ways', 600)
def test_ways_of_every_length_hide_no_limit(bench):
    # On the longest one a connection is not much faster than this when its slot ends.
    for milliseconds, link in ((0.1, 20), (1, 20), (30, 20), (100, 8), (300, 2)):
        way = Way(round_trip=milliseconds / 1000) if milliseconds > 0.1 else None
        with Rig(bench, link, hello(rate=f'{link / 2}mbit'), way=way, queue=100) as rig:
            rig.serve()
            result = rig.check(*SMALL)
            if milliseconds < 300:
                differs(result, 'throttled', 0.5)
            else:
                not_missed(result, 'throttled')


@runs('ways', 600)
def test_ways_of_every_length_are_no_difference(bench):
    for milliseconds, link in ((1, 20), (100, 8), (300, 2)):
        with Rig(bench, link, way=Way(round_trip=milliseconds / 1000), queue=100) as rig:
            rig.serve()
            alike(rig.check(*SMALL))


@runs('ways', 400)
def test_losses_hide_no_limit(bench):
    with Rig(bench, 10, hello(rate='3mbit'), way=Way(round_trip=0.02, loss=0.01)) as rig:
        rig.serve()
        for direction in ('up', 'down'):
            not_missed(rig.check(*SMALL, '--direction', direction), 'throttled')


@runs('ways', 400)
def test_losses_are_no_difference(bench):
    with Rig(bench, 10, way=Way(round_trip=0.02, loss=0.02)) as rig:
        rig.serve()
        for direction in ('up', 'down'):
            alike(rig.check(*SMALL, '--direction', direction))


@runs('ways', 400)
def test_a_mobile_link_hides_no_limit(bench):
    with Rig(bench, 50, hello(rate='1500kbit'), way=Way.mobile(), queue=200) as rig:
        rig.serve()
        result = rig.check(*SMALL)
        not_missed(result, 'throttled')
        assert result['ratio'] < 0.8, result


@runs('ways', 400)
def test_a_mobile_link_is_no_difference(bench):
    with Rig(bench, 50, way=Way.mobile(), queue=200) as rig:
        rig.serve()
        alike(rig.check(*SMALL))


# With recordings

ANSWER = 1_000_000


def replayed(bench, link, rule, recording, verdict, *words, others=(), way=None):
    """What comes of a recording that a rule treats otherwise than its control; a difference is found twice."""
    with Rig(bench, link, rule, way=way) as rig:
        rig.serve_wehe(recording, others=others)
        result = ended(rig.begin_wehe(recording[0], *words))
        assert result['server'] == 'wehe:10.77.2.2', result
        if verdict:
            differs(result, verdict)
        else:
            alike(result)
        return result


@runs('wehe', 240)
def test_a_payload_that_is_limited_is_found(bench):
    film = stream('Film', [(b'a film, please', ANSWER)])
    result = replayed(bench, 16, Rule('a film', rate='4mbit'), film, 'throttled')
    assert result['ratio'] < 0.5 and result['original']['verdict'] == 'throttled', result


@runs('wehe', 240)
def test_the_third_packet_that_is_limited_is_found(bench):
    film = stream('Third', [(b'first', 2_000), (b'second', 2_000), (b'third', ANSWER)])
    replayed(bench, 16, Rule('third', packet=3, rate='4mbit'), film, 'throttled')
    # The same words are not looked for elsewhere.
    replayed(bench, 16, Rule('third', packet=2, rate='4mbit'), film, None)


@runs('wehe', 240)
def test_uploads_that_are_limited_are_found(bench):
    """Of which only the answers are measured, which come later."""
    letters = stream('Letters', [(b'a letter ' + bytes(25_000), 500)] * 40)
    replayed(bench, 16, Rule('a letter', rate='2mbit'), letters, 'throttled')


@runs('wehe', 240)
def test_a_payload_that_is_preferred_is_found(bench):
    film = stream('Preferred', [(b'a film, please', ANSWER)])
    replayed(bench, 4, Rule('a film', rate='16mbit'), film, 'prioritised')


@runs('wehe', 240)
def test_datagrams_that_are_limited_are_found(bench):
    call = datagrams('Call', b'a call, please', 3478)
    side = (call[0], answers('Call', 3478, 400, 4, 1_000))
    replayed(bench, 16, Rule('a call', rate='200kbit'), call, 'throttled', others=[side])


@runs('wehe', 240)
def test_replays_that_are_treated_alike_are_no_difference(bench):
    film = stream('Alike', [(b'a film, please', ANSWER)])
    for link, rule, way in ((16, None, None), (16, Rule('a song', rate='4mbit'), None), (4, None, Way(round_trip=0.03))):
        replayed(bench, link, rule, film, None, way=way)


@runs('wehe', 240)
def test_replays_that_break_off_are_named(bench):
    """A connection that is reset, or falls silent, is no sample: it is said, and nothing is concluded."""
    film = stream('Broken', [(b'a film, please', ANSWER)])
    for rule in (Rule('a film', action='reset'), Rule('a film', action='drop', after=100_000)):
        with Rig(bench, 16, rule) as rig:
            rig.serve_wehe(film)
            error = rig.begin_wehe(film[0]).ends(7, 120).lines()[-1]
            assert error['error'] == 'lost' and error['weheCode'] == 8, error
