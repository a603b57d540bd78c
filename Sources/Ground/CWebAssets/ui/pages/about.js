// What this is, and whose work is in it.

import { h } from '../dom.js';

export async function about() {
  return {
    title: 'About',
    element: h('div', { class: 'narrow' },
      h('p', {}, 'Luna is a Bluetooth LE tracker toolkit. This console shows gateways: their places, their health, what they count. '
        + 'The server has no key, no position and no identity of a tracker, and keeps no link from an event to its gateway.'),
      h('h2', {}, 'Licences'),
      h('ul', {},
        h('li', {}, 'Luna itself, with the pages and scripts of this console: see the file LICENSE of its package.'),
        h('li', {}, 'Leaflet, © 2010–2019 Vladimir Agafonkin, © 2010–2011 CloudMade: BSD-2-Clause.'),
        h('li', {}, 'Leaflet.markercluster, © 2012–2017 David Leaver: MIT.'),
        h('li', {}, 'Chart.js, © 2014–2022 Chart.js contributors: MIT.'))),
  };
}
