// Who is told, by which channels, and what waits to be said or could not be.

import { h, replace } from '../dom.js';
import { call, path } from '../api.js';
import { empty, problem, say, skeleton } from '../notice.js';
import { moment } from '../text.js';
import { app, may } from './app.js';
import { contactList, test } from './contacts.js';
import { listen } from './live.js';
import { pushCard } from './push.js';

const STATES = { waiting: 'waits', sent: 'sent', failed: 'not sent' };

function outbox() {
  const place = h('div', {}, skeleton(2));
  const told = h('div', { role: 'status' });
  let waits = false;
  const onlyFailed = h('input', { type: 'checkbox', on: { change: draw } });
  async function draw() {
    try {
      const { failed, waiting, sent } = await call('GET', '/api/v1/outbox');
      waits = waiting.length > 0;
      const shown = onlyFailed.checked ? failed : [...failed, ...waiting, ...sent];
      replace(place, shown.length === 0 ? empty(onlyFailed.checked ? 'Everything could be told.' : 'Nothing waits to be told.') : h('ul', { class: 'changes' }, shown.slice(0, 200).map((one) => h('li', {},
        h('span', {}, one.text || one.ruleName), h('span', { class: 'hint' }, `${STATES[one.state] || one.state} · ${[one.channel, one.contact].filter(Boolean).join(' to ')} · ${moment(one.time)}`),
        one.state === 'failed' && h('button', {
          type: 'button', 'aria-label': `Send again: ${one.text || one.rule}`, on: {
            click: async () => {
              try { await call('POST', path`/api/v1/outbox/${one.id}/retry`); say('It is sent again.'); draw(); } catch (error) { replace(told, problem(error)); }
            },
          },
        }, 'Send again'),
        (one.reason || one.dueAt) && h('p', { class: 'hint' }, [one.reason, one.attempts > 0 && `tried ${one.attempts} times`, one.state === 'waiting' && one.dueAt && `next ${moment(one.dueAt)}`].filter(Boolean).join(' · '))))));
    } catch (error) { replace(place, problem(error, draw)); }
  }
  draw();
  const stop = listen((event) => { if (event.type === 'firing') draw(); });
  // Nobody tells what becomes of a message. Whoever is in the list with the keyboard stays there.
  const timer = setInterval(() => { if (waits && !place.contains(document.activeElement)) draw(); }, 5000);
  return { element: h('div', {}, h('label', {}, onlyFailed, 'Only what could not be told'), told, place), leave: () => { stop(); clearInterval(timer); } };
}

function channels() {
  const told = h('div', { role: 'status' });
  return h('div', {}, app.channels.length === 0 ? empty('The file names no channel.', h('p', {}, 'Channels stand in home.json, under “notifications”.'))
    : h('ul', { class: 'rows' }, app.channels.map((one) => h('li', { class: 'row' }, h('div', { class: 'who' }, h('strong', {}, one.id), h('span', { class: 'hint' }, one.type)),
      may('owner') && h('button', { type: 'button', 'aria-label': `Test: ${one.id}`, on: { click: () => test({ channel: one.id }, told) } }, 'Test')))), told);
}

export function contacts() { return { element: contactList() }; }

export function notifications() {
  const waiting = outbox();
  return {
    element: h('div', {}, h('h2', {}, 'Contacts'), contactList(), h('h2', {}, 'Channels'), channels(), may('member') && app.channels.some((one) => one.type === 'push') && pushCard(), h('h2', {}, 'Messages'), waiting.element),
    leave: waiting.leave,
  };
}
