// The console begins here: who looks, the frame around every page, and the addresses.

import { h, icon, replace } from './dom.js';
import { connectionBar, onReturn } from './connection.js';
import { notices, problem, say, skeleton } from './notice.js';
import { call } from './api.js';
import { again, begin, go, route } from './router.js';
import { loadSession, may, session } from './session.js';
import { applyTheme, loadTheme } from './theme.js';
import { changesTold, closeStream, listen, openStream, startOver } from './stream.js';
import { appeared } from './usage.js';
import { about } from './pages/about.js';
import { accounts } from './pages/accounts.js';
import { dashboard } from './pages/dashboard.js';
import { approveDevice } from './pages/device.js';
import { devices, heardDevice } from './pages/devices.js';
import { directory } from './pages/directory.js';
import { gateway } from './pages/gateway.js';
import { history } from './pages/history.js';
import { invitation, setup } from './pages/invitation.js';
import { map } from './pages/map.js';
import { me } from './pages/me.js';
import { settings } from './pages/settings.js';
import { signIn } from './pages/signin.js';
import { enrol } from './pages/scan.js';

const main = h('main', { id: 'main', tabindex: '-1' });
const frame = h('div', { class: 'frame' });
const OPEN = ['/ui/sign-in', '/ui/setup', '/ui/invitation', '/ui/about'];

function navigation() {
  const links = [
    ['/ui/', 'Gateways', 'gateway', 'viewer'], ['/ui/dashboard', 'Dashboard', 'dashboard', 'viewer'], ['/ui/map', 'Map', 'map', 'viewer'], ['/ui/scan', 'Add', 'add', 'operator'],
    ['/ui/device', 'Sign in a program', 'device', 'operator'], ['/ui/history', 'History', 'history', 'viewer'],
    ['/ui/accounts', 'Accounts', 'people', 'admin'], ['/ui/settings', 'Settings', 'settings', 'admin'], ['/ui/me', session.account, 'me', 'viewer'],
    ['/ui/about', 'About', 'about', 'viewer'],
  ];
  const here = location.pathname;
  return h('nav', { 'aria-label': 'Pages' }, h('a', { class: 'brand', href: '/ui/' }, 'Luna'),
    links.filter(([, , , role]) => may(role)).map(([address, text, picture]) => {
      const isHere = address === '/ui/' ? here === '/ui/' || here.startsWith('/ui/gateways') || here.startsWith('/ui/devices/') : `${here}/`.startsWith(`${address}/`);
      return h('a', { href: address, 'aria-current': isHere ? 'page' : null }, icon(picture), h('span', {}, text));
    }),
    h('button', { type: 'button', class: 'plain', on: { click: signOut } }, 'Sign out'));
}

async function signOut() {
  try {
    await call('DELETE', '/v1/session');
  } catch (error) {
    if (error.status !== 401) { say(`You are still signed in. ${error.message}`); return; }
  }
  location.assign('/ui/sign-in');
}

/** The session ended elsewhere: by time, by an admin, by a new password. */
function signedOut() {
  closeStream();
  session.account = null;
  session.role = null;
  const next = location.pathname + location.search;
  go(`/ui/sign-in?next=${encodeURIComponent(next)}&ended=1`, { replacing: true });
}

async function render(make, isStill) {
  const address = location.pathname;
  const isOpen = OPEN.some((one) => address.startsWith(one));
  replace(main, skeleton());
  replace(frame, h('a', { class: 'skip', href: '#main', on: { click: skip } }, 'To the page'), session.account && navigation(),
    h('div', { class: 'column' }, connectionBar(), main), notices());
  showHere();
  const before = changesTold();
  let page;
  try {
    if (!session.account && !isOpen) {
      queueMicrotask(() => go(`/ui/sign-in?next=${encodeURIComponent(address + location.search)}`, { replacing: true }));
      return { title: 'Sign in', element: h('div', {}) };
    }
    page = await make();
  } catch (error) {
    if (error.name === 'AbortError') return null;
    page = { title: 'This page cannot be shown', element: h('div', {}, problem(error, again)), leave: error.isOffline ? onReturn(again) : undefined };
  }
  // Who has gone on meanwhile sees that page.
  if (!isStill()) return page;
  if (!page?.element) page = { title: 'Not found', element: h('p', {}, 'There is no such page. ', h('a', { href: '/ui/' }, 'To the gateways')) };
  document.title = `${page.title} · Luna`;
  replace(main, h('h1', { tabindex: '-1', class: page.hidesTitle ? 'unseen' : null }, page.title), page.element);
  (main.querySelector('[data-focus]') || main.querySelector('h1')).focus({ preventScroll: true });
  // What has changed while it was made may not be on it, and it was not told.
  if (changesTold() !== before) startOver();
  return page;
}

/** To the page without another address, which would have it made anew, and what is typed there lost. */
function skip(event) {
  event.preventDefault();
  main.focus();
}

/** Where the pages do not fit beside each other, the one that is shown is in sight, and that there are more. */
function showHere() {
  const [nav, link] = ['nav', 'nav [aria-current]'].map((one) => frame.querySelector(one));
  if (link) nav.scrollLeft = link.offsetLeft - (nav.clientWidth - link.offsetWidth) / 2;
}

/** A page at an address; `name` is what it is called where it is recorded which pages are opened. */
function page(pattern, name, make) {
  route(pattern, async (...where) => {
    const made = await make(...where);
    appeared(name);
    return made;
  });
}

page('/ui', 'directory', directory);
page('/ui/gateways/{id}', 'gateway', gateway);
page('/ui/dashboard', 'dashboard', dashboard);
page('/ui/gateways/{id}/devices', 'devices', devices);
page('/ui/devices/{ref}', 'device', heardDevice);
page('/ui/map', 'map', map);
page('/ui/scan', 'scan', enrol);
page('/ui/device', 'program', approveDevice);
page('/ui/history', 'history', history);
page('/ui/accounts', 'accounts', accounts);
page('/ui/settings', 'settings', settings);
page('/ui/me', 'me', me);
page('/ui/about', 'about', about);
page('/ui/sign-in', 'signIn', signIn);
page('/ui/setup', 'setup', setup);
page('/ui/invitation', 'invitation', invitation);

applyTheme();
document.body.append(frame);
replace(frame, h('div', { class: 'column' }, connectionBar(), main), notices());

async function start() {
  replace(main, skeleton());
  try {
    await loadSession(signedOut);
  } catch (error) {
    replace(main, h('h1', {}, 'Luna'), problem(error, start));
    const stop = onReturn(() => { stop(); start(); });
    return;
  }
  if (session.account) {
    openStream(session.change);
    loadTheme();
  }
  await begin(render);
}

// The stream's session is over. A new password has begun another one.
listen('session', async () => {
  try {
    if (session.account && !await loadSession(signedOut)) signedOut();
  } catch { /* The bar says that the server is away. */ }
});

start();
