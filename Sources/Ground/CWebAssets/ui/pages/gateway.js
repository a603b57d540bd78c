// One gateway: everything about it, and its edit.

import { h, icon, replace } from '../dom.js';
import { call, path } from '../api.js';
import { nameOf, picture, placeText, position, stateBadge, verdictBadge } from '../badge.js';
import { lineChart } from '../chart.js';
import { onReturn } from '../connection.js';
import { ask, empty, problem, say, tell } from '../notice.js';
import { go, retitle } from '../router.js';
import { may } from '../session.js';
import { listen, want } from '../stream.js';
import { ago, duration, moment } from '../text.js';
import { allChanges, changeList, takeBack } from './history.js';
import { editing, editor } from './editor.js';
import { codeSteps } from '../enrolment.js';
import { label } from '../label.js';
import { photo } from '../photo.js';
import { keepFocus } from '../rows.js';

const FACTS = [
  ['Key', 'key'], ['Identifier', 'id'], ['Site', 'site'], ['Manufacturer', 'manufacturer'], ['Model', 'model'], ['MAC address', 'mac'],
  ['IP address', 'ip'], ['Version', 'version'], ['Revision', 'revision'], ['Note', 'note'], ['Enrolled by', 'enrolledBy'],
];
// All that a gateway tells of itself but its version, which stands above, and families, which its devices have.
const HEALTH = [
  ['Running for', 'uptime', duration], ['Radio', 'radioPath'],
  ['Adapters', 'adapters', (all) => all.map((one) => `${one.id} ${one.state}`).join(', ')],
  ['Packets per second', 'packetsPerSecond', (n) => n.toFixed(1)], ['Packets dropped', 'packetsDropped'],
  ['Packets malformed', 'packetsMalformed'], ['Silent for', 'silentSeconds', duration], ['Recoveries', 'recoveries'],
  ['Advertisers', 'advertisers'], ['Sightings per minute', 'sightingsPerMinute'], ['Events waiting', 'queueDepth'],
  ['Oldest of them', 'queueOldestSeconds', duration], ['Room for an outage', 'outageHoursLeft', (n) => `${Math.round(n)} h`],
  ['Events lost', 'eventsLost'], ['Uploads that failed', 'uploadFailures'],
  ['Last upload', 'lastUploadSeconds', (n) => `${duration(n)} before it told`], ['This server took', 'backendMilliseconds', (n) => `${n} ms`],
  ['Commands carried out', 'commandsDone'], ['Commands that failed', 'commandsFailed'], ['Its own position', 'locationState'],
  ['Clock is off by', 'clockOffsetMilliseconds', (n) => `${n} ms`], ['Its network', 'uplinkVerdict'],
  ['Uploads, by other traffic', 'uplinkRatio', (n) => `${n.toFixed(2)} times as fast`], ['Network checked', 'uplinkSeconds', (n) => `${duration(n)} before it told`],
  ['A difference is in', 'uplinkLocated', (word) => ({ common: 'what both paths share', separate: 'one of the paths', perConnection: 'each connection' }[word] || word)],
  ['Processor', 'cpuPercent', (n) => `${n} %`], ['Memory', 'memoryMiB', (n) => `${n} MiB`], ['Disk left', 'diskFreeMiB', (n) => `${n} MiB`],
  ['Temperature', 'temperature', (n) => `${n} °C`], ['Slowed down', 'throttled', (is) => (is ? 'yes' : 'no')],
];

const CHARTS = [
  ['Packets', 'per second', 'packetsPerSecond'], ['Sightings', 'per minute', 'sightingsPerMinute'], ['Events waiting', '', 'queueDepth'],
  ['Room for an outage', 'hours', 'outageHoursLeft'], ['Uploads, by other traffic', 'times as fast', 'uplinkRatio'],
];
// Only of those whose network was checked.
const SELDOM = ['uplinkRatio'];
const DAY = 86_400_000;
// As far as samples are apart.
const STEP = 300_000;

export async function gateway({ id }, address) {
  let record = await call('GET', path`/v1/gateways/${id}`);
  const element = h('div', {});
  const past = h('section', {});
  const log = changeList(refresh);
  const charts = h('section', {});
  // A code is shown once: what draws the page anew leaves it there.
  const code = h('div', {});
  const pictured = photo(path`/v1/gateways/${id}/picture`, (next) => { record = next; draw(); drawHistory(); });
  let sticker = null;
  let drawn = [];
  let drawnAt = 0;
  let isOver = false;
  const edit = editing(element, {
    make: (done) => editor(record, done),
    keep: (next, merged) => {
      record = next;
      draw();
      drawHistory();
      say(merged ? 'Saved, together with what somebody else has changed.' : 'Saved.');
    },
    draw,
  });

  function draw() {
    const facts = FACTS.filter(([, name]) => record[name]).map(([label, name]) => [h('dt', {}, label), h('dd', {}, record[name])]);
    replace(element,
      h('p', {}, h('a', { href: '/ui/' }, icon('back'), 'Gateways')),
      h('header', { class: 'head' }, picture(record), h('div', {}, h('p', { class: 'title' }, nameOf(record)),
        h('p', {}, stateBadge(record), ' ', verdictBadge(record))),
      may('operator') && h('div', { class: 'buttons' },
        h('button', { type: 'button', class: 'primary', on: { click: edit.begin } }, icon('edit'), 'Edit'),
        h('button', { type: 'button', class: 'danger', on: { click: remove } }, icon('remove'), 'Delete'))),
      h('p', {}, h('a', { href: path`/ui/gateways/${id}/devices` }, icon('search'), 'Devices')),
      health(),
      h('section', {}, h('h2', {}, 'About it'), h('dl', { class: 'facts' },
        h('dt', {}, 'Place'), h('dd', {}, placeText(record), Number.isFinite(record.place?.latitude) && [' ', h('a', { href: `/ui/map?gateway=${record.id}` }, 'On the map')]),
        position(record.place) && [h('dt', {}, 'Position'), h('dd', {}, position(record.place))], facts,
        h('dt', {}, 'Tags'), h('dd', {}, record.tags?.length ? record.tags.map((tag) => h('a', { class: 'tag', href: `/ui/?q=${encodeURIComponent(`tag:${tag}`)}` }, tag)) : 'none'),
        record.createdAt && [h('dt', {}, 'Since'), h('dd', {}, moment(record.createdAt))],
        record.seenAt && [h('dt', {}, 'Last sign'), h('dd', {}, h('time', { datetime: record.seenAt, title: moment(record.seenAt) }, ago(record.seenAt)))])),
      charts,
      may('operator') && pictured(record),
      drawLabel(), drawToken(), past);
    retitle(element, nameOf(record));
  }

  /** Drawn once: what is on it does not change. */
  function drawLabel() {
    if (!record.label || !may('operator')) return null;
    sticker ||= label(record, nameOf(record));
    return sticker.element;
  }

  function drawToken() {
    return may('operator') && h('section', {}, h('h2', {}, 'Its token'),
      h('p', { class: 'hint' }, 'Is it lost, or is the gateway another machine now? Either of these ends the tokens that it has.'),
      h('div', { class: 'buttons' }, h('a', { class: 'button', href: `/ui/scan?gateway=${encodeURIComponent(id)}` }, 'Another label'),
        h('button', { type: 'button', on: { click: makeCode } }, 'New code')), code);
  }

  async function makeCode() {
    const name = nameOf(record);
    if (!await ask(`A new code for ${name}?`, 'The tokens that it has end at once: it uploads again when it has used the code.', 'Make the code')) return;
    try {
      replace(code, codeSteps(await call('POST', path`/v1/gateways/${id}/enrol`, {})));
      // A gateway that comes by a code has no label any more.
      sticker?.end();
      sticker = null;
      refresh();
    } catch (error) {
      tell(code, error);
    }
  }

  function health() {
    const reasons = record.reasons || [];
    const values = HEALTH.filter(([, name]) => record.health && record.health[name] !== undefined && record.health[name] !== null);
    return h('section', {}, h('h2', {}, 'Health'),
      reasons.length > 0 && h('ul', { class: 'reasons' }, reasons.map((reason) => h('li', {}, h('strong', {}, `${reason.text}:`), ' ', reason.remedy))),
      values.length > 0
        ? h('dl', { class: 'facts' }, values.map(([label, name, write]) => [h('dt', {}, label), h('dd', {}, write ? write(record.health[name]) : String(record.health[name]))]))
        : reasons.length === 0 && h('p', { class: 'hint' }, 'It has not told yet how it is.'));
  }

  async function drawHistory() {
    try {
      log.show((await allChanges(path`/v1/gateways/${id}/history`)).map((one) => (one.object === id ? { ...one, name: nameOf(record) } : one)));
      replace(past, h('h2', {}, 'History'), log.element);
    } catch (error) {
      replace(past, h('h2', {}, 'History'), error.status === 404 ? empty('There is none.') : problem(error, drawHistory));
    }
  }

  async function drawCharts() {
    drawnAt = Date.now();
    const query = new URLSearchParams({ from: new Date(Date.now() - DAY).toISOString(), to: new Date().toISOString() });
    try {
      const { samples } = await call('GET', path`/v1/gateways/${id}/samples` + `?${query}`);
      if (samples.length < 2) return;
      const made = await Promise.all(CHARTS.filter(([, , name]) => !SELDOM.includes(name) || samples.some((one) => one.health?.[name])).map(([title, unit, name]) => lineChart(title, unit, samples.map((one) => ({ time: one.time, value: one.health?.[name] ?? null })))));
      if (isOver) { made.forEach((one) => one.end()); return; }
      // Who reads the numbers of one goes on with those of now.
      const stops = () => [...charts.querySelectorAll('summary, .scrolls')];
      const at = stops().indexOf(document.activeElement);
      made.forEach((one, index) => { one.element.querySelector('details').open = drawn[index]?.element.querySelector('details').open ?? false; });
      replace(charts, h('h2', {}, 'The last day'), h('div', { class: 'charts' }, made.map((one) => one.element)));
      stops()[at]?.focus({ preventScroll: true });
      drawn.forEach((one) => one.end());
      drawn = made;
    } catch (error) {
      if (error.isOffline) drawnAt = 0;
      // What was drawn stays.
      if (error.status !== 404 && drawn.length === 0) replace(charts, h('h2', {}, 'The last day'), problem(error, drawCharts));
    }
  }

  async function refresh() {
    try {
      record = await call('GET', path`/v1/gateways/${id}`);
      if (!edit.isOn()) keepFocus(element, draw);
      drawHistory();
      if (!edit.isOn() && Date.now() - drawnAt >= STEP) drawCharts();
    } catch (error) {
      if (error.status === 404 && !edit.isOn()) go('/ui/', { replacing: true });
    }
  }

  async function remove() {
    if (!await ask(`Delete ${nameOf(record)}?`, 'Its uploads are refused from now on. It can be undone for 30 days.', 'Delete')) return;
    try {
      const { change } = await call('DELETE', path`/v1/gateways/${id}`);
      await go('/ui/');
      say(`${nameOf(record)} is deleted.`, change && {
        label: 'Undo', run: async () => { try { await takeBack(change); go(path`/ui/gateways/${id}`); } catch (error) { say(error.message); } },
      }, 10);
    } catch (error) {
      const place = h('div', {});
      element.prepend(place);
      tell(place, error);
    }
  }

  draw();
  drawHistory();
  drawCharts();
  if (address.searchParams.get('edit') && may('operator')) edit.begin();
  const changed = (value) => { if (!value || value.id === id || value.gateway?.id === id) refresh(); };
  const ends = [listen('gateway', changed), listen('state', changed), listen('health', changed), listen('reset', refresh), onReturn(refresh), want({ ids: [id] })];
  const timer = setInterval(() => { if (!document.hidden) refresh(); }, 60_000);
  return {
    title: nameOf(record), hidesTitle: true, element,
    asks: edit.asks,
    leave: () => { isOver = true; [...ends, ...drawn.map((one) => one.end)].forEach((end) => end()); clearInterval(timer); sticker?.end(); edit.end(); },
  };
}
