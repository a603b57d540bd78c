// What a gateway hears that stays, where it tells: by pseudonyms that only this gateway gives.

import { h, icon, replace, svg } from '../dom.js';
import { call, path } from '../api.js';
import { nameOf, picture, simulatedHint } from '../badge.js';
import { lineChart } from '../chart.js';
import { conflictView, editing } from './editor.js';
import { allChanges, changeList, takeBack } from './history.js';
import { onReturn } from '../connection.js';
import { field, form } from '../form.js';
import { empty, problem, say } from '../notice.js';
import { photo } from '../photo.js';
import { again, go, retitle } from '../router.js';
import { keepFocus, keptRows } from '../rows.js';
import { may } from '../session.js';
import { listen, want } from '../stream.js';
import { swipes } from '../swipe.js';
import { ago, count, moment } from '../text.js';
import { timed } from '../usage.js';

const HOUR = 3_600_000;
const HOURS = 24;
const BANDS = { near: 'Near', mid: 'Not far', far: 'Far' };
const PRIORITIES = [['', 'None'], ['low', 'Low'], ['normal', 'Normal'], ['high', 'High'], ['critical', 'Critical']];
const NAMES = { ibeacon: 'iBeacon', altbeacon: 'AltBeacon', unknown: 'Others' };

const familyName = (family) => NAMES[family] || family.replace(/^./, (letter) => letter.toUpperCase()).replaceAll('-', ' ');
const called = (device) => device.name || device.ref;
const address = (device) => path`/ui/devices/${device.ref}?gateway=${device.gateway}`;
const api = (device) => path`/v1/gateways/${device.gateway}/devices/${device.ref}`;

/** In which of the last 24 hours it was heard, the present one at the right. */
function strip(device) {
  const heard = Array.from({ length: HOURS }, (_, index) => Boolean(device.hours & (1 << (HOURS - 1 - index))));
  return svg('svg', { class: 'strip', viewBox: `0 0 ${HOURS * 4} 12`, role: 'img', 'aria-label': `Heard in ${count(heard.filter(Boolean).length, 'hour')} of the last 24` },
    heard.map((isHeard, index) => svg('rect', { class: isHeard ? 'heard' : null, x: index * 4, y: isHeard ? 0 : 9, width: 3, height: isHeard ? 12 : 3 })));
}

const stays = (device) => device.staying && h('span', { class: 'badge warn' }, icon('warn'), 'Unknown, and stays');
const approved = (device) => device.approved && h('span', { class: 'badge ok' }, icon('ok'), 'Approved');

/** Hides a device, and offers to undo that. */
async function forget(device, then) {
  const { change } = await call('POST', api(device) + '/forget');
  then();
  say(`${called(device)} is hidden until it is heard a day later.`, {
    label: 'Undo', run: async () => {
      try { await takeBack(change); again(); } catch (error) { say(error.message); }
    },
  }, 10);
}

export async function devices({ id }) {
  let gateway = null;
  let listed = null;
  const element = h('div', {});
  const trouble = h('div', {});
  const past = h('section', {});
  const folded = new Set();
  let chart = null;

  async function load() {
    [gateway, listed] = await Promise.all([call('GET', path`/v1/gateways/${id}`), call('GET', path`/v1/gateways/${id}/devices`)]);
    draw();
  }

  async function refresh() {
    try { await load(); replace(trouble); } catch (error) { replace(trouble, problem(error, refresh)); }
  }

  async function act(what) {
    try { await what(); } catch (error) { replace(trouble, problem(error)); }
  }

  const drop = (device) => act(() => forget(device, refresh));

  const rows = keptRows((shown) => {
    const element = h('li', {
      class: 'row', on: {
        keydown: (event) => {
          if (event.key === 'Delete' && may('operator')) drop(shown());
          if (event.key === 'e' && may('operator')) go(`${address(shown())}&edit=1`);
        },
      },
    });
    if (may('operator')) swipes(element, () => drop(shown()));
    return element;
  }, (device) => {
    const approve = () => act(async () => {
      await call('PATCH', api(device), { approved: true, revision: device.revision });
      await refresh();
      say(`${called(device)} is approved.`);
    });
    return [
      h('a', { class: 'to', href: address(device) }, picture({ ...device, key: device.family }),
        h('span', { class: 'who' }, h('strong', {}, called(device)), h('span', { class: 'hint' }, `${BANDS[device.band]}, heard last ${ago(device.last)}`)),
        strip(device), stays(device) || approved(device) || null),
      may('operator') && h('div', { class: 'actions' },
        !device.approved && h('button', { type: 'button', 'aria-label': `Approve ${called(device)}`, on: { click: approve } }, icon('ok'), 'Approve'),
        h('a', { class: 'button', href: address(device) + '&edit=1', 'aria-label': `Edit ${called(device)}` }, icon('edit'), 'Edit'),
        h('button', { type: 'button', class: 'danger', 'aria-label': `Forget ${called(device)}`, on: { click: () => drop(device) } }, icon('remove'), 'Forget')),
    ];
  });

  function families() {
    const now = gateway.health?.families || {};
    const names = [...new Set([...Object.keys(now), ...Object.keys(listed.families)])].sort();
    if (names.length === 0) return h('p', { class: 'hint' }, 'It has not told yet what is near.');
    return h('table', {}, h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'Family'), h('th', { scope: 'col' }, 'In the last minute'), h('th', { scope: 'col' }, 'Known here'))),
      h('tbody', {}, names.map((name) => h('tr', {}, h('th', { scope: 'row' }, familyName(name)), h('td', {}, String(now[name] || 0)), h('td', {}, String(listed.families[name] || 0))))));
  }

  function draw() { keepFocus(element, () => rows(drawRows)); }

  function drawRows(row) {
    const staying = listed.devices.filter((one) => one.staying);
    const groups = new Map();
    for (const one of listed.devices) groups.set(one.family, [...(groups.get(one.family) || []), one]);
    replace(element, h('p', {}, h('a', { href: path`/ui/gateways/${id}` }, icon('back'), nameOf(gateway))), simulatedHint(gateway), trouble,
      h('section', {}, h('h2', {}, 'Families'), families()),
      h('section', {}, h('h2', {}, 'Unknown, and stay'),
        h('p', { class: 'hint' }, 'Nobody approved them, they were heard in six of the last 24 hours, and are not far. Listening prevents nothing.'),
        staying.length > 0 ? h('ul', { class: 'rows' }, staying.map((one) => row(`${one.ref} staying`, one))) : h('p', {}, 'There are none.'), past),
      [...groups].sort(([a], [b]) => a.localeCompare(b)).map(([family, some]) => h('details', {
        open: !folded.has(family), on: { toggle: (event) => { if (event.target.open) folded.delete(family); else folded.add(family); } },
      }, h('summary', {}, h('h2', {}, familyName(family)), h('span', { class: 'hint' }, ` ${some.length}`)),
        h('ul', { class: 'rows' }, some.map((one) => row(one.ref, one))))),
      listed.devices.length === 0 && empty('It tells of no device by itself. With luna finder --devices refs it tells of those that stay; '
        + 'trackers of any maker are never among them.'));
  }

  async function drawPast() {
    const sums = new Map();
    for (const one of listed.staying) sums.set(Date.parse(one.hour), (sums.get(Date.parse(one.hour)) || 0) + one.count);
    if (sums.size === 0) return;
    const end = Math.floor(Date.now() / HOUR) * HOUR;
    const hours = Array.from({ length: 7 * HOURS }, (_, index) => end - (7 * HOURS - 1 - index) * HOUR);
    chart = await lineChart('Unknown, and stay', 'in each hour of a week', hours.map((time) => ({ time: new Date(time).toISOString(), value: sums.get(time) || 0 })));
    replace(past, chart.element);
  }

  await load();
  drawPast().catch((error) => replace(past, problem(error)));
  // What somebody does with several comes as several.
  let late = null;
  const changed = (value) => { if (value?.id === id) late ||= setTimeout(() => { late = null; refresh(); }, 300); };
  const ends = [listen('gateway', changed), listen('health', changed), listen('reset', refresh), onReturn(refresh), want({ ids: [id] })];
  const timer = setInterval(() => { if (!document.hidden) refresh(); }, 60_000);
  return {
    title: `What ${nameOf(gateway)} hears`, element,
    leave: () => { ends.forEach((end) => end()); clearInterval(timer); clearTimeout(late); chart?.end(); },
  };
}

export async function heardDevice({ ref }, here) {
  const { devices: found } = await call('GET', path`/v1/devices/${ref}`);
  let device = found.find((one) => one.gateway === here.searchParams.get('gateway')) || found[0];
  const gateway = await call('GET', path`/v1/gateways/${device.gateway}`);
  const element = h('div', {});
  const trouble = h('div', {});
  const past = h('section', {});
  const log = changeList(again);
  const pictured = photo(api(device) + '/picture', (next) => { device = next; draw(); drawPast(); });
  const edit = editing(element, {
    make: (done) => deviceEditor(device, done),
    keep: (next) => { device = next; draw(); drawPast(); say('Saved.'); },
    draw,
  });

  function draw() {
    replace(element, h('p', {}, h('a', { href: path`/ui/gateways/${device.gateway}/devices` }, icon('back'), `What ${nameOf(gateway)} hears`)), simulatedHint(gateway), trouble,
      h('header', { class: 'head' }, picture({ ...device, key: device.family }), h('div', {}, h('p', { class: 'title' }, called(device)),
        h('p', {}, stays(device) || approved(device) || familyName(device.family)))),
      may('operator') && h('div', { class: 'buttons' },
        !device.approved && h('button', { type: 'button', on: { click: () => change({ approved: true }) } }, icon('ok'), 'Approve'),
        h('button', { type: 'button', class: 'primary', on: { click: edit.begin } }, icon('edit'), 'Edit'),
        h('button', { type: 'button', class: 'danger', on: { click: drop } }, icon('remove'), 'Forget')),
      h('section', {}, h('h2', {}, 'About it'), h('dl', { class: 'facts' },
        h('dt', {}, 'Pseudonym'), h('dd', {}, device.ref), h('dt', {}, 'Family'), h('dd', {}, familyName(device.family)),
        h('dt', {}, 'Distance'), h('dd', {}, BANDS[device.band]), h('dt', {}, 'Last 24 hours'), h('dd', {}, strip(device)),
        h('dt', {}, 'First heard'), h('dd', {}, moment(device.first)), h('dt', {}, 'Last heard'), h('dd', {}, moment(device.last)),
        [['Priority', device.priority], ['Place', device.place], ['Manufacturer', device.manufacturer]]
          .filter(([, value]) => value).map(([name, value]) => [h('dt', {}, name), h('dd', {}, value)])),
      h('p', { class: 'hint' }, 'Only its gateway gives this pseudonym. Listening prevents nothing.')),
      may('operator') && pictured(device), past);
    retitle(element, called(device));
  }

  async function change(fields) {
    try {
      device = await call('PATCH', api(device), { ...fields, revision: device.revision });
      draw();
      drawPast();
      say('Saved.');
    } catch (error) {
      replace(trouble, problem(error, again));
    }
  }

  /** What others have done with it: it waits until an edit is over. */
  async function refresh() {
    try {
      const { devices: now } = await call('GET', path`/v1/devices/${ref}`);
      device = now.find((one) => one.gateway === device.gateway) || device;
      if (edit.isOn()) return;
      keepFocus(element, draw);
      drawPast();
    } catch (error) {
      replace(trouble, problem(error, refresh));
    }
  }

  async function drop() {
    try {
      await forget(device, () => go(path`/ui/gateways/${device.gateway}/devices`));
    } catch (error) {
      replace(trouble, problem(error, drop));
    }
  }

  async function drawPast() {
    const object = `${device.gateway}/${device.ref}`;
    try {
      log.show(await allChanges(`/v1/changes?object=${encodeURIComponent(object)}`));
      replace(past, h('h2', {}, 'History'), log.element);
    } catch (error) {
      replace(past, h('h2', {}, 'History'), problem(error, drawPast));
    }
  }

  draw();
  drawPast();
  if (here.searchParams.get('edit') && may('operator')) edit.begin();
  const ends = [listen('gateway', (value) => { if (value?.id === device.gateway && value.device === ref) refresh(); }), listen('reset', refresh), onReturn(refresh)];
  return { title: called(device), hidesTitle: true, element, asks: edit.asks, leave: () => ends.forEach((end) => end()) };
}

function deviceEditor(device, { saved, cancelled }) {
  let base = device;
  const boxes = {
    name: field('Name', { value: device.name || '', maxlength: 80, 'data-focus': true }),
    priority: field('Priority', { kind: 'select', options: PRIORITIES, value: device.priority || '' }),
    place: field('Place', { value: device.place || '', maxlength: 200 }),
    manufacturer: field('Manufacturer', { value: device.manufacturer || '', maxlength: 80 }),
    approved: field('May it be here?', { kind: 'select', options: [['', 'Nobody said so'], ['yes', 'Yes, it is approved']], value: device.approved ? 'yes' : '' }),
  };
  const fields = Object.entries(boxes).map(([name, one]) => Object.assign(one, { name }));
  const conflicts = h('div', {});
  const written = (record, name) => (name === 'approved' ? (record.approved ? 'yes' : '') : record[name] || '');
  const changed = () => fields.filter(({ name, value }) => value.trim() !== written(base, name));

  const { element } = form(fields, 'Save changes', async () => {
    const body = Object.fromEntries(changed().map(({ name, value }) => [name, name === 'approved' ? value === 'yes' : value.trim() || null]));
    if (Object.keys(body).length === 0) { saved(base); return; }
    try {
      saved(await timed('device', 'save', () => call('PATCH', api(base), { ...body, revision: base.revision })));
    } catch (error) {
      if (error.code === 'revisionConflict' && error.members.device) {
        const [theirs, mine] = [error.members.device, changed()];
        // What was not touched here is as they have it now.
        for (const one of fields) if (!mine.includes(one)) one.value = written(theirs, one.name);
        replace(conflicts, conflictView(error.members.conflicts, (name) => { boxes[name].value = written(theirs, name); }));
        base = theirs;
      }
      throw error;
    }
  }, { buttons: [h('button', { type: 'button', on: { click: () => cancelled() } }, 'Cancel')] });
  return { element: h('div', { class: 'narrow' }, h('h2', {}, 'Edit'), conflicts, element), isDirty: () => changed().length > 0, focus: () => boxes.name.box.focus() };
}
