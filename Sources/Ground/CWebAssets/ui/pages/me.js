// One's own account: password, second factor, sessions, theme.

import { h, replace } from '../dom.js';
import { call } from '../api.js';
import { field, form } from '../form.js';
import { say, tell } from '../notice.js';
import { session } from '../session.js';
import { sessionList } from '../sessions.js';
import { setTheme, theme } from '../theme.js';

export async function me() {
  const old = field('Password now', { type: 'password', autocomplete: 'current-password', maxlength: 256 });
  const next = field('New password', { type: 'password', autocomplete: 'new-password', maxlength: 256, hint: 'At least 12 characters.' });
  const password = form([old, next], 'Change password', async () => {
    await call('PUT', '/v1/me/password', { old: old.value, new: next.value });
    location.reload();
  }, { account: session.account });
  const factor = h('div', {});
  const sessions = sessionList();

  function drawFactor() {
    const secret = field('Password', { type: 'password', autocomplete: 'current-password', maxlength: 256 });
    const on = form([secret], 'Set up a second factor', async () => {
      const answer = await call('POST', '/v1/me/totp');
      const code = field('Code', { inputmode: 'numeric', autocomplete: 'one-time-code', maxlength: 6 });
      // Whether the password is right is only said now: it can be corrected here.
      const confirm = form([code, secret], 'Turn it on', async () => {
        const { recoveryCodes } = await call('PUT', '/v1/me/totp', { code: code.value.trim(), password: secret.value });
        replace(factor, h('p', {}, 'It is on. Keep these recovery codes; each works once, and they are not shown again:'),
          h('ul', { class: 'code' }, (recoveryCodes || []).map((one) => h('li', {}, one))));
      }, { account: session.account });
      replace(factor, h('p', {}, answer.picture ? 'Point your authenticator at this, or put the words below into it:' : 'Put this into your authenticator:'),
        answer.picture && h('img', { class: 'label', src: answer.picture, alt: 'QR code of the second factor' }), h('p', { class: 'code' }, answer.secret),
        answer.uri && h('p', {}, h('a', { href: answer.uri, 'data-outside': true }, 'Open it in an authenticator on this device')), confirm.element);
    }, { account: session.account });
    const off = field('Password', { type: 'password', autocomplete: 'current-password', maxlength: 256 });
    const end = form([off], 'Turn it off', async () => {
      await call('DELETE', '/v1/me/totp', { password: off.value });
      say('The second factor is off.');
      drawFactor();
    }, { account: session.account });
    replace(factor, on.element, h('details', {}, h('summary', {}, 'Turn the second factor off'), end.element));
  }

  const looks = field('Theme', { kind: 'select', options: [['system', 'As the system'], ['light', 'Light'], ['dark', 'Dark']], value: theme() });
  const trouble = h('div', {});
  looks.box.addEventListener('change', async () => {
    try { await setTheme(looks.value); tell(trouble); } catch (error) { tell(trouble, error); }
  });
  drawFactor();
  await sessions.load();
  return {
    title: session.account,
    element: h('div', { class: 'narrow' }, h('p', {}, `You are ${session.role}.`),
      h('section', {}, h('h2', {}, 'Password'), password.element), h('section', {}, h('h2', {}, 'Second factor'), factor),
      h('section', {}, h('h2', {}, 'Where you are signed in'), sessions.element), h('section', {}, h('h2', {}, 'Looks'), looks.element, trouble)),
  };
}
