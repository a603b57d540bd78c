// Who did what, when; what can be undone.

import { h, replace } from '../dom.js';
import { call, path } from '../api.js';
import { ask, empty, problem, say } from '../notice.js';
import { may } from '../session.js';
import { ago, moment } from '../text.js';

const VERBS = {
  add: 'added', edit: 'changed', remove: 'removed', restore: 'brought back', enrol: 'scanned the label of', admit: 'let in', bulk: 'changed several',
  forget: 'hid', recall: 'showed again', purge: 'purged', export: 'exported', invite: 'invited', signIn: 'signed in', refuse: 'could not sign in', signOut: 'signed out',
};
// Of accounts and rights the values stand there too: they are short, and never secret.
const OTHERS = ['gateway', 'device', ''];
const UNDONE = ['edit', 'remove', 'restore', 'bulk', 'forget'];
const LIFETIME = 30 * 86_400_000;
const PAGE = 500;

/** All changes at an address, the newest first. */
export async function allChanges(address) {
  const all = [];
  for (let since = 0; ;) {
    const { changes } = await call('GET', `${address}${address.includes('?') ? '&' : '?'}since=${since}`);
    all.push(...changes);
    if (changes.length < PAGE) return all.reverse();
    since = changes.at(-1).change;
  }
}

/** Where a gateway, or a device of one, is shown. */
function addressOf(object) {
  const [gateway, ref] = object.split('/');
  return ref ? path`/ui/devices/${ref}?gateway=${gateway}` : path`/ui/gateways/${gateway}`;
}

/** The changes as a list; `again` is called after one was undone. */
export function changeList(changes, again) {
  if (changes.length === 0) return empty('Nothing has changed yet.');
  const undone = new Set(changes.map((one) => one.undoes));
  const canUndo = (change) => may('operator') && OTHERS.includes(change.kind) && UNDONE.includes(change.action) && !change.bulk && !undone.has(change.change)
    && Date.now() - Date.parse(change.time) < LIFETIME;
  const purged = new Set(changes.filter((one) => one.action === 'purge').map((one) => one.object));
  const canPurge = (change) => may('admin') && change.kind === 'gateway' && change.action === 'remove' && !undone.has(change.change) && !purged.has(change.object);
  return h('ol', { class: 'changes' }, changes.map((change) => h('li', {},
    h('div', {}, h('strong', {}, change.actor || 'somebody'), ' ', VERBS[change.action] || change.action, ' ',
      subject(change),
      change.undoes && h('span', { class: 'hint' }, ` to undo change ${change.undoes}`),
      h('span', { class: 'hint' }, ' ', h('time', { datetime: change.time, title: moment(change.time) }, ago(change.time)))),
    change.fields && h('p', { class: 'hint' }, Object.entries(change.fields).map(([name, { before, after }]) =>
      OTHERS.includes(change.kind) || (before === null && after === null) ? name : `${name}: ${[before, after].filter((one) => one !== null).join(' → ')}`).join(', ')),
    canPurge(change) && h('button', { type: 'button', class: 'danger', on: { click: (event) => purge(change, event.target, again) } }, 'Purge'),
    canUndo(change) && h('button', { type: 'button', on: { click: (event) => undo(change, event.target, again) } }, 'Undo'))));
}

/** What was changed. */
function subject({ kind, object, actor }) {
  if (kind === 'fleet') return object;
  if (!OTHERS.includes(kind)) return kind === 'session' && object === actor ? null : `${kind} ${object}`;
  return object && h('a', { href: addressOf(object) }, object);
}

async function undo(change, button, again) {
  button.disabled = true;
  try {
    await call('POST', path`/v1/changes/${change.change}/undo`);
    say('Undone.');
    again();
  } catch (error) {
    button.disabled = false;
    button.after(problem(error));
  }
}

async function purge({ object }, button, again) {
  if (!await ask(`Purge ${object}?`, 'Its record and its tokens go for good; its history stays. This cannot be undone.', 'Purge')) return;
  button.disabled = true;
  try {
    await call('POST', path`/v1/gateways/${object}/purge`);
    say('Purged.');
    again();
  } catch (error) {
    button.disabled = false;
    button.after(problem(error));
  }
}

export async function history(_, address) {
  const actor = address.searchParams.get('actor');
  const place = h('div', {});
  async function load() {
    const query = new URLSearchParams({ ...(actor && { actor }), ...(may('admin') && { audit: '1' }) });
    replace(place, changeList(await allChanges(`/v1/changes?${query}`), load));
  }
  await load();
  return { title: 'History', element: place };
}
