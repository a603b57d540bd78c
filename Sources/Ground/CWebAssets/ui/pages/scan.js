// Adds a gateway: by what its label or its screen says, or by a name alone. With ?gateway=ID a record that is there gets the
// label of other hardware.

import { h, replace } from '../dom.js';
import { call, path } from '../api.js';
import { nameOf } from '../badge.js';
import { cameraProblem, openCamera, readFile } from '../camera.js';
import { codeSteps, helpWith } from '../enrolment.js';
import { field, form } from '../form.js';
import { go } from '../router.js';
import { problem, say } from '../notice.js';
import { placeBoxes } from '../placebox.js';
import { timed } from '../usage.js';

const WHERE = 'Where it stands; empty to add it without a position.';

export async function enrol(_, address) {
  const id = address.searchParams.get('gateway');
  const record = id && await call('GET', path`/v1/gateways/${id}`);
  const element = h('div', { class: 'narrow' });
  const seeing = h('div', {});
  let camera = null;
  let place = null;
  // What was read last, and when: also before the camera was closed.
  const last = { text: null, at: 0 };

  function closeCamera() {
    camera?.stop();
    camera = null;
    replace(seeing);
  }

  function close() {
    closeCamera();
    place?.end();
    place = null;
  }

  async function decode(text) {
    showLabel(text, await call('POST', '/v1/payloads/decode', { text }));
  }

  function see() {
    closeCamera();
    const trouble = h('div', {});
    const found = async (text) => {
      if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(40);
      try { await decode(text); } catch (error) { replace(trouble, problem(error)); }
    };
    camera = openCamera({
      last, found,
      again: (text) => {
        say('That label was read already.');
        // Who has closed the camera meanwhile sees no more what it says.
        if (!trouble.firstChild) found(text);
      },
      failed: (error) => { closeCamera(); replace(seeing, problem(error, see)); },
      left: closeCamera,
    });
    replace(seeing, camera.element, trouble, h('div', { class: 'buttons' }, h('button', { type: 'button', on: { click: closeCamera } }, 'Close the camera')));
  }

  function sources() {
    const why = cameraProblem();
    const file = h('input', { type: 'file', accept: 'image/*', 'aria-label': 'Picture of the label', class: 'unseen', tabindex: '-1', on: {
      change: async () => {
        const trouble = h('div', {});
        replace(seeing, trouble);
        try { await decode(await readFile(file.files[0])); replace(seeing); } catch (error) { replace(trouble, problem(error)); }
        file.value = '';
      },
    } });
    return h('div', {}, h('div', { class: 'buttons' }, file, h('button', { type: 'button', on: { click: () => file.click() } }, 'Picture file'),
      !why && h('button', { type: 'button', class: 'primary', on: { click: see } }, 'Camera')), why && h('p', { class: 'hint' }, why), seeing);
  }

  function askText() {
    close();
    const text = field('Label', { kind: 'textarea', rows: 3, autocomplete: 'off', spellcheck: 'false', autocapitalize: 'characters', 'data-focus': true,
      hint: 'The line that begins with LUNAG1:, typed or from a hand scanner. luna finder --backend prints it; luna finder label makes the label.' });
    const sent = form([text], 'Read the label', async () => {
      await decode(text.value);
    });
    // A hand scanner ends with this key.
    text.box.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || event.isComposing || event.shiftKey) return;
      event.preventDefault();
      sent.element.requestSubmit();
    });
    const name = field('Name', { maxlength: 80, hint: 'For a gateway without a label: it gets a code to enrol with.' });
    place = placeBoxes(null, WHERE);
    const byName = form([name, ...place.fields], 'Add by name', () => add({ name: name.value.trim(), ...where() }), { buttons: place.buttons });
    replace(element, record && h('p', {}, 'The tokens that it has end when the new label is taken; its record and its history stay.'),
      h('section', {}, h('h2', {}, 'By its label'), sources(), sent.element), !record && h('section', {}, h('h2', {}, 'By name'), byName.element));
    text.box.focus();
  }

  function showLabel(payload, answer) {
    close();
    const read = answer.payload && typeof answer.payload === 'object' ? answer.payload : answer;
    const facts = [['Print', 'print'], ['Key', 'key'], ['Name', 'name'], ['Site', 'site'], ['MAC address', 'mac'], ['IP address', 'ip'],
      ['Manufacturer', 'manufacturer'], ['Model', 'model']].filter(([, name]) => read[name]);
    const sent = record ? replacing(payload) : adding(payload, read);
    replace(element, h('p', {}, 'Compare the print and the name with what the gateway itself shows: a label may have been stuck over.'),
      h('dl', { class: 'facts' }, facts.map(([label, name]) => [h('dt', {}, label), h('dd', { class: name === 'print' ? 'code' : null }, read[name])])), sent.element);
  }

  /** The form that has a record wait for the gateway of a label. */
  function replacing(payload) {
    return form([], 'Take this label', async () => {
      await ask(() => call('POST', path`/v1/gateways/${id}/enrol`, { payload }));
      await go(path`/ui/gateways/${id}`);
      say(`${nameOf(record)} waits for the gateway with this label, which comes by itself within ten minutes.`);
    }, { buttons: [back()] });
  }

  /** The form that makes a record of a label, and says where its gateway stands. */
  function adding(payload, read) {
    place = placeBoxes(read.place, WHERE);
    return form(place.fields, 'Add this gateway', () => add({ payload, ...where() }), { buttons: [back(), ...place.buttons] });
  }

  /** Where the new gateway stands; that nobody knows is to be said. */
  function where() {
    const stands = place.value();
    return stands ? { place: stands } : { allowNoPosition: true };
  }

  function back() { return h('button', { type: 'button', on: { click: askText } }, 'Back'); }

  /** Asks the server for something; a refusal that names another gateway gets the way there. */
  async function ask(what) {
    try {
      return await timed('scan', 'enrol', what);
    } catch (error) {
      error.help = helpWith(error);
      throw error;
    }
  }

  async function add(body) {
    const answer = await ask(() => call('POST', '/v1/gateways', body));
    const gateway = answer.gateway || answer;
    if (answer.code) {
      replace(element, codeSteps(answer), h('a', { class: 'button', href: `/ui/gateways/${encodeURIComponent(gateway.id)}` }, 'To the gateway'));
      return;
    }
    await go(`/ui/gateways/${encodeURIComponent(gateway.id)}`);
    say(`${gateway.name || gateway.key} is added. It is online when it reports, within a minute or so.`);
  }

  askText();
  return { title: record ? `A new label for ${nameOf(record)}` : 'Add a gateway', element, leave: close };
}
