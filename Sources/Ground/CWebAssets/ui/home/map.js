// Where the trackers are, where one of them was, and the places of this home. What the map shows, a list says.

import { h, replace } from '../dom.js';
import { call, path } from '../api.js';
import { MOST, STREETS, clusterGroup, graticule, leaflet, newMap } from '../ground.js';
import { empty, problem } from '../notice.js';
import { ago, count, dayOf, initial, moment, timeOfDay } from '../text.js';
import { app, addressOf as screenAt, may } from './app.js';
import { text } from './controls.js';
import { listen, live } from './live.js';

const PART = 5000;
const SPANS = [['day', 1], ['week', 7], ['month', 31], ['year', 366]];

const edges = (plan) => [[plan.south, plan.west], [plan.north, plan.east]];

/** A map with a scale: the tiles of the box, else lines of latitude and longitude; and a floor, which `show` changes. */
export async function chartOn(canvas) {
  const L = await leaflet();
  const { chart, leave } = newMap(L, canvas, { attributionControl: Boolean(app.tiles) });
  let floor = null;
  const show = (plan) => {
    floor?.remove();
    floor = plan ? L.imageOverlay(plan.url, edges(plan), { alt: plan.name, className: 'plan' }).addTo(chart) : null;
  };
  show(app.plans[0]);
  if (app.tiles) {
    chart.attributionControl.setPrefix(false);
    // What a file says of itself is text.
    L.tileLayer(app.tiles.url, { minNativeZoom: app.tiles.least, maxNativeZoom: app.tiles.most, maxZoom: MOST, className: app.tiles.photographs ? '' : STREETS, attribution: h('span', {}, app.tiles.attribution).innerHTML }).addTo(chart);
    return { L, chart, leave, show };
  }
  const ground = graticule(L).addTo(chart);
  chart.on('moveend', () => ground.draw(chart));
  return { L, chart, leave, show };
}

const positionOf = (tracker) => tracker.properties.location?.value || null;
const addressOf = (tracker) => path`/ui/trackers/${tracker.id}`;
/** A colour of the app. */
export const ink = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Where a tracker was, oldest first; asked for in parts, as the home gives only so many at once. */
async function trackOf(id, from, to, isOver) {
  const points = [];
  for (let start = from; ;) {
    const { features } = await call('GET', path`/api/v1/trackers/${id}/track?from=${start.toISOString()}&to=${to.toISOString()}&limit=${PART}`);
    if (isOver()) return [];
    for (const { geometry, properties } of features) points.push({ at: [geometry.coordinates[1], geometry.coordinates[0]], time: properties.time });
    if (features.length < PART) return points;
    start = new Date(Date.parse(points.at(-1).time) + 1);
  }
}

/** Where one tracker was, with a slider over the time: {tools, load, begin, end}. */
function past({ day, who, trouble }) {
  const slider = h('input', { type: 'range', min: 0, max: 0, value: 0, 'aria-label': 'Time', disabled: true });
  const clock = h('span', { class: 'hint', role: 'status' });
  const play = h('button', { type: 'button', disabled: true }, 'Play');
  const span = h('select', { 'aria-label': 'Span' }, SPANS.map(([name, days]) => h('option', { value: days }, name)));
  let L = null;
  let chart = null;
  let fit = null;
  let track = [];
  let layers = [];
  let timer = null;
  let asked = 0;

  function stopPlaying() { clearInterval(timer); timer = null; play.textContent = 'Play'; }

  async function load() {
    const number = asked += 1;
    const isOver = () => number !== asked;
    stopPlaying();
    for (const one of layers) one.remove();
    layers = [];
    track = [];
    replace(trouble);
    if (who() && day.value) {
      // By the calendar: there are days of 23 and of 25 hours.
      const to = new Date(`${day.value}T00:00`);
      to.setDate(to.getDate() + 1);
      const from = new Date(to);
      from.setDate(from.getDate() - span.value);
      try {
        const found = await trackOf(who(), from, to, isOver);
        if (isOver()) return;
        track = found;
      } catch (error) { if (!isOver()) replace(trouble, problem(error, load)); }
    }
    slider.max = Math.max(0, track.length - 1);
    slider.value = slider.max;
    slider.disabled = play.disabled = track.length < 2;
    clock.textContent = who() ? `${count(track.length, 'position')} in this ${SPANS[span.selectedIndex][0]}` : '';
    if (track.length === 0 || !chart) return;
    layers = [
      L.polyline(track.map((one) => one.at), { weight: 3, color: ink('--accent'), renderer: L.canvas(), interactive: false, smoothFactor: 2 }).addTo(chart),
      L.circleMarker(track[0].at, { radius: 8, className: 'head' }).addTo(chart),
    ];
    fit(track.map((one) => one.at));
    move(false);
  }

  function move(says = true) {
    const one = track[slider.value];
    if (!one) return;
    layers[1].setLatLng(one.at);
    const time = Number(span.value) === 1 ? timeOfDay(one.time) : moment(one.time);
    slider.setAttribute('aria-valuetext', time);
    if (says) clock.textContent = time;
  }

  play.addEventListener('click', () => {
    if (timer) { stopPlaying(); return; }
    if (slider.value === slider.max) slider.value = 0;
    play.textContent = 'Stop';
    timer = setInterval(() => {
      slider.value = Number(slider.value) + Math.max(1, Math.round(track.length / 200));
      move();
      if (slider.value === slider.max) stopPlaying();
    }, 100);
  });
  slider.addEventListener('input', () => move());
  span.addEventListener('change', load);
  day.addEventListener('change', load);
  return {
    span, tools: h('div', { class: 'tools' }, play, slider, clock), load,
    begin(library, map, fitting) { L = library; chart = map; fit = fitting; },
    end() { asked += 1; clearInterval(timer); },
  };
}

/** The map. With `only`, it is that of one tracker: small, without a list. */
export function map({ only = null }, address) {
  const canvas = h('div', { class: only ? 'map small' : 'map', role: 'region', 'aria-label': only ? 'Map of the tracker' : 'Map of the trackers' });
  const list = h('div', {});
  const trouble = h('div', {});
  const day = h('input', { type: 'date', id: 'day', value: dayOf(Date.now()) });
  const who = h('select', { id: 'who' });
  const track = past({ day, trouble, who: () => only || who.value });
  const shown = () => live.trackers.filter((one) => !only || one.id === only);
  const floor = h('select', { id: 'floor', on: { change: () => showFloor?.(app.plans[floor.value]) } }, app.plans.map((one, index) => h('option', { value: index }, one.name)), h('option', { value: '' }, 'No floor'));
  let showFloor = null;
  let L = null;
  let chart = null;
  let leave = null;
  let cluster = null;
  let brush = null;
  let isGone = false;
  const markers = new Map();
  let rows = new Map();
  let listed = '';
  const outline = () => live.trackers.map((one) => `${one.id} ${one.name}`).join('\n');
  // Where trackers come to and leave: who may look at those, may change them.
  let places = [];

  function names() {
    const before = (who.length > 0 ? who.value : address?.searchParams.get('tracker')) || '';
    replace(who, h('option', { value: '' }, 'No track'), live.trackers.map((one) => h('option', { value: one.id, selected: one.id === before }, one.name)));
  }

  const link = (one) => h('a', { href: addressOf(one) }, one.name);

  function row(tracker) {
    const parts = { zone: h('span', {}), spot: h('span', {}), age: h('span', { class: 'hint' }) };
    rows.set(tracker.id, parts);
    tell(tracker);
    return h('li', { class: 'row' }, h('div', { class: 'who' }, h('strong', {}, link(tracker)), parts.zone), parts.spot, parts.age);
  }

  /** Says where a tracker is now; false where the list has it among others. */
  function tell(tracker) {
    const parts = rows.get(tracker.id);
    if (Boolean(parts) !== Boolean(positionOf(tracker))) return false;
    if (!parts) return true;
    const { zone, location } = tracker.properties;
    parts.zone.textContent = text('zone', zone);
    parts.spot.textContent = text('location', location);
    parts.age.textContent = location.at ? ago(location.at) : '';
    return true;
  }

  function say() {
    if (only) return;
    listed = outline();
    rows = new Map();
    const placed = live.trackers.filter(positionOf);
    const rest = live.trackers.filter((one) => !positionOf(one));
    replace(list, placed.length > 0 && [h('h2', {}, 'On the map'), h('ul', { class: 'rows' }, placed.map(row))],
      rest.length > 0 && [h('h2', {}, 'Without a position'), h('ul', { class: 'rows' }, rest.map((one) => h('li', { class: 'row' }, link(one))))],
      live.trackers.length === 0 && empty('There is no tracker yet.'),
      places.length > 0 && [h('h2', {}, 'Places'), h('ul', { class: 'rows' }, places.map((one) => h('li', { class: 'row' },
        h('div', { class: 'who' }, h('strong', {}, h('a', { href: `${screenAt('places')}?place=${encodeURIComponent(one.id)}` }, one.name || one.id)), h('span', { class: 'hint' }, `${one.radius} m around ${one.latitude.toFixed(5)}, ${one.longitude.toFixed(5)}`)))))]);
  }

  function named(marker) {
    const element = marker.getElement();
    if (!element) return;
    element.title = marker.tracker.name;
    element.setAttribute('role', 'button');
    element.setAttribute('aria-label', marker.tracker.name);
  }

  const spot = (tracker) => L.divIcon({ className: 'spot ok', html: h('span', { 'aria-hidden': 'true' }, initial(tracker.name)), iconSize: [28, 28] });

  /** A marker of a tracker, and the circle in which it is. */
  function made(tracker, { latitude, longitude, accuracy }) {
    const at = [latitude, longitude];
    const marker = L.marker(at, { icon: spot(tracker), riseOnHover: true });
    marker.circle = L.circle(at, { radius: accuracy || 0, interactive: false, weight: 1, fillOpacity: 0.1, color: ink('--accent'), renderer: brush }).addTo(chart);
    marker.tracker = tracker;
    marker.on('add', () => named(marker));
    marker.bindPopup(() => h('div', {}, h('strong', {}, marker.tracker.name), h('p', {}, text('location', marker.tracker.properties.location)), h('a', { class: 'button', href: addressOf(marker.tracker) }, 'Open')));
    markers.set(tracker.id, marker);
    return marker;
  }

  /** Changes what has changed; what is spread stays spread, and what has the focus keeps it. */
  function put(trackers, isAll = false) {
    const [come, gone] = [[], []];
    for (const tracker of trackers) {
      const marker = markers.get(tracker.id);
      const position = positionOf(tracker);
      if (!marker) { if (position) come.push(made(tracker, position)); continue; }
      const isRenamed = marker.tracker.name !== tracker.name;
      marker.tracker = tracker;
      if (!position) { gone.push(marker); continue; }
      if (isRenamed) { marker.setIcon(spot(tracker)); named(marker); }
      const at = L.latLng(position.latitude, position.longitude);
      if (marker.circle.getRadius() !== (position.accuracy || 0)) marker.circle.setRadius(position.accuracy || 0);
      if (marker.getLatLng().equals(at)) continue;
      marker.circle.setLatLng(at);
      marker.to = at;
    }
    if (isAll) {
      const there = new Set(trackers.map((one) => one.id));
      for (const [id, marker] of markers) if (!there.has(id)) gone.push(marker);
    }
    const moved = [...markers.values()].filter((one) => one.to);
    if (come.length + gone.length + moved.length === 0) return;
    const open = [...moved, ...gone].find((one) => one.isPopupOpen());
    const resume = cluster.pause((marker) => marker.tracker.id);
    // At once: what folds slowly would take away what is spread again meanwhile.
    cluster._noanimationUnspiderfy?.();
    for (const one of gone) { one.circle.remove(); markers.delete(one.tracker.id); }
    cluster.removeLayers([...gone, ...moved]);
    for (const one of moved) { one.setLatLng(one.to); one.to = null; }
    cluster.addLayers([...come, ...moved]);
    resume(cluster, markers);
    if (open && markers.has(open.tracker.id) && cluster.getVisibleParent(open) === open) open.openPopup();
  }

  function fit(points) {
    if (points.length > 0) chart.fitBounds(points, { maxZoom: 16, padding: [30, 30], animate: false });
    else if (app.plans.length > 0) chart.fitBounds(edges(app.plans[0]), { animate: false });
    else chart.setView([20, 0], 2, { animate: false });
  }

  async function begin() {
    try {
      ({ L, chart, leave, show: showFloor } = await chartOn(canvas));
      if (isGone) { leave(); return; }
      brush = L.canvas();
      track.begin(L, chart, fit);
      cluster = clusterGroup(L, canvas, {
        radius: 30, nameOf: (marker) => marker.tracker.name,
        iconOf: (inside) => L.divIcon({ className: 'cluster ok', iconSize: [40, 40], html: h('span', {}, h('span', { 'aria-hidden': 'true' }, String(inside.length)), h('span', { class: 'unseen' }, `${inside.length} trackers`)) }),
      });
      fit(shown().map(positionOf).filter(Boolean).map((one) => [one.latitude, one.longitude]));
      chart.addLayer(cluster);
      put(shown());
      if (may('member')) {
        ({ places } = await call('GET', '/api/v1/places'));
        if (isGone) return;
        say();
        for (const one of places) L.circle([one.latitude, one.longitude], { radius: one.radius, weight: 2, fillOpacity: 0.05, color: one.color || ink('--ok'), renderer: brush }).bindTooltip(h('span', {}, one.name || one.id), { sticky: true }).addTo(chart);
      }
      if (only || who.value) await track.load();
    } catch (error) { if (!isGone) replace(trouble, problem(error, begin)); }
  }

  who.addEventListener('change', track.load);
  names();
  say();
  const stop = listen((event) => {
    if (event.type === 'all') {
      // Whoever is in the list with the keyboard stays there while it has the same rows.
      if (only || outline() !== listed || !live.trackers.every(tell)) { names(); say(); }
      if (cluster) put(shown(), true);
    } else if (event.type === 'value' && ['location', 'zone'].includes(event.property)) {
      const tracker = shown().find((one) => one.id === event.tracker);
      if (!tracker) return;
      if (!only && !tell(tracker)) say();
      if (cluster && event.property === 'location') put([tracker]);
    }
  });
  const timer = setInterval(() => live.trackers.forEach(tell), 15_000);
  requestAnimationFrame(begin);
  return {
    element: h('div', {}, h('div', { class: 'tools' }, !only && [h('label', { for: 'who' }, 'Track of'), who], h('label', { for: 'day' }, only ? 'Track of' : 'on'), day, track.span,
      app.plans.length > 0 && [h('label', { for: 'floor' }, 'Floor'), floor]),
      track.tools, trouble, canvas, list),
    leave: () => { isGone = true; stop(); clearInterval(timer); track.end(); leave?.(); },
  };
}
