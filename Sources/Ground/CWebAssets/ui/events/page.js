// The page of where a tracker was, as a file of its own. What stands in its data is text, whatever it looks like: it
// reaches the page as textContent alone. Until somebody asks for streets the page asks nobody for anything.

'use strict';

(() => {
  const MOST = 19;
  const NEAREST = 17;
  const { L } = globalThis;
  const data = JSON.parse(document.getElementById('events').textContent);
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;

  function h(name, attributes, ...children) {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children);
    return element;
  }

  // On the clocks of who looks, in the form that luna has; pointed at, in UTC.
  const clock = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium' });
  const zone = clock.resolvedOptions().timeZone;
  const time = (event) => {
    const utc = event.time.slice(0, 19);
    return h('time', { datetime: `${utc}Z`, title: `${utc.replace('T', ' ')} UTC` }, clock.format(new Date(`${utc}Z`)));
  };
  const spot = (event) => `${event.latitude.toFixed(5)}, ${event.longitude.toFixed(5)}`;
  const accuracy = (event) => event.horizontalAccuracy === undefined ? '' : `${Math.ceil(event.horizontalAccuracy)} m`;
  const notes = (event) => [!event.plausible && 'at an implausible time', event.batteryLow && 'battery low', event.far && 'far away'].filter(Boolean).join(', ');
  const link = (event) => h('a', { href: event.link, target: '_blank', rel: 'noopener noreferrer' }, spot(event));

  // Longitudes near the first one, so that a track across the date line stays together.
  const first = data.events.length > 0 ? data.events[0].longitude : 0;
  const at = (event) => [event.latitude, event.longitude - 360 * Math.round((event.longitude - first) / 360)];

  document.title = data.name;
  document.querySelector('h1').textContent = data.name;
  document.getElementById('zone').textContent = `Time (${zone})`;
  document.getElementById('summary').append(...data.events.length === 0 ? ['No events']
    : [time(data.events[0]), ' to ', time(data.events.at(-1)), ` (${zone}), ${data.events.length === 1 ? '1 event' : `${data.events.length} events`}`]);

  const chart = L.map('map', { minZoom: 1, maxZoom: MOST, preferCanvas: true, zoomAnimation: !isStill, fadeAnimation: !isStill, markerZoomAnimation: !isStill });
  chart.attributionControl.setPrefix(false);
  L.control.scale().addTo(chart);

  function fit(events) {
    if (events.length === 0) chart.setView([0, 0], 1);
    else chart.fitBounds(L.latLngBounds(events.map(at)), { maxZoom: NEAREST, padding: [24, 24], animate: !isStill });
  }

  fit(data.events.filter((event) => !event.far));

  for (const event of data.events) {
    if (event.horizontalAccuracy !== undefined) L.circle(at(event), { radius: event.horizontalAccuracy, interactive: false, weight: 1, color: '#3b7dd8', fillOpacity: 0.1 }).addTo(chart);
  }
  // Implausible events are shown, and are no part of the way.
  L.polyline(data.events.filter((event) => event.plausible).map(at), { color: '#1f4e8c', weight: 2, interactive: false }).addTo(chart);
  const markers = data.events.map((event, index) => L.circleMarker(at(event), {
    radius: index === data.events.length - 1 ? 8 : 6, weight: 2, color: '#1f4e8c', fillColor: event.batteryLow ? '#d8893b' : '#1f4e8c', fillOpacity: event.plausible ? 0.8 : 0,
  }).bindPopup(() => h('div', {}, h('p', {}, h('strong', {}, time(event), ` (${zone})`)), h('p', {}, link(event)), h('p', {}, [accuracy(event) && `accuracy ${accuracy(event)}`, notes(event)].filter(Boolean).join(', ')))).addTo(chart));

  const rows = document.querySelector('tbody');
  for (const [index, event] of data.events.entries()) {
    const button = h('button', { type: 'button' }, time(event));
    button.addEventListener('click', () => {
      chart.setView(at(event), chart.getZoom(), { animate: !isStill });
      markers[index].openPopup();
    });
    rows.append(h('tr', {}, h('td', {}, button), h('td', {}, link(event)), h('td', {}, accuracy(event)), h('td', {}, notes(event))));
  }

  const streets = document.getElementById('streets');
  streets.addEventListener('click', () => {
    L.tileLayer('https://tile.openstreetmap.org/{z}/{x}/{y}.png', { maxZoom: MOST, attribution: '© OpenStreetMap contributors' }).addTo(chart);
    streets.hidden = true;
    document.getElementById('map').focus();
  });

  const all = document.getElementById('all');
  all.hidden = !data.events.some((event) => event.far);
  all.addEventListener('click', () => fit(data.events));
})();
