"""share.py: how long the steps of a share of 30 days with all rights take, each by itself: its records are made, it is sealed, opened,
and taken; and the two commands that do all of it. With the start of the program each time. Prints a JSON line each, with the bar
beside it (HOME.md 14); exits with 1 when one is missed. Needs the release binary, or that of LUNA."""
import json, os, pathlib, statistics, subprocess, sys, tempfile, time

ROOT = pathlib.Path(__file__).resolve().parents[3]
LUNA = os.environ.get("LUNA", ROOT / ".build/release/luna")
KEY = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
BAR = 1


def luna(state, *words):
    """The lines of a command, and how long it took, s."""
    began = time.monotonic()
    done = subprocess.run([LUNA, *words, "--state", state, "--format", "jsonl"], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    took = time.monotonic() - began
    if done.returncode:
        sys.exit(f"luna {' '.join(words)} ended with {done.returncode}: {done.stderr}")
    return [json.loads(line) for line in done.stdout.splitlines()], took


def answers(folder, group, cases):
    """What `luna selftest --answer` makes of the cases of a group, and how long it took, s."""
    file = pathlib.Path(folder, "questions.json")
    groups = {group: {"cases": [{"id": str(number), "in": case} for number, case in enumerate(cases)]}}
    file.write_text(json.dumps({"format": "luna-share-vectors", "version": 1, "groups": groups}))
    began = time.monotonic()
    done = subprocess.run([LUNA, "selftest", "--answer", file], capture_output=True, text=True)
    took = time.monotonic() - began
    if done.returncode:
        sys.exit(f"luna selftest --answer ended with {done.returncode}: {done.stderr}")
    told = json.loads(done.stdout)
    return [told[str(number)] for number in range(len(cases))], took


def main():
    with tempfile.TemporaryDirectory(prefix="luna-share.") as folder:
        anna, ben = f"{folder}/anna", f"{folder}/ben"
        keys = pathlib.Path(folder, "keys.json")
        keys.write_text(json.dumps({"format": "luna-devices", "version": 1, "devices": [{
            "uuid": "6BA7B810-9DAD-41D1-80B4-00C04FD430C8", "kind": "luna", "name": "bike", "masterKey": KEY,
            "onboardingTimestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())}]}))
        luna(anna, "owner", "import", str(keys))
        cards = {state: luna(state, "contact", "card", "--name", name)[0][0]["text"] for state, name in ((anna, "Anna"), (ben, "Ben"))}
        luna(anna, "contact", "add", "ben", "--card", cards[ben])
        luna(ben, "contact", "add", "anna", "--card", cards[anna])
        seconds, size = {}, 0

        def note(name, took):
            seconds.setdefault(name, []).append(took)

        for number in range(5):
            file = f"{folder}/{number}.lunashare"
            [made], took = luna(anna, "share", "add", "bike", "--with", "ben", "--days", "30", "--status", "--ring", "--yes", "-o", file)
            note("made, sealed and written by its command", took)
            size = os.path.getsize(file)
            first = int(time.time()) // 1024
            records, took = answers(folder, "share-record", [
                {"mk": KEY, "n": first + period, "rights": ["status", "ring"], "ringSeconds": made["ringSeconds"], "ringsPerPeriod": made["ringsPerPeriod"]}
                for period in range(made["periodCount"])])
            note("made", took)
            plaintext = "".join(record["record"] for record in records)
            # But for the 4 bytes, the header and the tag these are all of it.
            assert 0 < size - 56 - len(plaintext) // 2 < 1000, (size, len(plaintext) // 2)
            note("sealed", answers(folder, "share-envelope", [
                {"recipientPrivate": KEY, "senderPrivate": KEY[::-1], "ephemeralPrivate": KEY[2:] + KEY[:2], "plaintext": plaintext}])[1])
            note("opened", luna(ben, "share", "inspect", file)[1])
            note("opened and taken by its command", luna(ben, "share", "import", file)[1])
        missed = False
        for name, all_of_them in seconds.items():
            middle = statistics.median(all_of_them)
            missed = missed or middle > BAR
            print(json.dumps({"name": f"a share of 30 days {name} (must {BAR})", "value": round(middle, 3), "unit": "s", "kB": round(size / 1000)}))
        sys.exit(1 if missed else 0)


main()
