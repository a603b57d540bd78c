"""share.py: how long it takes to make a share of 30 days and to take it, each with all rights and as the command does it, its
start included. Prints a JSON line each, with the bar beside it (HOME.md 14); exits with 1 when one is missed. Needs the release
binary, or that of LUNA."""
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
        made, taken, size = [], [], 0
        for number in range(5):
            file = f"{folder}/{number}.lunashare"
            made.append(luna(anna, "share", "add", "bike", "--with", "ben", "--days", "30", "--status", "--ring", "--yes", "-o", file)[1])
            taken.append(luna(ben, "share", "import", file)[1])
            size = os.path.getsize(file)
        missed = False
        for name, seconds in (("made, sealed and written", made), ("opened and taken", taken)):
            middle = statistics.median(seconds)
            missed = missed or middle > BAR
            print(json.dumps({"name": f"a share of 30 days {name} (must {BAR})", "value": round(middle, 3), "unit": "s", "kB": round(size / 1000)}))
        sys.exit(1 if missed else 0)


main()
