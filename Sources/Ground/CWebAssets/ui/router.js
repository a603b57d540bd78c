// Every page has an address. A page is {title, element, leave?, asks?}: `leave` ends what it began, `asks` says why one
// should not leave it now.

import { ask } from './notice.js';

const routes = [];
let show = null;
let current = null;
let here = null;
let visits = 0;

/** Adds a page: parts in braces are parameters. */
export function route(pattern, make) {
  const names = [];
  const source = pattern.replace(/\{(\w+)\}/g, (_, name) => { names.push(name); return '([^/]+)'; });
  routes.push({ test: new RegExp(`^${source}/?$`), names, make });
}

/** Begins to show pages by `render(make, isStill)`: what was made is shown only while `isStill()`. */
export function begin(render) {
  show = render;
  addEventListener('popstate', () => visit());
  addEventListener('beforeunload', (event) => { if (current?.asks?.()) event.preventDefault(); });
  document.addEventListener('click', (event) => {
    const link = event.target.closest?.('a[href^="/ui"]');
    if (!link || event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    go(link.getAttribute('href'));
  });
  return visit(true);
}

/** Goes to an address. */
export async function go(address, { replacing = false } = {}) {
  if (!await mayLeave()) return;
  history[replacing ? 'replaceState' : 'pushState'](null, '', address);
  await visit(true);
}

/** Shows the page of this address anew. */
export function again() { return visit(true); }

/** Calls a page otherwise, by its element, while it is shown: for its tab, and for whoever hears its heading. */
export function retitle(element, title) {
  const heading = element.parentElement?.querySelector('h1');
  if (!heading || heading.textContent === title) return;
  heading.textContent = title;
  document.title = title + document.title.slice(document.title.lastIndexOf(' · '));
}

async function mayLeave() {
  const reason = current?.asks?.();
  return !reason || ask('Leave this page?', reason, 'Leave');
}

async function visit(asked = false) {
  if (!asked && !await mayLeave()) {
    history.pushState(null, '', here);
    return;
  }
  current?.leave?.();
  current = null;
  const address = new URL(location.href);
  here = address.pathname + address.search + address.hash;
  const mine = visits += 1;
  const isStill = () => mine === visits;
  for (const { test, names, make } of routes) {
    const match = test.exec(address.pathname);
    if (!match) continue;
    let parameters;
    // Where what is escaped is no text, as in /ui/gateways/%, there is no page.
    try { parameters = Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(match[index + 1])])); } catch { break; }
    const page = await show(() => make(parameters, address), isStill);
    if (isStill()) current = page; else page?.leave?.();
    return;
  }
  current = await show(() => ({ title: 'Not found', element: null }), isStill);
}
