// What the console says: short notices at the foot of the page, problems where they happened, questions.

import { h, icon, newID, replace } from './dom.js';

const region = h('div', { class: 'notices', role: 'status', 'aria-live': 'polite' });

/** Where notices stand. */
export function notices() { return region; }

/** Says something for a while; `action` is a button: {label, run}. */
export function say(text, action = null, seconds = 6) {
  const close = () => { clearTimeout(timer); notice.remove(); };
  const notice = h('div', { class: 'notice' }, h('span', {}, text),
    action && h('button', { type: 'button', on: { click: () => { close(); action.run(); } } }, action.label));
  const timer = setTimeout(close, seconds * 1000);
  region.append(notice);
  while (region.children.length > 3) region.firstChild.remove();
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(15);
  return close;
}

/** What went wrong, why, and what helps. */
export function problem(error, again = null) {
  return h('div', { class: 'problem', role: 'alert' }, icon('bad'),
    h('div', {}, h('p', { class: 'cause' }, error.message), error.hint && h('p', { class: 'hint' }, error.hint)),
    error.help, again && h('button', { type: 'button', on: { click: again } }, 'Try again'));
}

/** What stands where something is still being loaded. */
export function skeleton(rows = 5) {
  return h('div', { class: 'skeleton', 'aria-busy': 'true' }, h('span', { class: 'unseen' }, 'Loading'),
    Array.from({ length: rows }, () => h('div', { class: 'bone' })));
}

/** What stands where there is nothing: what to do next. */
export function empty(text, ...next) {
  return h('div', { class: 'empty' }, h('p', {}, text), next);
}

/** Asks before something is done; true where it is wanted. */
export function ask(title, text, yes) {
  return new Promise((resolve) => {
    const name = newID('question');
    const dialog = h('dialog', { 'aria-labelledby': name, on: { close: () => { resolve(dialog.returnValue === 'yes'); dialog.remove(); } } },
      h('form', { method: 'dialog' }, h('h2', { id: name }, title), h('p', {}, text),
        h('div', { class: 'buttons' },
          h('button', { value: 'no', type: 'submit' }, 'Cancel'),
          h('button', { value: 'yes', type: 'submit', class: 'danger' }, yes))));
    document.body.append(dialog);
    dialog.showModal();
  });
}

/** Shows in a form what went wrong with it. */
export function tell(place, error) {
  replace(place, error && problem(error));
}
