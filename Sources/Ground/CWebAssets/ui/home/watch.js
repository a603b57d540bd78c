// Trackers of others that stay with whoever carries the box: what was found, what speaks for it, what is known, and what
// listening cannot find. For owners.

import { h, icon, replace } from '../dom.js';
import { call, path } from '../api.js';
import { seriesChart } from '../chart.js';
import { onReturn } from '../connection.js';
import { ask, empty, problem, say, skeleton } from '../notice.js';
import { printSheet } from '../print.js';
import { ago, count, moment } from '../text.js';
import { find, listen } from './live.js';
import { chartOn, ink } from './map.js';

const GRADES = { alarm: ['bad', 'Follows'], possible: ['warn', 'Possible'], suspect: ['warn', 'Came along'], notice: ['unknown', 'Heard on a trip'] };
const FAMILIES = {
  'apple-find-my': 'Apple Find My', 'google-find-hub': 'Google Find Hub', dult: 'Tracker of a network (DULT)', smarttag: 'Samsung SmartTag',
  tile: 'Tile', chipolo: 'Chipolo', pebblebee: 'Pebblebee', luna: 'LunaTracker',
};
const REASONS = {
  heardOnTrip: 'It was heard on most of a trip.', madeTrip: 'It came along on a trip.', madeTrips: 'It came along on two trips.',
  threePlaces: 'It came along to three places.', stayed: 'It was still there half an hour after a trip to where you often are.',
  nearOwner: 'It says that its owner is near: it may belong to somebody you live with.',
  threeDays: 'It came along so on three days: a tracker that follows can claim that its owner is near.', noPlaces: 'It was there all the time; where that was is not known.',
  newHere: 'It is new here for three nights.',
  shortLived: 'Some tracker of this kind was with you each time; that it was the same one cannot be shown.',
};
const BLIND = {
  silent: 'trackers that are silent', 'satellite and mobile network': 'trackers with satellite navigation and a mobile network of their own',
  excluded: 'those that are known, which can be used to follow as well',
};
const KNOWN = { own: 'yours, by its keys', shared: 'shared with you, by its keys', mine: 'marked as yours', known: 'marked as somebody’s whom you know', falseAlarm: 'marked as a false alarm' };
const MARKS = [['mine', 'Mine'], ['known', 'I know whose it is'], ['falseAlarm', 'False alarm']];

const ENDS = ['done', 'failed', 'interrupted'];
/** How far it is that one is rung or asked what it is. */
const STEPS = {
  begun: 'Beginning', listening: 'Listening for it', connecting: 'Connecting to it', asking: 'Asking it', sounding: 'It sounds', silent: 'It is silent again',
  lost: 'The connection to it is gone', done: 'Done', failed: 'It did not work', interrupted: 'Interrupted',
};
const CLOSER = 'Come closer to it with the box, and try again.';
/** What to do about each reason. */
const HELP = {
  notHeard: `${CLOSER} Trackers change their identifier: it takes some minutes until the new one is linked.`, notConnectable: 'It may be connected to its owner. Wait, and try again.',
  notSeparated: 'Trackers obey strangers only while they are away from their owner, which takes some 30 minutes. Keep it with you, and try again.',
  notOffered: 'Look for it by its signal.', adapter: 'Look in Settings for what is wrong with the radio.',
};
const TOLD = { manufacturer: 'Maker', model: 'Model', categoryName: 'Kind', networkName: 'Network', firmware: 'Firmware', battery: 'Battery' };

const familyOf = (one) => FAMILIES[one.family] || one.family;
const nameOf = (one) => (one.tracker && (find(one.tracker)?.name || one.tracker)) || familyOf(one);
const last = (one) => one.identifiers[one.identifiers.length - 1];
/** What is at a place of the page, in words that stay when it is made anew. */
const spot = (element) => `${element.tagName} ${element.closest('details')?.dataset.id} ${element.getAttribute('aria-label')}`;
const kilometres = (metres) => `${(metres / 1000).toLocaleString(undefined, { maximumFractionDigits: 1 })} km`;
const where = (latitude, longitude) => `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`;

function badge(one) {
  const [picture, text] = GRADES[one.grade] || GRADES.notice;
  return h('span', { class: `badge ${picture}` }, icon(picture), text);
}

/** The trips that one was heard on. */
function trips(one) {
  if (one.rides.length === 0) return h('p', { class: 'hint' }, 'It was heard on no trip.');
  const heads = ['Trip', 'Until', 'Length', 'From', 'To', 'Heard', 'Came along'];
  return h('div', { class: 'scrolls wide', tabindex: '0', role: 'region', 'aria-label': `Trips: ${last(one)}` }, h('table', {},
    h('thead', {}, h('tr', {}, heads.map((text) => h('th', { scope: 'col' }, text)))),
    h('tbody', {}, one.rides.map((ride) => h('tr', {}, h('th', { scope: 'row' }, moment(ride.begin)),
      [moment(ride.end), kilometres(ride.metres), where(ride.fromLatitude, ride.fromLongitude), where(ride.toLatitude, ride.toLongitude),
        `${ride.heard} of ${count(ride.listened, 'slot')} of two minutes`, ride.made ? 'yes' : 'no'].map((cell) => h('td', {}, cell)))))));
}

const reasons = (one) => one.reasons.length > 0 && h('ul', {}, one.reasons.map((reason) => h('li', {}, REASONS[reason] || reason)));

function links(one) {
  if (one.links.length === 0) return null;
  return [h('p', {}, 'These identifiers were taken as one tracker:'), h('ul', {}, one.links.map((link) => h('li', {}, `${link.from}, then ${link.to}: ${Math.round(link.confidence * 100)} % sure`)))];
}

/** Who it is, and what it has told of itself. */
function facts(one, identifiers) {
  const { identity } = one;
  return h('dl', { class: 'facts' }, h('dt', {}, 'Identifiers'), h('dd', {}, identifiers),
    one.rssi !== null && [h('dt', {}, 'Signal'), h('dd', {}, `${one.rssi} dBm`)], h('dt', {}, 'Found'), h('dd', {}, moment(one.time)),
    identity && [Object.entries(TOLD).map(([name, text]) => identity[name] && [h('dt', {}, text), h('dd', {}, identity[name])]), h('dt', {}, 'Told so'), h('dd', {}, moment(identity.time))]);
}

/** The trips on a map, which the table says as well; gives what lets go of it. */
async function mapOf(one, canvas) {
  const { L, chart, leave } = await chartOn(canvas);
  const endsOf = (ride) => [[ride.fromLatitude, ride.fromLongitude], [ride.toLatitude, ride.toLongitude]];
  // What is drawn has to be somewhere already.
  chart.fitBounds(one.rides.flatMap(endsOf), { maxZoom: 16, padding: [30, 30], animate: false });
  for (const ride of one.rides) {
    const ends = endsOf(ride);
    L.polyline(ends, { weight: 3, color: ink(ride.made ? '--bad' : '--unknown'), dashArray: ride.made ? null : '6 6', interactive: false }).addTo(chart);
    for (const end of ends) L.circleMarker(end, { radius: 6, color: ink('--accent'), interactive: false }).addTo(chart);
  }
  return leave;
}

/** How much of each trip it was there. */
function heardOn(one) {
  const points = (name) => one.rides.map((ride) => ({ time: ride.begin, value: ride[name] }));
  return seriesChart('Slots of two minutes on each trip', [{ name: 'Heard', points: points('heard') }, { name: 'Listened to', points: points('listened') }], 'bar');
}

/** Prints what speaks for one, beside what was listened to. */
function printEvidence(one, all) {
  const [, grade] = GRADES[one.grade] || GRADES.notice;
  return printSheet(h('h1', {}, `${nameOf(one)}: ${grade}`),
    h('p', {}, `${count(one.trips, 'trip')}, ${kilometres(one.metres)}, ${count(one.minutes, 'minute')}; ${Math.round(one.confidence * 100)} % sure that it is one tracker. Printed ${moment(new Date().toISOString())}.`),
    one.mark && h('p', {}, `${KNOWN[one.excluded] || one.excluded}: ${one.mark.by}, ${moment(one.mark.time)}`),
    reasons(one), trips(one), facts(one, one.identifiers.join(', ')), links(one), h('h2', {}, 'Listened to'), listened(all));
}

/** What was listened to, and what cannot be found: without those, “nothing found” says nothing. */
function listened(watch) {
  const { listened: heard } = watch;
  const blind = [h('dt', {}, 'Cannot be found'), h('dd', {}, watch.cannotFind.map((word) => BLIND[word] || word).join('; '))];
  if (!watch.enabled || !heard) {
    return [h('p', { class: 'problem' }, 'Nothing is listened to: “watch” is off in the file, or the home has not begun.'), h('dl', { class: 'facts' }, blind)];
  }
  return h('dl', { class: 'facts' },
    h('dt', {}, 'Listened'), h('dd', {}, `${heard.hours.toLocaleString()} hours and ${count(heard.trips, 'trip')}${watch.since ? `, since ${moment(watch.since)}` : ''}`),
    h('dt', {}, 'Gaps'), h('dd', {}, heard.gaps === 0 ? 'none' : `${count(heard.gaps, 'gap')}, ${count(heard.gapMinutes, 'minute')} in all`),
    watch.families.length > 0 && [h('dt', {}, 'Only'), h('dd', {}, watch.families.map((one) => FAMILIES[one] || one).join(', '))],
    blind);
}

export function watch() {
  const place = h('div', {}, skeleton(3));
  const told = h('div', { role: 'status' });
  let command = null;
  let timer = null;
  let isGone = false;
  // What lets go of the maps and charts that are open.
  let open = [];

  function release() { for (const end of open) end(); open = []; }

  /** Keeps what lets go of something that was made, unless the page has gone on meanwhile. */
  async function keep(drawing, making) {
    const end = await making;
    if (isGone || !drawing.isConnected) end(); else open.push(end);
  }

  /** The map and the chart of one, once somebody looks at them. */
  async function draft(one, pictures) {
    const canvas = h('div', { class: 'map small', role: 'region', 'aria-label': `Map of its trips: ${last(one)}` });
    const chart = h('div', {});
    replace(pictures, canvas, h('p', { class: 'hint' }, 'Straight lines from where a trip began to where it ended; it came along where the line is whole.'), chart);
    try {
      await keep(canvas, mapOf(one, canvas));
      const made = heardOn(one).then(({ element, end }) => { replace(chart, element); return end; });
      await keep(canvas, made);
    } catch (error) { if (!isGone) replace(pictures, problem(error, () => draft(one, pictures))); }
  }

  function show(row) {
    const steps = row.steps?.length > 0 ? row.steps : [row];
    const said = h('ol', { class: 'changes' }, steps.map((step) => h('li', {}, STEPS[step.state] || step.state, step.detail && step.state !== 'failed' && ` (${step.detail})`)));
    if (!ENDS.includes(row.state)) { replace(told, said); return; }
    clearInterval(timer);
    command = null;
    replace(told, said, row.state === 'failed' && problem({ message: row.detail || 'It did not work.', hint: HELP[steps.at(-1).code] || CLOSER }));
    // What it has told stands with what speaks for it.
    if (row.state === 'done') draw();
  }

  async function look() {
    const asked = command;
    if (!asked) return;
    try {
      const row = await call('GET', path`/api/v1/commands/${asked}`);
      if (!isGone && asked === command) show(row);
    } catch (error) { if (!error.isOffline && !isGone) replace(told, problem(error, look)); }
  }

  /** Rings one, or asks it what it is. */
  async function approach(one, verb) {
    try {
      if (verb === 'ring' && !await ask('Make it sound?', 'Its owner may notice that. Save what speaks for it before.', 'Make it sound')) return;
      const begun = await call('POST', path`/api/v1/suspects/${one.id}/${verb}`);
      command = begun.commandId;
      clearInterval(timer);
      timer = setInterval(look, 5000);
      look();
    } catch (error) { replace(told, problem(error)); }
  }

  /** What a stranger can ask of one, and what only others can. */
  function asking(one) {
    if (one.excluded === 'own' || one.excluded === 'shared') return null;
    if (one.grade === 'possible') return h('p', { class: 'hint' }, 'It has had another identifier each time: it cannot be told which one to ring.');
    const button = (verb, text) => (one.allows[verb].anyone
      ? h('button', { type: 'button', 'aria-label': `${text}: ${last(one)}`, on: { click: () => approach(one, verb) } }, text)
      : h('span', { class: 'hint' }, `${text}: only ${one.allows[verb].who}.`));
    return h('p', { class: 'buttons' }, button('ring', 'Make it sound'), button('identify', 'Ask what it is'));
  }

  /** What speaks for one, and what somebody has said of it. */
  function evidence(one, all) {
    const pictures = h('div', {});
    const shown = one.identifiers.slice(-20).join(', ') + (one.identifiers.length > 20 ? ` and ${one.identifiers.length - 20} before` : '');
    const element = h('details', { 'data-id': one.id, on: { toggle: () => { if (element.open && one.rides.length > 0 && !pictures.firstChild) draft(one, pictures); } } }, h('summary', {}, 'What speaks for it'),
      reasons(one), trips(one), pictures, facts(one, shown), links(one),
      one.changes && h('p', { class: 'hint' }, 'It changes its identifier: what is said here ends where no link leads to the next one. From there on it is a stranger again.'), asking(one),
      h('p', { class: 'buttons' }, h('a', { class: 'button', href: path`/api/v1/suspects/${one.id}`, download: 'evidence.json' }, 'Save as JSON'),
        h('button', { type: 'button', 'aria-label': `Print: ${last(one)}`, on: { click: () => printEvidence(one, all) } }, 'Print')));
    return element;
  }

  async function mark(one, word) {
    try {
      if (word && !await ask('Leave this tracker out?', `${nameOf(one)} is listed with its trips, and never told of again for as long as its identifiers can be linked. After that it is a stranger again.`, 'Leave it out')) return;
      await call('POST', path`/api/v1/suspects/${one.id}/mark`, { as: word });
      replace(told);
      say(word ? 'It is left out from now on.' : 'It is judged again from now on.');
      draw();
    } catch (error) { replace(told, problem(error)); }
  }

  function suspect(one, all) {
    return h('li', {}, h('span', {}, badge(one), ' ', h('strong', {}, nameOf(one))),
      h('span', { class: 'hint' }, `${count(one.trips, 'trip')}, ${kilometres(one.metres)}, ${count(one.minutes, 'minute')} · ${ago(one.time)}`),
      h('span', { class: 'buttons' }, MARKS.map(([word, text]) => h('button', { type: 'button', 'aria-label': `${text}: ${last(one)}`, on: { click: () => mark(one, word) } }, text))),
      evidence(one, all));
  }

  function excluded(one, all) {
    const said = one.mark && ` · ${one.mark.by}, ${moment(one.mark.time)} · ${one.changes ? 'holds for what is linked to it: when that ends, it is judged again' : 'holds for good: its address stays'}`;
    return h('li', {}, h('strong', {}, nameOf(one)), h('span', { class: 'hint' }, `${KNOWN[one.excluded] || one.excluded}${said || ''} · ${count(one.rides.length, 'trip')}`),
      one.mark && h('button', { type: 'button', 'aria-label': `Take back: ${last(one)}`, on: { click: () => mark(one, null) } }, 'Take back'), evidence(one, all));
  }

  async function draw() {
    try {
      const all = await call('GET', '/api/v1/suspects');
      if (isGone) return;
      release();
      // What somebody reads stays open, and whoever is there with the keyboard stays there.
      const read = [...place.querySelectorAll('details[open]')].map((one) => one.dataset.id);
      const at = place.contains(document.activeElement) && spot(document.activeElement);
      replace(place,
        h('h2', {}, 'Found'), all.suspects.length === 0 ? empty('Nothing was found in what was listened to. That does not mean that nothing is there.') : h('ul', { class: 'changes' }, all.suspects.map((one) => suspect(one, all))),
        h('h2', {}, 'Listened to'), listened(all),
        h('h2', {}, 'Known, and not judged'), all.excluded.length === 0 ? empty('No tracker that is known was heard on a trip, or marked.') : h('ul', { class: 'changes' }, all.excluded.map((one) => excluded(one, all))),
        h('p', { class: 'hint' }, 'Before you do anything about a tracker, save what speaks for it: its owner may notice when it is rung or taken away.'),
        all.discreet && h('p', { class: 'hint' }, 'It is discreet: no rule begins by it, and nobody but owners sees it.'));
      for (const one of place.querySelectorAll('details[data-id]')) one.open = read.includes(one.dataset.id);
      if (at) [...place.querySelectorAll('a, button, summary')].find((one) => spot(one) === at)?.focus({ preventScroll: true });
    } catch (error) { replace(place, problem(error, draw)); }
  }
  draw();
  const back = onReturn(draw);
  const stop = listen((event) => {
    if (event.type === 'watch') draw();
    else if (event.type === 'command' && event.command?.id === command) look();
  });
  return { element: h('div', {}, told, place), leave: () => { isGone = true; stop(); back(); clearInterval(timer); release(); } };
}
