// Signs in a program that shows a code: a gateway, an owner's computer. Nothing is approved by a link alone.

import { h, replace } from '../dom.js';
import { call, path } from '../api.js';
import { field, form } from '../form.js';
import { say, tell } from '../notice.js';
import { moment } from '../text.js';

export async function approveDevice() {
  const element = h('div', { class: 'narrow' });

  function askCode() {
    const code = field('Code', { autocomplete: 'off', autocapitalize: 'characters', spellcheck: 'false', required: true, maxlength: 16,
      'data-focus': true, hint: 'Eight letters, as the program shows them.' });
    const sent = form([code], 'Go on', async () => {
      const user = code.value.toUpperCase().replace(/[^A-Z]/g, '');
      if (!user) {
        code.box.focus();
        throw Object.assign(new Error('The code is missing.'), { hint: 'Type the eight letters that the program shows.' });
      }
      show(user, await call('GET', path`/v1/sign-ins/${user}`));
    });
    replace(element, h('p', {}, 'A program without a screen of its own shows a code. Type it here to sign that program in.'), sent.element);
    code.box.focus();
  }

  function show(user, grant) {
    const place = h('div', {});
    const shown = h('p', { class: 'code', tabindex: '-1' }, `${user.slice(0, 4)}-${user.slice(4)}`);
    const decide = async (how, text) => {
      try {
        await call('POST', path`/v1/sign-ins/${user}`, { approve: how });
        say(text);
        askCode();
      } catch (error) {
        tell(place, error);
      }
    };
    replace(element, shown,
      h('p', {}, 'Compare this code with the one that the program shows. Did somebody send it to you? Then deny it: they would be signed in, not you.'),
      h('dl', { class: 'facts' },
        h('dt', {}, 'Program'), h('dd', {}, grant.client || 'not known'),
        h('dt', {}, 'Wants to be'), h('dd', {}, grant.scope || 'not known'),
        h('dt', {}, 'Asks from'), h('dd', {}, grant.address || 'not known'),
        h('dt', {}, 'Since'), h('dd', {}, grant.createdAt ? moment(grant.createdAt) : 'not known')),
      place,
      h('div', { class: 'buttons' },
        h('button', { type: 'button', on: { click: () => decide(false, 'Denied.') } }, 'Deny'),
        h('button', { type: 'button', class: 'primary', on: { click: () => decide(true, 'Approved. The program goes on by itself.') } }, 'Approve')));
    shown.focus();
  }

  askCode();
  return { title: 'Sign in a program', element };
}
