"""The console in a real Chromium that draws by software: how soon a page is there, how even its frames are, and whether
the memory of a tab stays."""

import http.client, json, os, re, shutil, statistics, tempfile, time

from .backend import Backend, health, records, tokens

PASSWORD = "correct horse battery"
# When something that a page is for was there first, since the page was asked for.
WATCH = """
globalThis.firstSeen = {};
const wanted = {rows: '.rows .row', spots: '.spot, .cluster'};
new MutationObserver(() => {
  for (const [name, selector] of Object.entries(wanted)) {
    if (!(name in firstSeen) && document.querySelector(selector)) {
      firstSeen[name] = null;
      requestAnimationFrame(() => requestAnimationFrame((time) => { firstSeen[name] = time; }));
    }
  }
}).observe(document, {childList: true, subtree: true});
"""
FRAMES = """
globalThis.frames = []; globalThis.isWatching = true;
const note = (time) => { frames.push(time); if (isWatching) requestAnimationFrame(note); };
requestAnimationFrame(note);
"""


class Tab:
    """A browser with one page, in which somebody is signed in."""

    def __init__(self, backend, cookie):
        from selenium import webdriver
        from selenium.webdriver.chrome.options import Options
        from selenium.webdriver.chrome.service import Service

        self.base, self.home = f"http://127.0.0.1:{backend.port}", tempfile.mkdtemp(prefix="luna-load-browser.")
        options = Options()
        options.binary_location = shutil.which("chromium")
        for word in ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                     "--disable-background-networking", "--enable-precise-memory-info", "--window-size=1440,900"]:
            options.add_argument(word)
        places = dict.fromkeys(["HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "TMPDIR"], self.home)
        self.driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver"), env=os.environ | places))
        self.driver.set_script_timeout(120)
        self.driver.get(self.base + "/ui/sign-in")
        name, value = cookie
        self.driver.add_cookie({"name": name, "value": value})
        self.tell("Page.addScriptToEvaluateOnNewDocument", source=WATCH)

    def tell(self, command, **words):
        return self.driver.execute_cdp_cmd(command, words)

    def script(self, text):
        return self.driver.execute_script(text)

    def open(self, path, what):
        """ms until something is on the screen."""
        self.driver.get(self.base + path)
        return self.wait(f"return firstSeen['{what}']")

    def wait(self, text, seconds=60):
        end = time.monotonic() + seconds
        while not (value := self.script(text)):
            if time.monotonic() > end:
                raise SystemExit(f"the page does not come to {text}: {self.script('return document.body.innerText')[:600]}")
            time.sleep(0.02)
        return value

    def heap(self):
        """MiB of JavaScript that is in use, and the elements of the page."""
        self.tell("HeapProfiler.collectGarbage")
        counts = self.tell("Memory.getDOMCounters")
        return self.script("return performance.memory.usedJSHeapSize") / 2**20, counts["nodes"], counts["jsEventListeners"]

    def drag(self, moves):
        """Drags what is in the middle of the window to and fro; gives ms between frames meanwhile."""
        mouse = lambda kind, x, y: self.tell("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", buttons=1, clickCount=1)
        middle = self.script("const box = document.querySelector('.map').getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]")
        x, y = middle
        mouse("mousePressed", x, y)
        self.script(FRAMES)
        for number in range(moves):
            # Left and right by a third of the window, so that markers come and go.
            way = number % 120
            mouse("mouseMoved", x - 240 + abs(way - 60) * 8, y + (number % 40))
            time.sleep(0.008)
        self.script("isWatching = false")
        mouse("mouseReleased", x, y)
        times = self.script("return frames")
        return [later - earlier for earlier, later in zip(times, times[1:])]

    def close(self):
        self.driver.quit()
        shutil.rmtree(self.home, ignore_errors=True)


def sign_in(backend, name):
    """Makes an account by its invitation; the cookie of its session."""
    base = f"http://127.0.0.1:{backend.port}"
    said = backend.command("account", "add", name, "--role", "admin", "--format", "jsonl", "--public-url", base)
    secret = re.search(r"/ui/invitation#([\w-]+)", said)[1]
    connection = http.client.HTTPConnection("127.0.0.1", backend.port, timeout=60)
    connection.request("POST", "/v1/invitation", json.dumps({"secret": secret, "name": name, "password": PASSWORD}),
                       {"Content-Type": "application/json", "Origin": base})
    answer = connection.getresponse()
    data = answer.read()
    if answer.status != 201:
        raise SystemExit(f"the invitation: {answer.status} {data}")
    return answer.getheader("Set-Cookie").split(";")[0].split("=", 1)


def told(backend, count, made, version=0):
    """Health of some gateways, over one connection."""
    connection = http.client.HTTPConnection("127.0.0.1", backend.port, timeout=60)
    for number in range(count):
        connection.request("POST", "/v1/telemetry", json.dumps({"health": health(number + version, 3600), "items": []}),
                           {"Content-Type": "application/json", "Authorization": f"Bearer {made[number]}"})
        answer = connection.getresponse()
        if (answer.status, answer.read())[0] != 200:
            raise SystemExit(f"telemetry: {answer.status}")
    connection.close()


def measure(options, table):
    for program in ("chromium", "chromedriver"):
        if not shutil.which(program):
            table.skip("the console", f"{program} is not installed")
            return
    directory(options, table)
    chart(options, table)


def fleet(options, count):
    backend = Backend(options.luna, "--requests-per-second", "0")
    made = tokens(backend, count)
    backend.start()
    records(backend, count)
    told(backend, count, made)
    return backend, made


def directory(options, table):
    backend, made = fleet(options, options.gateways)
    try:
        tab = Tab(backend, sign_in(backend, "ada"))
        try:
            opens(tab, f"directory of {options.gateways:,}: rows on the screen", "/ui/", "rows", table, 1000)
            weight(backend, tab, table)
            loaded(tab, table)
            table.add("the program", os.path.getsize(options.luna) / 1e6, "MB", note=f"{options.luna}; scripts/lib/check-binary measures it stripped")
            updates(backend, made, tab, table)
            opens(tab, f"map of {options.gateways:,}: markers on the screen", "/ui/map", "spots", table)
        finally:
            tab.close()
    finally:
        backend.close()


def opens(tab, name, path, what, table, most=None):
    """How soon something is on the screen since its page was asked for."""
    times = [tab.open(path, what) for _ in range(7)]
    table.add(name, statistics.median(times), "ms", most, f"median of {len(times)}, the slowest {max(times):.0f} ms")


def weight(backend, tab, table):
    """What the page has loaded of our own, as it comes when nothing is kept."""
    names = tab.script("return performance.getEntriesByType('resource').map((one) => new URL(one.name).pathname)")
    names = sorted({name for name in names if name.endswith((".js", ".css")) and "/libraries/" not in name})
    connection = http.client.HTTPConnection("127.0.0.1", backend.port, timeout=60)
    size = 0
    for name in names:
        connection.request("GET", name)
        size += len(connection.getresponse().read())
    connection.close()
    table.add("own scripts and styles", size / 1000, "kB", 250, f"{len(names)} files")


def loaded(tab, table):
    """All that pages load, libraries too, as it comes over the network when nothing is kept."""
    for path, what in [("/ui/map", "spots"), ("/ui/", "rows")]:
        tab.tell("Network.clearBrowserCache")
        tab.open(path, what)
        sizes = tab.script("return [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')].map((one) => one.encodedBodySize)")
        table.add(f"all that {path} loads", sum(sizes) / 1000, "kB", note=f"{len(sizes)} answers, with what the API says")


def updates(backend, made, tab, table):
    """An hour's updates of a page, 120 of them, as fast as they are drawn: each gateway shown has told something else."""
    tab.script("globalThis.draws = 0; new MutationObserver(() => { draws += 1; }).observe(document.querySelector('.directory'), {childList: true})")

    def rounds(count):
        for number in range(count):
            told(backend, 20, made, version=number + 1)
            before = tab.script("return draws")
            tab.script("document.querySelector('[aria-label=Refresh]').click()")
            tab.wait(f"return draws > {before}")

    rounds(20)
    early = tab.heap()
    rounds(100)
    late = tab.heap()
    table.add("memory of the tab over an hour's updates", late[0] - early[0], "MiB more", 2,
              f"{early[0]:.1f} to {late[0]:.1f} MiB; elements {early[1]} to {late[1]}, listeners {early[2]} to {late[2]}")


def chart(options, table):
    count = min(2000, options.gateways)
    backend, _ = fleet(options, count)
    try:
        tab = Tab(backend, sign_in(backend, "ada"))
        try:
            opens(tab, f"directory of {count:,}: rows on the screen", "/ui/", "rows", table, 1000)
            opens(tab, f"map of {count:,}: markers on the screen", "/ui/map", "spots", table, 500)
            time.sleep(1)
            # First a few clusters, then closer and closer, with more marks.
            gaps, shown = [], []
            for _ in range(4):
                gaps += tab.drag(240)
                shown.append(tab.script("return document.querySelectorAll('.spot, .cluster').length"))
                tab.script("document.querySelector('.leaflet-control-zoom-in').click()")
                time.sleep(1)
            gaps.sort()
            table.add("a frame while the map is dragged: median", statistics.median(gaps), "ms", 17, f"{len(gaps)} frames, {min(shown)} to {max(shown)} marks")
            table.add("a frame while the map is dragged: p95", gaps[int(0.95 * len(gaps))], "ms", 25, f"the longest {gaps[-1]:.0f} ms")
        finally:
            tab.close()
    finally:
        backend.close()
