// The picture of a gateway or a device: from the camera or a file, made small here. The server takes out what it says
// of where and when it was taken.

import { call, Problem } from './api.js';
import { h, replace } from './dom.js';
import { problem } from './notice.js';

const SIDE = 1024;
const TYPES = 'image/jpeg,image/png,image/webp';

async function small(file) {
  let picture;
  try {
    picture = await createImageBitmap(file);
  } catch {
    throw new Problem(415, { detail: 'This file is no picture that the browser can open.', hint: 'Take a JPEG, PNG or WebP.' });
  }
  const scale = Math.min(1, SIDE / Math.max(picture.width, picture.height));
  const canvas = h('canvas', { width: Math.max(1, Math.round(picture.width * scale)), height: Math.max(1, Math.round(picture.height * scale)) });
  const context = canvas.getContext('2d');
  // What is transparent would be black.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  const blob = await new Promise((resolve) => { canvas.toBlob(resolve, 'image/jpeg', 0.85); });
  if (!blob) throw new Problem(422, { detail: 'The browser could not make this picture small.' });
  return new Uint8Array(await blob.arrayBuffer());
}

/**
 * What gives the picture of a record, with what changes it; `changed` gets the record as it is then. As long as the picture
 * is the same it stays the same element, so that who chooses a file reads what became of that.
 */
export function photo(address, changed) {
  let shown = {};
  return (record) => {
    if (record.pictureUrl !== shown.url || !shown.element) shown = { url: record.pictureUrl, element: section(record, address, changed) };
    return shown.element;
  };
}

function section(record, address, changed) {
  const place = h('div', {});
  const change = async (method, body) => {
    element.setAttribute('aria-busy', 'true');
    try {
      changed(await call(method, address, body ? await body() : undefined, { type: 'image/jpeg' }));
      replace(place);
    } catch (error) {
      replace(place, problem(error));
    } finally {
      element.removeAttribute('aria-busy');
    }
  };
  const choose = h('input', {
    type: 'file', accept: TYPES, 'aria-label': 'Choose a picture', on: {
      change: () => { const [file] = choose.files; choose.value = ''; if (file) change('PUT', () => small(file)); },
    },
  });
  const element = h('section', {}, h('h2', {}, 'Picture'), record.pictureUrl && h('img', { class: 'photo', src: record.pictureUrl, alt: '' }),
    h('div', { class: 'field' }, choose, h('p', { class: 'hint' }, 'From the camera or a file. What it tells of the place where it was taken is left out.')),
    record.pictureUrl && h('button', { type: 'button', on: { click: () => change('DELETE') } }, 'Remove the picture'), place);
  return element;
}
