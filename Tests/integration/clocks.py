"""What the clocks of all time zones of the system show, by Python's zoneinfo and by ICU, which have nothing in common with
each other but the data of IANA, and not even its release."""

import datetime
import pathlib
import zoneinfo

try:
    import icu
except ImportError:
    icu = None

FOLDER = pathlib.Path('/usr/share/zoneinfo')
# No zone changes twice in so many seconds.
STEP = 5 * 86400
EPOCH = datetime.datetime(1970, 1, 1)


def stamp(year, month=1, day=1):
    return int(datetime.datetime(year, month, day, tzinfo=datetime.timezone.utc).timestamp())


class Zone:
    """A zone as Python sees it."""

    def __init__(self, name):
        self.name = name
        with open(FOLDER / name, 'rb') as file:
            self.zone = zoneinfo.ZoneInfo.from_file(file)

    def offset(self, moment):
        """How far the clocks are ahead of UTC, s."""
        return int(datetime.datetime.fromtimestamp(moment, self.zone).utcoffset().total_seconds())

    def first(self, local):
        """When the clocks first show a time, given as s since 1970 as they would be in UTC; None where they never do."""
        moment = int((EPOCH + datetime.timedelta(seconds=local)).replace(tzinfo=self.zone, fold=0).timestamp())
        return moment if moment + self.offset(moment) == local else None

    def changes(self, begin, end):
        """Where the offset changes: [(moment, before, after)]."""
        found, before = [], self.offset(begin)
        for moment in range(begin, end, STEP):
            after = self.offset(moment + STEP)
            if after != before:
                low, high = moment, moment + STEP
                while high - low > 1:
                    middle = (low + high) // 2
                    low, high = (middle, high) if self.offset(middle) == before else (low, middle)
                found.append((high, before, after))
                before = after
        return found


class ZoneOfICU:
    """The same as ICU sees it."""

    def __init__(self, name):
        self.zone, self.former = icu.TimeZone.createTimeZone(name), icu.UTimeZoneLocalOption.FORMER
        self.is_known = self.zone.getID() == name

    def offset(self, moment):
        return sum(self.zone.getOffset(float(moment), False)) // 1000

    def first(self, local):
        moment = local - sum(self.zone.getOffsetFromLocal(float(local), self.former, self.former)) // 1000
        return moment if moment + self.offset(moment) == local else None

    def has(self, zone, changes, begin, end):
        """Whether its data have the same changes."""
        moments = [moment + near for moment, _, _ in changes for near in (-1, 0)]
        return self.is_known and all(self.offset(moment) == zone.offset(moment) for moment in [*moments, *range(begin, end, STEP)])


def zones(begin, end):
    """The zones of the system, each set of rules once: [(zone, changes)]."""
    zoneinfo.reset_tzpath([str(FOLDER)])
    known, found = set(), []
    for name in sorted(zoneinfo.available_timezones() - {'localtime'}):
        rules = (FOLDER / name).read_bytes()
        if rules not in known:
            known.add(rules)
            zone = Zone(name)
            found.append((zone, zone.changes(begin, end)))
    return found


def judges(zone, changes, begin, end):
    """Who says how it has to be: Python, and ICU where it is there and has the same changes."""
    if not icu:
        return [zone]
    other = ZoneOfICU(zone.name)
    return [zone, other] if other.has(zone, changes, begin, end) else [zone]


def day_of(local):
    return (EPOCH + datetime.timedelta(seconds=local)).strftime('%Y-%m-%d')


def time_of(local):
    return (EPOCH + datetime.timedelta(seconds=local)).strftime('%H:%M')
