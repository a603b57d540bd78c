#!/usr/bin/env python3
"""What a gateway costs: memory after a day of traffic, and how fast a queue is brought away. A JSON line
for each; needs the release binary."""
import json, os, pathlib, re, subprocess, sys, tempfile, threading, time

ROOT = pathlib.Path(__file__).resolve().parents[3]
LUNA = os.environ.get("LUNA", ROOT / ".build/release/luna")


def run(command):
    """Seconds and peak memory in KiB of one run, output thrown away."""
    pid = os.posix_spawnp(
        command[0], [str(word) for word in command], os.environ,
        file_actions=[(os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0), (os.POSIX_SPAWN_OPEN, 2, "/dev/null", os.O_WRONLY, 0)])
    start = time.monotonic()
    _, status, usage = os.wait4(pid, 0)
    if status != 0:
        sys.exit(f"{' '.join(map(str, command))} ended with status {status}")
    return time.monotonic() - start, usage.ru_maxrss


def report(row, name, value, unit, **more):
    print(json.dumps({"row": row, "name": name, "value": round(value, 1), "unit": unit} | more))


def main():
    with tempfile.TemporaryDirectory() as folder:
        day = f"{folder}/day.btsnoop"
        subprocess.run([sys.executable, ROOT / "scripts/lib/bench/generate_day.py", day,
                        "--start", str(int(time.time()) - 86400)], check=True, stdout=subprocess.DEVNULL)
        words = [LUNA, "finder", "--location", "static:52.5,13.25", "--format", "text", "--state", folder]
        seconds, memory = run([*words, "--read", day])
        tokens = f"{folder}/gateway.token"
        store = f"sqlite:{folder}/backend.db"
        subprocess.run([LUNA, "backend", "token", "create", "gateway", "bench", "--store", store, "--out", tokens], check=True)
        backend = subprocess.Popen([LUNA, "backend", "--store", store, "--listen", "127.0.0.1:0"], stderr=subprocess.PIPE, text=True)
        url = next(json.loads(line)["address"] for line in backend.stderr if '"listening"' in line)
        threading.Thread(target=lambda: [None for _ in backend.stderr], daemon=True).start()
        gateway = subprocess.Popen(
            [*words, "--radio", "virtual", "--format", "jsonl", "--backend", f"http://{url}", "--token-file", tokens],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        events = first = last = 0
        for line in gateway.stdout:
            line = json.loads(line)
            if line["type"] != "upload":
                continue
            last = time.monotonic()
            first = first or last
            events += line["events"]
            if last - first > 10 or line["waiting"] < 10:
                break
        peak = int(re.search(r"VmHWM:\s+(\d+)", pathlib.Path(f"/proc/{gateway.pid}/status").read_text()).group(1))
        gateway.kill()
        backend.terminate()
        gateway.wait(), backend.wait()
        report(20, "luna finder: memory after a day of 100 trackers, and while that is uploaded", max(memory, peak) / 1024, "MiB",
               must=30, seconds=round(seconds, 1), after_a_day=round(memory / 1024, 1))
        report(21, "luna finder: queued events uploaded, 10 in a batch", events / max(last - first, 1e-3), "1/s", must=500)


main()
