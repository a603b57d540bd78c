// All gateways: search, sections, selection, removal with undo.

import { h, icon, replace } from '../dom.js';
import { call, path } from '../api.js';
import { onReturn } from '../connection.js';
import { nameOf, picture, placeText, stateBadge, verdictBadge } from '../badge.js';
import { ask, empty, problem, say, skeleton } from '../notice.js';
import { takeBack } from './history.js';
import { go } from '../router.js';
import { pulls } from '../pull.js';
import { keepFocus, keptRows } from '../rows.js';
import { savedSearches } from '../saved.js';
import { may } from '../session.js';
import { isLive, listen } from '../stream.js';
import { swipes } from '../swipe.js';
import { count } from '../text.js';

const PAGE = 100;
const MOST = 500;
// So many can be changed at once.
const TOGETHER = 1000;
// How often it is asked how all are; where changes come by themselves half as often, for when each was heard last.
const PAUSE = 30_000;
const SUGGESTED = 20;
const FOLDED = 'luna.folded';
const SUGGESTIONS = ['state:online', 'state:offline', 'verdict:bad', 'verdict:warn', 'seen:<1h', 'site:', 'tag:', 'has:place'];
// The orders that have sections, and what those are called that have no site or no tag.
const SECTIONS = { site: 'Without a site', tag: 'Without a tag' };
const ORDERS = [['name', 'by name'], ['-seenAt', 'by last sign'], ['verdict', 'by verdict'], ['site', 'by site'], ['tag', 'by tag']];

function folded() {
  try { return new Set(JSON.parse(localStorage.getItem(FOLDED) || '[]')); } catch { return new Set(); }
}

function keepFolded(names) {
  try { localStorage.setItem(FOLDED, JSON.stringify([...names])); } catch { /* For this page only. */ }
}

export async function directory(_, address) {
  let query = address.searchParams.get('q') || '';
  let order = address.searchParams.get('sort') || 'name';
  let gateways = [];
  let cursor = null;
  let total = 0;
  // How many gateways there are in each section, also beyond those that are loaded; null is without a name.
  let counts = new Map();
  const selected = new Set();
  // How many the search had found when all of them were selected, also those that are not loaded; 0 otherwise.
  let found = 0;
  const list = h('div', { class: 'directory' });
  const summary = h('p', { class: 'hint', 'aria-live': 'polite' });
  const bulk = h('div', { class: 'bulk', hidden: true });
  // Beside the list, which is drawn anew at any moment.
  const trouble = h('div', {});
  const more = h('div', {});
  let request = null;

  async function load({ isMore = false } = {}) {
    request?.abort();
    const mine = request = new AbortController();
    // What is loaded anew has as much as was there, as far as one answer goes.
    const limit = isMore ? PAGE : Math.min(MOST, Math.max(PAGE, gateways.length));
    const asked = new URLSearchParams({ limit, sort: order, ...(SECTIONS[order] && { sections: order }) });
    if (query) asked.set('q', query);
    if (isMore && cursor) asked.set('cursor', cursor);
    try {
      const answer = await call('GET', `/v1/gateways?${asked}`, undefined, { signal: mine.signal });
      gateways = isMore ? [...gateways, ...answer.gateways] : answer.gateways;
      cursor = answer.cursor || null;
      total = answer.total ?? gateways.length;
      counts = new Map(answer.sections.map((one) => [one.name, one.count]));
      if (!query) suggest();
      draw();
    } catch (error) {
      if (error.name === 'AbortError') return;
      // What is there stays; that the server is away, the bar says.
      if (gateways.length === 0) replace(list, problem(error, () => load()));
      else if (!error.isOffline) replace(trouble, problem(error, () => load()));
    }
  }

  /** What may be searched for: what always may, and the sites or tags that there are. */
  function suggest() {
    const field = order === 'tag' ? 'tag' : 'site';
    const named = [...counts.keys()].filter((name) => name !== null && !name.includes('"')).map((name) => `${field}:${/\s/.test(name) ? `"${name}"` : name}`);
    replace(suggestions, [...SUGGESTIONS, ...named.slice(0, SUGGESTED)].map((text) => h('option', { value: text })));
  }

  function draw() {
    const shown = query ? `${count(total, 'gateway')} for “${query}”` : count(total, 'gateway');
    summary.textContent = total > gateways.length ? `${shown}, ${gateways.length} shown` : shown;
    if (gateways.length === 0) {
      replace(list, query
        ? empty('No gateway is like that.', h('button', { type: 'button', on: { click: () => search('') } }, 'Show all'))
        : empty('There is no gateway yet. Run luna finder --backend on the machine that is to become one, and add it here.',
          may('operator') && h('a', { class: 'button primary', href: '/ui/scan' }, 'Add a gateway')));
    } else {
      keepFocus(list, () => rows((row) => {
        const shown = (some, name = '') => h('ul', { class: 'rows' }, some.map((one) => row(`${one.id} ${name}`, one)));
        replace(list, SECTIONS[order] ? sections().map(([name, some]) => section(name, some.length, shown(some, name))) : shown(gateways));
      }));
    }
    keepFocus(more, () => replace(more, cursor && h('button', { type: 'button', on: { click: () => load({ isMore: true }) } }, 'Show more')));
    drawBulk();
  }

  /** What is loaded by sites or tags, in the order of the server; null is without a name. */
  function sections() {
    const groups = new Map();
    for (const one of gateways) {
      const names = order === 'site' ? [one.site || null] : one.tags?.length ? one.tags : [null];
      for (const name of names) groups.set(name, [...(groups.get(name) || []), one]);
    }
    return [...new Set([...counts.keys(), ...groups.keys()])].filter((name) => groups.has(name)).map((name) => [name, groups.get(name)]);
  }

  function section(key, number, shown) {
    const all = counts.get(key) ?? number;
    const name = key ?? SECTIONS[order];
    const closed = folded();
    return h('details', {
      open: !closed.has(name), on: {
        toggle: (event) => {
          const names = folded();
          if (event.target.open) names.delete(name); else names.add(name);
          keepFolded(names);
        },
      },
    }, h('summary', {}, h('h2', {}, name), h('span', { class: 'hint' }, all > number ? ` ${number} of ${all}` : ` ${number}`)), shown);
  }

  const rows = keptRows((shown) => {
    const element = h('li', {
      class: 'row', on: {
        keydown: (event) => {
          if (event.key === 'Delete' && may('operator')) removeOne(shown());
          if (event.key === 'e' && may('operator') && event.target.tagName !== 'INPUT') go(path`/ui/gateways/${shown().id}` + '?edit=1');
        },
      },
    });
    if (may('operator')) swipes(element, () => remove([shown()]));
    return element;
  }, (gateway) => {
    const name = nameOf(gateway);
    const box = may('operator') && h('input', {
      type: 'checkbox', checked: found > 0 || selected.has(gateway.id), 'aria-label': `Select ${name}`, on: {
        change: (event) => {
          found = 0;
          if (event.target.checked) selected.add(gateway.id); else selected.delete(gateway.id);
          drawBulk();
        },
      },
    });
    const link = h('a', { class: 'to', href: path`/ui/gateways/${gateway.id}` }, picture(gateway),
      h('span', { class: 'who' }, h('strong', {}, name), h('span', { class: 'hint' }, placeText(gateway))),
      stateBadge(gateway), verdictBadge(gateway));
    const actions = may('operator') && h('div', { class: 'actions' },
      h('a', { class: 'button', href: path`/ui/gateways/${gateway.id}` + '?edit=1', 'aria-label': `Edit ${name}` }, icon('edit'), 'Edit'),
      h('button', { type: 'button', class: 'danger', 'aria-label': `Delete ${name}`, on: { click: () => removeOne(gateway) } }, icon('remove'), 'Delete'));
    return [box, link, actions];
  });

  async function removeOne(gateway) {
    if (await ask(`Delete ${nameOf(gateway)}?`, 'Its uploads are refused from now on. It can be undone for 30 days.', 'Delete')) remove([gateway]);
  }

  async function remove(victims) {
    const undo = [];
    try {
      for (const gateway of victims) {
        const { change } = await call('DELETE', path`/v1/gateways/${gateway.id}`);
        if (change) undo.push(change);
        gateways = gateways.filter((one) => one.id !== gateway.id);
        selected.delete(gateway.id);
        total -= 1;
        draw();
      }
      replace(trouble);
    } catch (error) {
      replace(trouble, problem(error));
    }
    if (undo.length === 0) return;
    const text = victims.length === 1 ? `${nameOf(victims[0])} is deleted.` : `${count(undo.length, 'gateway')} are deleted.`;
    say(text, { label: 'Undo', run: () => bringBack(undo) }, 10);
  }

  async function bringBack(changes) {
    try {
      let said = '';
      for (const change of changes) said = await takeBack(change);
      replace(trouble);
      say(said);
    } catch (error) {
      replace(trouble, problem(error));
    }
    load();
  }

  // Made once: what others change meanwhile takes nothing away that somebody types here.
  const tag = h('input', { 'aria-label': 'Tag', placeholder: 'tag', maxlength: 32, pattern: '[a-z0-9_-]{1,32}' });
  const site = h('input', { 'aria-label': 'Site', placeholder: 'site', maxlength: 80 });
  const chosen = h('span', {});
  const whole = h('button', { type: 'button', on: { click: selectAll } });
  replace(bulk, chosen, whole, tag,
    h('button', { type: 'button', on: { click: () => change({ addTags: [tag.value.trim()] }) } }, 'Add tag'),
    h('button', { type: 'button', on: { click: () => change({ removeTags: [tag.value.trim()] }) } }, 'Remove tag'), site,
    h('button', { type: 'button', on: { click: () => change({ set: { site: site.value.trim() || null } }) } }, 'Set site'),
    h('button', {
      type: 'button', class: 'danger', on: {
        click: async () => {
          const text = `${count(found || selected.size, 'gateway')} will be refused from now on. It can be undone for 30 days.`;
          if (await ask('Delete the selected ones?', text, 'Delete')) change({ remove: true });
        },
      },
    }, 'Delete'),
    h('button', { type: 'button', class: 'plain', on: { click: () => { selectNone(); draw(); } } }, 'Select none'));

  function selectNone() {
    found = 0;
    selected.clear();
  }

  function selectAll() {
    found = total;
    for (const one of gateways) selected.add(one.id);
    draw();
  }

  function drawBulk() {
    bulk.hidden = selected.size === 0;
    chosen.textContent = `${found || selected.size} selected`;
    whole.hidden = found > 0 || total > TOGETHER || selected.size >= total;
    whole.textContent = `Select all ${total}`;
  }

  async function change(what) {
    try {
      // The server refuses it where the search finds another number by now.
      const whom = found > 0 ? { q: query, count: found } : { ids: [...selected] };
      const { change: made, results } = await call('POST', '/v1/gateways/bulk', { ...whom, ...what });
      const failed = results.filter((one) => one.status === 'refused').length;
      selectNone();
      [tag.value, site.value] = ['', ''];
      replace(trouble);
      await load();
      const isDone = results.some((one) => one.status === 'done');
      const same = isDone ? 'Changed.' : 'It was so already.';
      say(failed > 0 ? `${count(failed, 'gateway')} could not be changed.` : same, isDone && { label: 'Undo', run: () => bringBack([made]) }, 10);
    } catch (error) {
      if (error.code === 'countChanged') {
        found = 0;
        draw();
      }
      replace(trouble, problem(error));
    }
  }

  function search(text) {
    query = text.trim();
    if (found > 0) selectNone();
    const next = new URLSearchParams();
    if (query) next.set('q', query);
    if (order !== 'name') next.set('sort', order);
    history.replaceState(null, '', next.size > 0 ? `/ui/?${next}` : '/ui/');
    box.value = query;
    gateways = [];
    load();
  }

  const suggestions = h('datalist', { id: 'suggestions' });
  const box = h('input', {
    type: 'search', value: query, 'aria-label': 'Search', placeholder: 'Search: a word, site:, tag:, state:offline …', list: 'suggestions',
    maxlength: 256, autocomplete: 'off', on: { search: () => search(box.value) },
  });
  const saved = savedSearches({ current: () => box.value.trim(), search });
  const pull = pulls(() => load());
  const element = h('div', {}, pull.element,
    h('form', { class: 'search', role: 'search', on: { submit: (event) => { event.preventDefault(); search(box.value); } } },
      icon('search'), box, suggestions,
      h('select', { 'aria-label': 'Order', on: { change: (event) => { order = event.target.value; search(box.value); } } },
        ORDERS.map(([value, text]) => h('option', { value, selected: value === order }, text))),
      h('button', { type: 'button', 'aria-label': 'Refresh', on: { click: () => load() } }, icon('refresh')),
      may('operator') && h('a', { class: 'button primary', href: '/ui/scan' }, icon('add'), 'Add')),
    saved.element, summary, bulk, trouble, list, more);

  replace(list, skeleton());
  suggest();
  await Promise.all([load(), saved.load()]);
  let late = null;
  let isStale = false;
  const changed = (value) => {
    // What one answer does not hold is changed where it is; a state tells a part of a record.
    const at = gateways.length > MOST && value?.id ? gateways.findIndex((one) => one.id === value.id) : null;
    if (at === null) isStale = true;
    else if (value.removedAt && at >= 0) total -= gateways.splice(at, 1).length;
    else if (at >= 0) gateways[at] = 'key' in value ? value : { ...gateways[at], ...value };
    late ||= setTimeout(() => {
      late = null;
      if (isStale) load(); else draw();
      isStale = false;
    }, 300);
  };
  const ends = [listen('gateway', changed), listen('state', changed), listen('reset', changed), onReturn(changed), pull.end];
  let isTurn = false;
  const timer = setInterval(() => {
    isTurn = !isTurn;
    // What is selected stays, and what one answer does not hold.
    if (document.hidden || selected.size > 0 || gateways.length > MOST) return;
    if (!isLive() || isTurn) load();
  }, PAUSE);
  return {
    title: 'Gateways', element,
    leave: () => { ends.forEach((end) => end()); clearInterval(timer); clearTimeout(late); request?.abort(); },
  };
}
