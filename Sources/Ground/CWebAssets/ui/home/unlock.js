// The card that asks for the passphrase of the trackers' keys, while they are locked.

import { h, replace } from '../dom.js';
import { call } from '../api.js';
import { field, form } from '../form.js';
import { say } from '../notice.js';
import { may } from './app.js';
import { live } from './live.js';

let card = null;

/** The card; null while nothing is locked. It stays the same one while somebody types. */
export function unlockCard() {
  if (!live.notices.some((one) => one.kind === 'locked')) { card = null; return null; }
  if (!may('owner')) return null;
  if (card) return card;
  const passphrase = field('Passphrase', { type: 'password', autocomplete: 'off', required: true, maxlength: 1024 });
  const section = card = h('section', { class: 'problem', 'aria-label': 'The keys of the trackers are locked' });
  const { element } = form([passphrase], 'Unlock', async () => {
    await call('POST', '/api/v1/unlock', { passphrase: passphrase.value });
    // The home may have told that they are open before it answered: then the card is no longer on the page.
    passphrase.value = '';
    replace(section);
    section.hidden = true;
    say('The keys are open until the service ends.');
  });
  return replace(section, h('div', {}, h('p', {}, 'The keys of the trackers are locked. Until they are open, trackers are neither recognised nor rung.'), element));
}
