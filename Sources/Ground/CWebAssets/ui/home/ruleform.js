// The form of a rule: all that its triggers, conditions and actions can say in the app. What nobody has changed in it, and
// what it has no box for, stays as it was written. A part of it has an `element`; `at` gives the box that a path leads to.

import { h, newID, replace } from '../dom.js';
import { field } from '../form.js';
import { app } from './app.js';
import { live } from './live.js';

const WEEK = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const SPANS = { weekdays: WEEK.slice(0, 5), weekend: WEEK.slice(5) };
const duration = { hint: 'As 30s, 5m or 2h.', autocomplete: 'off' };
const clock = { type: 'time' };
// What is no number goes to the home as it is, which says so.
const number = { type: 'number', step: 'any', read: (text) => (text === '' ? text : Number(text)) };
const typed = { read: (text) => (text === 'true' ? true : text === 'false' ? false : text !== '' && !Number.isNaN(Number(text)) ? Number(text) : text) };
const listed = { show: (value) => [value].flat().join(', '), read: (text) => text.split(',').map((one) => one.trim()).filter(Boolean), autocomplete: 'off' };
const lines = { kind: 'textarea', rows: 2 };
const choice = (options, usual = null) => ({ kind: 'select', options: usual ? [['', usual], ...options] : options });

function put(into, key, value) {
  if (value === undefined) delete into[key]; else into[key] = value;
}

/** A box for one value, undefined for none. */
function box(title, value, { show = String, read = (text) => text, isNeeded = false, options = null, ...how } = {}) {
  const text = value === undefined ? '' : show(value);
  const made = field(title, { ...how, options: options && [...options, ...(options.some(([one]) => one === text) || text === '' ? [] : [[text, text]])], value: text });
  const before = made.value;
  return {
    element: made.element,
    read: () => (made.value === before && value !== undefined ? value : made.value.trim() === '' && !isNeeded ? undefined : read(made.value.trim())),
    at: () => made,
  };
}

// What an object says under its keys: each is made from the object, and written into another one.

const key = (name, title, how) => (given) => {
  const one = box(title, given[name], how);
  return { element: one.element, write: (into) => put(into, name, one.read()), at: ([first]) => (first === name ? one.at() : null) };
};

const needed = (name, title, how) => key(name, title, { ...how, isNeeded: true });

/** One of several keys: [name, text, title of its box, how that is]; without a box it is true. */
const either = (title, names) => (given) => {
  const present = names.find(([name]) => given[name] !== undefined) || names[0];
  const which = field(title, { kind: 'select', options: names.map(([name, text]) => [name, text]), value: present[0] });
  const boxes = Object.fromEntries(names.filter(([, , called]) => called).map(([name, , called, how]) => [name, box(called, given[name], { ...how, isNeeded: true })]));
  const fold = () => { for (const [name, one] of Object.entries(boxes)) one.element.hidden = name !== which.value; };
  which.box.addEventListener('change', fold);
  fold();
  return {
    element: [which.element, Object.values(boxes).map((one) => one.element)],
    write(into) { for (const [name] of names) put(into, name, name !== which.value ? undefined : boxes[name] ? boxes[name].read() : true); },
    at: ([first]) => boxes[first]?.at(),
  };
};

const flag = (name, title, usual) => (given) => {
  const id = newID('flag');
  const before = given[name] ?? usual;
  const input = h('input', { type: 'checkbox', id, checked: before });
  const element = h('div', { class: 'field' }, h('label', { for: id }, input, title));
  return { element, write: (into) => put(into, name, input.checked === before ? given[name] : input.checked), at: ([first]) => (first === name ? { element, box: input } : null) };
};

const days = (given) => {
  const spread = (given.days || WEEK).flatMap((day) => SPANS[day] || day);
  const boxes = WEEK.map((day) => [day, h('input', { type: 'checkbox', checked: spread.includes(day) })]);
  const element = h('fieldset', { class: 'part' }, h('legend', {}, 'Days'), boxes.map(([day, one]) => h('label', {}, one, day)));
  return {
    element,
    write(into) {
      const chosen = boxes.filter(([, one]) => one.checked).map(([day]) => day);
      const isSame = WEEK.every((day) => spread.includes(day) === chosen.includes(day));
      put(into, 'days', isSame ? given.days : chosen.length === WEEK.length ? undefined : chosen);
    },
    at: ([first]) => (first === 'days' ? { element, box: boxes[0][1] } : null),
  };
};

// Kinds of parts: what one is called, and how the boxes of its value are made.

/** A part whose value is an object; `base` is what it was, with all that there is no box for. */
const object = (title, ...makers) => ({
  title, carries: true,
  make(value = {}, base = {}) {
    const all = makers.map((make) => make(value));
    return {
      element: all.map((one) => one.element),
      read() {
        const into = { ...base };
        for (const one of all) one.write(into);
        return into;
      },
      at: (path) => all.map((one) => one.at(path)).find(Boolean),
    };
  },
});

/** A part whose value is one thing. */
const single = (title, called, how) => ({ title, make: (value) => box(called, value, { ...how, isNeeded: true }) });

const NOTHING = { title: 'nothing else is asked', make: () => ({ element: [], read: () => undefined, at: () => null }) };
const AS_WRITTEN = { make: (value) => ({ element: h('pre', { class: 'code' }, JSON.stringify(value, null, 2)), read: () => value, at: () => null }) };

/** An object of one key: which one, and what is under it. */
function oneOf(title, kinds, given) {
  const [was, value] = Object.entries(given || {})[0] || [Object.keys(kinds)[0]];
  const options = Object.entries(kinds).map(([name, kind]) => [name, kind.title]);
  if (!kinds[was]) options.push([was, `${was}, as it was written`]);
  const which = field(title, { kind: 'select', options, value: was });
  const body = h('div', {});
  let shown = null;
  let part = null;
  function draw() {
    const kind = kinds[which.value] || AS_WRITTEN;
    const isOld = which.value === was && value !== undefined;
    // A tracker or a place that somebody has chosen is meant whatever it does.
    const carried = kind.carries && kinds[shown]?.carries ? part.read() : undefined;
    part = kind.make(isOld ? value : carried, isOld ? value : {});
    shown = which.value;
    replace(body, part.element);
  }
  which.box.addEventListener('change', draw);
  draw();
  return {
    element: [which.element, body],
    read: () => (shown === '' ? undefined : { [shown]: part.read() }),
    at: ([first, ...rest]) => (first === shown && part.at(rest)) || which,
    focus: () => which.box.focus(),
  };
}

/** A list of parts, to which others are added. */
function several(called, title, kinds, given, add) {
  const parts = [];
  const list = h('div', {});
  const more = h('button', { type: 'button', on: { click: () => { insert(); draw(); parts.at(-1).focus(); } } }, add);
  function insert(value) {
    const part = oneOf(title, kinds, value);
    const move = () => {
      const index = parts.indexOf(part);
      parts.splice(index - 1, 2, part, parts[index - 1]);
      draw();
      part.focus();
    };
    part.legend = h('legend', {});
    part.earlier = h('button', { type: 'button', on: { click: move } }, 'Earlier');
    part.remove = h('button', { type: 'button', class: 'danger', on: { click: () => { parts.splice(parts.indexOf(part), 1); draw(); more.focus(); } } }, 'Remove');
    part.whole = h('fieldset', { class: 'part' }, part.legend, part.element, h('div', { class: 'buttons' }, part.earlier, part.remove));
    parts.push(part);
  }
  function draw() {
    parts.forEach((part, index) => {
      const name = `${called} ${index + 1}`;
      part.legend.textContent = name;
      part.earlier.setAttribute('aria-label', `Earlier: ${name}`);
      part.remove.setAttribute('aria-label', `Remove: ${name}`);
      part.earlier.hidden = index === 0;
      part.remove.hidden = parts.length === 1;
    });
    replace(list, parts.map((part) => part.whole));
    list.dispatchEvent(new Event('change', { bubbles: true }));
  }
  // One at least: an empty list says nothing.
  for (const value of given?.length > 0 ? given : [undefined]) insert(value);
  draw();
  return { element: [list, more], read: () => parts.map((part) => part.read()), at: ([index, ...rest]) => parts[index]?.at(rest) };
}

/** The words of rules in this home: {triggers, conditions, actions, rest, extra}. */
function words({ places, rules, contacts }) {
  const tags = [...new Set(live.trackers.flatMap((one) => one.tags))];
  const ids = new Set(live.trackers.map((one) => one.id));
  const trackers = [...live.trackers.map((one) => [one.id, one.name]), ...[...tags.map((tag) => [tag, `all with the tag ${tag}`]), ['self', 'this box (self)']].filter(([one]) => !ids.has(one))];
  const names = new Set([...live.trackers.flatMap((one) => Object.keys(one.properties || {})), ...app.models.flatMap((one) => (one.managedProperties || []).map((property) => property.name))]);
  const suggestions = h('datalist', { id: newID('names') }, [...names].map((name) => h('option', { value: name })));

  const anybody = key('who', 'Tracker', choice(trackers, 'any tracker'));
  const it = key('who', 'Tracker', choice(trackers, 'that of the trigger'));
  const place = needed('place', 'Place', choice(places.map((one) => [one.id, one.name || one.id])));
  const property = needed('property', 'Property', { list: suggestions.id, autocomplete: 'off' });
  const ruleNames = rules.map((one) => [one.id, one.name || one.id]);
  const compared = [['is', 'is', 'Value', typed], ['above', 'is above', 'Limit', number], ['below', 'is below', 'Limit', number]];
  const zone = key('zone', 'Time zone', { hint: 'As Europe/Berlin; else that of the home.', autocomplete: 'off' });
  const minRssi = key('minRssi', 'Weakest signal, dBm', number);
  const levels = [['info', 'information'], ['warn', 'warning'], ['alarm', 'alarm']];
  // People are called by their names here, where those can stand in a list.
  const called = new Map(contacts.filter((one) => one.name && !one.name.includes(',')).map((one) => [one.id, one.name]));
  const idOf = (text) => [...called].find(([, name]) => name === text)?.[0] || text;
  const people = { ...listed, show: (value) => [value].flat().map((one) => called.get(one) || one).join(', '), read: (text) => listed.read(text).map(idOf) };
  const told = [...contacts.map((one) => called.get(one.id) || one.id), ...app.channels.map((one) => one.id)].filter(Boolean);

  const triggers = {
    enter: object('comes to', anybody, place),
    exit: object('leaves', anybody, place),
    dwell: object('stays at', anybody, place, key('after', 'For at least', { ...duration, hint: 'As 30s, 5m or 2h; else as the place has it.' })),
    beaconIn: object('comes near', anybody, minRssi),
    beaconOut: object('is no longer near', anybody, minRssi),
    property: object('has a property that', anybody, property, either('Compared', [['is', 'becomes', 'Value', typed], ['above', 'goes above', 'Limit', number], ['below', 'goes below', 'Limit', number], ['changes', 'changes']]),
      key('hysteresis', 'How far back before the next time', number)),
    time: object('the clock says so', either('When', [['at', 'at times of day', 'Times of day', { ...listed, hint: 'As 08:00, 20:30.' }], ['every', 'again and again', 'Every', duration]]),
      key('from', 'From', { ...clock, hint: 'Where “again and again” begins.' }), key('to', 'Until', { ...clock, hint: 'Where “again and again” ends.' }),
      days, zone, key('start', 'First day', { type: 'date' }), key('end', 'Last day', { type: 'date' })),
    watch: object('a tracker that is not yours stays with you',
      key('grade', 'At least', choice([['possible', 'possible'], ['notice', 'notice'], ['suspect', 'suspect'], ['alarm', 'alarm']], 'as usual (alarm)'))),
    system: single('something happens to the home', 'What', choice([['start', 'it starts'], ['backendLost', 'the backend is lost'], ['radioLost', 'the radio is lost'], ['diskLow', 'the disk is nearly full'], ['uplinkChanged', 'a check says something else of the network']])),
    message: single('a message comes', 'Its name', { hint: 'By MQTT or the socket.', autocomplete: 'off' }),
  };
  // A list begins with the first of these, which has none in it.
  const conditions = {
    property: object('a property is', it, property, either('Compared', compared)),
    inside: object('a tracker is at', it, place),
    time: object('the time is', key('from', 'From', clock), key('to', 'Until', clock), days, zone),
    nobodyHome: object('no tracker is near', key('tag', 'With the tag', choice(tags.map((tag) => [tag, tag]), 'none of all'))),
    since: object('a rule last ran', needed('rule', 'Rule', choice(ruleNames)), either('When', [['more', 'longer ago than', 'Time', duration], ['less', 'less long ago than', 'Time', duration]])),
    all: { title: 'all of these', make: (value) => several('Condition', 'What', conditions, value, 'Add a condition') },
    any: { title: 'one of these', make: (value) => several('Condition', 'What', conditions, value, 'Add a condition') },
    not: {
      title: 'not this', make(value) {
        const inner = oneOf('What', conditions, value);
        return { ...inner, element: h('fieldset', { class: 'part' }, h('legend', {}, 'Not'), inner.element) };
      },
    },
  };
  const actions = {
    notify: object('tell somebody', key('to', 'To', { ...people, hint: `Contacts or channels, with commas between them${told.length > 0 ? ` (${told.join(', ')})` : ''}; empty for the usual ones.` }),
      key('template', 'Text', { ...lines, hint: 'With {{tracker.name}}, {{place.name}}, {{value}} and {{time}}, or the name of a template of the file.' }), key('level', 'How loud', choice(levels, 'as the rule'))),
    buzz: object('ring', it, key('seconds', 'Seconds', { ...number, min: 1, max: 60 })),
    stopSound: object('silence', it),
    blink: object('blink', it),
    ping: object('ask for a sign of life', it),
    set: object('set a property', it, property, needed('value', 'New value', typed)),
    publish: object('publish by MQTT', needed('topic', 'Topic', { autocomplete: 'off' }), key('payload', 'Message', lines), flag('retain', 'The broker keeps it', false)),
    finder: single('start or stop the gateway', 'The gateway', choice([['start', 'starts'], ['stop', 'stops']])),
    wait: single('wait', 'For', duration),
    rule: object('let a rule sleep, or wake it', key('id', 'Rule', choice(ruleNames, 'this one')), needed('do', 'It is to', choice([['snooze', 'sleep'], ['resume', 'wake up']])),
      key('for', 'For', { ...duration, hint: 'As 30m or 2h; else for an hour.' })),
  };
  const rest = [
    key('for', 'It must stay so for', { ...duration, hint: 'As 2m, for properties and for what comes near or goes; else at once.' }),
    key('cooldown', 'For a tracker it then rests for', { ...duration, hint: 'As 10m; else for 5m.' }),
    key('maxPerHour', 'At most so often an hour', { ...number, min: 1, max: 3600, hint: 'Else 60.' }),
    key('quiet', 'In quiet hours', choice([['deliver', 'messages are sent'], ['delay', 'messages are kept until they end'], ['drop', 'messages are left out']], 'as usual (sent)')),
    key('level', 'How loud', choice(levels, 'as usual (information)')),
  ];
  return { triggers, conditions, actions, rest, suggestions };
}

/** The form of a rule, or of a new one: its `element`, what it `read`s, and `at`. */
export function ruleForm(rule, home) {
  const { triggers, conditions, actions, rest, suggestions } = words(home);
  const start = rule || { when: [{ exit: { who: live.trackers[0]?.id, place: home.places[0]?.id } }], then: [{ notify: {} }] };
  // A new rule is given a name; one that has none goes on without.
  const named = rule && !rule.name ? key : needed;
  const head = [named('name', 'Name', { maxlength: 80 }), flag('enabled', 'It holds', true)].map((make) => make(start));
  const foot = rest.map((make) => make(start));
  const parts = {
    when: several('Trigger', 'What happens', triggers, start.when, 'Add a trigger'),
    if: oneOf('Only if', { '': NOTHING, ...conditions }, start.if),
    then: several('Action', 'What is done', actions, start.then, 'Add an action'),
  };
  const group = (title, part) => h('fieldset', { class: 'part' }, h('legend', {}, title), part.element);
  return {
    element: h('div', {}, suggestions, head.map((one) => one.element), group('When any of this happens', parts.when), group('And if', parts.if), group('Then, one after the other', parts.then),
      h('details', {}, h('summary', {}, 'How long, how often, how loud'), foot.map((one) => one.element))),
    read() {
      const made = { ...start };
      for (const one of [...head, ...foot]) one.write(made);
      for (const [name, part] of Object.entries(parts)) put(made, name, part.read());
      return made;
    },
    at: (path) => (parts[path[0]] ? parts[path[0]].at(path.slice(1)) : [...head, ...foot].map((one) => one.at(path)).find(Boolean)),
  };
}
