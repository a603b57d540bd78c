// How properties are shown, and set where they can be.

import { h, replace } from '../dom.js';
import { problem, say } from '../notice.js';
import { ago } from '../text.js';
import { addressOf, app, isNumber, managed, word } from './app.js';
import { find, named, perform } from './live.js';
import { own } from './own.js';

const LABELS = {
  battery: 'Battery', batteryLow: 'Battery low', rssi: 'Signal', present: 'Near', location: 'Position', zone: 'Place', zones: 'Places',
  lastSeen: 'Heard', heardBy: 'Heard by', drift: 'Clock drift', clockDaysLeft: 'Days until the clock is off', connectable: 'Connectable',
  separated: 'Away from its owner', sound: 'Sound', firmware: 'Firmware', family: 'Family', identifier: 'Identifier',
};
const UNITS = { rssi: 'dBm', drift: 's' };
const KNOWN = ['toggle', 'slider', 'number', 'decimal_input', 'text', 'readonly_text', 'choice', 'button', 'color', 'badge', 'battery', 'signal', 'map', 'sound', 'thermostat'];
/** What shows a property by what it means, where nothing else is declared. */
const BY_ROLE = { battery: 'battery', signal: 'signal', presence: 'badge', zone: 'badge', location: 'map', alarm: 'sound' };
const ACTIONS = { turn_on: 'Ring', turn_off: 'Stop ringing', blink: 'Blink', ping: 'Ping' };

/** What a property is called. */
export function label(name) { return LABELS[name] || word(name); }
/** What an action is called. */
export function actionName(name) { return ACTIONS[name] || word(name); }

/** A value in words. */
export function text(name, property, declared = {}) {
  const value = property?.value;
  if (value === null || value === undefined) return 'unknown';
  if (name === 'lastSeen') return ago(value);
  if (name === 'present') return { yes: 'near', no: 'not near' }[value] || 'unknown';
  if (name === 'zone') return named('places', value);
  if (name === 'zones' && Array.isArray(value)) return value.map((one) => named('places', one)).join(', ') || 'none';
  if (value === true || value === false) return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.length > 0 ? value.join(', ') : 'none';
  if (typeof value === 'object') return value.latitude === undefined ? JSON.stringify(value) : `${value.latitude.toFixed(5)}, ${value.longitude.toFixed(5)} ± ${Math.round(value.accuracy)} m`;
  const done = declared.actions?.find((one) => one.value === value);
  if (done) return word(done.name);
  const unit = declared.unit || UNITS[name];
  return typeof value === 'number' ? `${Math.round(value * 100) / 100}${unit ? ` ${unit}` : ''}` : String(value);
}

/** What a control is: declared, built in, or by the type of its values; null for a class that nobody knows. */
function kindOf(declared, canSet) {
  const named = app.controls.find((one) => one.name === declared.control);
  const kind = named?.class || declared.control;
  if (kind?.startsWith('web:')) return kind;
  if (KNOWN.includes(kind)) return kind;
  // A class that was declared and is unknown says so; a name that is none becomes the usual one.
  if (named) return null;
  const role = declared.roles?.find((one) => BY_ROLE[one]);
  if (role) return BY_ROLE[role];
  if (!canSet) return 'readonly_text';
  if (declared.type === 'bool') return 'toggle';
  if (declared.type === 'enum' || declared.actions) return 'choice';
  if (declared.min !== undefined && declared.max !== undefined) return 'slider';
  return declared.type === 'number' ? 'number' : declared.type === 'color' ? 'color' : 'text';
}

/** How a value looks that is only shown, by the kind of its control. */
function look(kind, tracker, name, property, declared) {
  const words = text(name, property, declared);
  const value = property?.value;
  const meter = (limits) => h('meter', { ...limits, value, 'aria-label': label(name) });
  if (kind === 'badge') return h('span', { class: 'tag' }, words);
  if (kind === 'map' && value?.latitude !== undefined) return h('a', { href: `${addressOf('map')}?tracker=${encodeURIComponent(tracker.id)}` }, words);
  if (kind === 'signal' && typeof value === 'number') return [meter({ min: -100, low: -85, high: -60, optimum: -40, max: -30 }), ' ', words];
  if (kind !== 'battery' || value === null || value === undefined) return words;
  if (typeof value === 'number') return [meter({ min: 0, low: 20, high: 50, optimum: 100, max: 100 }), ` ${words}${declared.unit ? '' : ' %'}`];
  return h('span', { class: `badge ${{ normal: 'ok', low: 'warn', critical: 'bad' }[value] || 'unknown'}` }, words);
}

/** The control of a property: {element, update(property)}. */
export function control(tracker, name) {
  const declared = managed(tracker, name);
  const canSet = tracker.actions.includes(`set:${name}`);
  const kind = kindOf(declared, canSet);
  if (kind === null) {
    const shown = app.controls.find((one) => one.name === declared.control)?.class || declared.control;
    return { element: problem({ message: `The control “${shown}” is not known here.`, hint: 'Look at userExperience.controls of the file.' }), update() {} };
  }
  if (kind.startsWith('web:')) return own(kind, { tracker: tracker.id, property: name, config: app.controls.find((one) => one.name === declared.control)?.extras });
  const value = h('span', {});
  const isInput = canSet && !['readonly_text', 'badge', 'battery', 'signal', 'map', 'sound', 'button'].includes(kind);
  const place = h('div', {});
  const said = label(name);
  let box = null;
  let read = null;
  async function send(wanted) {
    replace(place);
    try {
      await perform(tracker.id, `set:${name}`, wanted);
    } catch (error) {
      replace(place, problem(error));
      // It is still what it was.
      read?.(find(tracker.id)?.properties[name]?.value);
    }
  }
  if (isInput) {
    const shared = { 'aria-label': said };
    const limits = { min: declared.min, max: declared.max };
    if (kind === 'toggle') {
      const [off, on] = declared.actions?.length === 2 ? declared.actions.map((one) => one.value).sort() : [false, true];
      box = h('input', { type: 'checkbox', role: 'switch', ...shared, on: { change: () => send(box.checked ? on : off) } });
      read = (now) => { box.checked = now === on || now === true; };
    } else if (kind === 'choice') {
      const options = declared.actions || [];
      box = h('select', { ...shared, on: { change: () => send(options[box.selectedIndex - 1]?.value) } },
        h('option', { value: '' }, '–'), options.map((one) => h('option', { value: String(one.value) }, word(one.name))));
      read = (now) => { box.selectedIndex = options.findIndex((one) => one.value === now) + 1; };
    } else {
      const type = { slider: 'range', color: 'color', text: 'text' }[kind] || 'number';
      const isFine = declared.max - declared.min <= 1 || !Number.isInteger(declared.min) || !Number.isInteger(declared.max);
      const step = kind === 'slider' ? (isFine ? (declared.max - declared.min) / 100 : null) : kind === 'number' ? null : type === 'number' ? (kind === 'thermostat' ? '0.5' : 'any') : null;
      box = h('input', { type, step, ...limits, ...shared, on: { change: () => { if (box.value !== '') send(isNumber(declared) ? Number(box.value) : box.value); } } });
      read = (now) => { if (document.activeElement !== box) box.value = now === null || now === undefined ? '' : now; };
    }
  }
  const rings = kind === 'sound' ? ['turn_on', 'turn_off'].filter((one) => tracker.actions.includes(one)) : [];
  const sets = (['button', 'sound'].includes(kind) ? declared.actions || [] : []).map((one) =>
    h('button', { type: 'button', on: { click: () => send(one.value) } }, word(one.name)));
  const element = h('div', { class: 'control' }, box, value, sets, sets.length === 0 && rings.length > 0 && actionButtons(tracker, rings), place);
  return {
    element,
    update(property) {
      if (read) read(property?.value);
      if (!read || kind === 'slider' || kind === 'thermostat') replace(value, look(kind, tracker, name, property, declared));
      element.classList.toggle('stale', Boolean(property) && !property.fresh);
    },
  };
}

/** The buttons of what can be asked of a tracker. */
export function actionButtons(tracker, names = tracker.actions.filter((one) => !one.startsWith('set:'))) {
  const place = h('div', {});
  return h('div', {}, h('div', { class: 'tools' }, names.map((name) => h('button', {
    type: 'button', on: {
      click: async () => {
        replace(place);
        try {
          await perform(tracker.id, name);
          say(`${actionName(name)}: asked for.`);
        } catch (error) { replace(place, problem(error)); }
      },
    },
  }, actionName(name)))), place);
}
