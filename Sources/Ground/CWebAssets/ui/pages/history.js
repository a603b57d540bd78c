// Who did what, when; what can be undone.

import { h, replace } from '../dom.js';
import { call, path } from '../api.js';
import { onReturn } from '../connection.js';
import { ask, empty, problem, say } from '../notice.js';
import { keepFocus, keptRows } from '../rows.js';
import { may } from '../session.js';
import { listen } from '../stream.js';
import { ago, count, moment } from '../text.js';

const VERBS = {
  add: 'added', edit: 'changed', remove: 'removed', restore: 'brought back', enrol: 'scanned the label of', admit: 'let in', bulk: 'changed several',
  forget: 'hid', recall: 'showed again', purge: 'purged', export: 'exported', invite: 'invited', signIn: 'signed in', refuse: 'could not sign in', signOut: 'signed out',
};
// Of accounts and rights the values stand there too: they are short, and never secret.
const OTHERS = ['gateway', 'device', ''];
const UNDONE = ['edit', 'remove', 'bulk', 'forget'];
// They are taken back as long as nothing else was done with the record.
const UNDONE_LAST = ['add', 'restore'];
const LIFETIME = 30 * 86_400_000;
const PAGE = 500;

/** All changes at an address that came after one, the newest first. */
export async function allChanges(address, since = 0) {
  const all = [];
  for (;;) {
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

/** Takes a change back; gives what there is to say of it. */
export async function takeBack(number) {
  const { results = [] } = await call('POST', path`/v1/changes/${number}/undo`);
  const stay = results.filter((one) => one.status === 'refused').length;
  return stay > 0 ? `${count(stay, 'gateway')} could not be changed back.` : 'Undone.';
}

/** A list of changes, with a function that shows some in it; `again` is called after one was undone. */
export function changeList(again) {
  const element = h('div', {});
  const opened = new Set();
  let undone = new Set();
  let purged = new Set();
  let last = new Map();

  const key = ({ kind, object }) => `${kind} ${object}`;
  const canUndo = (change) => may('operator') && OTHERS.includes(change.kind) && !undone.has(change.change)
    && (UNDONE.includes(change.action) || (UNDONE_LAST.includes(change.action) && last.get(key(change)) === change.change))
    && Date.now() - Date.parse(change.time) < LIFETIME;
  const canPurge = (change) => may('admin') && change.kind === 'gateway' && change.action === 'remove' && !undone.has(change.change) && !purged.has(change.object);

  const contents = ({ change, parts = [] }) => [
    h('div', {}, h('strong', {}, change.actor || 'somebody'), ' ',
      parts.length > 0 ? `${VERBS[parts[0].action]} ${count(parts.length, 'gateway')}` : [VERBS[change.action] || change.action, ' ', subject(change)],
      change.undoes && h('span', { class: 'hint' }, ` to undo change ${change.undoes}`),
      h('span', { class: 'hint' }, ' ', h('time', { datetime: change.time, title: moment(change.time) }, ago(change.time)))),
    change.fields && h('p', { class: 'hint' }, Object.entries(change.fields).map(([name, { before, after }]) =>
      OTHERS.includes(change.kind) || (before === null && after === null) ? name : `${name}: ${[before, after].filter((one) => one !== null).join(' → ')}`).join(', ')),
    canPurge(change) && h('button', { type: 'button', class: 'danger', on: { click: (event) => purge(change, event.target, again) } }, 'Purge'),
    canUndo(change) && h('button', { type: 'button', on: { click: (event) => undo(change, event.target, again) } }, 'Undo'),
    parts.length > 0 && h('details', {
      open: opened.has(change.change), on: {
        toggle: (event) => { if (event.target.open) opened.add(change.change); else opened.delete(change.change); },
      },
    }, h('summary', {}, 'Which'), h('ol', { class: 'changes' }, parts.map((part) => h('li', {}, contents({ change: part }))))),
  ];
  const rows = keptRows(() => h('li', {}), contents);

  function show(changes, none = 'Nothing has changed yet.') {
    undone = new Set(changes.map((one) => one.undoes));
    purged = new Set(changes.filter((one) => one.action === 'purge').map((one) => one.object));
    last = new Map([...changes].reverse().map((one) => [key(one), one.change]));
    // What belongs to a change of many stands in it, where that one is there.
    const parts = new Map(changes.filter((one) => one.action === 'bulk').map((one) => [one.change, []]));
    for (const one of changes) parts.get(one.bulk)?.push(one);
    rows((row) => replace(element, changes.length === 0 ? empty(none)
      : h('ol', { class: 'changes' }, changes.filter((one) => !parts.has(one.bulk)).map((one) => row(one.change, { change: one, parts: parts.get(one.change) })))));
  }
  return { element, show };
}

/** What was changed. */
function subject({ kind, object, name, actor }) {
  if (kind === 'fleet') return object;
  if (!OTHERS.includes(kind)) return kind === 'session' && object === actor ? null : `${kind} ${object}`;
  const link = object && h('a', { href: addressOf(object) }, name || object);
  return name ? [kind === 'device' && 'a device of ', link, h('span', { class: 'hint' }, ` ${object}`)] : link;
}

async function undo(change, button, again) {
  button.disabled = true;
  try {
    say(await takeBack(change.change));
    again();
  } catch (error) {
    button.disabled = false;
    button.after(problem(error));
  }
}

async function purge({ object }, button, again) {
  if (!await ask(`Purge ${object}?`, 'Its record, its tokens and what it told of its health go for good; its history stays. This cannot be undone.', 'Purge')) return;
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
  let actor = address.searchParams.get('actor') || '';
  let changes = [];
  const trouble = h('div', {});
  const more = h('div', {});
  const people = h('datalist', { id: 'actors' });
  const who = h('input', { type: 'search', value: actor, 'aria-label': 'Who', placeholder: 'Who', list: 'actors', maxlength: 80, autocomplete: 'off' });
  const list = changeList(() => load());

  const from = (where = {}) => `/v1/changes?${new URLSearchParams({ ...where, ...(actor && { actor }), ...(may('admin') && { audit: '1' }) })}`;

  /** Gets what is new, or with `isOlder` what came before the oldest that is shown. */
  async function load(isOlder = changes.length === 0) {
    const asked = actor;
    try {
      let some;
      if (isOlder) some = (await call('GET', from({ before: changes.at(-1)?.change ?? Number.MAX_SAFE_INTEGER }))).changes.reverse();
      else some = await allChanges(from(), changes[0].change);
      if (asked !== actor) return;
      // Two may have asked at once.
      const known = new Set(changes.map((one) => one.change));
      const next = some.filter((one) => !known.has(one.change));
      changes = isOlder ? [...changes, ...next] : [...next, ...changes];
      list.show(changes, actor ? `Nothing was changed by ${actor}.` : undefined);
      replace(people, [...new Set(changes.map((one) => one.actor))].sort().map((value) => h('option', { value })));
      if (isOlder) keepFocus(more, () => replace(more, some.length === PAGE && h('button', { type: 'button', on: { click: () => load(true) } }, 'Show more')));
      replace(trouble);
    } catch (error) {
      replace(trouble, problem(error, () => load(isOlder)));
    }
  }

  function choose(name) {
    actor = who.value = name.trim();
    globalThis.history.replaceState(null, '', actor ? path`/ui/history?actor=${actor}` : '/ui/history');
    changes = [];
    load();
  }

  await load();
  let late = null;
  const changed = () => { late ||= setTimeout(() => { late = null; load(); }, 300); };
  const ends = [listen('gateway', changed), listen('reset', changed), onReturn(changed)];
  return {
    title: 'History',
    element: h('div', {}, h('form', { class: 'search', role: 'search', on: { submit: (event) => { event.preventDefault(); choose(who.value); } } }, who, people,
      h('button', { type: 'submit' }, 'Show')), trouble, list.element, more),
    leave: () => { ends.forEach((end) => end()); clearTimeout(late); },
  };
}
