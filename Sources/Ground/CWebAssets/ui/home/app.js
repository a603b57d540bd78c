// What the app is made of, as the file of the home says it: screens, controls, menu, colours, words.

import { call } from '../api.js';

/** Screens that are there without being declared, and the least role that may see them. */
const BUILT_IN = [
  ['deviceList', 'DeviceList', 'Trackers', 'gateway', 'guest'], ['map', 'Map', 'Map', 'map', 'guest'],
  ['places', 'Places', 'Places', 'eye', 'member'], ['rules', 'Rules', 'Rules', 'history', 'member'],
  ['ruleEditor', 'RuleEditor', 'Rules', 'history', 'member'], ['schedules', 'Schedules', 'Schedules', 'history', 'member'], ['schedule', 'Schedules', 'Schedules', 'history', 'member'],
  ['onboard', 'Onboard', 'Add a tracker', 'add', 'owner'], ['watch', 'Watch', 'Watch', 'search', 'owner'], ['shares', 'Shares', 'Sharing', 'people', 'owner'], ['notifications', 'Notifications', 'Notifications', 'people', 'member'],
  ['contacts', 'Contacts', 'Contacts', 'people', 'member'], ['settings', 'Settings', 'Settings', 'me', 'guest'], ['about', 'About', 'About', 'about', 'guest'],
  ['deviceDetail', 'DeviceDetail', 'Tracker', 'gateway', 'guest'],
];
const MENU = ['deviceList', 'map', 'places', 'rules', 'schedules', 'watch', 'shares', 'notifications', 'settings', 'about'];
const ROLES = ['guest', 'member', 'owner'];
const PICTURES = Object.fromEntries(BUILT_IN.map(([, kind, , picture]) => [kind, picture]));
const NEEDS = Object.fromEntries(BUILT_IN.map(([, kind, , , role]) => [kind, role]));

export const app = { name: 'Home', config: {}, colors: [], strings: {}, screens: [], controls: [], models: [], menu: null, home: 'deviceList', live: true, signIn: null, channels: [], named: true, webRoot: false, tiles: null, plans: [] };
export const session = { account: null, role: null, setupNeeded: false, totp: false };

/** Whether who is signed in may do what a role may. */
export function may(role) { return ROLES.indexOf(session.role) >= ROLES.indexOf(role); }

let known = '';

/** Asks what the app is made of; true where it is another one than before. */
export async function loadApp() {
  const made = await call('GET', '/api/v1/ui');
  const text = JSON.stringify(made);
  if (text === known) return false;
  known = text;
  Object.assign(app, { screens: [], controls: [], models: [], channels: [], menu: null, tiles: null, plans: [] }, made);
  // A name that a file may have without declaring it means the usual one.
  if (!screen(app.home)) app.home = 'deviceList';
  applyColours();
  return true;
}

/** A word of the app in the language of who looks. */
export function word(key) {
  for (const language of navigator.languages || []) {
    for (const one of [language, language.split('-')[0]]) {
      const text = app.strings[one]?.[key];
      if (text) return text;
    }
  }
  return app.strings.en?.[key] || key;
}

/** A screen by its name; null where there is none. */
export function screen(name) {
  const declared = app.screens.find((one) => one.name === name);
  const own = BUILT_IN.find(([one]) => one === name);
  if (!declared && !own) return null;
  const kind = declared?.class || own[1];
  return {
    name, kind, title: word(declared?.title || own?.[2] || name), picture: PICTURES[kind] || 'dashboard',
    config: { ...app.config, ...declared?.config }, extras: declared?.extras || {}, role: NEEDS[kind] || 'guest',
  };
}

/** The screens of the menu that who is signed in may see. */
export function menu() {
  const names = app.menu || (app.screens.length > 0 ? app.screens.map((one) => one.name).filter((name) => !app.models.some((one) => one.detailScreen === name) && !['SignIn', 'DeviceDetail', 'Join', 'Reset', 'Setup'].includes(screen(name)?.kind)) : MENU);
  return names.map(screen).filter((one) => one && may(one.role));
}

/** The address of a screen. */
export function addressOf(name) { return name === app.home ? '/ui/' : `/ui/screens/${encodeURIComponent(name)}`; }

/** The model of a tracker, and what it says of a property. */
export function model(tracker) { return app.models.find((one) => one.oemModel === tracker.model) || {}; }
export function managed(tracker, name) { return model(tracker).managedProperties?.find((one) => one.name === name) || { name }; }

/** The property that means something (`battery`, `presence`, `zone`), as the model of a tracker says; undefined where it says nothing. */
export function meaning(tracker, role) { return model(tracker).managedProperties?.find((one) => one.roles?.includes(role))?.name; }

/** Whether a property is a number: by its type, else by its range. What says neither is a text. */
export function isNumber(declared) { return declared.type ? declared.type === 'number' : declared.min !== undefined || declared.max !== undefined; }

// Colours

function channels(text) {
  const digits = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text || '')?.[1];
  if (!digits) return null;
  return (digits.length === 3 ? [...digits].map((one) => one + one) : digits.match(/../g)).map((one) => parseInt(one, 16));
}

function light(colour) {
  const [r, g, b] = channels(colour).map((one) => (one / 255 <= 0.04045 ? one / 255 / 12.92 : ((one / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one, other) {
  const [low, high] = [light(one), light(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

const readable = (wanted, ground) => (wanted && contrast(wanted, ground) >= 4.5 ? wanted : contrast('#ffffff', ground) >= 4.5 ? '#ffffff' : '#000000');

/** A colour by its name, or as it is; null for none. */
function colour(text) {
  const value = app.colors.find((one) => one.name === text)?.value || text;
  return channels(value) && value;
}

/** Shows the colours of the file; a text that could not be read on its ground gets another one. */
export function applyColours(config = app.config) {
  const root = document.documentElement;
  root.removeAttribute('style');
  root.removeAttribute('data-theme');
  for (const { name, value } of app.colors) if (channels(value)) root.style.setProperty(`--color-${name}`, value);
  const ground = colour(config.windowBackgroundColor || config.windowBackground);
  if (ground) {
    // Everything else follows: what is dark is looked at as dark.
    root.setAttribute('data-theme', light(ground) < 0.18 ? 'dark' : 'light');
    const ink = readable(colour(config.fontColor), ground);
    for (const [name, value] of [['ground', ground], ['paper', ground], ['shade', ground], ['ink', ink], ['soft', ink], ['link', ink], ['ok', ink], ['warn', ink], ['bad', ink], ['unknown', ink], ['accent', ink], ['on-accent', ground]]) root.style.setProperty(`--${name}`, value);
  }
  const accent = colour('accent') || colour('primary');
  if (accent) {
    root.style.setProperty('--accent', accent);
    root.style.setProperty('--on-accent', readable('#ffffff', accent));
  }
}
