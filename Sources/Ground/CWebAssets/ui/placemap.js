// A small map on which somebody says where something stands. The boxes for degrees beside it say the same to those who
// cannot use it.

import { h } from './dom.js';
import { call } from './api.js';
import { groundOf, keptLook, leaflet, newMap } from './ground.js';

const CLOSE = 16;
const SHOWN = 500;

/**
 * The map: an element, `begin()` for when that is on the page, `put(place)` to move the mark, and `end()`. A place is
 * [latitude, longitude]; `chosen` gets the one that somebody points at. Gateways that are there show where one is.
 */
export async function placeMap(start, chosen) {
  const [L, { gateways }, { looks }] = await Promise.all([leaflet(), call('GET', '/v1/gateways/map'), call('GET', '/v1/tiles')]);
  const canvas = h('div', { class: 'map small', role: 'region', 'aria-label': 'Map to say where it stands' });
  const look = looks.find((one) => one.look === keptLook()) || null;
  const ground = groundOf(L, look);
  let chart = null;
  let leave = null;
  let mark = null;

  function put(place) {
    if (!chart) return;
    if (mark) { mark.setLatLng(place); return; }
    const icon = L.divIcon({ className: 'spot selected', iconSize: [28, 28], html: h('span', { 'aria-hidden': 'true' }, '+') });
    mark = L.marker(place, { icon, draggable: true, keyboard: false }).addTo(chart);
    mark.on('dragend', () => choose(mark.getLatLng()));
  }

  function choose(point) {
    const { lat, lng } = point.wrap();
    put([lat, lng]);
    chosen(lat, lng);
  }

  function begin() {
    const known = gateways.map((one) => [one.latitude, one.longitude]);
    ({ chart, leave } = newMap(L, canvas, { attributionControl: false }));
    if (start) chart.setView(start, CLOSE);
    else if (known.length > 0) chart.fitBounds(known, { maxZoom: CLOSE, padding: [20, 20] });
    else chart.setView([20, 0], 2);
    ground.addTo(chart);
    const draw = () => ground.draw?.(chart);
    draw();
    chart.on('moveend', draw);
    for (const place of known.slice(0, SHOWN)) chart.addLayer(L.circleMarker(place, { radius: 4, interactive: false, className: 'known' }));
    if (start) put(start);
    chart.on('click', ({ latlng }) => choose(latlng));
  }

  return {
    element: h('div', {}, canvas, look && h('p', { class: 'hint' }, look.attribution)), begin,
    put: (place) => { put(place); chart?.setView(place, Math.max(chart.getZoom(), CLOSE)); },
    end: () => { leave?.(); chart = leave = null; },
  };
}
