// A sheet of paper: what is printed in the place of the page.

import { h } from './dom.js';

const PRINTS = 'prints';

/** Prints these, and nothing else of the page. */
export async function printSheet(...children) {
  const sheet = h('div', { class: 'sheet' }, children);
  document.body.append(sheet);
  await Promise.all([...sheet.querySelectorAll('img')].map((one) => one.decode().catch(() => {})));
  document.documentElement.classList.add(PRINTS);
  const done = () => { document.documentElement.classList.remove(PRINTS); sheet.remove(); };
  addEventListener('afterprint', done, { once: true });
  globalThis.print();
}
