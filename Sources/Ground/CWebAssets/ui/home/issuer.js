// Signing in at the issuer that the file names, and connecting one's account with it.

import { h, replace } from '../dom.js';
import { call } from '../api.js';
import { field, form } from '../form.js';
import { problem } from '../notice.js';
import { session } from './app.js';

// What an attempt came back with.
const PROBLEMS = {
  signIn: 'This did not sign you in. Try again; if it happens again, the log of the home has the reason.',
  unknownSubject: 'No account here belongs to this sign-in. Sign in with your password, and connect it in Settings.',
  identityTaken: 'Somebody else is connected with this sign-in.',
  issuerUnavailable: 'It cannot be reached just now. Try again in a moment.',
  rateLimited: 'There were too many tries from your address. Wait a minute, then try again.',
};

/** What went wrong there; null where nothing did. */
export function arrival(address) {
  const code = address.searchParams.get('problem');
  return code && problem({ message: Object.hasOwn(PROBLEMS, code) ? PROBLEMS[code] : 'Signing in there did not work. Try again.' });
}

/** A link to sign in there; null where the file names no issuer. */
export const issuerLink = (next) => session.issuer && h('p', {}, h('a', { class: 'button', rel: 'nofollow', href: `/api/v1/session/oidc/start?next=${encodeURIComponent(next)}` }, `Sign in with ${session.issuer}`));

/** Whether one's account is connected with it, and what changes that. */
export function issuerCard() {
  const place = h('div', {});
  function draw() {
    if (session.connected) {
      const end = async () => { try { await call('DELETE', '/api/v1/me/identity'); session.connected = false; draw(); } catch (error) { replace(place, problem(error, draw)); } };
      replace(place, h('p', {}, `${session.issuer} signs you in as well.`), h('button', { type: 'button', on: { click: end } }, 'Disconnect'));
      return;
    }
    const proof = field('Your password here', { type: 'password', autocomplete: 'current-password', required: true, maxlength: 256 });
    replace(place, h('p', {}, `You can sign in with ${session.issuer} as well, without this password.`), form([proof], `Connect with ${session.issuer}`, async () => {
      const { address } = await call('POST', '/api/v1/me/identity', { password: proof.value });
      location.assign(address);
    }, { account: session.account }).element);
  }
  draw();
  return place;
}
