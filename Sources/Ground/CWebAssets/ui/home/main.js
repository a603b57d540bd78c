// The app of a home begins here: who looks, the frame around every screen, and the addresses.

import { h, icon, replace } from '../dom.js';
import { call, useSession } from '../api.js';
import { askAt, connectionBar, onReturn } from '../connection.js';
import { empty, notices, problem, say, skeleton } from '../notice.js';
import { again, begin, go, route } from '../router.js';
import { addressOf, app, applyColours, loadApp, may, menu, model, screen, session } from './app.js';
import { about, places, settings } from './more.js';
import { contacts, notifications } from './notifications.js';
import { deviceDetail } from './detail.js';
import { deviceList } from './list.js';
import { begin as beginLive, end as endLive, find, listen, live, loadAll } from './live.js';
import { join, reset, setup, signIn, verify } from './enter.js';
import { map } from './map.js';
import { onboard } from './onboard.js';
import { own } from './own.js';
import { rules } from './rules.js';
import { schedules } from './schedules.js';
import { shares } from './shares.js';
import { unlockCard } from './unlock.js';
import { watch } from './watch.js';
import { welcome } from './welcome.js';

const SCREENS = {
  DeviceList: deviceList, DeviceDetail: deviceDetail, Map: map, Places: places, Rules: rules, RuleEditor: rules, Schedules: schedules,
  Watch: watch, Shares: shares, Onboard: onboard, Notifications: notifications, Contacts: contacts, Settings: settings, About: about,
};
const OPEN = ['/ui/sign-in', '/ui/setup', '/ui/join', '/ui/reset', '/ui/verify'];
const main = h('main', { id: 'main', tabindex: '-1' });
const frame = h('div', { class: 'frame' });
const banner = h('div', { role: 'status' });
let said = '';
let lines = [];

function drawBanner() {
  const words = [...live.notices.map((one) => one.text), live.radio?.state === 'lost' && `The radio does not work: ${live.radio.text}`,
    live.backend?.state === 'lost' && `The backend cannot be reached: ${live.backend.text}`].filter(Boolean);
  // What is there already is not read out again.
  if (words.join('\n') !== said) lines = words.map((text) => h('p', { class: 'problem' }, text));
  said = words.join('\n');
  replace(banner, session.account && lines, session.account && unlockCard());
}

function navigation() {
  const here = location.pathname;
  return h('nav', { 'aria-label': 'Screens' }, h('a', { class: 'brand', href: '/ui/' }, app.name),
    menu().map((one) => {
      const address = addressOf(one.name);
      return h('a', { href: address, 'aria-current': here === address ? 'page' : null }, icon(one.picture), h('span', {}, one.title));
    }),
    h('button', { type: 'button', class: 'plain', on: { click: signOut } }, 'Sign out'));
}

async function signOut() {
  try {
    await call('DELETE', '/api/v1/session');
  } catch (error) {
    if (error.status !== 401) { say(`You are still signed in. ${error.message}`); return; }
  }
  location.assign('/ui/sign-in');
}

/** The session ended elsewhere: by time, by the owner, by a new password. */
function signedOut() {
  endLive();
  session.account = session.role = null;
  drawBanner();
  go(`/ui/sign-in?next=${encodeURIComponent(location.pathname + location.search)}&ended=1`, { replacing: true });
}

async function loadSession() {
  const answer = await call('GET', '/api/v1/session');
  Object.assign(session, { account: null, role: null, setupNeeded: false, totp: false, passkeys: false, issuer: null, connected: false, mail: false, email: null }, answer);
  useSession(session.account ? answer.csrf : null, signedOut, 'X-Luna-CSRF');
}

function shown(name, parameters, address) {
  const one = screen(name);
  if (!one) return { title: 'Not found', element: empty('There is no such screen.', h('a', { href: '/ui/' }, 'Back')) };
  const make = one.kind.startsWith('web:') ? () => own(one.kind, { tracker: parameters.id ?? null, config: one.extras }) : SCREENS[one.kind];
  if (!make) return { ...one, element: problem({ message: `The screen class “${one.kind}” is not known here.`, hint: 'Look at userExperience.screens of the file.' }) };
  if (!may(one.role)) return { ...one, element: problem({ message: 'This is not for your account.', hint: 'Whoever looks after this home can change that.' }) };
  const { title = one.title, ...page } = make({ ...parameters, config: one.config }, address);
  return { config: one.config, title, ...page };
}

/** The screen of a tracker: that of its model, else the usual one. */
function detailOf(id) {
  const tracker = find(id);
  const name = tracker && model(tracker).detailScreen;
  return screen(name) ? name : 'deviceDetail';
}

async function render(make, isStill) {
  const address = location.pathname;
  const isOpen = OPEN.some((one) => address.startsWith(one));
  let page;
  try {
    if (!session.account && !isOpen) {
      queueMicrotask(() => go(`/ui/sign-in?next=${encodeURIComponent(address + location.search)}`, { replacing: true }));
      return null;
    }
    page = await make();
  } catch (error) {
    page = { title: 'This screen cannot be shown', element: problem(error, again) };
  }
  // Who has gone on meanwhile sees that screen.
  if (!isStill()) return page;
  if (!page?.element) page = { title: 'Not found', element: empty('There is no such screen.', h('a', { href: '/ui/' }, 'Back')) };
  const config = page.config || app.config;
  applyColours(config);
  document.title = `${page.title} · ${app.name}`;
  replace(frame, h('a', { class: 'skip', href: '#main', on: { click: skip } }, 'To the screen'), session.account && !config.disableDrawerMenu && navigation(),
    h('div', { class: 'column' }, connectionBar(), banner, main), notices());
  replace(main, h('h1', { tabindex: '-1', class: config.wantsTitleBar === false ? 'unseen' : null }, page.title), page.element);
  (main.querySelector('[data-focus]') || main.querySelector('h1')).focus({ preventScroll: true });
  return page;
}

/** To the screen without another address, which would have it made anew. */
function skip(event) {
  event.preventDefault();
  main.focus();
}

route('/ui', (parameters, address) => shown(app.home, parameters, address));
route('/ui/screens/{name}', ({ name }, address) => shown(name, {}, address));
route('/ui/trackers/{id}', ({ id }, address) => shown(detailOf(id), { id }, address));
route('/ui/welcome', welcome);
route('/ui/about', (parameters, address) => shown('about', parameters, address));
route('/ui/sign-in', signIn);
route('/ui/setup', setup);
route('/ui/join', join);
route('/ui/reset', reset);
route('/ui/verify', verify);

askAt('/api/v1/session');
document.body.append(frame);

async function start() {
  replace(frame, h('div', { class: 'column' }, connectionBar(), main), notices());
  replace(main, skeleton());
  try {
    await loadSession();
    await loadApp();
    if (session.account) {
      await loadAll();
      beginLive(async () => {
        try { const isOther = await loadApp(); await loadAll(); if (isOther) await again(); } catch { /* The bar says that the server is away. */ }
      }, checkSession, () => go('/ui/'));
      listen((event) => { if (['all', 'link', 'notice'].includes(event.type)) drawBanner(); });
      listen(tellOfFollower);
      drawBanner();
    }
  } catch (error) {
    replace(main, h('h1', {}, 'Luna'), problem(error, start));
    const stop = onReturn(() => { stop(); start(); });
    return;
  }
  await begin(render);
}

/** What stays with the box is told unasked where much speaks for it; the rest stands in its screen. The home tells owners only. */
function tellOfFollower(event) {
  if (event.type !== 'watch' || !(['alarm', 'possible'].includes(event.suspect.grade) || event.suspect.reasons.includes('threeDays'))) return;
  say('A tracker that is not yours may stay with you.', { label: 'Look', run: () => go(addressOf('watch')) }, 60);
}

/** What the home knows of who looks may be another thing now. */
async function checkSession() {
  try {
    if (!session.account) return;
    await loadSession();
    if (!session.account) signedOut();
  } catch { /* The bar says that the server is away. */ }
}

onReturn(checkSession);

start();
