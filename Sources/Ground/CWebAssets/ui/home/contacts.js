// Who is told, by what, and when not; with a test that says what was said.

import { h, replace } from '../dom.js';
import { call, path } from '../api.js';
import { field, form } from '../form.js';
import { ask, empty, problem, say, skeleton } from '../notice.js';
import { app, may } from './app.js';
import { copyButton } from './more.js';

const WAYS = { email: ['email', 'E-mail', { type: 'email', autocomplete: 'off' }], sms: ['phone', 'Phone', { type: 'tel', autocomplete: 'off' }], ntfy: ['ntfy', 'Topic of ntfy', { autocomplete: 'off', spellcheck: 'false', autocapitalize: 'none' }] };
const DAYS = [['', 'every day'], ['weekdays', 'on weekdays'], ['weekend', 'at the weekend']];

/** What a test said: all of it, with secrets masked. `to` is {contact} or {channel}. */
export async function test(to, place) {
  replace(place, h('p', { class: 'hint' }, 'Sending …'));
  try {
    const { results } = await call('POST', '/api/v1/notify/test', to);
    replace(place, results.map((one) => [
      h('p', {}, one.state === 'sent' ? `Sent by ${one.channel}.` : `Not sent by ${one.channel}: ${one.reason}`),
      one.transcript.length > 0 && h('pre', { class: 'code scrolls', tabindex: '0', role: 'region', 'aria-label': `Transcript of ${one.channel}` }, one.transcript.join('\n')),
    ]));
  } catch (error) { replace(place, problem(error)); }
}

/** The form of a contact; `done` is called when it is kept. */
export function contactForm({ contact = null, tag = null, button = 'Save', buttons = [], done }) {
  let kept = contact && { id: contact.id, tag };
  const types = new Set(app.channels.map((one) => one.type));
  const ways = Object.entries(WAYS).filter(([type, [key]]) => types.has(type) || contact?.[key]).map(([, [key, label, how]]) => [key, field(label, { ...how, maxlength: 200, value: contact?.[key] || '' })]);
  const name = field('Name', { value: contact?.name || '', maxlength: 80, required: true, autocomplete: 'off' });
  const hasPush = types.has('push') || contact?.push;
  const push = h('input', { type: 'checkbox', id: 'push', checked: Boolean(contact?.push) });
  const browsers = hasPush && { element: h('div', { class: 'field' }, h('label', { for: 'push' }, push, 'Their browsers'), h('p', { class: 'hint' }, 'Each browser is added in it, under Notifications.')) };
  const quiet = contact?.quiet?.[0];
  const isQuiet = h('input', { type: 'checkbox', id: 'quiet', checked: Boolean(quiet), on: { change: fold } });
  const from = field('From', { type: 'time', value: quiet?.from || '22:00' });
  const to = field('To', { type: 'time', value: quiet?.to || '07:00' });
  const days = field('Days', { kind: 'select', options: DAYS, value: [quiet?.days || ''].flat()[0] || '' });
  const what = field('Meanwhile', { kind: 'select', options: [['delay', 'keep messages until it ends'], ['drop', 'leave messages out']], value: quiet?.do || 'delay', hint: 'An alarm always comes through.' });
  const hours = [days, from, to, what];
  const switches = { element: h('div', { class: 'field' }, h('label', { for: 'quiet' }, isQuiet, 'Quiet hours')) };
  function fold() { for (const one of hours) one.element.hidden = !isQuiet.checked; }
  const result = h('div', { role: 'status' });

  async function keep() {
    const body = { ...contact, managedBy: undefined, name: name.value.trim() };
    if (!body.name) throw new Error('Say who it is.');
    for (const [key, box] of ways) body[key] = box.value.trim() || undefined;
    body.push = (hasPush && push.checked) || undefined;
    if (!body.push && ways.every(([key]) => !body[key])) throw new Error('Say how they are told.');
    body.quiet = isQuiet.checked ? [{ from: from.value, to: to.value, do: what.value, ...(days.value && { days: [days.value] }) }, ...(contact?.quiet?.slice(1) || [])] : undefined;
    const { members, etag } = kept
      ? await call('PUT', path`/api/v1/contacts/${kept.id}`, body, { whole: true, headers: { 'If-Match': kept.tag } })
      : await call('POST', '/api/v1/contacts', body, { whole: true });
    kept = { id: members.id || kept?.id, tag: etag };
  }

  const tries = h('button', { type: 'button', on: { click: async () => { try { await keep(); await test({ contact: kept.id }, result); } catch (error) { replace(result, problem(error)); } } } }, 'Save and test');
  const { element } = form([name, ...ways.map(([, box]) => box), browsers, switches, ...hours].filter(Boolean), button, async () => { await keep(); say('The contact is kept.'); done(); }, { buttons: [...buttons, may('owner') && tries] });
  fold();
  return { element: h('div', {}, ways.length === 0 && !hasPush && h('p', { class: 'hint' }, 'The file names no channel that people have an address of.'), element, result), focus: () => name.box.focus() };
}

/** The list of contacts, with what can be done to them. */
export function contactList() {
  const list = h('div', {}, skeleton(2));
  const desk = h('div', {});
  const guarded = (work) => async () => { try { await work(); } catch (error) { replace(desk, problem(error)); } };
  const got = (one) => call('GET', path`/api/v1/contacts/${one.id}`, undefined, { whole: true });
  function edit(contact = null, tag = null) {
    const made = contactForm({ contact, tag, done: () => { replace(desk); draw(); }, buttons: [h('button', { type: 'button', on: { click: () => { replace(desk); draw(); } } }, 'Cancel')] });
    replace(desk, h('h3', {}, contact ? 'Edit the contact' : 'New contact'), made.element);
    made.focus();
  }
  async function draw() {
    try {
      const { contacts } = await call('GET', '/api/v1/contacts');
      replace(list, contacts.length === 0 ? empty('Nobody is told yet.') : h('ul', { class: 'rows' }, contacts.map((one) => h('li', { class: 'row' },
        h('div', { class: 'who' }, h('strong', {}, one.name || one.id), h('span', { class: 'hint' }, [one.email, one.phone, one.ntfy, one.push && 'browsers', one.quiet?.length > 0 && `quiet ${one.quiet.map((hours) => `${hours.from}–${hours.to}`).join(', ')}`,
          one.managedBy === 'web' ? null : `stands in home.json:${one.managedBy.slice(5)}`].filter(Boolean).join(' · '))),
        may('owner') && h('button', { type: 'button', 'aria-label': `Test: ${one.name || one.id}`, on: { click: () => test({ contact: one.id }, desk) } }, 'Test'),
        one.managedBy === 'web' ? [
          h('button', { type: 'button', 'aria-label': `Edit: ${one.name || one.id}`, on: { click: guarded(async () => { const { members, etag } = await got(one); edit(members, etag); }) } }, 'Edit'),
          h('button', {
            type: 'button', class: 'danger', 'aria-label': `Remove: ${one.name || one.id}`, on: {
              click: guarded(async () => {
                if (!await ask('Remove this contact?', one.name || one.id, 'Remove')) return;
                await call('DELETE', path`/api/v1/contacts/${one.id}`, undefined, { headers: { 'If-Match': (await got(one)).etag } });
                draw();
              }),
            },
          }, 'Remove')] : may('owner') && copyButton('contacts', one, guarded, draw)))),
      h('div', { class: 'tools' }, h('button', { type: 'button', class: 'primary', on: { click: () => edit() } }, 'New contact')));
    } catch (error) { replace(list, problem(error, draw)); }
  }
  draw();
  return h('div', {}, list, desk);
}
