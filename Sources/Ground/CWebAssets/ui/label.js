// The label of a gateway, to print and to save.

import { download } from './api.js';
import { h, replace } from './dom.js';
import { problem } from './notice.js';
import { printSheet } from './print.js';

/** The label, drawn by the server; `end` lets go of it. */
export function label(record, name) {
  const addresses = [];
  const place = h('div', {});
  const element = h('section', {}, h('h2', {}, 'Label'), place);

  async function draw() {
    try {
      const [drawing, picture] = await Promise.all(['svg', 'png'].map(async (format) => {
        const address = URL.createObjectURL(await download('POST', '/v1/payloads/label', { id: record.id, format }));
        addresses.push(address);
        return address;
      }));
      replace(place, h('img', { class: 'label', src: drawing, alt: `Label of ${name}` }),
        h('p', { class: 'code' }, record.label),
        h('p', { class: 'hint' }, 'Nothing on it is secret.'),
        h('div', { class: 'buttons' }, h('button', { type: 'button', on: { click: () => print(drawing) } }, 'Print the label'),
          h('a', { class: 'button', href: picture, download: `${record.key}.png` }, 'Save it as PNG'),
          h('a', { class: 'button', href: drawing, download: `${record.key}.svg` }, 'Save it as SVG')));
    } catch (error) {
      replace(place, problem(error, draw));
    }
  }

  const print = (address) => printSheet(h('img', { src: address, alt: '' }), h('p', {}, name));

  draw();
  return { element, end: () => addresses.forEach((address) => URL.revokeObjectURL(address)) };
}
