// The ground of every map: Leaflet, lines of latitude and longitude where there are no tiles, and clusters.

import { h, load } from './dom.js';

/** The closest zoom. */
export const MOST = 19;
/** The class of drawn tiles, which are dark where all is dark; photographs stay as they are. */
export const STREETS = 'streets';
const LOOK = 'luna.look';
const SEVERAL = 8;
const STEPS = [0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 45];

// Whether somebody wants nothing to move.
const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;

function sheet(source) {
  if (!document.querySelector(`link[href="${source}"]`)) document.head.append(h('link', { rel: 'stylesheet', href: source }));
}

/** The library of maps. */
export async function leaflet() {
  sheet('/ui/assets/libraries/leaflet.css');
  sheet('/ui/assets/libraries/markercluster.css');
  const problem = 'The map could not be loaded.';
  await load('/ui/assets/libraries/leaflet.js', problem);
  await load('/ui/assets/libraries/markercluster.js', problem);
  return globalThis.L;
}

/** A map with a scale, and what it takes to let go of it: a zoom that is under way is first brought to its end, because
    Leaflet draws it also when its map has gone. */
export function newMap(L, canvas, options) {
  const chart = L.map(canvas, { minZoom: 2, maxZoom: MOST, worldCopyJump: true, zoomAnimation: !isStill, fadeAnimation: !isStill, markerZoomAnimation: !isStill, ...options });
  let isZooming = false;
  chart.on('zoomstart', () => { isZooming = true; });
  chart.on('zoomend', () => { isZooming = false; });
  L.control.scale({ position: 'bottomright' }).addTo(chart);
  // Others may have to hear of the end of the zoom, too.
  const leave = () => { if (isZooming) chart.once('zoomend', () => setTimeout(() => chart.remove())); else chart.remove(); };
  return { chart, leave };
}

/** Lines of latitude and longitude, some of them across what is seen. */
export function graticule(L) {
  const group = L.layerGroup();
  group.draw = (map) => {
    group.clearLayers();
    const bounds = map.getBounds();
    const span = bounds.getEast() - bounds.getWest();
    const step = STEPS.find((one) => span / one <= 8) || 45;
    const digits = Math.max(0, Math.ceil(-Math.log10(step)));
    const style = { weight: 1, interactive: false, className: 'graticule' };
    const label = (position, text) => L.marker(position, {
      interactive: false, keyboard: false, icon: L.divIcon({ className: 'degrees', html: h('span', { 'aria-hidden': 'true' }, text), iconSize: null }),
    });
    for (let x = Math.ceil(bounds.getWest() / step) * step; x <= bounds.getEast(); x += step) {
      group.addLayer(L.polyline([[bounds.getSouth(), x], [bounds.getNorth(), x]], style));
      group.addLayer(label([bounds.getSouth(), x], `${x.toFixed(digits)}°`));
    }
    for (let y = Math.ceil(Math.max(-85, bounds.getSouth()) / step) * step; y <= Math.min(85, bounds.getNorth()); y += step) {
      group.addLayer(L.polyline([[y, bounds.getWest()], [y, bounds.getEast()]], style));
      group.addLayer(label([y, bounds.getWest()], `${y.toFixed(digits)}°`));
    }
  };
  return group;
}

/** The look that this browser has shown last; empty for none, null where nobody has chosen. */
export function keptLook() {
  try { return localStorage.getItem(LOOK); } catch { return null; }
}

/** Keeps a look, for the next map. */
export function keepLook(name) {
  try { localStorage.setItem(LOOK, name); } catch { /* For this page only. */ }
}

/** What is below everything: the tiles of a look, or lines. Where it has `draw(map)`, that is called whenever the map has moved. */
export function groundOf(L, look) {
  return look ? L.tileLayer(look.url, { maxZoom: MOST, minNativeZoom: look.least ?? 0, maxNativeZoom: look.most ?? MOST, className: look.look === 'standard' ? STREETS : '' }) : graticule(L);
}

/** Markers that are near each other as one, that says their names and spreads. */
export function clusterGroup(L, canvas, { radius, nameOf, iconOf }) {
  const group = L.markerClusterGroup({
    maxClusterRadius: radius, spiderfyOnMaxZoom: true, showCoverageOnHover: false, chunkedLoading: true, animate: !isStill, iconCreateFunction: (one) => iconOf(one.getAllChildMarkers()),
  });
  const hide = (layer) => layer?.unbindTooltip();
  const show = (layer) => {
    const names = layer.getAllChildMarkers().map(nameOf);
    layer.unbindTooltip().bindTooltip(h('ul', {}, names.slice(0, SEVERAL).map((text) => h('li', {}, text)),
      names.length > SEVERAL && h('li', {}, `and ${names.length - SEVERAL} more`))).openTooltip();
  };
  // Leaflet tells of no focus.
  const at = (element) => {
    let found = null;
    group._map?.eachLayer((layer) => { if (layer.getElement?.() === element) found = layer; });
    return found;
  };
  const clusterAt = (element) => { const layer = at(element); return layer?.getAllChildMarkers ? layer : null; };
  const focus = ({ target }) => { const layer = clusterAt(target); if (layer) show(layer); };
  const blur = ({ target }) => hide(clusterAt(target));
  group.on('clustermouseover', ({ layer }) => show(layer));
  group.on('clustermouseout', ({ layer }) => hide(layer));
  group.on('add', () => { canvas.addEventListener('focusin', focus); canvas.addEventListener('focusout', blur); });
  group.on('remove', () => { canvas.removeEventListener('focusin', focus); canvas.removeEventListener('focusout', blur); });

  /** Before its markers are taken away: lets go of the focus; gives what gives it back to another group, and spreads what
      was spread. */
  group.pause = (keyOf) => {
    const had = canvas.contains(document.activeElement) ? at(document.activeElement) : null;
    const focused = had && (had.getAllChildMarkers ? had.getAllChildMarkers()[0] : had);
    const keys = [group._spiderfied?.getAllChildMarkers()[0], focused].map((marker) => marker && keyOf(marker));
    // An element that is taken away while it has the focus tells so in the middle of that.
    if (had) canvas.focus({ preventScroll: true });
    return (other, markers) => {
      const [open, active] = keys.map((key) => (key ? markers.get(key) : null));
      const folded = other.getVisibleParent(active);
      other.getVisibleParent(open)?.spiderfy?.();
      (had?.getAllChildMarkers ? folded : other.getVisibleParent(active))?.getElement()?.focus({ preventScroll: true });
    };
  };
  return group;
}
