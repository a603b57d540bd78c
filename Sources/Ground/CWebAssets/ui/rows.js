// Rows that somebody uses while they are drawn anew: what others change arrives by itself, at any moment.

import { replace } from './dom.js';

const CONTROLS = 'a, button, input, summary';

/**
 * Draws rows of which each stays the same element, so that who pushes one, has opened it or is in it with the
 * keyboard goes on where they are.
 *
 * `make(shown)` makes a row without contents; `shown()` gives what it shows at the time. `fill(value)` gives its
 * contents. The answer is to be called whenever all is drawn, with a function that gets `row(key, value)`.
 */
export function keptRows(make, fill) {
  let kept = new Map();
  return (draw) => {
    const active = document.activeElement;
    const held = [...kept.values()].find((row) => row.element.contains(active))?.element;
    const number = held ? [...held.querySelectorAll(CONTROLS)].indexOf(active) : -1;
    const rows = new Map();
    draw((key, value) => {
      const row = kept.get(key) || { element: make(() => row.value) };
      row.value = value;
      replace(row.element, fill(value));
      rows.set(key, row);
      return row.element;
    });
    kept = rows;
    if (held?.isConnected && held !== active) held.querySelectorAll(CONTROLS)[number]?.focus({ preventScroll: true });
  };
}

/** Draws anew what is in an element; what had the focus there gives it to what has its name then. */
export function keepFocus(element, draw) {
  const name = (one) => `${one.tagName} ${one.getAttribute('aria-label') || one.textContent}`;
  const active = element.contains(document.activeElement) ? document.activeElement : null;
  draw();
  if (active && !element.contains(document.activeElement)) [...element.querySelectorAll(CONTROLS)].find((one) => name(one) === name(active))?.focus({ preventScroll: true });
}
