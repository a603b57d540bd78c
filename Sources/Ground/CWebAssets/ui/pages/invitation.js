// The links that make accounts: the first one, and invitations. The secret stands behind the #, which browsers send to
// nobody.

import { h } from '../dom.js';
import { call } from '../api.js';
import { field, form } from '../form.js';

function page(title, intro, path, button, { asksName }) {
  return async () => {
    const secret = location.hash.slice(1);
    history.replaceState(null, '', location.pathname);
    if (!secret) {
      return {
        title, element: h('div', { class: 'narrow' },
          h('div', { class: 'problem', role: 'alert' }, h('p', {}, 'This link is not whole: nothing stands behind the #.'),
            h('p', { class: 'hint' }, 'Open the link as it was given to you, and only once.'))),
      };
    }
    const name = field('Name', { autocomplete: 'username', autocapitalize: 'none', spellcheck: 'false', required: true, 'data-focus': true,
      maxlength: 64, hint: 'Small letters, digits, dots, hyphens and underscores.' });
    const password = field('Password', { type: 'password', autocomplete: 'new-password', required: true, maxlength: 256,
      hint: 'At least 12 characters. A sentence is fine.' });
    const repeated = field('Password again', { type: 'password', autocomplete: 'new-password', required: true, maxlength: 256 });
    const fields = asksName ? [name, password, repeated] : [password, repeated];
    const sent = form(fields, button, async () => {
      if (password.value !== repeated.value) throw new Error('The two passwords differ.');
      await call('POST', path, { secret, name: asksName ? name.value.trim() : undefined, password: password.value });
      location.assign('/ui/');
    });
    return { title, element: h('div', { class: 'narrow' }, h('p', {}, intro), sent.element) };
  };
}

export const setup = page('Set up', 'This makes the first account. It is an admin: it may do everything here.',
  '/v1/setup', 'Make the account', { asksName: true });
export const invitation = page('Invitation', 'Choose a name and a password for your account.', '/v1/invitation',
  'Make the account', { asksName: true });
