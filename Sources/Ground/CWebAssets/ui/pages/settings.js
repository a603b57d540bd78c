// From where on something is wrong with a gateway. For admins. Which limits there are, what they can be and what they are
// usually, the server's description of its API says.

import { h } from '../dom.js';
import { call } from '../api.js';
import { field, form } from '../form.js';
import { say } from '../notice.js';

const LABELS = {
  online: 'Late after', late: 'Offline after', silent: 'Silent for', outageHours: 'Room for an outage', diskFree: 'Disk left',
  queueOldest: 'An event waits for', recoveriesPerHour: 'Recoveries', clockOffset: 'Clock is off by', temperature: 'Temperature',
};

/** The box of one limit. */
function box([name, rule], value) {
  const label = LABELS[name] || name;
  return Object.assign(field(label, {
    inputmode: 'decimal', autocomplete: 'off', value: value ?? '', placeholder: String(rule.default),
    hint: `${rule.description}; ${rule.minimum} to ${rule.maximum}, usually ${rule.default}`,
  }), { name, label, rule });
}

/** What a box says; nothing where it is empty. */
function limit({ value, label, rule }) {
  const text = value.trim().replace(',', '.');
  if (text === '') return undefined;
  const number = Number(text);
  const isGood = number >= rule.minimum && number <= rule.maximum && (rule.type === 'number' || Number.isInteger(number));
  if (!isGood) throw new Error(`${label} is a ${rule.type === 'number' ? 'number' : 'whole number'} from ${rule.minimum} to ${rule.maximum}.`);
  return number;
}

export async function settings() {
  const [{ healthLimits }, api] = await Promise.all([call('GET', '/v1/settings'), call('GET', '/openapi.json')]);
  const boxes = Object.entries(api.components.schemas.HealthLimits.properties).map((one) => box(one, healthLimits?.[one[0]]));
  const limits = form(boxes, 'Save the limits', async () => {
    const wanted = Object.fromEntries(boxes.map((one) => [one.name, limit(one)]).filter(([, value]) => value !== undefined));
    try {
      await call('PATCH', '/v1/settings', { healthLimits: Object.keys(wanted).length > 0 ? wanted : null });
    } catch (error) {
      if (error.code === 'setting') error.hint = 'A gateway cannot be late only after it is offline.';
      throw error;
    }
    say('Saved. From now on they hold for every gateway.');
  });
  return {
    title: 'Settings',
    element: h('div', { class: 'narrow' }, h('section', {}, h('h2', {}, 'Limits of health'),
      h('p', { class: 'hint' }, 'From where on a gateway is late, offline or not well. An empty box is as usual.'), limits.element),
    h('p', {}, 'Where the tiles of the map come from is said ', h('a', { href: '/ui/map' }, 'on the map'), '.')),
  };
}
