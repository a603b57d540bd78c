// All trackers: as a list, as cards, or as a table.

import { h, replace } from '../dom.js';
import { empty } from '../notice.js';
import { ago, count, initial } from '../text.js';
import { addressOf, app, may, meaning, model } from './app.js';
import { control, text } from './controls.js';
import { find, listen, live } from './live.js';

const SORTS = { name: 'Name', seen: 'Heard last', near: 'Near first' };

/** Whether a tracker is near, in words and shape. */
export function nearBadge(tracker) {
  const value = tracker.properties[meaning(tracker, 'presence') || 'present']?.value;
  const isNear = { yes: true, no: false }[value] ?? value;
  return h('span', { class: `state ${isNear === true ? 'online' : 'unknown'}` }, isNear === true ? '● near' : isNear === false ? '○ not near' : '? not known');
}

/** The picture of a tracker: a file of the folder for screens of one's own, else the first letter of its name. */
function picture(tracker) {
  const letter = h('span', { class: 'picture letter', 'aria-hidden': 'true' }, initial(tracker.name));
  if (!app.webRoot || !/\.(svg|png|jpg|webp)$/.test(tracker.icon || '')) return letter;
  return h('img', { class: 'picture', alt: '', src: `/ui/web/${encodeURIComponent(tracker.icon)}`, on: { error: (event) => event.target.replaceWith(letter) } });
}

export function deviceList({ config }) {
  const layout = config.layout || 'list';
  const place = h('div', {});
  const search = h('input', { type: 'search', 'aria-label': 'Filter', placeholder: 'Filter by name or tag', on: { input: draw } });
  const order = h('select', { 'aria-label': 'Sort by', on: { change: draw } }, Object.entries(SORTS).map(([value, name]) => h('option', { value }, name)));
  let shown = new Map();
  let drawn = '';
  const update = () => { for (const one of shown.values()) one.update(); };

  function parts(tracker) {
    const kind = model(tracker);
    const own = kind.deviceControl && kind.managedProperties?.find((one) => one.control === kind.deviceControl)?.name;
    const made = own ? control(tracker, own) : null;
    const zone = h('span', {});
    const near = h('span', {});
    const seen = h('span', { class: 'hint' });
    const battery = h('span', {});
    const update = () => {
      // All of them may have been asked for anew.
      const now = find(tracker.id) || tracker;
      const { properties } = now;
      replace(zone, text('zone', properties[meaning(now, 'zone') || 'zone']));
      replace(near, nearBadge(now));
      const at = properties.lastSeen?.value || properties.location?.at;
      replace(seen, at ? ago(at) : 'not heard yet');
      const level = properties[meaning(now, 'battery') || 'battery']?.value ?? (properties.batteryLow?.value === true ? 'low' : null);
      replace(battery, level === null ? '' : `Battery ${level}${typeof level === 'number' ? ' %' : ''}`);
      made?.update(properties[own]);
    };
    update();
    return { zone, near, seen, battery, own: made?.element, leave: made?.leave, update, link: h('a', { href: `/ui/trackers/${encodeURIComponent(tracker.id)}` }, tracker.name) };
  }

  /** Those that are shown, in their order. */
  function sorted() {
    const wanted = search.value.trim().toLowerCase();
    const key = { name: (one) => one.name.toLowerCase(), near: (one) => (one.properties.present?.value === 'yes' ? '0' : '1') + one.name.toLowerCase() }[order.value];
    const found = live.trackers.filter((one) => !wanted || `${one.name} ${one.tags.join(' ')}`.toLowerCase().includes(wanted));
    found.sort(key ? (a, b) => key(a).localeCompare(key(b)) : (a, b) => String(b.properties.lastSeen?.value || '').localeCompare(String(a.properties.lastSeen?.value || '')));
    return found;
  }

  /** What rows are made of; the rest of them is filled in again and again. */
  const outline = (found) => found.map((one) => JSON.stringify({ ...one, properties: null })).sort().join();

  function draw() {
    const found = sorted();
    drawn = outline(found);
    for (const one of shown.values()) one.leave?.();
    shown = new Map(found.map((one) => [one.id, parts(one)]));
    const rows = found.map((one) => [one, shown.get(one.id)]);
    if (live.trackers.length === 0) {
      replace(place, empty('There is no tracker yet.',
        may('owner') && h('p', {}, h('a', { class: 'button', href: addressOf('onboard') }, 'Add a tracker')),
        h('p', {}, 'Or make one yours on this machine: ', h('code', {}, 'luna onboard'), ', then name it under “trackers” in home.json.'),
        h('p', {}, 'Or look around first, with made-up trackers: ', h('code', {}, 'luna home run --demo'), '.')));
    } else if (found.length === 0) {
      replace(place, empty('No tracker is called so.'));
    } else if (layout === 'table') {
      replace(place, h('div', { class: 'scrolls wide', tabindex: '0', role: 'region', 'aria-label': 'Trackers' }, h('table', {},
        h('thead', {}, h('tr', {}, ['Name', 'Place', 'Near', 'Heard', 'Battery', ''].map((one) => h(one ? 'th' : 'td', one ? { scope: 'col' } : {}, one)))),
        h('tbody', {}, rows.map(([, one]) => h('tr', {}, h('th', { scope: 'row' }, one.link), [one.zone, one.near, one.seen, one.battery, one.own].map((cell) => h('td', {}, cell))))))));
    } else {
      replace(place, h('ul', { class: layout === 'cards' ? 'cards' : 'rows' }, rows.map(([tracker, one]) =>
        h('li', { class: 'row' }, picture(tracker), h('div', { class: 'who' }, h('strong', {}, one.link), one.zone, tracker.sharedUntil && h('span', { class: 'hint' }, 'shared with you')), one.near, one.battery, one.seen, one.own))));
    }
  }

  const total = h('p', { class: 'hint', role: 'status' });
  const retitle = () => {
    const said = count(live.trackers.length, 'tracker') + (live.radio?.simulated ? ', simulated' : '');
    if (total.textContent !== said) total.textContent = said;
  };
  draw();
  retitle();
  const stop = listen((event) => {
    if (event.type === 'value') shown.get(event.tracker)?.update();
    else if (event.type === 'all') {
      // Whoever is in a row with the keyboard, or types there, stays in it.
      const found = sorted();
      const ids = [...shown.keys()];
      const isInOrder = found.every((one, index) => one.id === ids[index]) || place.contains(document.activeElement);
      if (found.length > 0 && outline(found) === drawn && isInOrder) update(); else draw();
      retitle();
    }
  });
  // How long ago it was grows by itself.
  const timer = setInterval(update, 15_000);
  return {
    element: h('div', {}, h('div', { class: 'search' }, search, order, may('owner') && live.trackers.length > 0 && h('a', { class: 'button', href: addressOf('onboard') }, 'Add a tracker')), total, place),
    leave: () => { stop(); clearInterval(timer); for (const one of shown.values()) one.leave?.(); },
  };
}
