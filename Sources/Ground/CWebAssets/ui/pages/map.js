// Where the gateways stand. Without tiles, which an admin has to choose and a person to want, there is a graticule and a
// scale: no request leaves for another host.

import { h, icon, replace } from '../dom.js';
import { call, path } from '../api.js';
import { isSimulated, nameOf, picture, placeText, stateBadge, verdictBadge } from '../badge.js';
import { field, form } from '../form.js';
import { clusterGroup, groundOf, keepLook, keptLook, leaflet, newMap } from '../ground.js';
import { empty, problem, say } from '../notice.js';
import { again } from '../router.js';
import { may } from '../session.js';
import { listen } from '../stream.js';
import { count } from '../text.js';

const RANK = ['ok', 'unknown', 'warn', 'bad'];
const LETTERS = { ok: '✓', warn: '!', bad: '✕', unknown: '?' };
const VIEW = 'luna.map';
const CLOSE = 15;
const LOOKS = [['standard', 'Standard', 'tilesStandard'], ['satellite', 'Satellite', 'tilesSatellite'], ['hybrid', 'Hybrid', 'tilesHybrid']];
const BESIDE = 100;

// Only what is drawn: of thousands, nobody looks at all the rest.
async function all() {
  const [{ gateways }, without] = await Promise.all([
    call('GET', '/v1/gateways/map'), call('GET', `/v1/gateways?limit=${BESIDE}&q=${encodeURIComponent('-has:position')}`)]);
  return { placed: gateways, beside: without.gateways, unshown: without.total - without.gateways.length };
}

const verdict = (gateway) => (RANK.includes(gateway.verdict) ? gateway.verdict : 'unknown');
const worst = (gateways) => gateways.map(verdict).sort((a, b) => RANK.indexOf(b) - RANK.indexOf(a))[0];

const called = (gateway) => `${nameOf(gateway)}${isSimulated(gateway) ? ', simulated' : ''}`;

/** Where an admin says where tiles come from. */
async function sources() {
  const settings = await call('GET', '/v1/settings');
  const boxes = LOOKS.map(([, title, name]) => ({
    name, url: field(`${title}: address`, { value: settings[name]?.url || '', maxlength: 512, inputmode: 'url', placeholder: 'https://tiles.example/{z}/{x}/{y}.png' }),
    attribution: field(`${title}: whose map it is`, { value: settings[name]?.attribution || '', maxlength: 200 }),
    on: h('input', { type: 'checkbox', checked: Boolean(settings[name]?.on) }), title,
  }));
  const fields = boxes.flatMap((one) => [one.url, one.attribution,
    { element: h('p', {}, h('label', {}, one.on, `${one.title}: browsers may ask this server, which then learns where they look`)) }]);
  const { element } = form(fields, 'Save the sources', async () => {
    await call('PATCH', '/v1/settings', Object.fromEntries(boxes.map((one) => [one.name, one.url.value.trim()
      ? { url: one.url.value.trim(), attribution: one.attribution.value.trim(), on: one.on.checked } : null])));
    // Which servers a page may ask, it is told when it is loaded.
    location.reload();
  });
  return element;
}

export async function map(_, address) {
  const [L, found, { looks }] = await Promise.all([leaflet(), all(), call('GET', '/v1/tiles')]);
  const canvas = h('div', { class: 'map', role: 'region', 'aria-label': 'Map of the gateways' });
  const beside = h('section', {});
  const trouble = h('div', {});
  let records = found;
  let selected = address.searchParams.get('gateway');
  let look = looks.find((one) => one.look === keptLook()) || null;
  let ground = null;
  let chart = null;
  let leave = null;
  let cluster = null;
  let frame = 0;
  let isMoving = false;
  const markers = new Map();

  // One for all that look the same: most markers are never seen outside of a cluster.
  const Dot = L.DivIcon.extend({
    createIcon(old) {
      const element = L.DivIcon.prototype.createIcon.call(this, old);
      element.replaceChildren(h('span', { 'aria-hidden': 'true' }, LETTERS[this.options.kind]));
      return element;
    },
  });
  const dots = new Map();

  function dot(gateway) {
    const kind = verdict(gateway);
    const className = `spot ${kind}${isSimulated(gateway) ? ' simulated' : ''}${gateway.id === selected ? ' selected' : ''}`;
    if (!dots.has(className)) dots.set(className, new Dot({ className, kind, html: false, iconSize: [28, 28] }));
    return dots.get(className);
  }

  function callout(gateway) {
    const place = h('p', {}, '\u00a0');
    const face = h('span', {}, picture(gateway));
    const signs = h('p', {}, stateBadge(gateway), ' ', verdictBadge(gateway));
    call('GET', path`/v1/gateways/${gateway.id}`).then((record) => {
      replace(place, placeText(record));
      replace(face, picture(record));
      replace(signs, stateBadge(record), ' ', verdictBadge(record));
    }, (error) => replace(place, error.message)).then(() => bringIn(element));
    const element = h('div', { class: 'callout' }, face, h('strong', {}, nameOf(gateway)), place, signs,
      h('div', { class: 'buttons' },
        h('a', { class: 'button', href: path`/ui/gateways/${gateway.id}` }, icon('eye'), 'Open'),
        may('operator') && h('a', { class: 'button', href: path`/ui/gateways/${gateway.id}` + '?edit=1' }, icon('edit'), 'Edit')));
    return element;
  }

  /** What has come into a callout made it larger than it was when the map moved for it. */
  function bringIn(element) {
    const [box, all] = [element.closest('.leaflet-popup'), canvas].map((one) => one?.getBoundingClientRect());
    if (!box) return;
    const right = Math.min(0, box.left - all.left - 5) || Math.max(0, box.right - all.right + 5);
    const down = Math.min(0, box.top - all.top - 5);
    if (right || down) chart?.panBy([right, down]);
  }

  function select(id) {
    const before = markers.get(selected);
    selected = id;
    const marker = markers.get(id);
    quietly(() => {
      if (before) {
        before.closePopup();
        back(before);
      }
      if (!marker) return;
      // What is looked at is never hidden in a cluster.
      cluster.removeLayer(marker);
      chart.addLayer(marker);
      name(marker);
    });
    if (!marker) return;
    if (!marker.getPopup()) marker.bindPopup(() => callout(marker.gateway), { minWidth: 220 });
    marker.openPopup();
  }

  function back(marker) {
    // While it has a callout, a press on it would close what select() opens.
    marker.unbindPopup();
    chart.removeLayer(marker);
    cluster.addLayer(marker);
    name(marker);
  }

  /** A callout that closes since its marker goes elsewhere was not closed by anybody. */
  function quietly(work) {
    isMoving = true;
    work();
    isMoving = false;
  }

  function closed({ popup }) {
    if (isMoving || !selected || popup._source?.gateway?.id !== selected) return;
    const marker = markers.get(selected);
    selected = null;
    if (!marker) return;
    // What has the focus goes away with the callout; keys go on where its marker is then.
    const active = document.activeElement;
    const isLost = active === document.body || [popup, marker].some((one) => one.getElement()?.contains(active));
    quietly(() => back(marker));
    if (isLost) cluster.getVisibleParent(marker)?.getElement()?.focus({ preventScroll: true });
  }

  /** Leaflet hears this key only where the map itself has the focus. */
  function escape(event) {
    if (event.key === 'Escape') chart?.closePopup();
  }

  function name(marker) {
    marker.setIcon(dot(marker.gateway));
    marker.options.title = called(marker.gateway);
    const element = marker.getElement();
    if (!element) return;
    element.title = marker.options.title;
    element.setAttribute('role', 'button');
    element.setAttribute('aria-label', called(marker.gateway));
  }

  function put(gateway) {
    const marker = L.marker([gateway.latitude, gateway.longitude], { icon: dot(gateway), riseOnHover: true });
    marker.gateway = gateway;
    marker.on('add', () => name(marker));
    marker.on('click keypress', ({ originalEvent: { type, key } }) => {
      if (selected === gateway.id || (type === 'keypress' && key !== 'Enter')) return;
      select(gateway.id);
      if (type === 'keypress') marker.getPopup()?.getElement()?.querySelector('.callout a')?.focus({ preventScroll: true });
    });
    markers.set(gateway.id, marker);
    return marker;
  }

  function clusters(isOn) {
    return clusterGroup(L, canvas, {
      radius: isOn ? 60 : 0, nameOf: (marker) => called(marker.gateway),
      iconOf: (inside) => {
        const kind = worst(inside.map((marker) => marker.gateway));
        return L.divIcon({
          className: `cluster ${kind}`, iconSize: [44, 44],
          html: h('span', {}, h('span', { class: 'unseen' }, `${count(inside.length, 'gateway')}, the worst: `), String(inside.length), h('small', {}, LETTERS[kind])),
        });
      },
    });
  }

  function draw(isOn = true) {
    const resume = cluster?.pause((marker) => marker.gateway.id);
    quietly(() => {
      if (cluster) chart.removeLayer(cluster);
      for (const marker of markers.values()) chart.removeLayer(marker);
    });
    markers.clear();
    cluster = clusters(isOn);
    cluster.addLayers(records.placed.map(put));
    chart.addLayer(cluster);
    if (selected) select(selected);
    resume?.(cluster, markers);
    list();
  }

  /** Changes what has changed where it is: what is spread stays spread, and what has the focus keeps it. */
  function update() {
    const isThere = ({ id, latitude, longitude }) => {
      const before = markers.get(id)?.gateway;
      return before && before.latitude === latitude && before.longitude === longitude;
    };
    if (records.placed.length !== markers.size || !records.placed.every(isThere)) { draw(isClustered.checked); return; }
    const changed = [];
    for (const gateway of records.placed) {
      const marker = markers.get(gateway.id);
      const isOther = JSON.stringify(marker.gateway) !== JSON.stringify(gateway);
      marker.gateway = gateway;
      if (!isOther) continue;
      changed.push(marker);
      name(marker);
      if (gateway.id === selected) marker.getPopup()?.update();
    }
    cluster.refreshClusters(changed.filter((marker) => cluster.hasLayer(marker)));
    list();
  }

  function list() {
    const simulated = records.placed.filter(isSimulated).length;
    replace(beside, simulated > 0 && h('p', { class: 'hint' }, `Simulated: ${count(simulated, 'gateway')} of those on the map, with a dashed edge.`),
      records.beside.length > 0 && [h('h2', {}, 'Without a position'),
      h('ul', { class: 'rows' }, records.beside.map((one) => h('li', { class: 'row' }, h('a', { class: 'to', href: path`/ui/gateways/${one.id}` }, picture(one),
        h('span', { class: 'who' }, h('strong', {}, nameOf(one)), h('span', { class: 'hint' }, placeText(one))), stateBadge(one), verdictBadge(one))))),
      records.unshown > 0 && h('p', {}, h('a', { href: '/ui/?q=-has:position' }, `and ${records.unshown} more`))]);
  }

  const isClustered = h('input', { type: 'checkbox', checked: true, on: { change: (event) => draw(event.target.checked) } });
  const chooser = h('select', {
    id: 'look', on: {
      change: () => {
        look = looks.find((one) => one.look === chooser.value) || null;
        keepLook(look?.look || '');
        paint();
      },
    },
  }, h('option', { value: '', selected: !look }, 'None'),
  LOOKS.filter(([name]) => looks.some((one) => one.look === name)).map(([name, title]) => h('option', { value: name, selected: name === look?.look }, title)));
  const owner = h('p', { class: 'hint' });
  const admin = may('admin') && h('details', {
    on: {
      toggle: async ({ target }) => {
        if (!target.open || target.children.length > 1) return;
        try { target.append(await sources()); } catch (error) { replace(trouble, problem(error)); }
      },
    },
  }, h('summary', {}, 'Where tiles come from'));
  const isEmpty = records.placed.length + records.beside.length === 0;
  const element = h('div', {}, trouble, isEmpty ? empty('There is no gateway yet.') : [
    h('div', { class: 'tools' }, h('label', {}, isClustered, 'Clusters'), h('label', { for: 'look' }, 'Look'), chooser), canvas, owner, beside], admin);

  /** Shows the ground that is wanted; what is looked at stays. */
  function paint() {
    ground?.remove();
    ground = groundOf(L, look);
    ground.addTo(chart);
    ground.draw?.(chart);
    canvas.classList.toggle('tiled', Boolean(look));
    owner.textContent = look?.attribution || '';
  }

  const refused = (event) => {
    if (!look || !event.blockedURI.startsWith('http') || !event.effectiveDirective.startsWith('img-src')) return;
    look = null;
    chooser.value = '';
    paint();
    say('Where tiles come from has changed.', { label: 'Load the page anew', run: () => location.reload() }, 20);
  };
  document.addEventListener('securitypolicyviolation', refused);
  canvas.addEventListener('keydown', escape);

  function begin() {
    ({ chart, leave } = newMap(L, canvas, { attributionControl: false }));
    const placed = records.placed.map((one) => [one.latitude, one.longitude]);
    const kept = JSON.parse(sessionStorage.getItem(VIEW) || 'null');
    if (kept) chart.setView(kept.center, kept.zoom);
    else if (placed.length > 0) chart.fitBounds(placed, { maxZoom: 16, padding: [30, 30] });
    else chart.setView([20, 0], 2);
    const wanted = records.placed.find((one) => one.id === selected);
    if (wanted) chart.setView([wanted.latitude, wanted.longitude], Math.max(chart.getZoom(), CLOSE));
    paint();
    chart.on('moveend', () => {
      ground.draw?.(chart);
      sessionStorage.setItem(VIEW, JSON.stringify({ center: chart.getCenter(), zoom: chart.getZoom() }));
    });
    chart.on('popupclose', closed);
    draw();
  }

  let late = null;
  const changed = () => {
    if (late) return;
    late = setTimeout(async () => {
      late = null;
      // The first gateway makes a map of it.
      if (isEmpty) { again(); return; }
      try { records = await all(); if (chart) update(); replace(trouble); } catch (error) { replace(trouble, problem(error, changed)); }
    }, 300);
  };
  const ends = [listen('gateway', changed), listen('state', changed), listen('reset', changed)];
  if (!isEmpty) frame = requestAnimationFrame(begin);
  return { title: 'Map', element, leave: () => { document.removeEventListener('securitypolicyviolation', refused); ends.forEach((end) => end()); cancelAnimationFrame(frame); clearTimeout(late); leave?.(); } };
}
