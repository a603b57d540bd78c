// Passkeys (WebAuthn): signing in by what a phone, a key or this machine keeps, and one's own ones.

import { h, replace } from '../dom.js';
import { call, path } from '../api.js';
import { field, form } from '../form.js';
import { ask, problem, say } from '../notice.js';
import { moment } from '../text.js';
import { app, session } from './app.js';

const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (one) => one.charCodeAt(0));
const text = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer))).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
const PATIENCE = 300_000;

/** Whether this browser knows them. */
export const knowsPasskeys = () => isSecureContext && 'PublicKeyCredential' in globalThis;

/** What the person, the browser and the authenticator settle among themselves. */
async function settled(work) {
  try {
    return await work();
  } catch (error) {
    const words = { NotAllowedError: 'Nothing was chosen, or it took too long.', InvalidStateError: 'This authenticator has a passkey for you already.', SecurityError: 'Open this page by the name that its passkeys are for.' };
    throw new Error(words[error.name] || `The browser cannot do this: ${error.message}`, { cause: error });
  }
}

export async function signInByPasskey() {
  const { challenge, party } = await call('GET', '/api/v1/session/passkey');
  const found = await settled(() => navigator.credentials.get({ publicKey: { challenge: bytes(challenge), rpId: party, userVerification: 'required', timeout: PATIENCE } }));
  const { clientDataJSON, authenticatorData, signature } = found.response;
  await call('POST', '/api/v1/session/passkey', { id: text(found.rawId), clientData: text(clientDataJSON), authenticatorData: text(authenticatorData), signature: text(signature) });
}

async function make({ challenge, party, user, account }, passkeys) {
  const made = await settled(() => navigator.credentials.create({
    publicKey: {
      challenge: bytes(challenge), rp: { id: party, name: app.name }, user: { id: bytes(user), name: account, displayName: account },
      pubKeyCredParams: [-7, -8, -257].map((alg) => ({ type: 'public-key', alg })), excludeCredentials: passkeys.map((one) => ({ type: 'public-key', id: bytes(one.id) })),
      authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' }, attestation: 'none', timeout: PATIENCE,
    },
  }));
  return { clientData: text(made.response.clientDataJSON), authenticatorData: text(made.response.getAuthenticatorData()) };
}

/** One's passkeys, and a form for another one. */
export function passkeyCard() {
  const element = h('div', {});
  async function draw() {
    let known;
    try { known = await call('GET', '/api/v1/me/passkeys'); } catch (error) { replace(element, problem(error, draw)); return; }
    const trouble = h('div', {});
    const name = field('What you call it', { maxlength: 80, autocomplete: 'off', hint: 'The phone or the key that keeps it.' });
    const proof = field('Your password', { type: 'password', autocomplete: 'current-password', required: true, maxlength: 256 });
    const add = form([name, proof], 'Add a passkey', async () => {
      const made = await make(known.new, known.passkeys);
      await call('POST', '/api/v1/me/passkeys', { ...made, name: name.value.trim(), password: proof.value });
      say('The passkey is kept. It signs you in without a password.');
      draw();
    }, { account: session.account }).element;
    const remove = (one) => async () => {
      try {
        if (!await ask('Remove this passkey?', one.name, 'Remove')) return;
        await call('DELETE', path`/api/v1/me/passkeys/${one.id}`);
        draw();
      } catch (error) { replace(trouble, problem(error)); }
    };
    const why = !known.new || !knowsPasskeys() ? 'Browsers keep passkeys only for pages that come by https and a name, or from this machine as localhost.' : null;
    replace(element, h('p', {}, 'A passkey signs you in by a finger, a face or a number on what keeps it, without password and code.'),
      known.passkeys.length > 0 && h('ul', { class: 'rows' }, known.passkeys.map((one) => h('li', { class: 'row' },
        h('div', { class: 'who' }, h('strong', {}, one.name), h('span', { class: 'hint' }, `since ${moment(one.createdAt)}`)),
        h('button', { type: 'button', class: 'danger', 'aria-label': `Remove the passkey: ${one.name}`, on: { click: remove(one) } }, 'Remove')))),
      why ? h('p', { class: 'hint' }, why) : add, trouble);
  }
  draw();
  return element;
}
