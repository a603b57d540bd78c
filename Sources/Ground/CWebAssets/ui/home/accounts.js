// Who may sign in here, what they see and do, and until when. For owners.

import { h, replace } from '../dom.js';
import { call, path } from '../api.js';
import { field, form } from '../form.js';
import { ask, problem, say } from '../notice.js';
import { dayOf, endOf, moment } from '../text.js';
import { session } from './app.js';
import { find, live } from './live.js';

const ROLES = [['member', 'Member: sees and uses all trackers'], ['guest', 'Guest: sees some from now on, and rings some'], ['owner', 'Owner: looks after everything']];
const RIGHTS = [['', 'not at all'], ['see', 'sees it from now on'], ['ring', 'sees and rings it']];

const names = (ids) => ids.map((id) => find(id)?.name || id).join(', ');

/** What an account may do, in a line. */
function told(one) {
  const isOver = one.until && Date.parse(one.until) <= Date.now();
  const rights = one.role === 'guest' && [one.trackers.length > 0 && `sees and rings ${names(one.trackers)}`, one.see.length > 0 && `sees ${names(one.see)}`, one.trackers.length + one.see.length === 0 && 'sees nothing'];
  return [one.role, one.state, one.totp && 'with a code', rights, one.until && `${isOver ? 'over since' : 'until'} ${moment(one.until)}`].flat().filter(Boolean).join(' · ');
}

/** The boxes for what an account may do: {fields, focus, members}. What the page does not show stays as it was. */
function rights(account = null) {
  const had = (id) => (account?.trackers.includes(id) ? 'ring' : account?.see.includes(id) ? 'see' : '');
  const role = field('Role', { kind: 'select', options: ROLES, value: account?.role || 'member' });
  const day = account?.until ? dayOf(account.until) : '';
  const until = field('Until the end of', { type: 'date', value: day, hint: 'Empty where it is to last.' });
  const some = live.trackers.map((one) => [one.id, field(one.name, { kind: 'select', options: RIGHTS, value: had(one.id) })]);
  const which = { element: h('fieldset', {}, h('legend', {}, 'Trackers of the guest'), some.map(([, box]) => box.element)) };
  function fold() {
    which.element.hidden = role.value !== 'guest';
    // A home that its only owner may not enter any more would be nobody's.
    until.element.hidden = role.value === 'owner';
  }
  role.box.addEventListener('change', fold);
  fold();
  return {
    fields: [role, until, which], focus: () => role.box.focus(),
    members() {
      const gone = (ids) => (ids || []).filter((id) => !some.some(([one]) => one === id));
      const chosen = (right, before) => (role.value === 'guest' ? [...some.filter(([, box]) => box.value === right).map(([id]) => id), ...gone(before)] : []);
      const end = role.value === 'owner' ? account?.role === 'owner' && account.until : until.value === day ? account?.until : until.value && endOf(until.value);
      return { role: role.value, trackers: chosen('ring', account?.trackers), see: chosen('see', account?.see), until: end || undefined };
    },
  };
}

export function accounts() {
  const place = h('div', {});
  const desk = h('div', {});
  const news = h('div', { role: 'status' });
  const guarded = (work) => async () => { try { await work(); } catch (error) { replace(news, problem(error)); } };

  const show = (name, { link, picture }) => replace(news, h('p', {}, `Give this link to ${name}${picture ? ', or have them point a camera at it' : ''}. It is good once:`), h('p', { class: 'code' }, link),
    picture && h('img', { class: 'label', src: picture, alt: `QR code of the link for ${name}` }));

  function invite() {
    const name = field('Name', { maxlength: 64, required: true, autocapitalize: 'none', hint: 'Small letters, digits, dots, hyphens and underscores.' });
    const { fields, members } = rights();
    replace(desk, h('h3', {}, 'Invite somebody'), form([name, ...fields], 'Make the link', async () => {
      const made = await call('POST', '/api/v1/accounts', { name: name.value.trim(), ...members() });
      await draw();
      show(name.value.trim(), made);
    }).element);
  }

  const got = (one) => call('GET', path`/api/v1/accounts/${one.name}`, undefined, { whole: true });

  const change = (one) => guarded(async () => {
    const { members: now, etag } = await got(one);
    const { fields, focus, members } = rights(now);
    replace(news);
    replace(desk, h('h3', {}, `What ${one.name} may do`), form(fields, 'Save', async () => {
      await call('PUT', path`/api/v1/accounts/${one.name}`, members(), { headers: { 'If-Match': etag } });
      say(`It holds at once: ${one.name} has to sign in again.`);
      await draw();
    }, { buttons: [h('button', { type: 'button', on: { click: invite } }, 'Cancel')] }).element);
    focus();
  });

  const reset = (one) => guarded(async () => show(one.name, await call('POST', path`/api/v1/accounts/${one.name}/reset`)));
  const remove = (one) => guarded(async () => {
    if (!await ask('Remove this account?', one.name, 'Remove')) return;
    await call('DELETE', path`/api/v1/accounts/${one.name}`, undefined, { headers: { 'If-Match': (await got(one)).etag } });
    await draw();
  });

  async function draw() {
    try {
      const { accounts: all } = await call('GET', '/api/v1/accounts');
      replace(place, h('ul', { class: 'rows' }, all.map((one) => h('li', { class: 'row' }, h('div', { class: 'who' }, h('strong', {}, one.name), h('span', { class: 'hint' }, told(one))),
        // Who changes what they may do themselves is signed out in the middle of it.
        one.name !== session.account && h('button', { type: 'button', 'aria-label': `Change: ${one.name}`, on: { click: change(one) } }, 'Change'),
        h('button', { type: 'button', 'aria-label': `New password: ${one.name}`, on: { click: reset(one) } }, 'New password'),
        h('button', { type: 'button', class: 'danger', 'aria-label': `Remove: ${one.name}`, on: { click: remove(one) } }, 'Remove')))), news, desk);
      invite();
    } catch (error) { replace(place, problem(error, draw)); }
  }
  draw();
  return place;
}
