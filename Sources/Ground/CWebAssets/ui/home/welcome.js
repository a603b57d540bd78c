// The first five minutes, after the account: what the home is called, where it is, who is told. Each step can be skipped.

import { h, replace } from '../dom.js';
import { call } from '../api.js';
import { field, form } from '../form.js';
import { problem } from '../notice.js';
import { go } from '../router.js';
import { app, loadApp, may } from './app.js';
import { contactForm } from './contacts.js';
import { live } from './live.js';
import { placeForm } from './more.js';

/** What the steps are, and which of them are to be done still. */
async function steps() {
  const [{ places }, { contacts }] = await Promise.all([call('GET', '/api/v1/places'), call('GET', '/api/v1/contacts').catch(() => ({ contacts: null }))]);
  // What cannot be asked now is asked under Notifications; nobody is kept from the list.
  return [
    !app.named && { title: 'What is this home called?', make: nameStep },
    !places.some((one) => one.id === 'home') && { title: 'Where is it?', make: placeStep },
    contacts?.length === 0 && { title: 'Who is told?', make: contactStep },
  ].filter(Boolean);
}

function nameStep(next, skip) {
  const name = field('Name of the home', { value: app.name, maxlength: 80, required: true });
  const { element } = form([name], 'Next', async () => {
    await call('PATCH', '/api/v1/ui', { name: name.value.trim() });
    await loadApp();
    next();
  }, { buttons: [skip] });
  return { element };
}

function placeStep(next, skip) {
  const made = placeForm({ place: null, id: 'home', name: 'Home', button: 'Next', buttons: [skip], done: next });
  return { element: h('div', {}, h('p', {}, 'Rules can say what is to happen when something comes or goes. For that, this home has to know where it is.'), made.element), leave: made.leave };
}

function contactStep(next, skip) {
  if (app.channels.length === 0) {
    return { element: h('div', {}, h('p', {}, 'The file names no way to tell anybody yet. Add one to “notifications”, for example:'),
      h('pre', { class: 'code' }, '"notifications": {\n  "channels": [\n    { "id": "phone", "type": "ntfy", "url": "https://ntfy.sh", "topic": "a-long-secret-word" }\n  ]\n}'),
      h('p', {}, 'Then read the file again in Settings, and add contacts under Notifications.'), h('div', { class: 'buttons' }, h('button', { type: 'button', class: 'primary', on: { click: next } }, 'To the trackers'))) };
  }
  return { element: h('div', {}, h('p', {}, 'Somebody who is told when a rule says so. Test sends a message at once.'), contactForm({ button: 'Next', buttons: [skip], done: next }).element) };
}

export function welcome() {
  const element = h('div', { class: 'narrow' });
  let leave = null;
  let isGone = false;
  async function begin() {
    try {
      const all = may('owner') ? await steps() : [];
      const show = (index) => {
        if (isGone) return;
        leave?.();
        leave = null;
        const one = all[index];
        if (!one) { go('/ui/', { replacing: true }); return; }
        const next = () => show(index + 1);
        const made = one.make(next, h('button', { type: 'button', on: { click: next } }, 'Skip'));
        leave = made.leave || null;
        replace(element, h('p', { class: 'hint' }, `Step ${index + 1} of ${all.length}. Each can be skipped, and done later.`), h('h2', { tabindex: '-1' }, one.title), made.element);
        (made.element.querySelector('input, .primary') || element.querySelector('h2')).focus();
      };
      show(0);
    } catch (error) { replace(element, problem(error, begin), h('a', { class: 'button', href: '/ui/' }, 'To the trackers')); }
  }
  begin();
  return { title: live.trackers.length > 0 ? 'Welcome' : 'Set up', element, leave: () => { isGone = true; leave?.(); } };
}
