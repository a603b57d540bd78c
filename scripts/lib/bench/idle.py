#!/usr/bin/env python3
"""How often luna finder, local and backend wake up while nothing happens: voluntary context switches of all
threads (/proc/PID/task/*/status) a second, a JSON line for each. The controller is one of scripts/vm/world.py
that hears nothing; its Python is made by scripts/vm/setup."""
import json, os, pathlib, re, subprocess, sys, tempfile, threading, time

ROOT = pathlib.Path(__file__).resolve().parents[3]
LUNA = os.environ.get("LUNA", ROOT / ".build/release/luna")
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "luna-vm"
SECONDS, SETTLING, LIMIT = 20, 8, 2


def switches(process):
    """The voluntary context switches so far of each thread."""
    found = {}
    for task in pathlib.Path(f"/proc/{process.pid}/task").iterdir():
        try:
            found[task.name] = int(re.search(r"^voluntary_ctxt_switches:\s+(\d+)", (task / "status").read_text(), re.M).group(1))
        except FileNotFoundError:
            pass  # a thread that has just ended
    return found


def wakeups(process):
    before, began = switches(process), time.monotonic()
    time.sleep(SECONDS)
    after, took = switches(process), time.monotonic() - began
    if process.poll() is not None:
        sys.exit(f"{' '.join(map(str, process.args))} ended with status {process.returncode}")
    return sum(count - before.get(thread, 0) for thread, count in after.items()) / took


def start(words, sign):
    """A process, once it has written what tells that it runs."""
    process = subprocess.Popen([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    said = []
    for line in process.stdout:
        said.append(line)
        if sign in line:
            break
    else:
        sys.exit(f"{' '.join(map(str, words))}: {''.join(said)}")
    threading.Thread(target=lambda: [None for _ in process.stdout], daemon=True).start()
    return process


def silent(folder, name):
    """A controller that hears nothing."""
    path = f"{folder}/{name}.sock"
    world = subprocess.Popen([CACHE / "venv/bin/python", ROOT / "scripts/vm/world.py", f"unix:{path}"],
                             stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    world.stdout.readline()
    for command in ("still", "deaf 0"):
        world.stdin.write(command + "\n")
        world.stdin.flush()
        world.stdout.readline()
    return world, f"h4:{path}"


def main():
    too_many = []
    with tempfile.TemporaryDirectory() as folder:
        for name, words, sign in [
            ("finder", ["--location", "static:52.5,13.25", "--format", "jsonl"], "h4:"),
            ("local", ["--format", "jsonl"], "h4:"),
            ("backend", ["--store", f"sqlite:{folder}/backend.db", "--listen", "127.0.0.1:0"], "listening"),
        ]:
            world = None
            words = [LUNA, name, *words]
            if name != "backend":
                world, radio = silent(folder, name)
                words += ["--radio", radio, "--state", f"{folder}/{name}"]
            process = start(words, sign)
            try:
                time.sleep(SETTLING)
                rate = wakeups(process)
            finally:
                process.terminate()
                process.wait()
                if world:
                    world.stdin.close()
                    world.wait()
            print(json.dumps({"name": f"luna {name}, idle: wake-ups", "value": round(rate, 2), "unit": "1/s", "must": LIMIT}), flush=True)
            if rate > LIMIT:
                too_many.append(name)
    if too_many:
        sys.exit(f"more than {LIMIT} wake-ups a second: {', '.join(too_many)}")


main()
