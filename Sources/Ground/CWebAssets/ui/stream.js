// What changes at the server, as it happens. One tab of a browser holds the stream and tells the others; what each of
// them wants beside the changes of records, it says to all.

import { check, online } from './connection.js';

const TOPICS = ['gateway', 'state', 'health', 'dashboard', 'session', 'reset'];
const me = Math.random().toString(36).slice(2);
const listeners = new Map();
const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel('luna.stream') : null;
// What tabs want: {ids of gateways, whether a dashboard is shown}.
const wants = new Map([[me, { ids: [], dashboard: false }]]);
let source = null;
let release = null;
let isWanted = false;
let isLeader = false;
let isOpen = false;
let last = null;
let told = 0;
let pause = 2;
let timer = null;
let connectedTo = null;

channel?.addEventListener('message', ({ data }) => {
  if (data.topic) { last = data.last; deliver(data.topic, data.value); }
  else if (data.open !== undefined) { isOpen = data.open; if (data.asks) tellWants(); }
  else if (data.tab) { if (data.wants) wants.set(data.tab, data.wants); else wants.delete(data.tab); if (isLeader) { reconnect(); tellOpen(); } }
});
addEventListener('pagehide', () => channel?.postMessage({ tab: me }));
addEventListener('pageshow', () => tellWants());

/** Calls a function with each change of a topic: gateway, state, health, dashboard, session, reset. */
export function listen(topic, listener) {
  const set = listeners.get(topic) || new Set();
  listeners.set(topic, set.add(listener));
  return () => set.delete(listener);
}

/** Has the numbers of gateways come as `health`, or those of dashboards, until the function that it gives is called. */
export function want({ ids = [], dashboard = false }) {
  const set = (value) => { wants.set(me, value); tellWants(); if (isLeader) reconnect(); };
  set({ ids, dashboard });
  return () => set({ ids: [], dashboard: false });
}

function tellWants() { channel?.postMessage({ tab: me, wants: wants.get(me) }); }
function tellOpen(asks = false) { channel?.postMessage({ open: isOpen, asks }); }

/** How often records, or how gateways are, have changed so far. */
export function changesTold() { return told; }

/** Has pages ask for everything anew. */
export function startOver() { deliver('reset', null); }

function deliver(topic, value) {
  if (topic === 'gateway' || topic === 'state') told += 1;
  for (const listener of [...(listeners.get(topic) || [])]) listener(value);
}

/** Begins to listen to what comes after a change, until closeStream(). */
export function openStream(after) {
  if (isWanted) return;
  last ??= after;
  isWanted = true;
  const begin = () => { isLeader = true; connect(); tellOpen(true); };
  if (navigator.locks) {
    navigator.locks.request('luna.stream', () => {
      if (!isWanted) return undefined;
      begin();
      return new Promise((resolve) => { release = resolve; });
    });
  } else {
    begin();
  }
  tellWants();
}

/** Ends it. */
export function closeStream() {
  isWanted = false;
  if (isLeader) disconnect();
  isLeader = false;
  release?.();
  release = null;
}

function disconnect() {
  clearTimeout(timer);
  source?.close();
  source = null;
  isOpen = false;
}

function address() {
  const all = [...wants.values()];
  const ids = [...new Set(all.flatMap((one) => one.ids))].slice(0, 200);
  const topics = ['gateway', 'state', 'session'];
  if (ids.length > 0) topics.push('health');
  if (all.some((one) => one.dashboard)) topics.push('dashboard');
  return `/v1/stream?topics=${topics.join(',')}${ids.length > 0 ? `&watch=${ids.join(',')}` : ''}`;
}

function reconnect() {
  if (isWanted && address() !== connectedTo) { disconnect(); connect(); }
}

function connect() {
  connectedTo = address();
  // A new stream goes on where the one before it was.
  const mine = source = new EventSource(connectedTo + (last === null ? '' : `&since=${last}`));
  mine.addEventListener('open', () => { isOpen = true; pause = 2; online(); tellOpen(); });
  mine.addEventListener('error', () => {
    if (source !== mine) return;
    isOpen = false;
    tellOpen();
    check();
    // Refused, and not only broken off: the browser does not try again by itself.
    if (mine.readyState === EventSource.CLOSED) {
      clearTimeout(timer);
      timer = setTimeout(() => { if (source === mine && isWanted) connect(); }, pause * 1000);
      pause = Math.min(pause * 2, 30);
    }
  });
  for (const topic of TOPICS) {
    mine.addEventListener(topic, (event) => {
      if (event.lastEventId) last = event.lastEventId;
      let value = null;
      try { value = JSON.parse(event.data); } catch { /* A topic alone says something, too. */ }
      deliver(topic, value);
      channel?.postMessage({ topic, value, last });
    });
  }
}

/** Whether changes come by themselves. */
export function isLive() { return isOpen; }
