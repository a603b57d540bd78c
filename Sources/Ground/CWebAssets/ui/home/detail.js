// One tracker: what is known, what can be asked for, what was.

import { h, replace } from '../dom.js';
import { call, path } from '../api.js';
import { lineChart } from '../chart.js';
import { field, form } from '../form.js';
import { ask, empty, problem, say } from '../notice.js';
import { go } from '../router.js';
import { ago, moment } from '../text.js';
import { addressOf, may, model, screen } from './app.js';
import { actionButtons, actionName, control, label, text } from './controls.js';
import { nearBadge } from './list.js';
import { find, listen, live, loadAll } from './live.js';
import { map } from './map.js';
import { sentence } from './rules.js';
import { rightsOf, stateOf } from './shares.js';

// The home gives 5,000 values at once, the oldest first: more of them have to be put together.
const SPANS = [['Last day', 86_400, 20], ['Last week', 7 * 86_400, 3600], ['Last month', 30 * 86_400, 6 * 3600]];

async function history(tracker, place) {
  const named = Object.keys(tracker.properties).filter((name) => !['location', 'zones', 'identifier', 'lastSeen'].includes(name));
  if (named.length === 0) { replace(place, empty('Nothing is kept of it yet.')); return () => {}; }
  let chart = null;
  let asked = 0;
  const picture = h('div', {});
  const which = h('select', { 'aria-label': 'Property' }, named.map((name) => h('option', { value: name, selected: name === 'rssi' }, label(name))));
  const span = h('select', { 'aria-label': 'Span' }, SPANS.map(([title], index) => h('option', { value: index }, title)));
  async function draw() {
    const [, seconds, bucket] = SPANS[span.value];
    const from = new Date(Date.now() - seconds * 1000).toISOString();
    const number = asked += 1;
    try {
      const { values } = await call('GET', `/api/v1/trackers/${encodeURIComponent(tracker.id)}/history?property=${encodeURIComponent(which.value)}&from=${encodeURIComponent(from)}&bucket=${bucket}`);
      if (number !== asked) return;
      chart?.end();
      chart = null;
      if (values.length === 0) { replace(picture, empty('Nothing was kept in this time.')); return; }
      if (values.every((one) => typeof one.value === 'number')) {
        const made = await lineChart(label(which.value), '', values);
        if (number !== asked) { made.end(); return; }
        chart = made;
        replace(picture, chart.element);
      } else {
        replace(picture, h('ul', { class: 'changes' }, values.slice(-100).reverse().map((one) => h('li', {}, h('span', {}, text(which.value, one)), h('span', { class: 'hint' }, moment(one.time))))));
      }
    } catch (error) { replace(picture, problem(error, draw)); }
  }
  which.addEventListener('change', draw);
  span.addEventListener('change', draw);
  replace(place, h('div', { class: 'tools' }, which, span), picture);
  draw();
  return () => { asked += 1; chart?.end(); };
}

const CLOCK = ['drift', 'clockDaysLeft'];
const LOST = 'Its history and its track are deleted, and its keys too: without a copy of them nobody can ever read where it was, or ring it, until it is made yours anew. Rules that name it no longer run. This cannot be undone.';
const SHARED_LOST = 'Its history and its track are deleted, and what was shared of it too. Its owner can share it again. Rules that name it no longer run.';

/** How well the clock of a tracker goes, and how old what is known of it is. */
function clock(tracker) {
  const place = h('div', {});
  function update(tracker) {
    const known = CLOCK.map((name) => [name, tracker.properties[name]]).filter(([, one]) => one && one.value !== null && one.value !== undefined);
    replace(place, known.length > 0 && [h('h2', {}, 'Clock'), h('dl', { class: 'facts' }, known.map(([name, one]) => [h('dt', {}, label(name)), h('dd', {}, text(name, one), h('span', { class: 'hint' }, one.at ? ` known since ${ago(one.at)}` : ''))]))]);
  }
  update(tracker);
  return { element: place, update };
}

/** The rules that are about a tracker. */
function rulesOf(tracker) {
  const place = h('div', {});
  const names = new Set([tracker.id, ...tracker.tags]);
  const isAbout = (value) => (Array.isArray(value) ? value.some(isAbout) : value && typeof value === 'object' && Object.entries(value).some(([key, one]) => (key === 'who' ? [one].flat().some((who) => names.has(who)) : isAbout(one))));
  async function draw() {
    try {
      const { rules } = await call('GET', '/api/v1/rules');
      const found = rules.filter((rule) => isAbout([rule.when, rule.if, rule.then]));
      replace(place, h('h2', {}, 'Rules'), found.length === 0 ? h('p', { class: 'hint' }, 'No rule names it.') : h('ul', { class: 'changes' }, found.map((rule) => h('li', {}, h('strong', {}, rule.name || rule.id), h('span', {}, sentence(rule))))),
        h('p', {}, h('a', { href: addressOf('rules') }, 'To the rules'), ' ', h('a', { href: addressOf(screen(model(tracker).scheduleScreen) ? model(tracker).scheduleScreen : 'schedules') }, 'To the schedules')));
    } catch (error) { replace(place, problem(error, draw)); }
  }
  draw();
  return place;
}

/** With whom a tracker of one's own is shared. */
function sharesOf(tracker) {
  const place = h('div', {});
  async function draw() {
    try {
      const { given } = await call('GET', '/api/v1/shares');
      const found = given.filter((one) => one.device === tracker.device && one.state === 'live');
      replace(place, h('h2', {}, 'Shared with'), found.length === 0 ? h('p', { class: 'hint' }, 'Nobody.') : h('ul', { class: 'changes' }, found.map((one) => h('li', {}, h('strong', {}, one.contact), h('span', {}, `${rightsOf(one)} · ${stateOf(one)}`)))),
        h('p', {}, h('a', { href: `${addressOf('shares')}?tracker=${encodeURIComponent(tracker.id)}` }, 'To sharing')));
    } catch (error) {
      // Where a program of its own keeps the trackers, none can be shared.
      replace(place, error.status !== 409 && problem(error, draw));
    }
  }
  draw();
  return place;
}

/** What its owner can change, and how it is forgotten. */
function upkeep(tracker) {
  const desk = h('div', {});
  const at = path`/api/v1/trackers/${tracker.id}`;
  async function edit() {
    try {
      const { members: now, etag } = await call('GET', at, undefined, { whole: true });
      const name = field('Name', { value: now.name, maxlength: 80, required: true });
      const icon = field('Icon', { value: now.icon || '', maxlength: 80, hint: 'A picture in the folder of server.webRoot, such as bike.svg; empty for that of its model.' });
      const tags = field('Tags', { value: now.tags.join(', '), maxlength: 400, hint: 'Words that rules can name several trackers by, with commas between them.' });
      const { element } = form([name, icon, tags], 'Save', async () => {
        await call('PATCH', at, { name: name.value.trim(), icon: icon.value.trim() || null, tags: tags.value.split(',').map((one) => one.trim()).filter(Boolean) }, { headers: { 'If-Match': etag } });
        await loadAll();
        say('The tracker is kept so.');
        go(path`/ui/trackers/${tracker.id}`, { replacing: true });
      }, { buttons: [h('button', { type: 'button', on: { click: () => replace(desk) } }, 'Cancel')] });
      replace(desk, h('h3', {}, 'Edit the tracker'), element);
      name.box.focus();
    } catch (error) { replace(desk, problem(error, edit)); }
  }
  async function forget() {
    if (!await ask(`Forget ${tracker.name}?`, tracker.sharedUntil ? SHARED_LOST : LOST, 'Forget it')) return;
    try {
      const { etag } = await call('GET', at, undefined, { whole: true });
      await call('DELETE', `${at}?history=true&keys=true`, undefined, { headers: { 'If-Match': etag } });
      await loadAll();
      await go('/ui/', { replacing: true });
      say('The tracker is forgotten.');
    } catch (error) { replace(desk, problem(error)); }
  }
  if (tracker.managedBy?.startsWith('file')) return h('p', { class: 'hint' }, `It stands in home.json${tracker.managedBy.slice(4)}: its name, its tags and whether it is there are changed in that line.`);
  return h('div', {}, h('div', { class: 'tools' }, h('button', { type: 'button', on: { click: edit } }, 'Edit'), h('button', { type: 'button', class: 'danger', on: { click: forget } }, 'Forget')), desk);
}

export function deviceDetail(parameters) {
  const id = parameters.id ?? live.trackers[0]?.id;
  const tracker = find(id);
  if (!tracker) return { title: 'Tracker', element: empty('There is no such tracker, or it is not shared with you.', h('a', { href: '/ui/' }, 'Back')) };
  const near = h('span', {});
  const heard = h('p', { class: 'hint' });
  const log = h('p', { class: 'hint', role: 'status' });
  const facts = h('dl', { class: 'facts' });
  let controls = new Map();
  function draw(tracker) {
    const names = Object.keys(tracker.properties).filter((name) => !CLOCK.includes(name));
    for (const one of controls.values()) one.leave?.();
    controls = new Map(names.map((name) => [name, { ...control(tracker, name), age: h('span', { class: 'hint' }) }]));
    replace(facts, names.map((name) => {
      const { element, age } = controls.get(name);
      return [h('dt', {}, label(name)), h('dd', {}, element, age)];
    }));
    update(tracker);
  }
  function update(tracker) {
    replace(near, nearBadge(tracker));
    time.update(tracker);
    const at = tracker.properties.lastSeen?.value;
    heard.textContent = at ? `Heard ${ago(at)}.` : 'Not heard yet.';
    for (const [name, one] of controls) {
      const property = tracker.properties[name];
      one.update(property);
      one.age.textContent = property?.at && !property.fresh && name !== 'lastSeen' ? ` old: ${ago(property.at)}` : '';
    }
  }
  const time = clock(tracker);
  draw(tracker);
  const past = h('div', {});
  let endHistory = () => {};
  let isGone = false;
  history(tracker, past).then((end) => { if (isGone) end(); else endHistory = end; });
  const stop = listen((event) => {
    const now = find(id);
    if (event.type === 'all') {
      // What somebody types just now stays.
      if (now && Object.keys(now.properties).filter((name) => !CLOCK.includes(name)).join() === [...controls.keys()].join()) update(now);
      else if (now) draw(now);
      else replace(element, empty('This tracker is gone.', h('a', { href: '/ui/' }, 'Back')));
    } else if (event.type === 'value' && event.tracker === id && now) {
      if (controls.has(event.property) || CLOCK.includes(event.property)) update(now); else draw(now);
    } else if (event.type === 'command' && event.command?.tracker === id) {
      log.textContent = `${actionName(event.command.action)}: ${event.command.state}${event.command.detail ? ` (${event.command.detail})` : ''}.`;
    }
  });
  const timer = setInterval(() => { const now = find(id); if (now) update(now); }, 15_000);
  const day = tracker.properties.location ? map({ only: id }) : null;
  const element = h('div', {},
    tracker.sharedUntil && h('p', {}, `It is not yours: somebody shares it with you until ${moment(tracker.sharedUntil)}.`),
    h('div', { class: 'head' }, near, heard, tracker.tags.map((one) => h('span', { class: 'tag' }, one)),
      h('a', { class: 'button', href: `${addressOf('map')}?tracker=${encodeURIComponent(id)}` }, 'Show on the map')),
    actionButtons(tracker), log, h('h2', {}, 'Properties'), facts, time.element, h('h2', {}, 'History'), past, day && [h('h2', {}, 'Where it was'), day.element],
    may('owner') && tracker.device && !tracker.sharedUntil && sharesOf(tracker), may('member') && rulesOf(tracker), may('owner') && [h('h2', {}, 'Looking after it'), upkeep(tracker)]);
  return { title: tracker.name, element, leave: () => { isGone = true; stop(); endHistory(); clearInterval(timer); day?.leave(); for (const one of controls.values()) one.leave?.(); } };
}
