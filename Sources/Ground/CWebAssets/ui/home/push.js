// Which of one's browsers are told of what a contact is (Web Push).

import { h, replace } from '../dom.js';
import { call, path } from '../api.js';
import { problem, say } from '../notice.js';
import { moment } from '../text.js';

/** Why this browser cannot be told; null where it can. */
function obstacle() {
  if (!isSecureContext) return 'A browser can be told only where this page comes by https.';
  if (!('serviceWorker' in navigator) || !('PushManager' in globalThis)) return 'This browser knows no Web Push.';
  if (Notification.permission === 'denied') return 'This browser may not show notifications of this page. Allow them in its settings.';
  return null;
}

/** The key that a subscription was made with, as the server writes it: base64url. */
function keyOf({ options }) {
  const bytes = new Uint8Array(options.applicationServerKey ?? []);
  return btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

async function subscribe(key, contact) {
  if (await Notification.requestPermission() !== 'granted') throw new Error(obstacle() || 'Notifications were not allowed.');
  const worker = await navigator.serviceWorker.register('/ui/worker.js', { scope: '/ui/' });
  await navigator.serviceWorker.ready;
  let made = await worker.pushManager.getSubscription();
  if (made && keyOf(made) !== key) {
    // One that was made with another key is good for nothing.
    await made.unsubscribe();
    made = null;
  }
  // The one that is there stays: another one would be one browser more to the server, and this one's messages would reach nobody.
  made ??= await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const { endpoint, keys } = made.toJSON();
  await call('POST', '/api/v1/push', { contact, endpoint, keys });
}

/** The browsers of who is signed in, and a button for this one. */
export function pushCard() {
  const element = h('section', {});
  async function draw() {
    let told;
    try { told = await call('GET', '/api/v1/push'); } catch (error) { replace(element, problem(error, draw)); return; }
    const { key, contacts, browsers } = told;
    const trouble = h('div', {});
    const who = h('select', { 'aria-label': 'Whose messages it gets' }, contacts.map((one) => h('option', { value: one.id }, one.name)));
    const act = (work, text) => async ({ target }) => {
      target.disabled = true;
      try { await work(); say(text); draw(); } catch (error) { target.disabled = false; replace(trouble, problem(error)); }
    };
    const nameOf = (id) => contacts.find((one) => one.id === id)?.name || id;
    const why = contacts.length === 0 ? 'No contact of this home has "push": true.' : obstacle();
    replace(element, h('h2', {}, 'Browsers'),
      browsers.length > 0 && h('ul', { class: 'rows' }, browsers.map((one) => h('li', { class: 'row' },
        h('div', { class: 'who' }, h('strong', {}, nameOf(one.contact)), h('span', { class: 'hint' }, `since ${moment(one.createdAt)}`)),
        h('button', { type: 'button', class: 'danger', on: { click: act(() => call('DELETE', path`/api/v1/push/${one.id}`), 'It is told no more.') } }, 'Remove')))),
      why ? h('p', { class: 'hint' }, why)
        : h('div', { class: 'tools' }, who, h('button', { type: 'button', on: { click: act(() => subscribe(key, who.value), 'This browser is told from now on.') } }, 'Tell this browser')),
      trouble);
  }
  draw();
  return element;
}
