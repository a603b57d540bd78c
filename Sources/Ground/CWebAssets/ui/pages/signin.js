// Sign in by name and password, a code where one is set up, or another issuer.

import { h, replace } from '../dom.js';
import { call } from '../api.js';
import { field, form } from '../form.js';
import { problem } from '../notice.js';
import { go } from '../router.js';
import { session } from '../session.js';

// What an attempt at another issuer came back with.
const PROBLEMS = {
  signIn: 'This did not sign you in. Try again; if it happens again, an admin finds the reason in the log.',
  unknownSubject: 'You are known now, and wait: an admin has to let you in first. Then sign in again.',
  issuerUnavailable: 'That issuer cannot be reached just now. Try again in a moment.',
  rateLimited: 'There were too many tries from your address. Wait a minute, then try again.',
  csrf: 'The link that led here belongs to another page. Sign in from here.',
};

/** A path of the console, whatever an address says. */
export function safeNext(text) {
  if (!text || !text.startsWith('/ui/') || text.startsWith('/ui//') || text.includes('\\')) return '/ui/';
  const url = new URL(text, location.origin);
  return url.origin === location.origin && url.pathname.startsWith('/ui/') ? url.pathname + url.search : '/ui/';
}

export async function signIn(_, address) {
  const next = safeNext(address.searchParams.get('next'));
  const element = h('div', { class: 'narrow' });

  function arrived() {
    location.assign(next);
  }

  function askName() {
    const name = field('Name', { autocomplete: 'username', autocapitalize: 'none', spellcheck: 'false', required: true, 'data-focus': true, maxlength: 64 });
    const password = field('Password', { type: 'password', autocomplete: 'current-password', required: true, maxlength: 256 });
    const sent = form([name, password], 'Sign in', async () => {
      const answer = await call('POST', '/v1/session', { name: name.value.trim(), password: password.value });
      password.value = '';
      if (answer.totpNeeded) askCode(); else arrived();
    });
    const failed = address.searchParams.get('problem');
    replace(element,
      failed && problem({ message: Object.hasOwn(PROBLEMS, failed) ? PROBLEMS[failed] : 'Signing in there did not work. Try again.' }),
      address.searchParams.get('ended') && h('p', { class: 'hint' }, 'You were signed out. Sign in again to go on.'),
      session.setupNeeded && h('p', {}, 'There is no account yet. Open the link that luna backend printed, or run luna account add NAME --role admin on the server.'),
      sent.element,
      session.issuers.length > 0 && h('div', { class: 'issuers' }, session.issuers.map((issuer) =>
        h('a', {
          class: 'button',
          href: `/v1/session/oidc/start?issuer=${encodeURIComponent(issuer.issuer)}&next=${encodeURIComponent(next)}`,
          rel: 'nofollow',
        }, `Sign in with ${issuer.name}`))));
  }

  function askCode() {
    const code = field('Code', { inputmode: 'numeric', autocomplete: 'one-time-code', required: true, maxlength: 64, 'data-focus': true,
      hint: 'The six digits of your authenticator, or one of your recovery codes.' });
    const sent = form([code], 'Sign in', async () => {
      await call('POST', '/v1/session/totp', { code: code.value.trim() });
      arrived();
    }, { buttons: [h('button', { type: 'button', on: { click: askName } }, 'Back')] });
    replace(element, sent.element);
    code.box.focus();
  }

  if (!session.account) {
    askName();
  } else {
    queueMicrotask(() => go(next, { replacing: true }));
  }
  return { title: 'Sign in', element };
}
