// Schedules: what runs by the clock, when next, on and off, and new ones for what can be set.

import { h, replace } from '../dom.js';
import { call, path } from '../api.js';
import { field, form } from '../form.js';
import { ask, empty, problem, say, skeleton } from '../notice.js';
import { moment } from '../text.js';
import { isNumber, model, word } from './app.js';
import { actionName, label } from './controls.js';
import { listen, live } from './live.js';
import { isAsleep, sentence } from './rules.js';

const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const LONG = 31_622_400;

const isTimed = (rule) => (rule.when || []).some((trigger) => 'time' in trigger);

/** What of a tracker can be done by the clock: [{name, title, values, property}]. */
function deedsOf(tracker) {
  const set = (model(tracker).managedProperties || []).filter((one) => one.schedule && tracker.actions.includes(`set:${one.name}`))
    .map((one) => ({ key: `set:${one.name}`, title: label(one.name), property: one }));
  const done = tracker.actions.filter((one) => ['turn_on', 'blink'].includes(one)).map((one) => ({ key: one, title: actionName(one) }));
  return [...set, ...done];
}

function editor(done) {
  const able = live.trackers.filter((one) => deedsOf(one).length > 0);
  if (able.length === 0) return { element: empty('Nothing here can be done by the clock.', h('p', {}, 'In the file, a property says “schedule”: true.')) };
  const name = field('Name', { maxlength: 80, required: true });
  const who = field('Of', { kind: 'select', options: able.map((one) => [one.id, one.name]) });
  const what = field('What', { kind: 'select', options: [] });
  const choice = field('To what', { kind: 'select', options: [] });
  const text = field('To what', { value: '' });
  const time = field('At', { type: 'time', value: '07:00', required: true });
  const days = DAYS.map((day) => [day, h('input', { type: 'checkbox', checked: true })]);
  const week = { element: h('fieldset', {}, h('legend', {}, 'On'), days.map(([day, box]) => h('label', {}, box, day))) };
  const tracker = () => able.find((one) => one.id === who.value);
  const deed = () => deedsOf(tracker()).find((one) => one.key === what.value);
  const looksLikeNumber = (property) => isNumber(property) || property.control === 'decimal_input';
  function foldWhat() {
    replace(what.box, deedsOf(tracker()).map((one) => h('option', { value: one.key }, one.title)));
    foldValue();
  }
  function foldValue() {
    const { property } = deed();
    const actions = property?.actions || (property?.type === 'bool' ? [{ name: 'on', value: true }, { name: 'off', value: false }] : null);
    choice.element.hidden = !actions;
    text.element.hidden = !property || Boolean(actions);
    replace(choice.box, (actions || []).map((one, index) => h('option', { value: index }, word(one.name))));
    if (!property) return;
    text.box.type = looksLikeNumber(property) ? 'number' : 'text';
    for (const [key, value] of [['min', property.min], ['max', property.max], ['step', looksLikeNumber(property) ? 'any' : null]]) {
      if (value === undefined || value === null) text.box.removeAttribute(key); else text.box.setAttribute(key, value);
    }
  }
  function action() {
    const { key, property } = deed();
    const id = who.value;
    if (!property) return key === 'blink' ? { blink: { who: id } } : { buzz: { who: id, seconds: 12 } };
    const given = choice.element.hidden ? null : (property.actions || [{ value: true }, { value: false }])[choice.box.selectedIndex].value;
    if (given === null && text.value.trim() === '') throw new Error('Say what it is to be set to.');
    return { set: { who: id, property: property.name, value: given ?? (isNumber(property) ? Number(text.value) : text.value) } };
  }
  const { element } = form([name, who, what, choice, text, time, week], 'Save', async () => {
    const chosen = days.filter(([, box]) => box.checked).map(([day]) => day);
    if (chosen.length === 0) throw new Error('Choose a day at least.');
    const when = { at: [time.value] };
    if (chosen.length < 7) when.days = chosen;
    await call('POST', '/api/v1/rules', { name: name.value.trim() || `${deed().title} at ${time.value}`, when: [{ time: when }], then: [action()] });
    say('The schedule holds from now on.');
    done();
  }, { buttons: [h('button', { type: 'button', on: { click: done } }, 'Cancel')] });
  who.box.addEventListener('change', foldWhat);
  what.box.addEventListener('change', foldValue);
  foldWhat();
  return { element: h('section', {}, h('h2', {}, 'New schedule'), element), focus: () => name.box.focus() };
}

export function schedules() {
  const list = h('div', {}, skeleton());
  const desk = h('div', {});

  async function turn(rule, isOn) {
    try {
      if (rule.managedBy === 'web' && (rule.enabled === false || !isOn)) {
        const { members: { managedBy: _, status: __, ...kept }, etag } = await call('GET', path`/api/v1/rules/${rule.id}`, undefined, { whole: true });
        await call('PUT', path`/api/v1/rules/${rule.id}`, { ...kept, enabled: isOn }, { headers: { 'If-Match': etag } });
      }
      // What stands in the file is put to sleep.
      if (rule.managedBy !== 'web' || isAsleep(rule)) await call('POST', path`/api/v1/rules/${rule.id}/snooze`, { seconds: isOn ? 0 : LONG });
      await draw();
    } catch (error) { replace(desk, problem(error)); draw(); }
  }

  async function remove(rule) {
    if (!await ask('Remove this schedule?', rule.name || rule.id, 'Remove')) return;
    try {
      const { etag } = await call('GET', path`/api/v1/rules/${rule.id}`, undefined, { whole: true });
      await call('DELETE', path`/api/v1/rules/${rule.id}`, undefined, { headers: { 'If-Match': etag } });
      draw();
    } catch (error) { replace(desk, problem(error)); }
  }

  function row(rule, runs) {
    const called = rule.name || rule.id;
    const isLocked = rule.managedBy !== 'web' && rule.enabled === false;
    const isOn = rule.enabled !== false && !isAsleep(rule);
    const box = h('input', { type: 'checkbox', role: 'switch', checked: isOn, disabled: isLocked, 'aria-label': `On: ${called}`, 'data-rule': rule.id, on: { change: () => turn(rule, box.checked) } });
    return h('li', { class: 'row' }, box, h('div', { class: 'who' }, h('strong', {}, called), h('span', {}, sentence(rule)),
      h('span', { class: 'hint' }, isOn ? (runs.length > 0 ? `Next: ${runs.map((one) => moment(one.time)).join(', ')}` : 'It does not run again.') : isLocked ? 'Off in the file.' : 'Off.',
        rule.managedBy !== 'web' && ` Stands in home.json:${rule.managedBy.slice(5)}.`)),
    rule.managedBy === 'web' && h('button', { type: 'button', class: 'danger', 'aria-label': `Remove: ${called}`, on: { click: () => remove(rule) } }, 'Remove'));
  }

  async function draw() {
    try {
      const [{ rules }, { runs }] = await Promise.all([call('GET', '/api/v1/rules'), call('GET', '/api/v1/runs?count=3')]);
      const timed = rules.filter(isTimed);
      const had = document.activeElement?.dataset?.rule;
      replace(list, h('div', { class: 'tools' }, h('button', { type: 'button', class: 'primary', on: { click: add } }, 'New schedule')),
        timed.length === 0 ? empty('Nothing runs by the clock yet.') : h('ul', { class: 'rows' }, timed.map((rule) => row(rule, runs.filter((one) => one.rule === rule.id)))));
      if (had) [...list.querySelectorAll('[data-rule]')].find((one) => one.dataset.rule === had)?.focus();
    } catch (error) { replace(list, problem(error, draw)); }
  }

  function add() {
    const made = editor(() => { replace(desk); draw(); list.querySelector('.primary')?.focus(); });
    replace(desk, made.element);
    made.focus?.();
  }

  draw();
  const stop = listen((event) => { if (event.type === 'firing') draw(); });
  return { element: h('div', {}, list, desk), leave: stop };
}
