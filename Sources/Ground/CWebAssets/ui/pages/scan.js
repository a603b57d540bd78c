// Adds a gateway: by what its label or its screen says, or by a name alone.

import { h, replace } from '../dom.js';
import { call } from '../api.js';
import { cameraProblem, openCamera, readFile } from '../camera.js';
import { field, form } from '../form.js';
import { go } from '../router.js';
import { problem, say } from '../notice.js';

export async function enrol() {
  const element = h('div', { class: 'narrow' });
  const seeing = h('div', {});
  let camera = null;

  function close() {
    camera?.stop();
    camera = null;
    replace(seeing);
  }

  async function decode(text) {
    showLabel(text, await call('POST', '/v1/payloads/decode', { text }));
  }

  function see() {
    close();
    const place = h('div', {});
    camera = openCamera({
      found: async (text) => {
        if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(40);
        try { await decode(text); close(); } catch (error) { replace(place, problem(error)); }
      },
      again: () => say('That label was read already.'),
      failed: (error) => { close(); replace(seeing, problem(error, see)); },
    });
    replace(seeing, camera.element, place, h('div', { class: 'buttons' }, h('button', { type: 'button', on: { click: close } }, 'Close the camera')));
  }

  function sources() {
    const why = cameraProblem();
    const file = h('input', { type: 'file', accept: 'image/*', 'aria-label': 'Picture of the label', class: 'unseen', tabindex: '-1', on: {
      change: async () => {
        const place = h('div', {});
        replace(seeing, place);
        try { await decode(await readFile(file.files[0])); replace(seeing); } catch (error) { replace(place, problem(error)); }
        file.value = '';
      },
    } });
    return h('div', {}, h('div', { class: 'buttons' }, file, h('button', { type: 'button', on: { click: () => file.click() } }, 'Picture file'),
      !why && h('button', { type: 'button', class: 'primary', on: { click: see } }, 'Camera')), why && h('p', { class: 'hint' }, why), seeing);
  }

  function askText() {
    const text = field('Label', { kind: 'textarea', rows: 3, autocomplete: 'off', spellcheck: 'false', autocapitalize: 'characters', 'data-focus': true,
      hint: 'The line that begins with LUNAG1:, typed or from a hand scanner. luna finder --backend prints it; luna finder label makes the label.' });
    const sent = form([text], 'Read the label', async () => {
      await decode(text.value);
    });
    const name = field('Name', { maxlength: 80, hint: 'For a gateway without a label: it gets a code to enrol with.' });
    const byName = form([name], 'Add by name', () => add({ name: name.value.trim() }), {});
    replace(element, h('section', {}, h('h2', {}, 'By its label'), sources(), sent.element), h('section', {}, h('h2', {}, 'By name'), byName.element));
    text.box.focus();
  }

  function showLabel(payload, answer) {
    close();
    const read = answer.payload && typeof answer.payload === 'object' ? answer.payload : answer;
    const rows = [['Print', 'print'], ['Key', 'key'], ['Name', 'name'], ['Site', 'site'], ['MAC address', 'mac'], ['IP address', 'ip'],
      ['Manufacturer', 'manufacturer'], ['Model', 'model']].filter(([, name]) => read[name]);
    const latitude = field('Latitude', { inputmode: 'decimal', value: read.place?.latitude ?? '', hint: 'Where it stands; empty to add it without a position.' });
    const longitude = field('Longitude', { inputmode: 'decimal', value: read.place?.longitude ?? '' });
    const here = h('button', { type: 'button', on: { click: () => locate(latitude, longitude, here) } }, 'Where I am');
    const sent = form([latitude, longitude], 'Add this gateway', async () => {
      const [north, east] = [latitude.value.trim().replace(',', '.'), longitude.value.trim().replace(',', '.')];
      const body = { payload };
      if (north === '' && east === '') body.allowNoPosition = true;
      else body.place = { latitude: Number(north), longitude: Number(east), source: latitude.source || 'given', accuracy: latitude.accuracy };
      await add(body);
    }, { buttons: [h('button', { type: 'button', on: { click: askText } }, 'Back'), here] });
    replace(element, h('p', {}, 'Compare the print and the name with what the gateway itself shows: a label may have been stuck over.'),
      h('dl', { class: 'facts' }, rows.map(([label, name]) => [h('dt', {}, label), h('dd', { class: name === 'print' ? 'code' : null }, read[name])])), sent.element);
  }

  function locate(latitude, longitude, button) {
    if (!navigator.geolocation) {
      button.replaceWith(h('p', { class: 'hint' }, 'This browser does not tell where it is. Type the position.'));
      return;
    }
    button.disabled = true;
    navigator.geolocation.getCurrentPosition(({ coords }) => {
      button.disabled = false;
      latitude.value = coords.latitude.toFixed(6);
      longitude.value = coords.longitude.toFixed(6);
      Object.assign(latitude, { source: 'browser', accuracy: Math.round(coords.accuracy) });
    }, (error) => {
      button.replaceWith(h('p', { class: 'hint', role: 'alert' }, error.code === 1 ? 'This browser may not tell where it is. Type the position, or allow it for this page.' : 'The position is not known now. Type it.'));
    }, { enableHighAccuracy: true, timeout: 15_000 });
  }

  async function add(body) {
    const answer = await call('POST', '/v1/gateways', body.name !== undefined ? { ...body, allowNoPosition: true } : body);
    const gateway = answer.gateway || answer;
    if (answer.code) {
      replace(element, h('p', {}, 'Run this on the gateway, within its time:'), h('p', { class: 'code' }, `luna finder enroll ${answer.code}`),
        h('a', { class: 'button', href: `/ui/gateways/${encodeURIComponent(gateway.id)}` }, 'To the gateway'));
      return;
    }
    await go(`/ui/gateways/${encodeURIComponent(gateway.id)}`);
    say(`${gateway.name || gateway.key} is added. It is online when it reports, within a minute or so.`);
  }

  askText();
  return { title: 'Add a gateway', element, leave: close };
}
