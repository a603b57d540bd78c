#!/usr/bin/env python3
"""How well luna watch finds what follows, on simulated days (scripts/lib/simulate-days), beside the comparison rule.

  watch.py [--seeds 1-20] [--interval 5] [--rules] [--speed] [--jobs 2] [--luna FILE] [--check]

--rules: turns off each single rule, on the first three seeds, and prints what changes. --speed: how long a day of 10 million
advertisements with many identifiers takes, and what memory. --check: fails where a bar is missed.
"""
import argparse, concurrent.futures, datetime, importlib.machinery, importlib.util, json, os, pathlib, random, statistics, struct, subprocess, sys
import tempfile, threading, time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent.parent
PLANTED = [None, "P1", "P2", "P3", "P4"]
RULES = ["bothEnds", "chain", "crowd", "noLinkAtEdges", "nearOwner", "stayed", "confidence", "shortLived", "signal"]


def simulation():
    loader = importlib.machinery.SourceFileLoader("simulate_days", str(ROOT / "scripts/lib/simulate-days"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("simulate_days", loader))
    sys.dont_write_bytecode = True
    loader.exec_module(module)
    return module


def seconds(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


class Run:
    """One luna watch that reads from a pipe."""

    def __init__(self, luna, gpx, more=()):
        self.lines = []
        self.state = tempfile.TemporaryDirectory()
        self.process = subprocess.Popen(
            [luna, "watch", "-r", "-", "--track", gpx, "--format", "jsonl", "--state", self.state.name, *more],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.reader = threading.Thread(target=self.read)
        self.reader.start()

    def read(self):
        self.lines += [json.loads(line) for line in self.process.stdout]

    def end(self):
        self.process.stdin.close()
        self.reader.join()
        code = self.process.wait()
        if code not in (0, 1):
            sys.exit(f"luna watch ended with {code}")
        self.state.cleanup()
        return self.lines


def judge_seed(seed, interval, luna, more):
    module = simulation()
    with tempfile.TemporaryDirectory() as folder:
        gpx = folder + "/days.gpx"
        module.write_gpx(module.Days(seed, 14), gpx)
        runs = {kind: Run(luna, gpx, more) for kind in PLANTED}
        _, truth = module.simulate(seed, {kind: runs[kind].process.stdin.write for kind in PLANTED}, 14, interval)
        return judge(seed, {kind: run.end() for kind, run in runs.items()}, truth)


def judge(seed, lines, truth):
    base = truth["none"]
    found = [line for line in lines[None] if line["type"] == "suspect"]
    families = {}
    alarms = [line for line in found if line["grade"] == "alarm"]
    for line in alarms:
        families[line["family"]] = families.get(line["family"], 0) + 1
    result = {
        "seed": seed, "false": len(alarms), "families": families, "other": base["comparison"]["false"],
        "otherFamilies": base["comparison"]["families"], "possible": sum(l["grade"] == "possible" for l in found),
        "suspects": sum(l["grade"] == "suspect" for l in found), "notices": sum(l["grade"] == "notice" for l in found),
        "whose": [sorted({base["whose"].get(name, "?") for name in line["identifiers"]}) for line in alarms]}
    for kind in PLANTED[1:]:
        mine = set(truth[kind]["identifiers"])
        of = [l for l in lines[kind] if l["type"] == "suspect" and mine & set(l["identifiers"])]
        since = seconds(truth[kind]["since"])
        begin = min(seconds(trip["begin"]) for trip in truth[kind]["trips"] if seconds(trip["begin"]) >= since)
        first = {}
        for line in of:
            first.setdefault(line["grade"], seconds(line["time"]))
        minutes = lambda grade: (first[grade] - begin) / 60 if grade in first else None
        result[kind] = {
            "notice": minutes("notice"), "suspect": minutes("suspect"), "alarm": minutes("alarm"),
            "possible": minutes("possible"), "days": (first["alarm"] - since) / 86400 if "alarm" in first else None,
            "possibleDays": (first["possible"] - since) / 86400 if "possible" in first else None,
            "turned": any(begin <= seconds(turn) <= begin + 90 * 60 for turn in truth[kind]["turns"]),
            "other": truth[kind]["comparison"]["found"]}
    return result


def mean(values): return statistics.mean(values) if values else 0


def together(counts):
    total = {}
    for part in counts:
        for family, count in part.items():
            total[family] = total.get(family, 0) + count
    return ", ".join(f"{family} {count}" for family, count in sorted(total.items())) or "none"


def figures(results):
    """What a rule can change, by its name."""
    count = len(results)
    figure = {"false alarms": mean([r["false"] for r in results]), "suspects": mean([r["suspects"] for r in results]),
              "notices": mean([r["notices"] for r in results]), "false possible": mean([r["possible"] for r in results])}
    for kind in PLANTED[1:]:
        for grade in ("suspect", "alarm", "possible"):
            times = [r[kind][grade] for r in results if r[kind][grade] is not None]
            figure[f"{kind} with {grade}, of {count} seeds"] = len(times)
            if times:
                figure[f"{kind} {grade} after (min)"] = statistics.median(times)
    return figure


def changes(usual, without):
    """What is another number without a rule, for people."""
    said = []
    for name in dict.fromkeys([*usual, *without]):
        before, after = usual.get(name), without.get(name)
        if before != after:
            said.append(f"{name} {'-' if before is None else f'{before:.4g}'} -> {'-' if after is None else f'{after:.4g}'}")
    return said


def report(results):
    """Prints the bars; returns those that were missed."""
    missed = []

    def bar(text, good):
        print(f"  {'ok    ' if good else 'MISSED'} {text}")
        if not good:
            missed.append(text)

    count = len(results)
    false, other = mean([r["false"] for r in results]), mean([r["other"] for r in results])
    bar(f"false alarms in 14 days: mean {false:.2f} (at most 0.5), by family: {together([r['families'] for r in results])}", false <= 0.5)
    bar(f"comparison rule: mean {other:.2f}, by family: {together([r['otherFamilies'] for r in results])}; ours at most 1/5", false <= other / 5)
    within = lambda r, kind: ((r[kind]["suspect"] or 1e9) <= 45, (r[kind]["alarm"] or 1e9) <= 90)
    for kind in ("P1", "P2"):
        held = [r for r in results if not r[kind]["turned"]]
        good = [all(within(r, kind)) for r in held]
        times = [r[kind]["alarm"] for r in held if r[kind]["alarm"] is not None]
        bar(f"{kind}: suspect within 45 min and alarm within 90 in {sum(good)} of {len(held)} seeds"
            f" (alarm after {min(times, default=0):.0f} to {max(times, default=0):.0f} min);"
            f" comparison finds it in {sum(r[kind]['other'] is not None for r in results)} of {count}", all(good))
    good = [(r["P3"]["days"] or 1e9) <= 2 for r in results]
    seen = [any(r["P3"][grade] is not None for grade in ("notice", "suspect", "alarm")) for r in results]
    bar(f"P3: alarm within two days in {sum(good)} of {count} (60 %), at least a notice in {sum(seen)};"
        f" comparison finds it in {sum(r['P3']['other'] is not None for r in results)}", sum(good) >= 0.6 * count and all(seen))
    good = [(r["P4"]["possibleDays"] or 1e9) <= 3 for r in results]
    bar(f"P4: possible by the third day in {sum(good)} of {count} (80 %);"
        f" comparison finds it in {sum(r['P4']['other'] is not None for r in results)}", sum(good) >= 0.8 * count)
    bar(f"P4: alarms {sum(r['P4']['alarm'] is not None for r in results)} (never)", not any(r["P4"]["alarm"] for r in results))
    possible = mean([r["possible"] for r in results])
    bar(f"false possible: mean {possible:.2f} (at most 0.5)", possible <= 0.5)
    print(f"         besides, per seed: {mean([r['suspects'] for r in results]):.1f} suspects, {mean([r['notices'] for r in results]):.1f} notices")
    for result in results:
        if result["whose"]:
            print(f"         seed {result['seed']}: false alarms of {result['whose']}")
    return missed


def busy_day(module, count):
    """A day on which one is among a thousand people whose trackers come, go and change their identifiers, and three hundred
    phones: so many advertisements, a minute of them at a time."""
    chance = random.Random(12)
    people, phones = 1000, 300
    tags, until, turns, packets = [None] * people, [0] * people, [None] * people, [b""] * (people + phones)
    # Seven of ten advertisements are those of trackers.
    order = [one for first in range(0, people, 7)
             for one in (*range(first, min(first + 7, people)), *chance.choices(range(people, people + phones), k=3))]
    pack, sent, place = module.RECORD.pack, 0, 0
    yield b"btsnoop\0" + struct.pack(">II", 1, 1002)
    for minute in range(1440):
        begin = module.MONDAY + 60 * minute
        for number in range(people):
            if until[number] <= begin:
                tags[number] = module.Tag(chance, "crowd", separated=chance.random() < 0.3)
                until[number], turns[number] = begin + 60 * chance.randrange(20, 61), None
            turn = tags[number].turn(begin)
            if turn != turns[number]:
                turns[number] = turn
                rssi = max(-100, min(-30, int(tags[number].signal))) & 0xFF
                packets[number] = tags[number].packet(turn)[0] + bytes([rssi])
        for number in range(people, people + phones):
            if not packets[number] or (minute + number) % 15 == 0:
                data = bytes([2, 1, 0x1A, 0x0A, 0xFF, 0x4C, 0, 0x10, 5]) + chance.randbytes(5)
                report = bytes([0, 1]) + chance.randbytes(5) + bytes([0x40 | chance.randrange(0x40), len(data)]) + data
                packets[number] = bytes([0x04, 0x3E, len(report) + 3, 0x02, 1]) + report + bytes([0xB0])
        share = count * (minute + 1) // 1440 - sent
        time_of_it, step = begin * 1_000_000 + module.EPOCH_DELTA, 60_000_000 // share
        parts = []
        for _ in range(share):
            packet = packets[order[place]]
            size = len(packet)
            parts.append(pack(size, size, 1, 0, time_of_it))
            parts.append(packet)
            time_of_it += step
            place = place + 1 if place + 1 < len(order) else 0
        sent += share
        yield b"".join(parts)


def peak(process):
    """The most memory that a process has had so far, MiB; 0 of one that has ended."""
    try:
        with open(f"/proc/{process.pid}/status") as status:
            return next((int(line.split()[1]) / 1024 for line in status if line.startswith("VmHWM")), 0)
    except OSError:
        return 0


def speed(luna, count=10_000_000):
    """What a day with so many advertisements takes, of many identifiers: processor time on one core, and memory."""
    module = simulation()
    with tempfile.TemporaryDirectory() as folder:
        gpx = folder + "/day.gpx"
        module.write_gpx(module.Days(1, 1), gpx)
        core = str(min(os.sched_getaffinity(0)))
        process = subprocess.Popen(["taskset", "-c", core, luna, "watch", "-r", "-", "--track", gpx, "--format", "jsonl", "--state", folder + "/state"],
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        lines = []
        reader = threading.Thread(target=lambda: lines.extend(process.stdout))
        reader.start()
        memory = 0
        for part in busy_day(module, count):
            process.stdin.write(part)
            memory = max(memory, peak(process))
        process.stdin.close()
        # It judges once more, and is gone then.
        while reader.is_alive():
            memory = max(memory, peak(process))
            reader.join(0.01)
        _, _, usage = os.wait4(process.pid, 0)
        process.returncode = 0
        used, end = usage.ru_utime + usage.ru_stime, json.loads(lines[-1])
        heard = end["heard"]
        print(f"  a day of {heard} advertisements with {end['identifiers'] + end['forgotten']} identifiers, of which {end['forgotten']} made room:"
              f" {used:.1f} s of a core (at most 30), memory {memory:.1f} MiB (at most 40)")
        return [] if heard == count and used <= 30 and memory <= 40 else ["speed and memory"]


def numbers(text):
    first, _, last = text.partition("-")
    return list(range(int(first), int(last or first) + 1))


def run(options, seeds, more=()):
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        waiting = [pool.submit(judge_seed, seed, options.interval, options.luna, more) for seed in seeds]
        return [one.result() for one in waiting]


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--seeds", type=numbers, default=numbers("1-20"))
    options.add_argument("--interval", type=int, default=5)
    options.add_argument("--rules", action="store_true")
    options.add_argument("--speed", action="store_true")
    options.add_argument("--check", action="store_true")
    options.add_argument("--jobs", type=int, default=2)
    options.add_argument("--luna", default=str(ROOT / ".build/release/luna"))
    options = options.parse_args()
    began = time.monotonic()
    print(f"watch, seeds {options.seeds[0]} to {options.seeds[-1]}, a frame each {options.interval} s")
    results = run(options, options.seeds)
    missed = report(results)
    if options.rules:
        few = options.seeds[:3]
        usual = figures([result for result in results if result["seed"] in few])
        print(f"what each rule is worth, seeds {few[0]} to {few[-1]}: what changes without it")
        for rule in RULES:
            changed = changes(usual, figures(run(options, few, ("--without", rule))))
            print(f"  {rule}: {'; '.join(changed) or 'nothing'}", flush=True)
    if options.speed:
        missed += speed(options.luna)
    print(f"  in {time.monotonic() - began:.0f} s")
    if options.check and missed:
        sys.exit(1)


if __name__ == "__main__":
    main()
