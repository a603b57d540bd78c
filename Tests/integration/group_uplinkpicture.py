"""Pictures of results in a real Chromium, light and dark."""

import os
import pathlib

from bench import Bench, Luna, never
from browser import Browser, axe

IN_VM = False
# Text of this size is read by people with little contrast from here on (WCAG 1.4.3).
CONTRAST = 4.5
KINDS = ['fair', 'throttled', 'prioritised', 'blocked', 'inconclusive']
SAMPLES = '{"original":[[1,2,3,4,2,1],[1,2,3,4,5,6]],"control":[[5,6,7,6,5,8],[1,2,3,4,5,6]]}'


def prepare(mode):
    return Bench()


def picture(bench, home, word):
    """A picture as a file, and what is in the result that it is of."""
    Luna(bench, 'uplink', 'check', '--simulate', word, '--state', home).process.wait(never(15))
    result = Luna(bench, 'uplink', 'results', '--state', home, '--format', 'jsonl').ends(0).lines()[0]
    return drawn(bench, home, result['id'], word), result


def drawn(bench, home, id, name):
    run = Luna(bench, 'uplink', 'results', id, '--as', 'svg', '--state', home).ends(0)
    path = os.path.join(bench.directory, f'{name}.svg')
    with open(run.output.name) as text, open(path, 'w') as file:
        file.write(text.read())
    return path


LOOK = '''
    const colour = (text) => text.match(/[\\d.]+/g).slice(0, 3).map(Number);
    const light = (text) => {
      const [r, g, b] = colour(text).map((one) => one / 255).map((one) => one <= 0.03928 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4);
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const contrast = (one, other) => {
      const [high, low] = [light(one), light(other)].sort((a, b) => b - a);
      return (high + 0.05) / (low + 0.05);
    };
    const root = document.documentElement, ground = getComputedStyle(root).backgroundColor;
    const texts = [...document.querySelectorAll('text')];
    const box = root.viewBox.baseVal;
    const outside = texts.filter((one) => {
      const at = one.getBBox();
      return at.x < -1 || at.y < -1 || at.x + at.width > box.width + 1 || at.y + at.height > box.height + 1;
    }).map((one) => one.textContent);
    return {
      ground: light(ground),
      texts: texts.filter((one) => !one.classList.contains('mark')).map((one) => contrast(getComputedStyle(one).fill, ground)),
      lines: [...document.querySelectorAll('polyline.original, polyline.control')].map((one) => contrast(getComputedStyle(one).stroke, ground)),
      outside, words: texts.map((one) => one.textContent),
      title: document.querySelector('title').textContent, about: document.querySelector('desc').textContent,
      role: root.getAttribute('role'), scripts: document.querySelectorAll('script, foreignObject, image, a').length,
      marks: [...document.querySelectorAll('.mark')].map((one) => one.getBoundingClientRect().width > 0),
    };
'''


def shown(bench, path, is_dark):
    """What a browser makes of a picture by itself."""
    browser = Browser('file://', is_dark=is_dark)
    try:
        browser.driver.get(pathlib.Path(path).as_uri())
        seen = browser.script(LOOK)
        problems = [entry['message'] for entry in browser.driver.get_log('browser')]
        assert not problems, problems
        return seen
    finally:
        browser.close()


def test_pictures_are_light_and_dark(bench):
    home = os.path.join(bench.directory, 'state')
    for word in KINDS:
        path, result = picture(bench, home, word)
        for is_dark in (False, True):
            seen = shown(bench, path, is_dark)
            told = (word, is_dark, seen)
            assert (seen['ground'] < 0.2) == is_dark, told
            assert seen['texts'] and min(seen['texts']) >= CONTRAST, told
            # Lines and other parts that mean something (WCAG 1.4.11).
            assert all(contrast >= 3 for contrast in seen['lines']), told
            assert not seen['outside'] and not seen['scripts'] and seen['role'] == 'img', told
            assert seen['title'] == f'{result["verdict"]}: luna-upload (simulated)' and 'Mbit/s' in seen['about'], told
            assert seen['marks'] == [True] and 'simulated' in seen['words'], told


def test_a_picture_of_samples_is_not_marked(bench):
    home, path = os.path.join(bench.directory, 'imported'), os.path.join(bench.directory, 'samples.json')
    with open(path, 'w') as file:
        file.write(SAMPLES)
    result = Luna(bench, 'uplink', 'results', 'import', path, '--state', home, '--format', 'jsonl').ends(0).lines()[0]
    for is_dark in (False, True):
        seen = shown(bench, drawn(bench, home, result['id'], 'imported'), is_dark)
        assert not seen['marks'] and len(seen['lines']) == 4 and min(seen['lines']) >= 3, seen
        assert (seen['ground'] < 0.2) == is_dark and min(seen['texts']) >= CONTRAST and not seen['outside'], seen


def test_a_picture_in_a_page_has_no_barriers(bench):
    rules = axe()
    path, _ = picture(bench, os.path.join(bench.directory, 'barriers'), 'throttled')
    with open(path) as file:
        page = f'<!doctype html><html lang="en"><title>A result</title><main><h1>A result</h1>{file.read()}</main></html>'
    place = os.path.join(bench.directory, 'page.html')
    with open(place, 'w') as file:
        file.write(page)
    for is_dark in (False, True):
        browser = Browser('file://', is_dark=is_dark)
        try:
            browser.driver.get(pathlib.Path(place).as_uri())
            # What lies across it, and hides nothing, is said in its heading, too.
            found = [one for one in browser.barriers(rules) if not all('class="mark"' in part for part in one[1])]
            assert found == [], (is_dark, found)
        finally:
            browser.close()


for name, test in list(globals().items()):
    if name.startswith('test_'):
        test.seconds = 240
