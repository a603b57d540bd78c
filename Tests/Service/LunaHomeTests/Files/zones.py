"""Prints, for every zone of the system and each of its changes from 2020 to 2040 (and Apia's of 2011), what Python's
zoneinfo says: `o` offsets at moments, and for local times when they come: `r` at a moment, `s` left out until a moment,
`n` on a day that is left out. Of names for the same rules the first one has it all, the others one line."""

import datetime
import pathlib
import zoneinfo

UTC = datetime.timezone.utc
FOLDER = pathlib.Path('/usr/share/zoneinfo')
zoneinfo.reset_tzpath([str(FOLDER)])
# No zone changes twice in so many seconds.
STEP = 7 * 86400
EPOCH = datetime.datetime(1970, 1, 1)


def offset(zone, moment):
    return int(datetime.datetime.fromtimestamp(moment, zone).utcoffset().total_seconds())


def stamp(year, month=1, day=1):
    return int(datetime.datetime(year, month, day, tzinfo=UTC).timestamp())


def changes(zone, first, last):
    """Where the offset changes: looked for by weeks, then by halves."""
    previous, moment = offset(zone, first), first
    while moment < last:
        following = moment + STEP
        if offset(zone, following) != previous:
            low, high = moment, following
            while high - low > 1:
                middle = (low + high) // 2
                low, high = (middle, high) if offset(zone, middle) == previous else (low, middle)
            yield high, previous, offset(zone, high)
            previous = offset(zone, following)
        moment = following


def answer(zone, local, change, before, after):
    """When a local time comes."""
    time = EPOCH + datetime.timedelta(seconds=local)
    aware = time.replace(tzinfo=zone, fold=0)
    moment = int(aware.timestamp())
    if datetime.datetime.fromtimestamp(moment, zone).replace(tzinfo=None, fold=0) == time:
        return f'r {local} {moment}'
    midnight = local // 86400 * 86400
    if change + before <= midnight and midnight + 86400 <= change + after:
        return f'n {local} -'
    return f's {local} {change}'


def main():
    known = set()
    for name in sorted(zoneinfo.available_timezones()):
        zone = zoneinfo.ZoneInfo(name)
        print(name, 'o', stamp(2020), offset(zone, stamp(2020)))
        rules = (FOLDER / name).read_bytes()
        if rules in known:
            continue
        known.add(rules)
        spans = [(stamp(2020), stamp(2041))] + ([(stamp(2011, 12), stamp(2012))] if name == 'Pacific/Apia' else [])
        for first, last in spans:
            for change, before, after in changes(zone, first, last):
                for moment in (change - 1, change, change + 1, change + 7200):
                    print(name, 'o', moment, offset(zone, moment))
                ends = (change + before, change + after)
                for local in {end + shift for end in ends for shift in (-1800, -1, 0, 1, 900)}:
                    print(name, answer(zone, local, change, before, after))


main()
