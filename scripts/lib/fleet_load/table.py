"""What was measured, beside what must be."""


class Table:
    def __init__(self):
        self.rows = []

    def add(self, what, value, unit, most=None, note="", least=None):
        """A line; `most` is what must not be passed, and `least` what must be reached. Without either a number only shows
        the scale."""
        self.rows.append((what, value, unit, most, note, least))
        print(self.line(self.rows[-1]), flush=True)

    def skip(self, what, why):
        """What could not be measured is not as it must be."""
        self.rows.append((what, None, "", None, f"not measured: {why}", None))
        print(self.line(self.rows[-1]), flush=True)

    @staticmethod
    def is_good(row):
        _, value, _, most, _, least = row
        return value is not None and (most is None or value <= most) and (least is None or value >= least)

    @staticmethod
    def line(row):
        what, value, unit, most, note, least = row
        said = "" if value is None else f"{value:,.1f} {unit}"
        must = f"{most:,g} {unit}" if most is not None else f">= {least:,g} {unit}" if least is not None else ""
        return f"{'' if Table.is_good(row) else '!':1} {what:58} {must:>14} {said:>16}  {note}"

    def show(self):
        """Prints it; gives the exit code."""
        print(f"\n  {'':58} {'must be':>14} {'measured':>16}")
        for row in self.rows:
            print(self.line(row))
        return 0 if all(map(self.is_good, self.rows)) else 1
