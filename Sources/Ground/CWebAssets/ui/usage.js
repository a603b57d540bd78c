// Which pages of the console are opened, and how long saving and adding take, where this server is to record that. Never
// what is on a page, nor whose it is.

import { call } from './api.js';
import { session } from './session.js';

const DELAY = 5_000;
const PAUSE = 60_000;
const MOST = 500;
let items = [];
let timer = null;

/** A page was opened. */
export function appeared(page) { record(`luna.console.${page}.appear`, '1'); }

/** Does something on a page, and records how long it took. What fails is not recorded. */
export async function timed(page, operation, work) {
  const began = performance.now();
  const result = await work();
  record(`luna.console.${page}.operation.${operation}`, String(Math.round(performance.now() - began)));
  return result;
}

function record(key, value) {
  if (!session.recordsUsage) return;
  const id = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
  items.push({ id, time: new Date().toISOString(), key, value, count: 1 });
  timer ||= setTimeout(send, DELAY);
}

async function send() {
  timer = null;
  const sent = items.slice(-MOST);
  items = [];
  try {
    await call('POST', '/v1/telemetry', { product: 'luna.console', items: sent });
  } catch (error) {
    // What the server did not take for want of time it takes later; it knows what it has already.
    if (error.status !== 0 && error.status !== 429 && error.status < 500) return;
    items = [...sent, ...items];
    timer ||= setTimeout(send, PAUSE);
  }
}
