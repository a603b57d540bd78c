"""The table of SCALE.md, 4, but for its lines 12 and 13: what the tests of integration measure, with nothing beside them."""

import pathlib, re, subprocess

GROUPS = ["backendyear", "backendpostgres", "backendfaults", "backendfailover", "backendmove", "backendshards"]


def measure(options, table):
    root = pathlib.Path(__file__).resolve().parents[3]
    words = [word for group in GROUPS for word in ("--group", group)]
    said = []
    with subprocess.Popen([root / "Tests/integration/run", options.luna, "--jobs", "1", *words], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, text=True) as run:
        for line in run.stdout:
            print(line, end="", flush=True)
            said.append(line)
    count = re.fullmatch(r"(\d+) passed, (\d+) failed\n", said[-1] if said else "")
    if not count:
        return table.skip("tests of backends on PostgreSQL", f"they ended with {run.returncode}")
    table.add("tests of backends on PostgreSQL that failed", int(count[2]), "tests", 0, f"{count[1]} passed")
    table.add("figures that are not as they have to be", sum("(missed)" in line for line in said), "figures", 0)
