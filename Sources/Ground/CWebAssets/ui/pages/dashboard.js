// The dashboard: widgets in slots, arranged by hand, by keys or by touch; kept for the account at the server. What they
// show of the moment comes with the stream, what they show over time is asked for now and then.

import { h, icon, replace, svg } from '../dom.js';
import { call, path } from '../api.js';
import { verdictBadge } from '../badge.js';
import { partsChart, seriesChart } from '../chart.js';
import { onReturn } from '../connection.js';
import { field, form } from '../form.js';
import { Layout, ROWS } from '../layout.js';
import { empty, problem, say } from '../notice.js';
import { keepFocus } from '../rows.js';
import { may } from '../session.js';
import { listen, want } from '../stream.js';
import { count } from '../text.js';

// Title, size, how it is shown, whose it is.
const WIDGETS = {
  gateways: ['Gateways', 'small', 'number'], devices: ['Devices heard', 'small', 'number'], queue: ['Events waiting', 'small', 'number'],
  attention: ['Need attention', 'small', 'number'], availability: ['Availability', 'small', 'parts'], versions: ['Versions', 'small', 'parts'],
  uplink: ['Uplink verdicts', 'small', 'parts'], recoveries: ['Recoveries', 'small', 'bars'],
  failedSignIns: ['Failed sign-ins', 'small', 'bars', 'admin'], packets: ['Packets per second', 'medium', 'lines'],
  queueAndOutage: ['Queue and room for an outage', 'medium', 'lines'], sightings: ['Sightings per hour', 'medium', 'bars'],
  unauthorised: ['Unauthorised usage', 'medium', 'bars'], providers: ['Providers', 'medium', 'providers'], attentionList: ['What needs attention', 'medium', 'list'],
  map: ['Map', 'medium', 'map'],
};
const KEY = 'key:';
const RANGES = [['1h', 'An hour'], ['24h', 'A day'], ['7d', 'A week'], ['30d', 'A month']];
// What is there before somebody arranges it, by rows; a medium widget stands for two slots.
const FIRST = {
  2: [['gateways', 'attention'], ['packets'], ['attentionList'], ['availability', 'devices']],
  4: [['gateways', 'attention', 'devices', 'queue'], ['packets', 'attentionList'], ['availability', 'versions', 'sightings']],
};
// Before browsers take it for their own: they select text, or open a menu, from half a second on.
const LONG_PRESS = 400;
const JITTER = 10;
// The outermost of it is the system's own.
const EDGE = 48;
const SWIPE = 60;
const PAUSE = 60_000;

const columns = () => (matchMedia('(min-width: 700px)').matches ? 4 : 2);
const about = (name) => WIDGETS[name] || (name.startsWith(KEY) ? [name.slice(KEY.length), 'medium', 'bars'] : null);
const mayShow = (name) => about(name) !== null && may(about(name)[3] || 'viewer');

function beginning(count) {
  const widgets = FIRST[count].flatMap((names, row) => {
    let column = 0;
    return names.map((name) => {
      const size = WIDGETS[name][1];
      const placed = { name, size, row, column };
      column += size === 'medium' ? 2 : 1;
      return placed;
    });
  });
  return new Layout({ columns: count, widgets });
}

/** Where the gateways are, north up, as wide as they are apart. */
function littleMap({ places, total }) {
  const text = h('p', { class: 'hint' }, h('a', { href: '/ui/map' }, 'To the map'), `. ${places.length} of ${total} gateways are shown here.`);
  if (places.length === 0) return [text];
  const [xs, ys] = [places.map((one) => one.longitude), places.map((one) => -one.latitude)];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  const [width, height] = [Math.max(Math.max(...xs) - left, 0.01), Math.max(Math.max(...ys) - top, 0.01)];
  const spots = places.map((one) => svg('circle', {
    class: one.verdict, r: 4, cx: 10 + 280 * ((one.longitude - left) / width), cy: 10 + 120 * ((-one.latitude - top) / height),
  }));
  return [svg('svg', { class: 'little', viewBox: '0 0 300 140', role: 'img', 'aria-label': `${places.length} gateways by their places` }, spots), text];
}

/** What uplink checks say of each provider, by the tags of gateways. */
function providers(rows) {
  if (rows.length === 0) return h('p', { class: 'hint' }, 'Gateways have no tag such as provider-NAME.');
  const heads = ['Provider', 'Gateways', 'Verdicts', 'Speed', 'False alarms'];
  return h('div', { class: 'scrolls', tabindex: '0', role: 'region', 'aria-label': 'Table of providers' }, h('table', {},
    h('thead', {}, h('tr', {}, heads.map((head) => h('th', { scope: 'col' }, head)))),
    h('tbody', {}, rows.map((one) => h('tr', {},
      h('td', {}, h('a', { href: `/ui/?q=${encodeURIComponent(`tag:${one.tag}`)}` }, one.name)), h('td', {}, String(one.gateways)),
      h('td', {}, one.verdicts.map((part) => `${part.value} ${part.name}`).join(', ')), h('td', {}, one.ratio === null ? '' : one.ratio.toFixed(2)),
      h('td', {}, one.falseAlarms === null ? '' : `${one.falseAlarms} expected, ${one.confirmedFalseAlarms} confirmed`))))));
}

export async function dashboard() {
  const kept = (await call('GET', '/v1/me/layout')).layouts;
  let layout = stored(columns());
  let isArranging = false;
  // The widget that keys move, and the slot where they have brought it.
  let lifted = null;
  let range = '24h';
  let saving = Promise.resolve();
  let loading = 0;
  const bodies = new Map();
  const grid = h('div', { class: 'dashboard' });
  const trouble = h('div', {});
  const simulated = h('div', {});
  const buttons = h('div', { class: 'buttons' });
  const library = h('aside', { class: 'library', hidden: true, 'aria-label': 'Widgets', on: { keydown: (event) => { if (event.key === 'Escape') closeLibrary(); } } });

  function stored(count) {
    const found = kept.find((one) => one.columns === count);
    return found ? new Layout({ ...found, widgets: found.widgets.filter((one) => mayShow(one.name)) }) : beginning(count);
  }

  // One after the other: the last one is what is kept.
  function save() {
    const now = layout.json;
    const at = kept.findIndex((one) => one.columns === now.columns);
    if (at >= 0) kept[at] = now; else kept.push(now);
    saving = saving.then(async () => {
      try {
        await call('PUT', '/v1/me/layout', now);
        replace(trouble);
      } catch (error) {
        replace(trouble, problem(error, save));
      }
    });
  }

  /** Their numbers are among those of the widgets. */
  function tellSimulated({ gateways }) {
    const number = gateways?.simulated || 0;
    replace(simulated, number > 0 && h('p', { class: 'hint' }, `Simulated: ${count(number, 'gateway')} of those that are counted here.`));
  }

  async function askSimulated() {
    try { tellSimulated((await call('GET', '/v1/dashboard/data?widgets=gateways')).widgets); } catch { /* What loads the widgets says so. */ }
  }

  async function load(names = layout.widgets.map((one) => one.name)) {
    if (names.length === 0) return;
    loading += 1;
    const mine = loading;
    try {
      const asked = new URLSearchParams({ widgets: names.join(','), range });
      const { widgets } = await call('GET', `/v1/dashboard/data?${asked}`);
      // A later answer is for another time.
      if (mine === loading || names.length < layout.widgets.length) await Promise.all(names.map((name) => show(name, widgets[name])));
      replace(trouble);
    } catch (error) {
      if (!error.isOffline) replace(trouble, problem(error, () => load()));
    }
  }

  function bodyOf(name) {
    if (!bodies.has(name)) bodies.set(name, { element: h('div', { class: 'body' }), shown: null, end: null });
    return bodies.get(name);
  }

  async function show(name, data) {
    const body = bodyOf(name);
    const text = JSON.stringify(data);
    if (!data || body.shown === text) return;
    body.shown = text;
    const [title, , kind] = about(name);
    if (kind === 'number') {
      replace(body.element, h('p', { class: 'number' }, data.value.toLocaleString()), h('p', { class: 'hint' }, data.text));
    } else if (kind === 'list') {
      replace(body.element, data.items.length === 0 ? h('p', { class: 'hint' }, 'Nothing does.')
        : h('ul', {}, data.items.map((one) => h('li', {}, verdictBadge(one), ' ',
          h('a', { href: path`/ui/gateways/${one.id}` }, one.name), ' ', h('span', { class: 'hint' }, one.text)))));
    } else if (kind === 'providers') {
      replace(body.element, providers(data.rows));
    } else if (kind === 'map') {
      replace(body.element, littleMap(data));
    } else {
      const made = kind === 'parts' ? await partsChart(title, data.parts) : await seriesChart(title, data.series, kind === 'lines' ? 'line' : 'bar');
      body.end?.();
      body.end = made.end;
      // Who reads its numbers goes on with those of now.
      made.element.querySelector('details').open = body.element.querySelector('details')?.open ?? false;
      keepFocus(body.element, () => replace(body.element, made.element));
    }
  }

  function draw(focus = null) {
    grid.style.setProperty('--columns', layout.columns);
    grid.classList.toggle('arranging', isArranging);
    replace(grid, layout.widgets.length === 0 && empty('The dashboard is empty.', h('button', { type: 'button', on: { click: openLibrary } }, 'Add a widget')),
      lifted && place(h('div', { class: 'target', 'aria-hidden': 'true' }), lifted), layout.widgets.map(widget));
    for (const [name, body] of bodies) {
      if (layout.widgets.some((one) => one.name === name)) continue;
      body.end?.();
      bodies.delete(name);
    }
    drawLibrary();
    replace(buttons,
      h('select', { 'aria-label': 'Time', on: { change: (event) => { range = event.target.value; load(); } } },
        RANGES.map(([value, text]) => h('option', { value, selected: value === range }, text))),
      isArranging && h('button', { type: 'button', disabled: !layout.canUndo, on: { click: () => step(() => layout.undo()) } }, 'Undo'),
      isArranging && h('button', { type: 'button', 'aria-expanded': String(!library.hidden), on: { click: () => (library.hidden ? openLibrary() : closeLibrary()) } }, icon('add'), 'Widgets'),
      h('button', { type: 'button', class: isArranging ? 'primary' : null, on: { click: () => arrange(!isArranging) } }, isArranging ? 'Done' : 'Arrange'));
    if (focus) focusOn(focus);
  }

  function focusOn(name) { grid.querySelector(`[data-widget="${CSS.escape(name)}"]`)?.focus(); }

  function place(element, { size, row, column }) {
    element.style.gridColumn = `${column + 1} / span ${size === 'medium' ? 2 : 1}`;
    element.style.gridRow = String(row + 1);
    return element;
  }

  function widget(one) {
    const [title] = about(one.name);
    const isLifted = lifted?.name === one.name;
    const element = h('section', {
      class: `widget ${one.size}${isLifted ? ' lifted' : ''}`, 'data-widget': one.name, tabindex: isArranging ? '0' : null,
      'aria-label': isArranging ? `${title}, row ${one.row + 1}, column ${one.column + 1}${isLifted ? ', lifted' : ''}` : title,
      on: { keydown: (event) => keys(event, one), pointerdown: (event) => press(event, one, element), contextmenu: (event) => { if (isArranging) event.preventDefault(); } },
    }, h('h2', {}, title), isArranging && h('button', { type: 'button', class: 'cross', 'aria-label': `Remove ${title}`, on: { click: () => remove(one) } }, icon('bad')),
    bodyOf(one.name).element);
    return place(element, one);
  }

  function step(what, focus = null) {
    const outcome = what();
    if (outcome === 'full') say('The dashboard is full: remove one first.');
    if (outcome === 'done') {
      lifted = null;
      draw(focus);
      load(layout.widgets.map((one) => one.name).filter((name) => bodyOf(name).shown === null));
      save();
    }
    return outcome;
  }

  function remove(one) {
    const at = layout.widgets.findIndex((other) => other.name === one.name);
    step(() => layout.remove(one.name));
    // The next one, so that keys can go on.
    const next = layout.widgets[Math.min(at, layout.widgets.length - 1)];
    if (next) focusOn(next.name); else grid.querySelector('button')?.focus();
  }

  function arrange(isOn) {
    isArranging = isOn;
    lifted = null;
    if (!isOn) library.hidden = true;
    draw();
    buttons.querySelector('button:last-child').focus();
    if (isOn) say('Tab chooses a widget, Enter lifts it, the arrows move it, Enter drops it. Delete removes it.');
  }

  function keys(event, one) {
    if (!isArranging || event.target !== event.currentTarget) return;
    const moves = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    const title = about(one.name)[0];
    const isLifted = lifted?.name === one.name;
    if (event.key === 'Enter') {
      if (isLifted) {
        const to = lifted;
        if (step(() => layout.drop(one.name, to), one.name) === 'done') say(`${title} is dropped.`);
        else { lifted = null; draw(one.name); say('Nothing has moved.'); }
      } else {
        lifted = { ...one };
        draw(one.name);
        say(`${title} is lifted.`);
      }
    } else if (event.key === 'Escape') {
      if (isLifted) { lifted = null; draw(one.name); } else arrange(false);
    } else if (event.key === 'Delete') {
      remove(one);
    } else if (moves[event.key] && isLifted) {
      const [down, right] = moves[event.key];
      const width = one.size === 'medium' ? 2 : 1;
      const [row, column] = [lifted.row + down, lifted.column + right * width];
      if (row >= 0 && row < ROWS && column >= 0 && column + width <= layout.columns) {
        lifted = { ...lifted, row, column };
        draw(one.name);
        say(`Row ${row + 1}, column ${column + 1}.`);
      }
    } else {
      return;
    }
    event.preventDefault();
  }

  function press(event, one, element) {
    if (event.target.closest('button, a, summary') || event.button !== 0) return;
    const from = { x: event.clientX, y: event.clientY };
    if (!isArranging) {
      const timer = setTimeout(() => { stop(); arrange(true); }, LONG_PRESS);
      const moved = (now) => { if (Math.hypot(now.clientX - from.x, now.clientY - from.y) > JITTER) stop(); };
      const stop = () => {
        clearTimeout(timer);
        removeEventListener('pointermove', moved);
        for (const name of ['pointerup', 'pointercancel']) removeEventListener(name, stop);
      };
      addEventListener('pointermove', moved);
      for (const name of ['pointerup', 'pointercancel']) addEventListener(name, stop);
      return;
    }
    event.preventDefault();
    element.focus();
    element.setPointerCapture(event.pointerId);
    element.classList.add('dragged');
    const move = (now) => { element.style.translate = `${now.clientX - from.x}px ${now.clientY - from.y}px`; };
    const end = (now) => {
      element.removeEventListener('pointermove', move);
      for (const name of ['pointerup', 'pointercancel']) element.removeEventListener(name, end);
      element.classList.remove('dragged');
      element.style.translate = '';
      if (now.type === 'pointerup') step(() => layout.drop(one.name, slotAt(now.clientX, now.clientY)), one.name);
    };
    element.addEventListener('pointermove', move);
    for (const name of ['pointerup', 'pointercancel']) element.addEventListener(name, end);
  }

  function slotAt(x, y) {
    const box = grid.getBoundingClientRect();
    const style = getComputedStyle(grid);
    return {
      row: Math.floor((y - box.top) / (parseFloat(style.gridAutoRows) + parseFloat(style.rowGap))),
      column: Math.floor((x - box.left) / ((box.width + parseFloat(style.columnGap)) / layout.columns)),
    };
  }

  function openLibrary() {
    if (!isArranging) arrange(true);
    library.hidden = false;
    draw();
    library.querySelector('button')?.focus();
  }

  function closeLibrary() {
    library.hidden = true;
    draw();
    buttons.querySelector('[aria-expanded]')?.focus();
  }

  function add(name, size) {
    if (step(() => layout.add(name, size)) === 'done') {
      say(`${about(name)[0]} is on the dashboard.`);
      library.querySelector('button')?.focus();
    }
  }

  const key = field('Key of telemetry', { maxlength: 255, pattern: '[A-Za-z0-9_.\\-]+', hint: 'Such as luna.finder.event.recovery' });
  const keyForm = form([key], 'Add the key', async () => {
    const name = KEY + key.value.trim();
    // The server says what is wrong with it.
    await call('GET', `/v1/dashboard/data?${new URLSearchParams({ widgets: name })}`);
    key.value = '';
    add(name, 'medium');
  });

  function drawLibrary() {
    const there = new Set(layout.widgets.map((one) => one.name));
    const rest = Object.entries(WIDGETS).filter(([name]) => !there.has(name) && mayShow(name));
    replace(library, h('div', { class: 'bar' }, h('h2', {}, 'Widgets'), h('button', { type: 'button', on: { click: closeLibrary } }, 'Close')),
      rest.length === 0 && h('p', { class: 'hint' }, 'All are on the dashboard.'),
      h('ul', {}, rest.map(([name, [title, size]]) => h('li', {}, h('button', { type: 'button', on: { click: () => add(name, size) } }, icon('add'), title)))),
      keyForm.element);
  }

  // From the left edge to the right. A browser may take the finger for one that scrolls: its pointer ends then, its touch
  // goes on, at what it began on, even where that has been drawn anew.
  function swipe({ target, touches: [{ clientX: x, clientY: y }, another] }) {
    const moves = isArranging && target.closest('.widget');
    if (another || x > EDGE || moves || !library.hidden) return;
    const end = new AbortController();
    const on = (name, act) => target.addEventListener(name, act, { passive: true, signal: end.signal });
    on('touchmove', ({ touches: [now] }) => {
      const right = now.clientX - x;
      if (right > SWIPE && right > Math.abs(now.clientY - y)) { end.abort(); openLibrary(); }
    });
    for (const name of ['touchend', 'touchcancel']) on(name, () => end.abort());
  }

  const resized = () => {
    if (columns() === layout.columns) return;
    layout = stored(columns());
    lifted = null;
    draw();
    load();
  };
  const live = ({ widgets }) => {
    for (const { name } of layout.widgets) if (widgets[name]) show(name, widgets[name]);
    tellSimulated(widgets);
  };
  addEventListener('resize', resized);
  addEventListener('touchstart', swipe, { passive: true });
  draw();
  await Promise.all([load(), askSimulated()]);
  const stops = [listen('dashboard', (value) => value && live(value)), listen('reset', () => load()), onReturn(() => load()), want({ dashboard: true })];
  const timer = setInterval(() => { if (!document.hidden) load(); }, PAUSE);
  return {
    title: 'Dashboard', element: h('div', {}, buttons, trouble, simulated, library, grid),
    leave: () => {
      removeEventListener('resize', resized);
      removeEventListener('touchstart', swipe);
      stops.forEach((stop) => stop());
      bodies.forEach((body) => body.end?.());
      clearInterval(timer);
    },
  };
}
