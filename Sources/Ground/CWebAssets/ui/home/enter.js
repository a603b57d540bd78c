// Signing in, and the links that make passwords. The secret of a link stands behind the #, which browsers send to nobody.

import { h, replace } from '../dom.js';
import { call } from '../api.js';
import { field, form } from '../form.js';
import { problem } from '../notice.js';
import { app, session, word } from './app.js';
import { arrival, issuerLink } from './issuer.js';
import { knowsPasskeys, signInByPasskey } from './passkeys.js';

const nameField = () => field('Name', { autocomplete: 'username', autocapitalize: 'none', spellcheck: 'false', required: true, 'data-focus': true, maxlength: 64 });

/** A path of this app, whatever an address says. */
function safeNext(text) {
  if (!text?.startsWith('/ui/') || text.includes('\\')) return '/ui/';
  const url = new URL(text, location.origin);
  return url.origin === location.origin && url.pathname.startsWith('/ui/') ? url.pathname + url.search : '/ui/';
}

export function signIn(_, address) {
  const next = safeNext(address.searchParams.get('next'));
  const element = h('div', { class: 'narrow' });
  function askName() {
    const name = nameField();
    const password = field('Password', { type: 'password', autocomplete: 'current-password', required: true, maxlength: 256 });
    const { element: boxes } = form([name, password], 'Sign in', async () => {
      const answer = await call('POST', '/api/v1/session', { name: name.value.trim(), password: password.value });
      password.value = '';
      if (answer.totpNeeded) askCode(); else location.assign(next);
    });
    const trouble = h('div', {});
    const byPasskey = async () => { try { await signInByPasskey(); location.assign(next); } catch (error) { replace(trouble, problem(error)); } };
    const forgot = session.mail && h('p', {}, h('button', { type: 'button', class: 'plain', on: { click: askLink } }, 'Forgotten the password?'));
    const other = session.passkeys && knowsPasskeys() && h('p', {}, h('button', { type: 'button', on: { click: byPasskey } }, 'Sign in with a passkey'));
    replace(element, arrival(address), address.searchParams.get('ended') && h('p', { class: 'hint' }, 'You were signed out. Sign in again to go on.'),
      session.setupNeeded && h('p', {}, 'There is no account yet. Open the link that luna home run printed, or print a new one: luna home link.'), boxes, other, issuerLink(next), forgot, trouble);
    name.box.focus();
  }
  function askLink() {
    const name = nameField();
    const { element: boxes } = form([name], 'Mail a link', async () => {
      await call('POST', '/api/v1/forgotten', { name: name.value.trim() });
      replace(element, h('p', { role: 'status' }, 'If this account has an address of mail, a link is on its way. It is good once, for an hour. Else whoever looks after this home makes one.'));
    }, { buttons: [h('button', { type: 'button', on: { click: askName } }, 'Back')] });
    replace(element, boxes);
    name.box.focus();
  }
  function askCode() {
    const code = field('Code', { inputmode: 'numeric', autocomplete: 'one-time-code', required: true, maxlength: 64, hint: 'The six digits of your authenticator, or one of your recovery codes.' });
    const { element: boxes } = form([code], 'Sign in', async () => {
      await call('POST', '/api/v1/session/totp', { code: code.value.trim() });
      location.assign(next);
    }, { buttons: [h('button', { type: 'button', on: { click: askName } }, 'Back')] });
    replace(element, boxes);
    code.box.focus();
  }
  if (session.account) location.replace(next); else askName();
  return { title: word(app.signIn?.title || 'Sign in'), config: { ...app.config, ...app.signIn?.config }, element };
}

const noSecret = () => h('div', { class: 'problem', role: 'alert' }, h('p', {}, 'This link is not whole: nothing stands behind the #.'), h('p', { class: 'hint' }, 'Open the link as it was given to you, and only once.'));

/** Shows that an address of mail is one's own. */
export function verify() {
  const secret = location.hash.slice(1);
  history.replaceState(null, '', location.pathname);
  const title = 'Your address';
  if (!secret) return { title, element: noSecret() };
  const element = h('div', { class: 'narrow' });
  const { element: boxes } = form([], 'It is mine', async () => {
    await call('POST', '/api/v1/verify', { secret });
    replace(element, h('p', { role: 'status' }, 'From now on a link for another password can be mailed to you.'), h('p', {}, h('a', { class: 'button', href: '/ui/' }, 'To the app')));
  });
  replace(element, h('p', {}, 'This link shows that the address of mail is yours.'), boxes);
  return { title, element };
}

function linkPage(title, intro, path, button, asksName) {
  return () => {
    const secret = location.hash.slice(1);
    history.replaceState(null, '', location.pathname);
    if (!secret) {
      return { title, element: noSecret() };
    }
    if (asksName && !session.setupNeeded) {
      const { element } = form([], 'Sign in', async () => {
        await call('POST', path, { secret });
        location.assign('/ui/');
      });
      return { title: 'Sign in', element: h('div', { class: 'narrow' }, h('p', {}, 'This link signs you in as the owner of this home.'), element) };
    }
    const name = nameField();
    const password = field('Password', { type: 'password', autocomplete: 'new-password', required: true, maxlength: 256, hint: 'At least 12 characters. A sentence is fine.' });
    const repeated = field('Password again', { type: 'password', autocomplete: 'new-password', required: true, maxlength: 256 });
    const { element } = form(asksName ? [name, password, repeated] : [password, repeated], button, async () => {
      if (password.value !== repeated.value) throw new Error('The two passwords differ.');
      await call('POST', path, { secret, name: asksName ? name.value.trim() : undefined, password: password.value });
      // Who has just made the first account is asked for the rest.
      location.assign(asksName ? '/ui/welcome' : '/ui/');
    });
    return { title, element: h('div', { class: 'narrow' }, h('p', {}, intro), element) };
  };
}

export const setup = linkPage('Welcome', 'This makes the first account: yours. It looks after everything here.', '/api/v1/setup', 'Make the account', true);
export const join = linkPage('Welcome', 'You were invited. Choose a password.', '/api/v1/join', 'Make the account', false);
export const reset = linkPage('New password', 'Choose another password. You are signed out everywhere else.', '/api/v1/reset', 'Use this password', false);
