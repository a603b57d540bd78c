// Who has an account, and who waits for one. For admins.

import { h, replace } from '../dom.js';
import { call, path } from '../api.js';
import { field, form } from '../form.js';
import { ask, empty, problem, say } from '../notice.js';
import { session } from '../session.js';
import { sessionList } from '../sessions.js';

const ROLES = [['viewer', 'viewer: sees'], ['operator', 'operator: changes gateways'], ['admin', 'admin: everything']];

export async function accounts() {
  const list = h('div', {});
  const trouble = h('div', {});
  const waiting = h('div', {});
  const invited = h('div', {});

  let known = [];

  const draw = () => replace(list, h('ul', { class: 'rows' }, known.map(row)));

  async function load() {
    known = (await call('GET', '/v1/accounts')).accounts;
    draw();
    try {
      const { identities } = await call('GET', '/v1/identities');
      const open = (identities || []).filter((one) => one.state === 'waiting');
      replace(waiting, open.length > 0 && [h('h2', {}, 'Waiting for a role'), h('ul', { class: 'rows' }, open.map(waitingRow))]);
    } catch (error) {
      if (error.status !== 404) replace(waiting, problem(error, load));
    }
  }

  const roles = (label, role, changed) => h('select', { 'aria-label': label, on: { change: (event) => changed(event.target.value) } },
    ROLES.map(([value, text]) => h('option', { value, selected: value === role }, text)));

  async function act(work, text) {
    try {
      await work();
      replace(trouble);
      if (text) say(text);
    } catch (error) {
      replace(trouble, problem(error));
      // A role that was chosen, and is none, is not shown.
      draw();
    }
    await load().catch(() => {});
  }

  function showLink({ invitation, account, picture }) {
    replace(invited, h('p', {}, `Give this link to ${account.name}. It works once, for 72 hours, and is not shown again:`),
      h('p', { class: 'code' }, invitation), picture && h('img', { class: 'label', src: picture, alt: `QR code of the link for ${account.name}` }));
    invited.scrollIntoView({ block: 'nearest' });
  }

  function row(account) {
    const { name } = account;
    const sessions = sessionList(name);
    return h('li', { class: 'row' }, h('span', { class: 'who' }, h('strong', {}, name, name === session.account && ' (you)'),
      h('span', { class: 'hint' }, account.state === 'invited' ? 'invited' : '', account.totp ? 'second factor' : '')),
    roles(`Role of ${name}`, account.role, (role) => act(() => call('PATCH', path`/v1/accounts/${name}`, { role }), `${name} is ${role} now.`)),
    h('button', {
      type: 'button', 'aria-label': `New link for ${name}`, on: {
        click: async () => {
          const text = 'Who opens it makes a new password; all sessions of this account end then.';
          if (await ask(`A new link for ${name}?`, text, 'Make the link')) act(async () => showLink(await call('PATCH', path`/v1/accounts/${name}`, { invite: true })));
        },
      },
    }, 'New link'),
    h('button', {
      type: 'button', class: 'danger', 'aria-label': `Remove ${name}`, on: {
        click: async () => {
          if (await ask(`Remove ${name}?`, 'Their sessions end at once.', 'Remove')) act(() => call('DELETE', path`/v1/accounts/${name}`), `${name} is removed.`);
        },
      },
    }, 'Remove'),
    h('details', { class: 'whole', on: { toggle: ({ target }) => { if (target.open) sessions.load(); } } },
      h('summary', {}, `Where ${name} is signed in`), sessions.element));
  }

  function waitingRow(identity) {
    const account = h('input', { 'aria-label': `Account of ${identity.subject}`, placeholder: 'account', maxlength: 64, autocomplete: 'off', autocapitalize: 'none' });
    const role = h('select', { 'aria-label': `Role of ${identity.subject}` }, ROLES.map(([value, text]) => h('option', { value }, text)));
    return h('li', { class: 'row' }, h('span', { class: 'who' }, h('strong', {}, identity.label || identity.subject),
      h('span', { class: 'hint' }, `${identity.label ? `${identity.subject} of ` : ''}${identity.issuer}`)), account, role,
      h('button', { type: 'button', on: { click: () => act(() => call('PUT', path`/v1/identities/${identity.id}`, { account: account.value.trim(), role: role.value }), 'They may come in now.') } }, 'Let in'));
  }

  const name = field('Name', { autocomplete: 'off', autocapitalize: 'none', spellcheck: 'false', maxlength: 64 });
  const role = field('Role', { kind: 'select', options: ROLES, value: 'viewer' });
  const invite = form([name, role], 'Invite', async () => {
    const answer = await call('POST', '/v1/accounts', { name: name.value.trim(), role: role.value });
    name.value = '';
    showLink(answer);
    await load();
  });
  await load();
  return {
    title: 'Accounts',
    element: h('div', {}, trouble, list, waiting, h('section', { class: 'narrow' }, h('h2', {}, 'Invite somebody'), invite.element, invited), list.children.length === 0 && empty('')),
  };
}
