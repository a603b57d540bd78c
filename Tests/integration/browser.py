"""A real Chromium, driven as a person does: by the names that a screen reader says."""

import json
import os
import shutil
import subprocess
import tempfile

from backends import PATIENCE, ROOT
from bench import wait_for
from recording_proxy import RecordingProxy

# 320 wide is what a page of 1280 is at 400 % (WCAG 1.4.10), 640 what it is at 200 %, 720 what one of 1440 is.
SIZES = {'narrow': (320, 640), 'small': (360, 740), 'zoomed': (640, 400), 'page': (1280, 800), 'phone': (390, 844), 'half': (720, 450), 'desk': (1440, 900)}
# What pages are looked at in: size, and whether they are dark.
LOOKS = [('phone', False), ('phone', True), ('desk', False), ('desk', True), ('zoomed', False), ('zoomed', True)]


def usual():
    """What browsers are like where a test does not say it: LUNA_BROWSER is a size, and light or dark."""
    size, theme = os.environ.get('LUNA_BROWSER', 'desk light').split()
    return size, theme == 'dark'


def axe():
    """The script that looks for barriers."""
    folder = subprocess.run([os.path.join(ROOT, 'scripts/lib/api-venv'), 'axe'], stdout=subprocess.PIPE, text=True, cwd=ROOT, check=True)
    for base, _, files in os.walk(folder.stdout.strip()):
        if 'axe.min.js' in files:
            return open(os.path.join(base, 'axe.min.js')).read()
    raise AssertionError('axe.min.js is not there')


class Browser:
    """One profile of a browser."""

    def __init__(self, base, size=None, is_dark=None, is_still=False, camera=None, is_recorded=False):
        """`is_still`: for people who want nothing to move; `camera`: a file with what the camera sees (codes.py); `is_recorded`:
        everything goes by a proxy, `proxy`. With LUNA_PAGES, a folder such as Sources/Ground/CWebAssets/ui, so do those of all
        tests, and the pages come from there."""
        self.base = base
        size = size or usual()[0]
        is_dark = usual()[1] if is_dark is None else is_dark
        self.is_still = is_still
        # Chromium keeps files where it is at home, and leaves some where temporary ones belong. The name is short: the path of
        # its socket below has no more than 107 characters.
        self.home = tempfile.mkdtemp(prefix='browser.')
        self.driver = None
        pages = os.environ.get('LUNA_PAGES')
        self.proxy = RecordingProxy(base.split('/')[2], pages) if is_recorded or pages else None
        try:
            self.start(size, is_dark, is_still, camera)
        except BaseException:
            self.close()
            raise
        # The hosts and the paths that were asked.
        self.hosts, self.asked = set(), set()
        self.problems = []

    def start(self, size, is_dark, is_still, camera):
        from selenium import webdriver
        from selenium.common.exceptions import WebDriverException
        from selenium.webdriver.chrome.options import Options
        from selenium.webdriver.chrome.service import Service

        options = Options()
        options.binary_location = '/usr/bin/chromium'
        width, height = SIZES[size]
        for word in ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run',
                     '--disable-background-networking', f'--window-size={width},{height}']:
            options.add_argument(word)
        if camera:
            options.add_argument('--use-fake-device-for-media-stream')
            options.add_argument(f'--use-file-for-fake-video-capture={camera}')
        if self.proxy:
            # Also for what is on this machine.
            options.add_argument(f'--proxy-server=http://127.0.0.1:{self.proxy.port}')
            options.add_argument('--proxy-bypass-list=<-loopback>')
        options.set_capability('goog:loggingPrefs', {'browser': 'ALL', 'performance': 'ALL'})
        environment = dict(os.environ, **dict.fromkeys(('HOME', 'XDG_CONFIG_HOME', 'XDG_CACHE_HOME', 'TMPDIR'), self.home))
        for attempt in range(3):
            try:
                # Its port is free when it is chosen, and may not be any more when it is taken.
                self.driver = webdriver.Chrome(options=options, service=Service('/usr/bin/chromedriver', env=environment))
                break
            except WebDriverException:
                if attempt == 2:
                    raise
        self.driver.set_script_timeout(PATIENCE)
        self.wears = (size, is_dark)
        self.furnish()

    def furnish(self):
        """Makes a new tab what this browser is."""
        self.wear(*self.wears)
        # What the policy refuses, and whether a script that somebody has written ran.
        self.driver.execute_cdp_cmd('Page.addScriptToEvaluateOnNewDocument', {'source': '''
            globalThis.violations = []; globalThis.canary = 0;
            document.addEventListener('securitypolicyviolation', (event) => violations.push(event.violatedDirective + ' ' + event.blockedURI));
            // Notices go after some seconds, which a busy machine may take to look at them.
            globalThis.notices = [];
            new MutationObserver((changes) => {
                for (const one of changes.flatMap((change) => [...change.addedNodes])) if (one.classList?.contains('notice')) notices.push(one);
            }).observe(document, { childList: true, subtree: true });
        '''})

    def tab(self, path):
        """Opens one more tab."""
        self.driver.switch_to.new_window('tab')
        self.furnish()
        self.open(path)

    def wear(self, size, is_dark):
        """Makes the window so large, and light or dark, whatever it shows."""
        width, height = SIZES[size]
        self.driver.execute_cdp_cmd('Emulation.setDeviceMetricsOverride',
                                    {'width': width, 'height': height, 'deviceScaleFactor': 1, 'mobile': False})
        wishes = [('prefers-color-scheme', 'dark' if is_dark else 'light')] + [('prefers-reduced-motion', 'reduce')] * self.is_still
        self.driver.execute_cdp_cmd('Emulation.setEmulatedMedia', {'features': [{'name': name, 'value': value} for name, value in wishes]})

    def close(self):
        try:
            if self.driver:
                self.driver.quit()
        finally:
            if self.proxy:
                self.proxy.close()
            shutil.rmtree(self.home, ignore_errors=True)

    def permit(self, what, setting='granted'):
        """Says whether pages may have the camera or the place: what a browser else asks a person."""
        self.driver.execute_cdp_cmd('Browser.setPermission', {'permission': {'name': what}, 'setting': setting, 'origin': self.base})

    def open(self, path):
        self.driver.get(self.base + path)
        self.settle()

    def script(self, text, *arguments):
        return self.driver.execute_script(text, *arguments)

    def settle(self):
        """Waits until the page is there."""
        wait_for(lambda: self.script("return document.querySelector('h1') && !document.querySelector('.skeleton')"), PATIENCE, 'the page')
        self.look()

    def look(self):
        """Collects what the browser has to say."""
        for entry in self.driver.get_log('browser'):
            self.problems.append(entry['message'])
        for entry in self.driver.get_log('performance'):
            message = json.loads(entry['message'])['message']
            if message['method'] == 'Network.requestWillBeSent':
                url = message['params']['request']['url']
                if not url.startswith(('data:', 'blob:')):
                    self.hosts.add(url.split('/')[2])
                    self.asked.add('/' + url.split('/', 3)[-1].partition('?')[0])

    def find(self, role, name, exact=True, what='return found'):
        """The element with a role and a name, as assistive technology sees them; or what is done with it at once, since a page
        that lives may draw it anew."""
        selectors = {'button': 'button, a.button, a', 'box': 'input, textarea, select', 'link': 'a'}[role]

        def look():
            return self.script('''
                const [selectors, name, exact] = arguments;
                const text = (one) => one.getAttribute('aria-label') || [...(one.labels || [])].map((label) => label.textContent).join(' ') || one.textContent;
                const found = [...document.querySelectorAll(selectors)].filter((one) => one.checkVisibility())
                    .find((one) => { const said = text(one).trim(); return exact ? said === name : said.startsWith(name); });
                if (!found) return null;
                ''' + what, selectors, name, exact)

        return wait_for(look, PATIENCE, f'the {role} {name}')

    def press(self, name, exact=True):
        self.find('button', name, exact, 'found.click(); return true')

    def press_for(self, name, text):
        """Presses a button, and waits for a notice that says something; one of before, which may still be shown, is none."""
        self.find('button', name, what='notices.length = 0; found.click(); return true')
        wait_for(lambda: self.script("return notices.some((one) => one.textContent.includes(arguments[0]))", text), PATIENCE,
                 lambda: f'a notice with {text!r} after {name}; the page says {self.text()[:600]!r}')

    def press_notice(self, name):
        """Presses the button of the newest notice that has it, whether or not that is still shown."""
        wait_for(lambda: self.script('''
            const found = notices.flatMap((one) => [...one.querySelectorAll('button')]).filter((one) => one.textContent === arguments[0]).pop();
            if (found) { notices.length = 0; found.click(); }
            return Boolean(found);
        ''', name), PATIENCE, f'a notice with the button {name}')

    def drag(self, x, y, right, down, meanwhile=None):
        """A finger goes from a point of the window so far, and does something halfway."""
        touch = lambda kind, points: self.driver.execute_cdp_cmd('Input.dispatchTouchEvent', {'type': kind, 'touchPoints': points})
        touch('touchStart', [{'x': x, 'y': y}])
        for step in range(1, 6):
            touch('touchMove', [{'x': x + right * step / 5, 'y': y + down * step / 5}])
            if step == 3 and meanwhile:
                meanwhile()
        touch('touchEnd', [])

    def write(self, name, text):
        box = self.find('box', name)
        box.clear()
        box.send_keys(text)

    def value(self, name):
        """What is in a box now: the page may draw it anew at any moment."""
        return self.find('box', name, what='return [found.value]')[0]

    def fill(self, name, value):
        """Puts something into a box at once, and tells the page that it has changed."""
        self.find('box', name, what=f"found.value = {json.dumps(value)}; found.dispatchEvent(new Event('change', {{ bubbles: true }})); return true")

    def has_focus(self, name):
        """Waits until keys go to the box with a name."""
        wait_for(lambda: self.script("return document.activeElement?.labels?.[0]?.textContent === arguments[0]", name), PATIENCE, f'the focus on {name}')

    def text(self):
        return self.script("return document.body.innerText")

    def says(self, text, seconds=PATIENCE):
        """Waits until the page says something, or has said it in a notice."""
        def look():
            told = self.script("const at = notices.findIndex((one) => one.textContent.includes(arguments[0])); return notices.splice(0, at + 1).length > 0", text)
            return told or text in self.text()
        wait_for(look, seconds, lambda: f'the page to say {text!r}; it says {self.text()[:600]!r}')

    def alert(self):
        """What an element with the role alert says."""
        return wait_for(lambda: self.script("return document.querySelector('[role=alert]')?.innerText"), PATIENCE, 'an alert')

    def barriers(self, rules):
        """What axe finds."""
        self.script(rules)
        return self.driver.execute_async_script('''
            const done = arguments[0];
            axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] })
                .then((found) => done(found.violations.map((one) => [one.id, one.nodes.map((node) => node.html.slice(0, 200))])));
        ''')

    def barriers_in_all_looks(self, rules, what):
        """What axe finds of what is shown, as large and as dark as it may be, each with `what` that is."""
        found = []
        for size, is_dark in LOOKS:
            self.wear(size, is_dark)
            found += [(what, size, is_dark, *one) for one in self.barriers(rules)]
        self.wear(*self.wears)
        return found

    def is_clean(self, allowed=()):
        """Asserts that no script of others ran, nothing was refused, nothing was asked of other hosts, and nothing was
        logged but what is expected."""
        self.look()
        assert self.script('return globalThis.canary') == 0
        assert self.script('return globalThis.violations') == [], self.script('return globalThis.violations')
        assert self.hosts <= {self.base.split('/')[2]}, self.hosts
        wrong = [text for text in self.problems if not any(part in text for part in allowed)]
        assert not wrong, wrong
        # For a moment, before its styles are there, it may.
        wait_for(lambda: not self.overflow(), PATIENCE, lambda: f'the page at {self.driver.current_url} not to scroll sideways for {self.overflow()}')

    def stays_wide(self):
        """What makes a page scroll sideways that goes on doing so; None where nothing does."""
        try:
            wait_for(lambda: not self.overflow(), 5)
        except AssertionError:
            return self.overflow()

    def overflow(self):
        """What is wider than the window, the innermost first, when the page scrolls sideways."""
        return self.script('''
            if (document.documentElement.scrollWidth <= innerWidth) return null;
            return [...document.querySelectorAll('body *')].filter((one) => one.getBoundingClientRect().right > innerWidth + 1)
                .reverse().slice(0, 4).map((one) => one.outerHTML.slice(0, 300));
        ''')


