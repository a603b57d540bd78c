// Rules as sentences: what starts them, what they do, what they would have done, and why they ran or did not.

import { h, replace } from '../dom.js';
import { call, path } from '../api.js';
import { field, form } from '../form.js';
import { ask, empty, problem, say } from '../notice.js';
import { moment } from '../text.js';
import { app } from './app.js';
import { live } from './live.js';

const nameOf = (who) => live.trackers.find((one) => one.id === who)?.name || who || 'any tracker';
const one = (object) => Object.entries(object || {})[0] || ['', {}];

function triggerText(trigger) {
  const [kind, value] = one(trigger);
  switch (kind) {
    case 'enter': return `${nameOf(value.who)} comes to ${value.place}`;
    case 'exit': return `${nameOf(value.who)} leaves ${value.place}`;
    case 'dwell': return `${nameOf(value.who)} stays at ${value.place} for ${value.after || 'a while'}`;
    case 'beaconIn': return `${nameOf(value.who)} comes near`;
    case 'beaconOut': return `${nameOf(value.who)} is no longer near`;
    case 'watch': return `a tracker that is not yours stays with you (${value.grade || 'alarm'} at least)`;
    case 'time': return value.at ? `it is ${value.at.join(' or ')}${value.days ? ` on ${value.days.join(', ')}` : ''}` : `every ${value.every}`;
    case 'property': return `${value.property} of ${nameOf(value.who)} ${['is', 'above', 'below'].filter((word) => value[word] !== undefined).map((word) => `${word === 'is' ? 'becomes' : `goes ${word}`} ${value[word]}`).join('') || 'changes'}`;
    case 'message': return `the message “${value}” comes`;
    case 'system': return { start: 'the home starts', backendLost: 'the backend is lost', radioLost: 'the radio is lost', diskLow: 'the disk is nearly full' }[value] || value;
    default: return `${kind} ${typeof value === 'string' ? value : JSON.stringify(value)}`;
  }
}

/** A condition in words; `inner` is for one within another. */
function conditionText(condition, inner = false) {
  const [kind, value] = one(condition);
  const whole = (text) => (inner ? `(${text})` : text);
  switch (kind) {
    case 'all': return value.length === 1 ? conditionText(value[0], inner) : whole(value.map((each) => conditionText(each, true)).join(' and '));
    case 'any': return value.length === 1 ? conditionText(value[0], inner) : whole(value.map((each) => conditionText(each, true)).join(' or '));
    case 'not': return `not ${conditionText(value, true)}`;
    case 'property': return `${value.property} of ${value.who ? nameOf(value.who) : 'it'} is ${value.above !== undefined ? `above ${value.above}` : value.below !== undefined ? `below ${value.below}` : value.is}`;
    case 'inside': return `${value.who ? nameOf(value.who) : 'it'} is at ${value.place}`;
    case 'time': return ['the time is', value.from && `from ${value.from}`, value.to && `until ${value.to}`, value.days && `on ${value.days.join(', ')}`].filter(Boolean).join(' ');
    case 'nobodyHome': return value.tag ? `no tracker with the tag ${value.tag} is near` : 'no tracker is near';
    case 'since': return `${value.rule} ran ${value.more ? `longer ago than ${value.more}` : `less than ${value.less} ago`}`;
    default: return JSON.stringify(condition);
  }
}

function actionText(action) {
  const [kind, value] = one(action);
  switch (kind) {
    case 'notify': return `tell ${[value.to || 'everybody'].flat().join(', ')}`;
    case 'buzz': return `ring ${value.who ? nameOf(value.who) : 'it'}`;
    case 'set': return `set ${value.property} of ${nameOf(value.who)} to ${value.value}`;
    case 'stopSound': case 'blink': case 'ping': return `${{ stopSound: 'silence', blink: 'blink', ping: 'ask for a sign of life of' }[kind]} ${value.who ? nameOf(value.who) : 'it'}`;
    case 'webhook': return `ask ${value.url}`;
    case 'exec': return `run ${value.name}`;
    case 'publish': return `publish to ${value.topic}`;
    case 'finder': return `${value} the gateway`;
    case 'wait': return `wait ${value}`;
    case 'rule': return value.do === 'resume' ? `wake ${value.id || 'this rule'}` : `let ${value.id || 'this rule'} sleep for ${value.for || '1h'}`;
    default: return kind;
  }
}

/** A rule as a sentence. */
export function sentence(rule) {
  return `When ${(rule.when || []).map(triggerText).join(', or when ')}${rule.if ? `, and if ${conditionText(rule.if)}` : ''}: ${(rule.then || []).map(actionText).join(', then ')}.`;
}

const STARTS = { enter: 'comes to', exit: 'leaves', beaconIn: 'comes near', beaconOut: 'is no longer near', property: 'has a property that', time: 'at a time of day' };
const DEEDS = { notify: 'tell somebody', buzz: 'ring it', blink: 'blink it', set: 'set a property' };

function outcomeLine(outcome) {
  const why = outcome.type === 'held' ? `did not run: ${outcome.why}` : 'ran';
  const cause = outcome.cause && (outcome.cause.text || outcome.cause.trigger || JSON.stringify(outcome.cause));
  return h('li', {}, h('span', {}, `${outcome.rule} ${why}${cause ? ` (${cause})` : ''}`), h('span', { class: 'hint' }, moment(outcome.time)),
    outcome.outcomes?.length > 0 && h('p', { class: 'hint' }, outcome.outcomes.map((deed) => `${deed.action}: ${deed.state}${deed.detail ? ` (${deed.detail})` : ''}`).join('; ')));
}

/** The form of a rule; `done` is called when it is kept or given up. */
async function editor(rule, tag, places, done) {
  const [kind, start] = one(rule?.when?.[0]);
  const [deed, act] = one(rule?.then?.[0]);
  const isSimple = !rule || (rule.when.length === 1 && rule.then.length === 1 && !rule.if && kind in STARTS && deed in DEEDS);
  const name = field('Name', { value: rule?.name || '', maxlength: 80, required: true });
  const trackers = live.trackers.map((tracker) => [tracker.id, tracker.name]);
  const pick = (label, options, value, attributes = {}) => field(label, { kind: 'select', options, value, ...attributes });
  const what = pick('When', Object.entries(STARTS), kind || 'exit');
  const who = pick('Tracker', trackers, start.who);
  const where = pick('Place', places.map((place) => [place.id, place.name || place.id]), start.place);
  const property = field('Property', { value: start.property || 'battery' });
  const compare = pick('Compared', [['is', 'becomes'], ['above', 'goes above'], ['below', 'goes below']], ['is', 'above', 'below'].find((word) => start[word] !== undefined) || 'is');
  const value = field('Value', { value: start[compare.value] ?? 'low' });
  const time = field('At', { type: 'time', value: start.at?.[0] || '08:00' });
  const then = pick('Then', Object.entries(DEEDS), deed || 'notify');
  const to = field('To', { value: [act.to || ''].flat().join(', '), hint: 'Contacts of the file; empty for the usual ones.' });
  const target = pick('Of', trackers, act.who);
  const setName = field('Property to set', { value: act.property || '' });
  const setValue = field('New value', { value: act.value ?? '' });
  const whole = field('The whole rule, as in the file', { kind: 'textarea', rows: 12, spellcheck: 'false', hint: 'JSON, as in home.json.' });
  whole.value = rule ? JSON.stringify({ ...rule, managedBy: undefined, status: undefined, id: undefined }, null, 2) : '';
  const groups = { where: ['enter', 'exit'], property: ['property'], compare: ['property'], value: ['property'], time: ['time'] };
  const boxes = { where, property, compare, value, time };
  function fold() {
    for (const [key, kinds] of Object.entries(groups)) boxes[key].element.hidden = !kinds.includes(what.value);
    who.element.hidden = what.value === 'time' && then.value === 'notify';
    to.element.hidden = then.value !== 'notify';
    for (const each of [setName, setValue]) each.element.hidden = then.value !== 'set';
    target.element.hidden = !['set', 'buzz', 'blink'].includes(then.value);
  }
  const typed = (text) => (text === 'true' ? true : text === 'false' ? false : text !== '' && !Number.isNaN(Number(text)) ? Number(text) : text);
  function made() {
    if (!isSimple) return { ...JSON.parse(whole.value), name: name.value };
    const starts = {
      enter: { who: who.value, place: where.value }, exit: { who: who.value, place: where.value }, beaconIn: { who: who.value }, beaconOut: { who: who.value },
      property: { who: who.value, property: property.value, [compare.value]: typed(value.value) }, time: { at: [time.value] },
    };
    const deeds = {
      notify: to.value.trim() ? { to: to.value.split(',').map((text) => text.trim()) } : {}, buzz: { who: target.value, seconds: 12 }, blink: { who: target.value },
      set: { who: target.value, property: setName.value, value: typed(setValue.value) },
    };
    return { ...rule, managedBy: undefined, status: undefined, name: name.value, when: [{ [what.value]: starts[what.value] }], then: [{ [then.value]: deeds[then.value] }] };
  }
  const result = h('div', { role: 'status' });
  const fields = isSimple ? [name, what, who, where, property, compare, value, time, then, target, to, setName, setValue] : [name, whole];
  async function test() {
    try {
      const { outcomes, inputs } = await call('POST', '/api/v1/rules/test', { rule: { id: rule?.id || 'test', ...made() } });
      const ran = outcomes.filter((outcome) => outcome.type === 'firing');
      replace(result, h('p', {}, inputs === 0 ? 'Nothing was heard in the last week.' : `In the last week it would have run ${ran.length} times, and been held back ${outcomes.length - ran.length} times. Nothing was sent.`),
        h('ul', { class: 'changes' }, outcomes.slice(-20).reverse().map(outcomeLine)));
    } catch (error) { replace(result, problem(error)); }
  }
  const { element } = form(fields, 'Save', async () => {
    const body = made();
    if (rule) await call('PUT', path`/api/v1/rules/${rule.id}`, body, { headers: { 'If-Match': tag } });
    else await call('POST', '/api/v1/rules', body);
    say('The rule holds from now on.');
    done();
  }, { buttons: [h('button', { type: 'button', on: { click: test } }, 'Test on the last week'), h('button', { type: 'button', on: { click: done } }, 'Cancel')] });
  what.box.addEventListener('change', fold);
  then.box.addEventListener('change', fold);
  if (isSimple) fold();
  return h('section', {}, h('h2', {}, rule ? 'Edit the rule' : 'New rule'), element, result);
}

export function rules() {
  const list = h('div', {});
  const desk = h('div', {});
  const past = h('div', {});
  async function draw() {
    replace(desk);
    try {
      const [{ rules: all }, { places }] = await Promise.all([call('GET', '/api/v1/rules'), call('GET', '/api/v1/places')]);
      const open = async (rule) => {
        try {
          const got = rule && await call('GET', path`/api/v1/rules/${rule.id}`, undefined, { whole: true });
          replace(desk, await editor(got?.members, got?.etag, places, draw));
          desk.querySelector('input').focus();
        } catch (error) { replace(desk, problem(error)); }
      };
      const remove = async (rule) => {
        if (!await ask('Remove this rule?', rule.name || rule.id, 'Remove')) return;
        try {
          const { etag } = await call('GET', path`/api/v1/rules/${rule.id}`, undefined, { whole: true });
          await call('DELETE', path`/api/v1/rules/${rule.id}`, undefined, { headers: { 'If-Match': etag } });
          draw();
        } catch (error) { replace(desk, problem(error)); }
      };
      const copy = async (rule) => {
        try {
          await call('POST', '/api/v1/rules', { ...rule, id: `${rule.id}-copy`, managedBy: undefined, status: undefined, name: `${rule.name || rule.id} (copy)`, enabled: false });
          draw();
        } catch (error) { replace(desk, problem(error)); }
      };
      replace(list, h('div', { class: 'tools' }, h('button', { type: 'button', class: 'primary', on: { click: () => open(null) } }, 'New rule')),
        all.length === 0 ? empty('There is no rule yet.') : h('ul', { class: 'rows' }, all.map((rule) => h('li', { class: 'row' },
          h('div', { class: 'who' }, h('strong', {}, rule.name || rule.id), h('span', {}, sentence(rule)),
            h('span', { class: 'hint' }, [rule.enabled === false ? 'off' : null, rule.status?.lastRun ? `ran ${moment(rule.status.lastRun)}` : 'has not run',
              rule.managedBy === 'web' ? null : `stands in home.json:${rule.managedBy.slice(5)}`].filter(Boolean).join(' · '))),
          h('button', { type: 'button', 'aria-label': `Why: ${rule.name || rule.id}`, on: { click: () => why(rule.id) } }, 'Why'),
          rule.managedBy === 'web'
            ? [h('button', { type: 'button', 'aria-label': `Edit: ${rule.name || rule.id}`, on: { click: () => open(rule) } }, 'Edit'), h('button', { type: 'button', 'aria-label': `Remove: ${rule.name || rule.id}`, class: 'danger', on: { click: () => remove(rule) } }, 'Remove')]
            : h('button', { type: 'button', 'aria-label': `Make my own copy: ${rule.name || rule.id}`, on: { click: () => copy(rule) } }, 'Make my own copy')))));
    } catch (error) { replace(list, problem(error, draw)); }
  }
  async function why(rule = null) {
    try {
      const { firings } = await call('GET', `/api/v1/firings?limit=50${rule ? `&rule=${encodeURIComponent(rule)}` : ''}`);
      replace(past, h('h2', { tabindex: '-1' }, rule ? `Why: ${rule}` : 'What has happened'), firings.length === 0 ? empty('Nothing yet.') : h('ul', { class: 'changes' }, firings.map(outcomeLine)));
      if (rule) past.querySelector('h2').focus();
    } catch (error) { replace(past, problem(error, () => why(rule))); }
  }
  draw();
  why();
  return { element: h('div', {}, list, desk, past) };
}
