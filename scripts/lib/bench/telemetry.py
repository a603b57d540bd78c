#!/usr/bin/env python3
"""scripts/lib/bench/telemetry.py [--luna PROGRAM] [--rounds N]: what sending telemetry costs, and a gateway that tells how
it is: 500 items flushed to a backend on loopback with SQLite, the memory of luna finder with and without health, and
the bytes of a sample in the backend's database, and what it takes to try in vain. Rows 18 to 21 of the table of benchmarks."""
import argparse, json, os, pathlib, re, signal, socket, sqlite3, statistics, subprocess, sys, tempfile, time

ROOT = pathlib.Path(__file__).resolve().parents[3]
PLACE = "static:52.5,13.25"


def report(row, name, value, unit, **details):
    print(json.dumps({"row": row, "name": name, "value": round(value, 3), "unit": unit, **details}), flush=True)


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--luna", default=str(ROOT / ".build/release/luna"))
    options.add_argument("--rounds", type=int, default=9)
    options.add_argument("--gateways", type=int, default=200)
    options = options.parse_args()
    luna = options.luna
    with tempfile.TemporaryDirectory() as folder:
        store = f"{folder}/backend.sqlite"
        token = f"{folder}/token"
        subprocess.run([luna, "backend", "token", "create", "gateway", "gw", "--store", "sqlite:" + store, "--out", token],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        log = open(f"{folder}/log", "w")
        backend = subprocess.Popen([luna, "backend", "--listen", "127.0.0.1:0", "--store", "sqlite:" + store], stdout=log, stderr=log)
        try:
            while not (found := re.search(r'"address":"(127.0.0.1:\d+)"', open(f"{folder}/log").read())):
                time.sleep(0.05)
            at = ["--backend", "http://" + found.group(1), "--token-file", token]
            flush(luna, folder, at, options.rounds)
            finder(luna, folder, at)
        finally:
            backend.terminate()
            backend.wait(20)
        size(store, options.gateways)
        blocked(luna, folder, token)


def flush(luna, folder, at, rounds):
    state = f"{folder}/state"
    times = []
    subprocess.run([luna, "telemetry", "log", "warm", "--state", state], check=True)
    for number in range(rounds):
        with sqlite3.connect(f"{state}/telemetry.data") as database:
            database.execute("DELETE FROM items")
            database.executemany(
                "INSERT INTO items(id, kind, time, key, value, count) VALUES(randomblob(16), 1, ?, ?, '17', 1)",
                [(int(time.time() * 1e6), f"luna.bench.key{item}") for item in range(500)])
        began = time.monotonic()
        done = subprocess.run([luna, "telemetry", "flush", *at, "--state", state, "--format", "jsonl"], check=True, stdout=subprocess.PIPE)
        times.append(time.monotonic() - began)
        assert json.loads(done.stdout)["accepted"] == 500, done.stdout
    report(18, "500 items flushed, with the start of the command", 1000 * statistics.median(times), "ms",
           worst_ms=round(1000 * max(times), 1))


def finder(luna, folder, at):
    memory = {}
    for name, words in {"with": [], "without": ["--no-health"]}.items():
        process = subprocess.Popen([luna, "finder", *at, "--state", f"{folder}/{name}", "--location", PLACE, "--radio", "virtual:7", *words],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(75)
        memory[name] = int(re.search(r"VmHWM:\s+(\d+)", open(f"/proc/{process.pid}/status").read()).group(1)) / 1024
        process.send_signal(signal.SIGTERM)
        process.wait(30)
    report(19, "memory of luna finder for telling how it is", memory["with"] - memory["without"], "MiB", **{k: round(v, 1) for k, v in memory.items()})


def size(store, gateways):
    """A sample of the finder that ran, copied for many gateways and days."""
    with sqlite3.connect(store) as database:
        data = database.execute("SELECT data FROM samples WHERE step = 0").fetchone()[0]
        database.execute("VACUUM")
        before = database.execute("PRAGMA page_count").fetchone()[0]
        rows = ((f"gw-{number:016x}", 0, time_ * 300_000_000, 1, data) for number in range(gateways) for time_ in range(576))
        database.executemany("INSERT INTO samples VALUES(?, ?, ?, ?, ?)", rows)
        database.commit()
        database.execute("VACUUM")
        pages = database.execute("PRAGMA page_count").fetchone()[0] - before
        bytes_ = pages * database.execute("PRAGMA page_size").fetchone()[0] / (gateways * 576)
    # 48 h of five minutes, 30 d of hours, 400 d of days.
    report(20, "a sample in the database", bytes_, "bytes", gigabytes_of_10000_gateways=round(bytes_ * (576 + 720 + 400) * 10_000 / 1e9, 2))


def blocked(luna, folder, token, seconds=120):
    """What a gateway takes more whose network takes everything and answers nothing, beside one that has no backend."""
    with socket.socket() as hole:
        hole.bind(("127.0.0.1", 0))
        hole.listen(64)
        words = {"blocked": ["--backend", f"http://127.0.0.1:{hole.getsockname()[1]}", "--token-file", token], "alone": []}
        running = {name: subprocess.Popen([luna, "finder", *more, "--state", f"{folder}/{name}", "--location", PLACE, "--radio", "virtual:7"],
                                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for name, more in words.items()}
        try:
            # Where it begins, both do the same.
            time.sleep(10)
            before = {name: processor(process) for name, process in running.items()}
            began = time.monotonic()
            time.sleep(seconds)
            used = {name: 100 * (processor(process) - before[name]) / (time.monotonic() - began) for name, process in running.items()}
        finally:
            for process in running.values():
                process.kill()
                process.wait()
    report(21, "luna finder whose network answers nothing", used["blocked"] - used["alone"], "% of a core", **{name: round(part, 2) for name, part in used.items()})


def processor(process):
    """The time that a process has had, s."""
    fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    sys.exit(main())
