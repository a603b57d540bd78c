"""What was measured, beside what must be."""


class Table:
    def __init__(self):
        self.rows = []

    def add(self, what, value, unit, most=None, note=""):
        """A line; `most` is what must not be passed, None where a number only shows the scale."""
        self.rows.append((what, value, unit, most, note))
        print(self.line(self.rows[-1]), flush=True)

    def skip(self, what, why):
        """What could not be measured is not as it must be."""
        self.rows.append((what, None, "", None, f"not measured: {why}"))
        print(self.line(self.rows[-1]), flush=True)

    @staticmethod
    def is_good(row):
        return row[1] is not None and (row[3] is None or row[1] <= row[3])

    @staticmethod
    def line(row):
        what, value, unit, most, note = row
        said = "" if value is None else f"{value:,.1f} {unit}"
        must = "" if most is None else f"{most:,g} {unit}"
        return f"{'' if Table.is_good(row) else '!':1} {what:58} {must:>14} {said:>16}  {note}"

    def show(self):
        """Prints it; gives the exit code."""
        print(f"\n  {'':58} {'at most':>14} {'measured':>16}")
        for row in self.rows:
            print(self.line(row))
        return 0 if all(map(self.is_good, self.rows)) else 1
