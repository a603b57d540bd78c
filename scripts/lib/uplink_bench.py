#!/usr/bin/env python3
"""scripts/lib/uplink_bench.py [--only PART ...] [--times N] [--jobs N] [--seconds N] [--luna PROGRAM]: what the uplink check finds, and
what it costs, with real connections. A JSON line each; the tests of Tests/integration have the networks that it is measured in.

Parts, of which the last three need root, and are left out with a word without:
  short     a short recording (1.9 MB) at 2 against 8.9 Mbit/s, by our samples and by the original's
  slot      how fast one slot over TLS is on loopback, and the memory of the client
  server    what a server takes that has 64 sessions and 500 Mbit/s
  limits    a name that is limited to half of 5, 20, 100 and 900 Mbit/s, N times each (20)
  controls  no rule, a rule for another name, a slow link: N times each
  places    a limit that two paths share, on each of them, for each connection, on one alone, none: N / 2 times each
All of it takes about two hours, most of that with nothing to do. Ends with 1 when something is not as it must be.
"""
import argparse, concurrent.futures, json, os, pathlib, statistics, sys, tempfile, threading, time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PARTS = ["short", "slot", "server", "limits", "controls", "places"]
MB = 1_000_000
# What a run may take, and what it may use on the cable, headers included (UPLINK.md, 14).
SECONDS, MOST = 60, 105 * MB
FAILURES = []


def report(name, value, unit, good=True, **more):
    """A line; `good`: whether it is as it must be."""
    if not good:
        FAILURES.append(name)
    value = round(value, 3) if isinstance(value, float) else value
    print(json.dumps({"name": name, "value": value, "unit": unit, **more} | ({} if good else {"missed": True})), flush=True)


def needs_root(part):
    if os.geteuid() == 0:
        return True
    print(json.dumps({"name": part, "skipped": "only root can make network namespaces"}), flush=True)
    return False


def processor(process):
    """The time that a process has had, s."""
    fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def peak_mib(process):
    text = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    return next(int(line.split()[1]) for line in text.splitlines() if line.startswith("VmHWM")) / 1024


# On loopback


def agreed(bench, name):
    """A state in which somebody has agreed."""
    from bench import Luna
    path = os.path.join(bench.directory, name)
    Luna(bench, "uplink", "consent", "--accept", "--state", path).ends(0)
    return path


def short(bench, options):
    from bench import Luna
    from wehe_server import WeheServer
    answer, nominal = 1_914_340, 34
    server = WeheServer({"original": 2 * MB // 8, "control": 8_900_000 // 8}, answer)
    folder = pathlib.Path(tempfile.mkdtemp(dir=bench.directory))
    (folder / "Short_11252026.pcap_client_all.json").write_text(server.recording("Short-11252026"))
    apps = folder / "app_list.json"
    apps.write_text(json.dumps({"apps": [{"name": "Short", "time": nominal, "replayFile": "Short_11252026"}]}))
    for buckets, must in (("real", "throttled"), ("nominal", None)):
        home = agreed(bench, f"short-{buckets}")
        words = [*server.words(), "--buckets", buckets, "--no-confirm", "--metered", "no", "--state", home, "--format", "jsonl"]
        run = Luna(bench, "uplink", "check", str(apps), *words)
        run.process.wait(300)
        result = run.lines()[-1]
        verdict = result.get("verdict", result.get("error"))
        name = "a short recording at 2 against 8.9 Mbit/s, samples " + ("of ours (must throttled)" if must else "of the original")
        report(name, verdict, "verdict", must in (None, verdict), p=result.get("original", {}).get("ks2p"))
    server.close()


def serve(bench, tokens):
    """A server of ours on loopback: its process, and a client of it."""
    from bench import Luna, free_port, wait_for
    from uplink_client import UplinkClient
    from uplink_rig import certify
    folder = tempfile.mkdtemp(dir=bench.directory)
    certificate, key = certify(folder, ["DNS:localhost", "IP:127.0.0.1"])
    path = os.path.join(folder, "tokens")
    pathlib.Path(path).write_text("".join(f"token-{number}-of-somebody\n" for number in range(tokens)))
    port = free_port()
    words = ["--listen", f"127.0.0.1:{port}", "--tls-cert", certificate, "--tls-key", key, "--token-file", path]
    server = Luna(bench, "uplink", "serve", *words)
    wait_for(lambda: "checks can be made at" in server.stderr(), 20, lambda: server.stderr())
    return server, UplinkClient(port, certificate), certificate, path


def slot(bench, options):
    server, client, certificate, tokens = serve(bench, 1)
    for direction in ("up", "down"):
        home, path = agreed(bench, f"slot-{direction}"), os.path.join(bench.directory, f"slot-{direction}.jsonl")
        # Ten pairs of large slots: the server gives a session 200 MB.
        words = ["--server", f"https://localhost:{client.port}", "--ca-file", certificate, "--token-file", tokens, "--budget", "400M",
                 "--pairs", "10", "--direction", direction, "--no-confirm", "--metered", "no", "--state", home, "--format", "jsonl"]
        pid = os.posix_spawn(options.luna, [options.luna, "uplink", "check", *words], os.environ, file_actions=[
            (os.POSIX_SPAWN_OPEN, 1, path, os.O_WRONLY | os.O_CREAT, 0o600), (os.POSIX_SPAWN_OPEN, 2, "/dev/null", os.O_WRONLY, 0)])
        _, _, usage = os.wait4(pid, 0)
        result = json.loads(pathlib.Path(path).read_text().splitlines()[-1])
        rates = [slot["mbps"] / 1000 for slot in result.get("slots", []) if "mbps" in slot]
        rate = statistics.median(rates) if rates else 0.0
        memory = usage.ru_maxrss / 1024
        report(f"a slot over TLS on loopback, {direction} (must 2)", rate, "Gbit/s", rate >= 2, slots=len(rates),
               fastest_part_gbps=round(result.get("rateSeen", 0) / 1000, 2))
        report(f"memory of its client, {direction} (must 64)", memory, "MiB", memory <= 64)


def server(bench, options):
    sessions, size = 64, MB
    process, client, _, _ = serve(bench, sessions)
    process = process.process
    body, lock, sent, over = os.urandom(size), threading.Lock(), [0], threading.Event()
    ready = threading.Barrier(sessions + 1, timeout=120)

    def upload(number):
        with client.open(f"token-{number}-of-somebody", f"127.1.0.{number + 1}") as side:
            side.enter()
            ready.wait()
            while not over.is_set():
                answer = client.ask("POST", side.token(size), body, f"127.1.0.{number + 1}")
                count = side.receipt()["bytes"]
                if not answer.startswith(b"HTTP/1.1 204 ") or count != size:
                    raise AssertionError((answer[:100], count))
                with lock:
                    sent[0] += count
            side.bye()

    with concurrent.futures.ThreadPoolExecutor(sessions) as pool:
        done = [pool.submit(upload, number) for number in range(sessions)]
        ready.wait()
        # What was saved up goes first.
        time.sleep(3)
        before, began, used = sent[0], time.monotonic(), processor(process)
        time.sleep(options.seconds)
        bytes, took, used = sent[0] - before, time.monotonic() - began, processor(process) - used
        over.set()
        for one in done:
            one.result()
    rate, cores, memory = bytes * 8 / 1e6 / took, used / took, peak_mib(process)
    report("64 sessions of a server together (must 500)", rate, "Mbit/s", rate >= 475)
    report("what they take (must 1)", cores, "cores", cores <= 1)
    report("and its memory (must 128)", memory, "MiB", memory <= 128)


# In networks


def together(options, count, body, jobs=None):
    """What comes of so many runs, some of them at once: what each gave, or why it failed."""
    def guarded(number):
        try:
            return body(number)
        except Exception as error:
            print(f"  run {number}: {error}", file=sys.stderr, flush=True)
            return None
    with concurrent.futures.ThreadPoolExecutor(jobs or options.jobs) as pool:
        return list(pool.map(guarded, range(count)))


def check(bench, link, rule, **network):
    """A check in a network: its verdict, how many pairs, how long it took, and how many bytes went over the cable."""
    from uplink_rig import Rig
    with Rig(bench, link, rule, **network) as rig:
        rig.serve(tokens=1)
        home, before, began = rig.state(), rig.network.used()[0], time.monotonic()
        result = rig.check(home=home)
        return result["verdict"], result["pairs"], time.monotonic() - began, rig.network.used()[0] - before


def networks(rate):
    """What of a network depends on how fast it is: others than its packets would be too much for a processor."""
    return {"packets": 8, "queue": 400} if rate >= 500 else {"queue": 100 if rate >= 50 else 60}


def tell(name, runs, wanted, count):
    """How many of the runs say what is wanted, and what they took."""
    made = [run for run in runs if run]
    right = sum(run[0] in wanted for run in made)
    longest, most = max((run[2] for run in made), default=0), max((run[3] for run in made), default=0)
    report(f"{name} (must {count})", right, f"of {count}", right == count and longest <= SECONDS and most <= MOST,
           seconds_most=round(longest, 1), megabytes_most=round(most / MB, 1),
           pairs_mean=round(statistics.mean(run[1] for run in made), 1) if made else None,
           others=sorted({run[0] for run in made} - set(wanted)))


def limits(bench, options):
    from packet_rules import Rule
    from ruled_network import NAME, burst, mbit
    if not needs_root("limits"):
        return
    for rate in (5, 20, 100, 900):
        rule = Rule(NAME, rate=mbit(rate / 2), burst=burst(rate / 2), handshakes=rate >= 100)
        # What a processor has to do must not be the limit.
        runs = together(options, options.times, lambda _: check(bench, rate, rule, **networks(rate)), 1 if rate >= 100 else None)
        tell(f"a name limited to half of {rate} Mbit/s is found throttled", runs, ["throttled"], options.times)


def controls(bench, options):
    from packet_rules import Rule
    from ruled_network import OTHER, mbit
    if not needs_root("controls"):
        return
    other = Rule(OTHER, rate=mbit(50), handshakes=True)
    for name, rate, rule in (("no rule", 100, None), ("a rule for another name", 100, other), ("all of a link is slow", 5, None)):
        runs = together(options, options.times, lambda _: check(bench, rate, rule, **networks(rate)), 1 if rate >= 100 else None)
        tell(f"{name}: no difference is found", runs, ["fair", "inconclusive"], options.times)


def places(bench, options):
    if not needs_root("places"):
        return
    from group_uplinklocate import Rig
    wanted = {"shared": "common", "separate": "separate", "connection": "perConnection", "single": "noEvidence", "none": "noEvidence"}

    def locate(mode):
        rig, began = Rig(bench, mode), time.monotonic()
        try:
            run = rig.locate("--metered", "no")
            run.process.wait(600)
            line = run.lines()[-1]
            return line.get("located", line.get("error")), time.monotonic() - began
        finally:
            rig.close()

    count, wrong, others = max(1, options.times // 2), 0, 0
    for mode, word in wanted.items():
        made = [run for run in together(options, count, lambda _: locate(mode)) if run]
        right = sum(run[0] == word for run in made)
        if word != "common":
            wrong, others = wrong + sum(run[0] == "common" for run in made), others + len(made)
        report(f"a limit that is {mode} is located as {word} (must {count * 9 // 10})", right, f"of {count}", right >= count * 9 // 10,
               seconds_most=round(max((run[1] for run in made), default=0), 1), others=sorted({str(run[0]) for run in made} - {word}))
    report("common where nothing is shared (must 0)", wrong, f"of {others}", wrong == 0)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--only", nargs="+", choices=PARTS, default=PARTS, metavar="PART")
    options.add_argument("--times", type=int, default=20, help="how often each network is tried (20)")
    options.add_argument("--jobs", type=int, default=4, help="slow networks at once (4)")
    options.add_argument("--seconds", type=int, default=20, help="for how long the server is measured (20)")
    options.add_argument("--luna", default=str(ROOT / ".build/release/luna"))
    options = options.parse_args()
    if not os.access(options.luna, os.X_OK):
        sys.exit("there is no release build: run scripts/quickstart first")
    os.environ.update(LUNA=options.luna, LUNA_SYSTEM_CONFIG="/dev/null", XDG_CONFIG_HOME="/nonexistent")
    sys.path.insert(0, str(ROOT / "Tests/integration"))
    from bench import Bench
    bench = Bench()
    try:
        for name in PARTS:
            if name in options.only:
                try:
                    globals()[name](bench, options)
                except Exception as error:
                    # The others are measured all the same.
                    report(name, None, "", False, error=f"{type(error).__name__}: {error}")
                bench.tidy()
    finally:
        bench.tidy()
        bench.close()
    return 1 if FAILURES else 0


sys.exit(main())
