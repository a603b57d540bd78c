// Searches that are kept under names: one's own, and those that others share.

import { h, icon, replace } from './dom.js';
import { call } from './api.js';
import { field, form } from './form.js';
import { problem, say } from './notice.js';
import { may } from './session.js';

/** The saved searches: `current()` gives the search of the page, `search(text)` searches. */
export function savedSearches({ current, search }) {
  let filters = [];
  const list = h('ul', { class: 'saved' });
  const name = field('Name of the search', { maxlength: 80 });
  const shared = h('input', { type: 'checkbox' });
  const keep = form([name], 'Save this search', async () => {
    const one = { name: name.value.trim(), q: current(), shared: shared.checked };
    await put([...own().filter((other) => other.name !== one.name), one]);
    name.value = '';
    say(`${one.name} is saved.`);
  });
  if (may('operator')) keep.place.before(h('label', {}, shared, 'Share it with everybody'));
  const trouble = h('div', {});
  const element = h('details', {}, h('summary', {}, 'Saved searches'), trouble, list, keep.element);

  const own = () => filters.filter((one) => !one.owner);

  async function put(next) {
    filters = (await call('PUT', '/v1/me/filters', { filters: next })).filters;
    draw();
  }

  async function remove(one) {
    try {
      await put(own().filter((other) => other.name !== one.name));
      replace(trouble);
    } catch (error) {
      replace(trouble, problem(error));
    }
  }

  function draw() {
    replace(list, filters.map((one) => h('li', {},
      h('button', { type: 'button', on: { click: () => search(one.q) } }, one.name, one.owner && h('span', { class: 'hint' }, ` by ${one.owner}`)),
      !one.owner && h('button', { type: 'button', class: 'plain', 'aria-label': `Forget the search ${one.name}`, on: { click: () => remove(one) } }, icon('remove')))));
  }

  async function load() {
    try {
      ({ filters } = await call('GET', '/v1/me/filters'));
      draw();
      replace(trouble);
    } catch (error) {
      if (!error.isOffline) replace(trouble, problem(error, load));
    }
  }

  return { element, load };
}
