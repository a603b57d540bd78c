// Rules as sentences: what starts them, what they do, what they would have done, and why they ran or did not.

import { h, replace } from '../dom.js';
import { call, path } from '../api.js';
import { blame, field, forgive, form } from '../form.js';
import { ask, empty, problem, say } from '../notice.js';
import { moment } from '../text.js';
import { live, named } from './live.js';
import { ruleForm } from './ruleform.js';

const nameOf = (who) => live.trackers.find((one) => one.id === who)?.name || who || 'any tracker';
const SLEEPS = [[3600, 'an hour'], [8 * 3600, '8 hours'], [86_400, 'a day'], [7 * 86_400, 'a week'], [30 * 86_400, '30 days']];
/** Whether somebody has put a rule to sleep, which holds for those of the file, too. */
export const isAsleep = (rule) => Date.parse(rule.status?.snoozedUntil || 0) > Date.now();
const one = (object) => Object.entries(object || {})[0] || ['', {}];

function triggerText(trigger) {
  const [kind, value] = one(trigger);
  switch (kind) {
    case 'enter': return `${nameOf(value.who)} comes to ${named('places', value.place)}`;
    case 'exit': return `${nameOf(value.who)} leaves ${named('places', value.place)}`;
    case 'dwell': return `${nameOf(value.who)} stays at ${named('places', value.place)} for ${value.after || 'a while'}`;
    case 'beaconIn': return `${nameOf(value.who)} comes near`;
    case 'beaconOut': return `${nameOf(value.who)} is no longer near`;
    case 'watch': return `a tracker that is not yours stays with you (${value.grade || 'alarm'} at least)`;
    case 'time': return value.at ? `it is ${value.at.join(' or ')}${value.days ? ` on ${value.days.join(', ')}` : ''}` : `every ${value.every}`;
    case 'property': return `${value.property} of ${nameOf(value.who)} ${['is', 'above', 'below'].filter((word) => value[word] !== undefined).map((word) => `${word === 'is' ? 'becomes' : `goes ${word}`} ${value[word]}`).join('') || 'changes'}`;
    case 'message': return `the message “${value}” comes`;
    case 'system': return { start: 'the home starts', backendLost: 'the backend is lost', radioLost: 'the radio is lost', diskLow: 'the disk is nearly full', uplinkChanged: 'a check says something else of the network' }[value] || value;
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
    case 'inside': return `${value.who ? nameOf(value.who) : 'it'} is at ${named('places', value.place)}`;
    case 'time': return ['the time is', value.from && `from ${value.from}`, value.to && `until ${value.to}`, value.days && `on ${value.days.join(', ')}`].filter(Boolean).join(' ');
    case 'nobodyHome': return value.tag ? `no tracker with the tag ${value.tag} is near` : 'no tracker is near';
    case 'since': return `${named('rules', value.rule)} ran ${value.more ? `longer ago than ${value.more}` : `less than ${value.less} ago`}`;
    default: return JSON.stringify(condition);
  }
}

function actionText(action) {
  const [kind, value] = one(action);
  switch (kind) {
    case 'notify': return `tell ${[value.to || 'everybody'].flat().map((one) => named('contacts', one)).join(', ')}`;
    case 'buzz': return `ring ${value.who ? nameOf(value.who) : 'it'}`;
    case 'set': return `set ${value.property} of ${value.who ? nameOf(value.who) : 'it'} to ${value.value}`;
    case 'stopSound': case 'blink': case 'ping': return `${{ stopSound: 'silence', blink: 'blink', ping: 'ask for a sign of life of' }[kind]} ${value.who ? nameOf(value.who) : 'it'}`;
    case 'webhook': return `ask ${value.url}`;
    case 'exec': return `run ${value.name}`;
    case 'publish': return `publish to ${value.topic}`;
    case 'finder': return `${value} the gateway`;
    case 'wait': return `wait ${value}`;
    case 'rule': return value.do === 'resume' ? `wake ${value.id ? named('rules', value.id) : 'this rule'}` : `let ${value.id ? named('rules', value.id) : 'this rule'} sleep for ${value.for || '1h'}`;
    default: return kind;
  }
}

/** A rule as a sentence. */
export function sentence(rule) {
  return `When ${(rule.when || []).map(triggerText).join(', or when ')}${rule.if ? `, and if ${conditionText(rule.if)}` : ''}: ${(rule.then || []).map(actionText).join(', then ')}.`;
}

function outcomeLine(outcome) {
  const why = outcome.type === 'held' ? `did not run: ${outcome.why}` : 'ran';
  const cause = outcome.cause && (outcome.cause.text || outcome.cause.trigger || JSON.stringify(outcome.cause));
  return h('li', {}, h('span', {}, `${named('rules', outcome.rule)} ${why}${cause ? ` (${cause})` : ''}`), h('span', { class: 'hint' }, moment(outcome.time)),
    outcome.outcomes?.length > 0 && h('p', { class: 'hint' }, outcome.outcomes.map((deed) => `${deed.action}: ${deed.state}${deed.detail ? ` (${deed.detail})` : ''}`).join('; ')));
}

/** Says beside the boxes of a rule what the home has against them; the first one gets the focus. */
function blameParts(made, error) {
  const wrong = [];
  for (const { path: at, reason, hint } of error.members?.problems || []) {
    const [, list, , ...rest] = at.split('/');
    const one = list === 'rules' && made.at(rest);
    if (!one || wrong.includes(one.box)) continue;
    wrong.push(one.box);
    blame(one, hint ? `${reason}; ${hint}` : reason);
  }
  wrong[0]?.focus();
}

/** The form of a rule; `done` is called when it is kept or given up. */
function editor(rule, tag, home, done) {
  const made = ruleForm(rule, home);
  const words = h('p', { class: 'hint' });
  const result = h('div', { role: 'status' });
  /** Asks the home something about the rule. */
  async function guarded(work) {
    forgive(made.element);
    try {
      await work(made.read());
    } catch (error) {
      blameParts(made, error);
      throw error;
    }
  }
  async function test() {
    try {
      await guarded(async (body) => {
        const { outcomes, inputs } = await call('POST', '/api/v1/rules/test', { rule: { id: rule?.id || 'test', ...body } });
        const ran = outcomes.filter((outcome) => outcome.type === 'firing');
        replace(result, h('p', {}, inputs === 0 ? 'Nothing was heard in the last week.' : `In the last week it would have run ${ran.length} times, and been held back ${outcomes.length - ran.length} times. Nothing was sent.`),
          h('ul', { class: 'changes' }, outcomes.slice(-20).reverse().map(outcomeLine)));
      });
    } catch (error) { replace(result, problem(error)); }
  }
  const { element } = form([made, { element: words }], 'Save', async () => {
    await guarded((body) => (rule
      ? call('PUT', path`/api/v1/rules/${rule.id}`, body, { headers: { 'If-Match': tag } })
      : call('POST', '/api/v1/rules', body)));
    say('The rule holds from now on.');
    done();
  }, { buttons: [h('button', { type: 'button', on: { click: test } }, 'Test on the last week'), h('button', { type: 'button', on: { click: done } }, 'Cancel')] });
  const tell = () => replace(words, sentence(made.read()));
  made.element.addEventListener('change', tell);
  tell();
  return h('section', {}, h('h2', {}, rule ? 'Edit the rule' : 'New rule'), element, result);
}

export function rules() {
  const list = h('div', {});
  const desk = h('div', {});
  const past = h('div', {});
  async function draw() {
    replace(desk);
    try {
      const [{ rules: all }, { places }, { contacts }] = await Promise.all(['rules', 'places', 'contacts'].map((name) => call('GET', `/api/v1/${name}`)));
      const open = async (rule) => {
        try {
          const got = rule && await call('GET', path`/api/v1/rules/${rule.id}`, undefined, { whole: true });
          replace(desk, editor(got?.members, got?.etag, { places, contacts, rules: all }, draw));
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
      const snooze = (rule, seconds) => call('POST', path`/api/v1/rules/${rule.id}/snooze`, { seconds });
      const wake = async (rule) => { try { await snooze(rule, 0); say('It is awake again.'); draw(); } catch (error) { replace(desk, problem(error)); } };
      const sleep = (rule) => {
        const span = field('For', { kind: 'select', options: SLEEPS });
        replace(desk, h('section', {}, h('h2', {}, `Let ${rule.name || rule.id} sleep`), form([span], 'Let it sleep', async () => {
          await snooze(rule, Number(span.value));
          draw();
        }, { buttons: [h('button', { type: 'button', on: { click: draw } }, 'Cancel')] }).element));
        span.box.focus();
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
            h('span', { class: 'hint' }, [rule.enabled === false ? 'off' : null, isAsleep(rule) ? `sleeps until ${moment(rule.status.snoozedUntil)}` : null, rule.status?.lastRun ? `ran ${moment(rule.status.lastRun)}` : 'has not run',
              rule.managedBy === 'web' ? null : `stands in home.json:${rule.managedBy.slice(5)}`].filter(Boolean).join(' · '))),
          h('button', { type: 'button', 'aria-label': `Why: ${rule.name || rule.id}`, on: { click: () => why(rule.id) } }, 'Why'),
          isAsleep(rule) ? h('button', { type: 'button', 'aria-label': `Wake: ${rule.name || rule.id}`, on: { click: () => wake(rule) } }, 'Wake')
            : h('button', { type: 'button', 'aria-label': `Snooze: ${rule.name || rule.id}`, on: { click: () => sleep(rule) } }, 'Snooze'),
          rule.managedBy === 'web'
            ? [h('button', { type: 'button', 'aria-label': `Edit: ${rule.name || rule.id}`, on: { click: () => open(rule) } }, 'Edit'), h('button', { type: 'button', 'aria-label': `Remove: ${rule.name || rule.id}`, class: 'danger', on: { click: () => remove(rule) } }, 'Remove')]
            : h('button', { type: 'button', 'aria-label': `Make my own copy: ${rule.name || rule.id}`, on: { click: () => copy(rule) } }, 'Make my own copy')))));
    } catch (error) { replace(list, problem(error, draw)); }
  }
  async function why(rule = null) {
    try {
      const { firings } = await call('GET', `/api/v1/firings?limit=50${rule ? `&rule=${encodeURIComponent(rule)}` : ''}`);
      replace(past, h('h2', { tabindex: '-1' }, rule ? `Why: ${named('rules', rule)}` : 'What has happened'), firings.length === 0 ? empty('Nothing yet.') : h('ul', { class: 'changes' }, firings.map(outcomeLine)));
      if (rule) past.querySelector('h2').focus();
    } catch (error) { replace(past, problem(error, () => why(rule))); }
  }
  draw();
  why();
  return { element: h('div', {}, list, desk, past) };
}
