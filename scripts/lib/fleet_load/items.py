"""What telemetry costs whoever records it: the rows of scripts/bench."""

import json, subprocess, sys

from .table import Table

# Rows of scripts/bench --telemetry, and what they must be at most.
MOST = {17: 3, 18: 200, 19: 4, 20: 250, 21: 1}


def measure(options, table: Table):
    from pathlib import Path
    root = Path(__file__).resolve().parents[3]
    done = subprocess.run([sys.executable, root / "scripts/bench", "--telemetry"], stdout=subprocess.PIPE, text=True)
    rows = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    for row in rows:
        table.add(row["name"].split(" (must")[0], row["value"], row["unit"], MOST.get(row["row"]), f"scripts/bench --telemetry, row {row['row']}")
    for number in MOST.keys() - {row["row"] for row in rows}:
        table.skip(f"row {number} of scripts/bench", "it failed")
