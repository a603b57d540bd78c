// The trackers as they are now: asked for once, then told as they change.

import { call } from '../api.js';
import { check, offline, online, onReturn } from '../connection.js';
import { app, session } from './app.js';

const listeners = new Set();
const EVENTS = ['value', 'tracker', 'command', 'link', 'notice', 'config', 'reset', 'firing', 'held', 'watch', 'navigate'];
const PAUSE = 10_000;
// Nobody tells that a value has become old: every so many pauses everything is asked for.
const ROUND = 6;
const PATIENCE = 20_000;
let source = null;
let timer = null;
let onConfig = () => {};
let onRefusal = () => {};
let onNavigate = () => {};
let loading = null;
let isAskedAgain = false;
let pauses = 0;

export const live = { trackers: [], box: null, radio: null, backend: null, notices: [], names: {}, isOpen: false };

/** What people call a place, a rule or a contact (`places`, `rules`, `contacts`). */
export function named(kind, id) { return Object.hasOwn(live.names[kind] || {}, id) ? live.names[kind][id] : id; }

/** Calls a function with each change: {type, …}; `all` when everything may be another. */
export function listen(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function tell(event) { for (const listener of [...listeners]) listener(event); }

/** Asks for everything. */
export function loadAll() {
  // What changed since it was asked for may not be in the answer.
  isAskedAgain = loading !== null;
  loading ||= (async () => {
    try {
      do {
        isAskedAgain = false;
        const { trackers: all, ...rest } = await call('GET', '/api/v1/trackers', undefined, { signal: AbortSignal.timeout(PATIENCE) });
        // Where the box itself is, is known as where a tracker is; it is none.
        Object.assign(live, rest, { trackers: all.filter((one) => one.id !== 'self'), box: all.find((one) => one.id === 'self') || null });
      } while (isAskedAgain);
      tell({ type: 'all' });
    } finally {
      loading = null;
    }
  })();
  return loading;
}

/** A tracker; null where there is none. */
export function find(id) { return live.trackers.find((one) => one.id === id) || null; }

function take(type, event) {
  const change = { ...event, type };
  if (type === 'value') {
    if (change.tracker === 'self') live.box ||= { id: 'self', properties: {} };
    const tracker = change.tracker === 'self' ? live.box : find(change.tracker);
    if (tracker) tracker.properties[change.property] = { value: change.value, at: change.at, fresh: change.fresh };
    // Guests learn the name of a place when a tracker of theirs is there.
    if (session.role === 'guest' && change.property === 'zone' && !['away', 'unknown'].includes(change.value) && named('places', change.value) === change.value) loadAll().catch(() => {});
  } else if (type === 'link') {
    live[change.name] = change.link;
  } else if (type === 'notice') {
    live.notices = change.notices;
  } else if (type === 'config') {
    onConfig();
    return;
  } else if (type === 'navigate') {
    onNavigate();
    return;
  } else if (type === 'tracker' || type === 'reset') {
    loadAll().catch(() => { /* The bar says so, and it is asked for again. */ });
    return;
  }
  tell(change);
}

function connect() {
  live.isOpen = false;
  const mine = source = new EventSource('/api/v1/stream');
  mine.addEventListener('open', () => { online(); live.isOpen = true; });
  mine.addEventListener('error', () => {
    if (source !== mine) return;
    live.isOpen = false;
    check();
    // Refused, and not only broken off: the browser does not try again by itself.
    if (mine.readyState !== EventSource.CLOSED) return;
    onRefusal();
    setTimeout(() => { if (source === mine) connect(); }, 3000);
  });
  for (const type of EVENTS) {
    mine.addEventListener(type, (event) => { try { take(type, JSON.parse(event.data)); } catch { /* Nothing that can be read. */ } });
  }
}

/** Begins to listen; `refused` is called when the home does not let this page listen. */
export function begin(configChanged, refused, ledHome) {
  onConfig = configChanged;
  onRefusal = refused;
  onNavigate = ledHome;
  if (app.live) connect();
  // Whoever is cut off hears nothing of it from a stream.
  timer = setInterval(() => {
    check();
    pauses += 1;
    if (!app.live || pauses % ROUND === 0) loadAll().catch(() => {});
  }, PAUSE);
  onReturn(() => {
    // A stream that has noticed nothing may be one of a home that has begun anew, which tells it nothing.
    if (source && live.isOpen) { source.close(); connect(); }
    loadAll().catch(() => {});
  });
  addEventListener('offline', offline);
  // A page that a browser keeps for going back would keep its stream too, of the few that there are to one server.
  addEventListener('pagehide', () => { source?.close(); source = null; });
  addEventListener('pageshow', (event) => {
    if (!event.persisted || timer === null) return;
    if (app.live) connect();
    loadAll().catch(() => {});
  });
}

/** Ends. */
export function end() {
  source?.close();
  source = null;
  clearInterval(timer);
  timer = null;
}

/** Asks something of a tracker. */
export function perform(tracker, action, value) {
  return call('POST', `/api/v1/trackers/${encodeURIComponent(tracker)}/do`, value === undefined ? { action } : { action, value });
}
