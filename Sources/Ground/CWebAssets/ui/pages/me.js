// One's own account: password, second factor, sessions, theme.

import { h, replace } from '../dom.js';
import { call, path } from '../api.js';
import { field, form } from '../form.js';
import { problem, say, tell } from '../notice.js';
import { session } from '../session.js';
import { ago, moment } from '../text.js';
import { setTheme, theme } from '../theme.js';

export async function me() {
  const old = field('Password now', { type: 'password', autocomplete: 'current-password', maxlength: 256 });
  const next = field('New password', { type: 'password', autocomplete: 'new-password', maxlength: 256, hint: 'At least 12 characters.' });
  const password = form([old, next], 'Change password', async () => {
    await call('PUT', '/v1/me/password', { old: old.value, new: next.value });
    location.reload();
  }, { account: session.account });
  const factor = h('div', {});
  const sessions = h('div', {});

  function drawFactor() {
    const secret = field('Password', { type: 'password', autocomplete: 'current-password', maxlength: 256 });
    const on = form([secret], 'Set up a second factor', async () => {
      const answer = await call('POST', '/v1/me/totp');
      const code = field('Code', { inputmode: 'numeric', autocomplete: 'one-time-code', maxlength: 6 });
      const confirm = form([code], 'Turn it on', async () => {
        const { recoveryCodes } = await call('PUT', '/v1/me/totp', { code: code.value.trim(), password: secret.value });
        replace(factor, h('p', {}, 'It is on. Keep these recovery codes; each works once, and they are not shown again:'),
          h('ul', { class: 'code' }, (recoveryCodes || []).map((one) => h('li', {}, one))));
      });
      replace(factor, h('p', {}, 'Put this into your authenticator:'), h('p', { class: 'code' }, answer.secret),
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

  async function drawSessions() {
    try {
      const answer = await call('GET', '/v1/sessions');
      replace(sessions, h('ul', { class: 'rows' }, answer.sessions.map((one) => h('li', { class: 'row' },
        h('span', { class: 'who' }, h('strong', {}, one.current ? 'This browser' : one.agent || one.address || 'A browser'),
          h('span', { class: 'hint' }, one.createdAt ? `since ${moment(one.createdAt)}` : '', one.seenAt ? `, used ${ago(one.seenAt)}` : '')),
        !one.current && h('button', {
          type: 'button', on: {
            click: async () => {
              try { await call('DELETE', path`/v1/sessions/${one.id}`); } catch (error) { sessions.prepend(problem(error)); return; }
              drawSessions();
            },
          },
        }, 'End')))));
    } catch (error) {
      replace(sessions, problem(error, drawSessions));
    }
  }

  const looks = field('Theme', { kind: 'select', options: [['system', 'As the system'], ['light', 'Light'], ['dark', 'Dark']], value: theme() });
  const trouble = h('div', {});
  looks.box.addEventListener('change', async () => {
    try { await setTheme(looks.value); tell(trouble); } catch (error) { tell(trouble, error); }
  });
  drawFactor();
  await drawSessions();
  return {
    title: session.account,
    element: h('div', { class: 'narrow' }, h('p', {}, `You are ${session.role}.`),
      h('section', {}, h('h2', {}, 'Password'), password.element), h('section', {}, h('h2', {}, 'Second factor'), factor),
      h('section', {}, h('h2', {}, 'Where you are signed in'), sessions), h('section', {}, h('h2', {}, 'Looks'), looks.element, trouble)),
  };
}
