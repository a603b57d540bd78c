// Trackers of others that stay with whoever carries the box: what was found, what speaks for it, what is known, and what
// listening cannot find. For owners.

import { h, icon, replace } from '../dom.js';
import { call, path } from '../api.js';
import { ask, empty, problem, say, skeleton } from '../notice.js';
import { ago, count, moment } from '../text.js';
import { find, listen } from './live.js';

const GRADES = { alarm: ['bad', 'Follows'], possible: ['warn', 'Possible'], suspect: ['warn', 'Came along'], notice: ['unknown', 'Heard on a trip'] };
const FAMILIES = {
  'apple-find-my': 'Apple Find My', 'google-find-hub': 'Google Find Hub', dult: 'Tracker of a network (DULT)', smarttag: 'Samsung SmartTag',
  tile: 'Tile', chipolo: 'Chipolo', pebblebee: 'Pebblebee', luna: 'LunaTracker',
};
const REASONS = {
  heardOnTrip: 'It was heard on most of a trip.', madeTrip: 'It came along on a trip.', madeTrips: 'It came along on two trips.',
  threePlaces: 'It came along to three places.', stayed: 'It was still there half an hour after a trip to where you often are.',
  nearOwner: 'It says that its owner is near: it may belong to somebody you live with.', noPlaces: 'It was there all the time; where that was is not known.',
  newHere: 'It is new here for three nights.',
  shortLived: 'Some tracker of this kind was with you each time; that it was the same one cannot be shown.',
};
const BLIND = {
  silent: 'trackers that are silent', 'satellite and mobile network': 'trackers with satellite navigation and a mobile network of their own',
  excluded: 'those that are known, which can be used to follow as well',
};
const KNOWN = { own: 'yours, by its keys', shared: 'shared with you, by its keys', mine: 'marked as yours', known: 'marked as somebody’s whom you know', falseAlarm: 'marked as a false alarm' };
const MARKS = [['mine', 'Mine'], ['known', 'I know whose it is'], ['falseAlarm', 'False alarm']];

const familyOf = (one) => FAMILIES[one.family] || one.family;
const nameOf = (one) => (one.tracker && (find(one.tracker)?.name || one.tracker)) || familyOf(one);
const last = (one) => one.identifiers[one.identifiers.length - 1];
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

/** What speaks for one, and what somebody has said of it. */
function evidence(one) {
  const links = one.links.map((link) => h('li', {}, `${link.from}, then ${link.to}: ${Math.round(link.confidence * 100)} % sure`));
  return h('details', {}, h('summary', {}, 'What speaks for it'),
    one.reasons.length > 0 && h('ul', {}, one.reasons.map((reason) => h('li', {}, REASONS[reason] || reason))),
    trips(one),
    h('dl', { class: 'facts' }, h('dt', {}, 'Identifiers'), h('dd', {}, one.identifiers.slice(-20).join(', '), one.identifiers.length > 20 && ` and ${one.identifiers.length - 20} before`),
      one.rssi !== null && [h('dt', {}, 'Signal'), h('dd', {}, `${one.rssi} dBm`)], h('dt', {}, 'Found'), h('dd', {}, moment(one.time))),
    links.length > 0 && [h('p', {}, 'These identifiers were taken as one tracker:'), h('ul', {}, links)],
    h('p', { class: 'buttons' }, h('a', { class: 'button', href: path`/api/v1/suspects/${one.id}`, download: 'evidence.json' }, 'Save as JSON'),
      h('button', { type: 'button', on: { click: () => print() } }, 'Print this page')));
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

  async function mark(one, word) {
    try {
      if (word && !await ask('Leave this tracker out?', `${nameOf(one)} is listed with its trips, and never told of again for as long as its identifiers can be linked. After that it is a stranger again.`, 'Leave it out')) return;
      await call('POST', path`/api/v1/suspects/${one.id}/mark`, { as: word });
      replace(told);
      say(word ? 'It is left out from now on.' : 'It is judged again from now on.');
      draw();
    } catch (error) { replace(told, problem(error)); }
  }

  function suspect(one) {
    return h('li', {}, h('span', {}, badge(one), ' ', h('strong', {}, nameOf(one))),
      h('span', { class: 'hint' }, `${count(one.trips, 'trip')}, ${kilometres(one.metres)}, ${count(one.minutes, 'minute')} · ${ago(one.time)}`),
      h('span', { class: 'buttons' }, MARKS.map(([word, text]) => h('button', { type: 'button', 'aria-label': `${text}: ${last(one)}`, on: { click: () => mark(one, word) } }, text))),
      evidence(one));
  }

  function excluded(one) {
    const said = one.mark && ` · ${one.mark.by}, ${moment(one.mark.time)}`;
    return h('li', {}, h('strong', {}, nameOf(one)), h('span', { class: 'hint' }, `${KNOWN[one.excluded] || one.excluded}${said || ''} · ${count(one.rides.length, 'trip')}`),
      one.mark && h('button', { type: 'button', 'aria-label': `Take back: ${last(one)}`, on: { click: () => mark(one, null) } }, 'Take back'), evidence(one));
  }

  async function draw() {
    try {
      const all = await call('GET', '/api/v1/suspects');
      replace(place,
        h('h2', {}, 'Found'), all.suspects.length === 0 ? empty('Nothing was found in what was listened to. That does not mean that nothing is there.') : h('ul', { class: 'changes' }, all.suspects.map(suspect)),
        h('h2', {}, 'Listened to'), listened(all),
        h('h2', {}, 'Known, and not judged'), all.excluded.length === 0 ? empty('No tracker that is known was heard on a trip, or marked.') : h('ul', { class: 'changes' }, all.excluded.map(excluded)),
        h('p', { class: 'hint' }, 'Before you do anything about a tracker, save what speaks for it: its owner may notice when it is rung or taken away.'),
        all.discreet && h('p', { class: 'hint' }, 'It is discreet: no rule begins by it, and nobody but owners sees it.'));
    } catch (error) { replace(place, problem(error, draw)); }
  }
  draw();
  const stop = listen((event) => { if (event.type === 'watch') draw(); });
  return { element: h('div', {}, told, place), leave: stop };
}
