// Light, dark, or as the system has it; kept for the account at the server, and in this browser for the next time.

import { call } from './api.js';

const KEY = 'luna.theme';

/** What is chosen: system, light or dark. */
export function theme() {
  try { return localStorage.getItem(KEY) || 'system'; } catch { return 'system'; }
}

/** Shows what the account has chosen, perhaps in another browser. */
export async function loadTheme() {
  try { keep((await call('GET', '/v1/me/theme')).theme); } catch { /* What is kept here. */ }
}

/** Chooses. */
export async function setTheme(name) {
  keep(name);
  await call('PUT', '/v1/me/theme', { theme: name });
}

function keep(name) {
  try { localStorage.setItem(KEY, name); } catch { /* For this page only. */ }
  applyTheme(name);
}

/** Shows what is chosen. */
export function applyTheme(name = theme()) {
  if (name === 'system') document.documentElement.removeAttribute('data-theme');
  else document.documentElement.setAttribute('data-theme', name);
}
