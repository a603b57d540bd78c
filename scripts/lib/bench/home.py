"""home.py: how fast luna judges a recorded day again: 100,000 positions of 50 trackers among 10 places, and
200,000 frames of a quarter of an hour's crowd, each with 100 rules. Prints a JSON line each. Needs the release binary."""
import datetime, json, pathlib, random, resource, statistics, subprocess, tempfile, time

LUNA = pathlib.Path(__file__).resolve().parents[3] / ".build/release/luna"
TRACKERS = [f"t{number}" for number in range(50)]
START = datetime.datetime(2026, 6, 1)


def home(when):
    """A home's file with 100 rules, of which the number gives what starts each."""
    places = [{"id": f"p{number}", "latitude": 52.5 + number / 100, "longitude": 13.4, "radius": 100} for number in range(10)]
    rules = [{"id": f"r{number}", "when": [when(number)], "then": [{"ping": {}}]} for number in range(100)]
    return json.dumps({"trackers": [{"id": tracker} for tracker in TRACKERS], "places": places, "rules": rules})


def line(number, step, **fields):
    moment = START + datetime.timedelta(microseconds=number * step)
    return json.dumps({"type": "input", "time": moment.isoformat(timespec="microseconds") + "Z", **fields})


def positions(chance, count=100_000):
    """Trackers that are in another place each time: the worst that there is to judge."""
    for number in range(count):
        latitude = 52.5 + chance.randrange(10) / 100 + chance.gauss(0, 0.0003)
        yield line(number, 864_000, kind="fix", tracker=chance.choice(TRACKERS), latitude=latitude, longitude=13.4, accuracy=20)


def frames(chance, count=200_000):
    for number in range(count):
        yield line(number, 5_000, kind="frame", tracker=chance.choice(TRACKERS), rssi=chance.randrange(-68, -52), adapter="hci0")


def measure(name, must, rules, lines):
    with tempfile.TemporaryDirectory() as folder:
        file, day = pathlib.Path(folder, "home.json"), pathlib.Path(folder, "day.jsonl")
        file.write_text(rules)
        count = 0
        with open(day, "w") as output:
            for text in lines:
                output.write(text + "\n")
                count += 1
        took = []
        for _ in range(5):
            began = time.monotonic()
            done = subprocess.run([LUNA, "rule", "test", "--file", file, "--replay", day, "--format", "jsonl"],
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            took.append(time.monotonic() - began)
            # 1: nothing would have run.
            assert done.returncode in (0, 1), done.stderr
    print(json.dumps({"name": name, "value": round(statistics.median(took), 2), "unit": f"s (must {must})", "inputs": count,
                      "firings": done.stdout.count(b'"firing"'),
                      "peak_mib": round(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024, 1)}))


def main():
    chance = random.Random(1)
    measure("a day of 100,000 positions judged again", 1,
            home(lambda number: {"enter": {"who": TRACKERS[number % 50], "place": f"p{number % 10}"}}), positions(chance))
    measure("200,000 frames judged again, the file read included (must be 200,000 a second)", 1,
            home(lambda number: {("beaconIn", "beaconOut")[number % 2]: {"who": TRACKERS[number % 50]}}), frames(chance))


main()
