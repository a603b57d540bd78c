// A page that is pulled down from its top is loaded anew. The button Refresh does the same.

import { h } from './dom.js';

const ENOUGH = 80;

/** Has a page refreshed by pulling it, until the function that it gives is called. `element` shows how far. */
export function pulls(refresh) {
  const element = h('p', { class: 'pull', 'aria-hidden': 'true', hidden: true });
  const end = new AbortController();
  // Where the finger was put down; null where that was not at the top, or with another finger.
  let from = null;
  let distance = 0;

  function show(pixels) {
    distance = pixels;
    element.hidden = pixels <= 0;
    element.textContent = pixels < ENOUGH ? 'Pull to refresh' : 'Let go to refresh';
    element.style.height = `${Math.min(pixels, ENOUGH) / 2}px`;
  }

  const on = (name, act) => document.addEventListener(name, act, { passive: true, signal: end.signal });
  on('touchstart', ({ touches }) => { from = touches.length === 1 && scrollY <= 0 ? { x: touches[0].clientX, y: touches[0].clientY } : null; });
  on('touchmove', ({ touches: [touch] }) => {
    if (!from) return;
    const [dx, dy] = [touch.clientX - from.x, touch.clientY - from.y];
    // Who pushes a row, or scrolls, pulls nothing.
    if (scrollY > 0 || Math.abs(dx) > Math.abs(dy)) from = null;
    show(from ? dy : 0);
  });
  on('touchend', () => {
    const isEnough = from && distance >= ENOUGH;
    from = null;
    show(0);
    if (isEnough) refresh();
  });
  on('touchcancel', () => { from = null; show(0); });
  return { element, end: () => end.abort() };
}
