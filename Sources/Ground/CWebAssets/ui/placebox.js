// Where a gateway stands, as somebody says: in degrees, by the browser, or on a small map.

import { h, replace } from './dom.js';
import { field } from './form.js';
import { problem } from './notice.js';
import { placeMap } from './placemap.js';

/** Degrees as they stand in a box, to a centimetre: what was reckoned may have many digits that mean nothing. */
export const degrees = (number) => (Number.isFinite(number) ? String(Number(number.toFixed(7))) : '');

/**
 * Boxes for a place, the buttons that fill them, `value()`, which gives the place or null, `show(place)` and `end()`. A
 * place that they begin with or show is {latitude, longitude, source?, accuracy?}.
 */
export function placeBoxes(place, hint) {
  const latitude = field('Latitude', { inputmode: 'decimal', value: degrees(place?.latitude), hint });
  const longitude = field('Longitude', { inputmode: 'decimal', value: degrees(place?.longitude) });
  const below = h('div', {});
  const here = h('button', { type: 'button', on: { click: locate } }, 'Where I am');
  const onMap = h('button', { type: 'button', on: { click: showMap } }, 'On a map');
  // Who said it, and how far off it may be: that stays where nobody changes the place.
  const originOf = (one) => ({ source: one?.source ?? 'given', accuracy: one?.accuracy });
  let origin = originOf(place);
  let map = null;
  let refusal = null;

  const number = (box) => { const text = box.value.trim().replace(',', '.'); return text === '' ? NaN : Number(text); };
  const point = () => { const both = [number(latitude), number(longitude)]; return both.every(Number.isFinite) ? both : null; };

  function fill(north, east, by) {
    latitude.value = north.toFixed(6);
    longitude.value = east.toFixed(6);
    origin = by;
  }

  for (const { box } of [latitude, longitude]) {
    box.addEventListener('input', () => { origin = { source: 'given' }; });
    box.addEventListener('change', () => { if (point()) map?.put(point()); });
  }

  function locate() {
    if (!navigator.geolocation) {
      here.replaceWith(h('p', { class: 'hint' }, 'This browser does not tell where it is. Type the position.'));
      return;
    }
    here.disabled = true;
    refusal?.remove();
    navigator.geolocation.getCurrentPosition(({ coords }) => {
      here.disabled = false;
      fill(coords.latitude, coords.longitude, { source: 'browser', accuracy: Math.round(coords.accuracy) });
      map?.put([coords.latitude, coords.longitude]);
    }, (error) => {
      here.disabled = false;
      refusal = h('p', { class: 'hint', role: 'alert' }, error.code === 1 ? 'This browser may not tell where it is. Type the position, or allow it for this page.' : 'The position is not known now. Type it.');
      here.after(refusal);
    }, { enableHighAccuracy: true, timeout: 15_000 });
  }

  async function showMap() {
    onMap.disabled = true;
    try {
      map = await placeMap(point(), (north, east) => fill(north, east, { source: 'given' }));
      replace(below, h('p', { class: 'hint' }, 'Point at the place.'), map.element);
      map.begin();
    } catch (error) {
      onMap.disabled = false;
      replace(below, problem(error));
    }
  }

  return {
    fields: [latitude, longitude, { element: below }], buttons: [here, onMap],
    value() {
      if (latitude.value.trim() === '' && longitude.value.trim() === '') return null;
      const both = point();
      if (!both) throw new Error('Latitude and longitude are degrees, such as 52.5 and 13.4. Leave both empty for none.');
      return { latitude: both[0], longitude: both[1], ...origin };
    },
    show(other) {
      [latitude.value, longitude.value] = [degrees(other?.latitude), degrees(other?.longitude)];
      origin = originOf(other);
      if (point()) map?.put(point());
    },
    end: () => map?.end(),
  };
}
