// Whether the server can be reached. While it cannot, a bar says since when, and it is asked again after 1, 2, 4 …
// 30 seconds.

import { h, replace } from './dom.js';
import { clock } from './text.js';

const bar = h('div', { class: 'connection', role: 'status', hidden: true });
const listeners = new Set();
let since = null;
let delay = 1;
let timer = null;
let place = '/v1/session';

/** Where it is asked whether the server is there. */
export function askAt(path) { place = path; }

/** The bar, which stands above every page. */
export function connectionBar() { return bar; }

/** Calls a function each time the server is there again. */
export function onReturn(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Notes that the server was not reached. */
export function offline() {
  if (!since) {
    since = clock();
    delay = 1;
    const why = navigator.onLine ? 'the server does not answer' : 'this device has no network';
    replace(bar, `No connection since ${since}: ${why}. `, h('button', { type: 'button', on: { click: () => check() } }, 'Try again'));
    bar.hidden = false;
  }
  if (!timer) timer = setTimeout(check, delay * 1000);
}

/** Asks whether the server is there. */
export async function check() {
  clearTimeout(timer);
  timer = null;
  delay = Math.min(delay * 2, 30);
  try {
    const response = await fetch(place, { credentials: 'same-origin', cache: 'no-store', signal: AbortSignal.timeout(10_000) });
    if (response.status >= 502) offline(); else online();
  } catch {
    offline();
  }
}

/** Notes that the server was reached. */
export function online() {
  if (!since) return;
  since = null;
  clearTimeout(timer);
  timer = null;
  bar.hidden = true;
  replace(bar);
  for (const listener of [...listeners]) listener();
}
