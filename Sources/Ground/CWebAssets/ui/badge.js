// How a gateway is, in shape, words and colour.

import { h, icon } from './dom.js';
import { ago, initial, moment } from './text.js';

const STATES = { online: 'Online', late: 'Late', offline: 'Offline', never: 'Never seen' };
const VERDICTS = { ok: ['ok', 'Well'], warn: ['warn', 'Look at it'], bad: ['bad', 'Bad'], unknown: ['unknown', 'Not known'] };
const SOURCES = { given: 'as somebody said', gpsd: 'by satellites', browser: 'by the browser that added it' };

/** The verdict. */
export function verdictBadge(gateway) {
  const [picture, text] = VERDICTS[gateway.verdict] || VERDICTS.unknown;
  return h('span', { class: `badge ${picture}` }, icon(picture), text);
}

/** Whether nothing of it is real: its radio is made up, as in a demonstration, or its record says so. On a map the server says so. */
export const isSimulated = (gateway) => gateway.simulated || gateway.health?.radioPath === 'virtual' || gateway.tags?.includes('simulated');

/** Says so where the rest of what is shown comes from such a gateway. */
export const simulatedHint = (gateway) => isSimulated(gateway) && h('p', { class: 'hint' }, 'Simulated: nothing of this is real.');

/** The state, whether that is simulated, and when it was heard last. */
export function stateBadge(gateway) {
  const state = STATES[gateway.state] || (gateway.seenAt ? 'Seen' : STATES.never);
  return h('span', { class: `state ${gateway.state || 'unknown'}` }, state, isSimulated(gateway) && ', simulated',
    gateway.seenAt && h('time', { class: 'seen', datetime: gateway.seenAt, title: moment(gateway.seenAt) }, `, ${ago(gateway.seenAt)}`));
}

/** The picture of a gateway, or the first letter of its name. */
export function picture(gateway) {
  if (gateway.pictureUrl) return h('img', { class: 'picture', src: gateway.pictureUrl, alt: '', loading: 'lazy' });
  return h('span', { class: 'picture letter', 'aria-hidden': 'true' }, initial(gateway.name || gateway.key || '?'));
}

/** Where it is, in words. */
export function placeText(gateway) {
  const place = gateway.place;
  if (!place) return 'No place';
  if (place.text) return place.text;
  if (place.latitude === undefined || place.latitude === null) return 'No position';
  return `${place.latitude.toFixed(5)}, ${place.longitude.toFixed(5)}`;
}

/** A position, who said so, and how far off it may be; null where there is none. */
export function position(place) {
  if (!Number.isFinite(place?.latitude)) return null;
  const about = [SOURCES[place.source], place.accuracy && `within ${Math.round(place.accuracy)} m`].filter(Boolean).join(', ');
  return `${place.latitude.toFixed(5)}, ${place.longitude.toFixed(5)}${about && ` (${about})`}`;
}

/** The name by which people know it. */
export function nameOf(gateway) { return gateway.name || gateway.key || gateway.id; }
