// Places, settings, and what this is.

import { h, replace } from '../dom.js';
import { call, path, useSession } from '../api.js';
import { blame, field, forgive, form } from '../form.js';
import { ask, empty, problem, say } from '../notice.js';
import { ago } from '../text.js';
import { app, may, session } from './app.js';
import { listen, live } from './live.js';
import { chartOn } from './map.js';
import { accounts } from './accounts.js';
import { arrival, issuerCard } from './issuer.js';
import { passkeyCard } from './passkeys.js';

/** A button for what stands in the file, and can be changed only there: makes another one, of one's own. */
export function copyButton(list, one, guarded, done) {
  const name = one.name || one.id;
  return h('button', {
    type: 'button', 'aria-label': `Make my own copy: ${name}`, on: {
      click: guarded(async () => {
        await call('POST', `/api/v1/${list}`, { ...one, id: `${one.id}-copy`, managedBy: undefined, status: undefined, name: `${name} (copy)` });
        done();
      }),
    },
  }, 'Make my own copy');
}

/** The boxes of a place that most people leave as they are, by their keys: an empty one is left to the home. */
function finePoints(place) {
  const text = (label, key, hint, how = {}) => [key, field(label, { maxlength: 20, autocomplete: 'off', spellcheck: 'false', ...how, value: place?.[key] ?? '', hint })];
  return [
    text('Outside from, m', 'leaveRadius', 'Who is farther away has left; else a quarter more than the radius, or 50 m.', { type: 'number', step: 'any' }),
    text('Time to enter', 'enterAfter', 'As 30s or 5m; else at once. A second position that says the same is believed earlier.'),
    text('Time to leave', 'leaveAfter', 'As 30s or 5m; else 2m.'),
    text('Stays from', 'dwell', 'As 10m: for rules that wait until somebody stays.'),
    text('Colour', 'color', 'As #2a7f62, on the map; else that of the app.'),
  ];
}

/** The form of a place, with a map to click on: {element, leave}. `done` is called when it is kept. */
export function placeForm({ place, tag = null, id = undefined, name: called = '', button = 'Save', buttons = [], done }) {
  let chart = null;
  let leave = null;
  let isGone = false;
  let show = () => {};
  const box = () => live.box?.properties.location?.value;
  const from = box() || live.trackers.map((one) => one.properties.location?.value).find(Boolean);
  const number = { type: 'number', step: 'any', required: true };
  const name = field('Name', { value: place?.name || called, required: true, maxlength: 80 });
  const latitude = field('Latitude', { ...number, min: -90, max: 90, value: place?.latitude ?? from?.latitude ?? '' });
  const longitude = field('Longitude', { ...number, min: -180, max: 180, value: place?.longitude ?? from?.longitude ?? '' });
  const radius = field('Radius, m', { type: 'number', min: 30, max: 1_000_000, value: place?.radius || 100, required: true, hint: 'At least 30 m. A click on the map moves the middle.' });
  const canvas = h('div', { class: 'map small', role: 'region', 'aria-label': 'Map of the place' });
  const told = h('p', { class: 'hint', role: 'status' });
  const moveTo = (north, east, fits) => { latitude.value = north.toFixed(6); longitude.value = east.toFixed(6); show(fits); };
  const here = h('button', {
    type: 'button', on: {
      click: () => navigator.geolocation.getCurrentPosition(({ coords }) => moveTo(coords.latitude, coords.longitude, true),
        (error) => { told.textContent = error.code === 1 ? 'This browser may not tell where it is. Type the position, or allow it for this page.' : 'The position is not known now. Type it.'; }, { enableHighAccuracy: true, timeout: 15_000 }),
    },
  }, 'Where I am');
  const ofBox = h('button', { type: 'button', hidden: !box(), on: { click: () => moveTo(box().latitude, box().longitude, true) } }, 'Where the box is');
  const stop = listen(() => { ofBox.hidden = !box(); });
  const sources = { element: h('div', { class: 'tools' }, ofBox, isSecureContext && navigator.geolocation && here, told) };
  const fine = finePoints(place);
  const folded = { element: h('details', {}, h('summary', {}, 'How one enters, leaves and stays, and its colour'), fine.map(([, one]) => one.element)) };
  const { element } = form([name, latitude, longitude, sources, radius, folded], button, async () => {
    if (latitude.value === '' || longitude.value === '') throw new Error('Say where it is: type it, or click on the map.');
    const body = { id, ...place, managedBy: undefined, name: name.value, latitude: Number(latitude.value), longitude: Number(longitude.value), radius: Number(radius.value) };
    for (const [key, one] of fine) body[key] = one.value.trim() === '' ? undefined : key === 'leaveRadius' ? Number(one.value) : one.value.trim();
    forgive(element);
    try {
      if (place) await call('PUT', path`/api/v1/places/${place.id}`, body, { headers: { 'If-Match': tag } });
      else await call('POST', '/api/v1/places', body);
    } catch (error) {
      for (const { path: at, reason, hint } of error.members?.problems || []) {
        const [, wrong] = fine.find(([key]) => at.endsWith(`/${key}`)) || [];
        if (wrong) blame(wrong, hint ? `${reason}; ${hint}` : reason);
      }
      throw error;
    }
    say('The place is kept.');
    done();
  }, { buttons });
  async function begin() {
    try {
      const made = await chartOn(canvas);
      if (isGone) { made.leave(); return; }
      ({ chart, leave } = made);
      let circle = null;
      show = (fits) => {
        circle?.remove();
        if (latitude.value === '' || longitude.value === '') { chart.setView([20, 0], 2); return; }
        const middle = [Number(latitude.value), Number(longitude.value)];
        circle = made.L.circle(middle, { radius: Number(radius.value), className: 'place' });
        if (fits) chart.setView(middle, 15, { animate: false });
        circle.addTo(chart);
      };
      show(true);
      chart.on('click', ({ latlng }) => moveTo(latlng.lat, latlng.lng, false));
      // What was typed last is told when its box is gone.
      for (const one of [latitude, longitude, radius]) one.box.addEventListener('change', () => { if (!isGone) show(false); });
    } catch (error) { replace(canvas, problem(error)); }
  }
  requestAnimationFrame(() => { if (!isGone) begin(); });
  return { element: h('div', {}, element, canvas), focus: () => name.box.focus(), leave: () => { isGone = true; stop(); leave?.(); } };
}

export function places(_, address) {
  const list = h('div', {});
  const desk = h('div', {});
  let leave = null;
  // The map leads to one of them.
  let wanted = address.searchParams.get('place');

  function close() {
    leave?.();
    leave = null;
    replace(desk);
  }

  function edit(place, tag) {
    close();
    const made = placeForm({ place, tag, done: draw, buttons: [h('button', { type: 'button', on: { click: close } }, 'Cancel')] });
    leave = made.leave;
    replace(desk, h('h2', {}, place ? 'Edit the place' : 'New place'), made.element);
    made.focus();
  }

  async function draw() {
    close();
    try {
      const { places: all } = await call('GET', '/api/v1/places');
      const got = (place) => call('GET', path`/api/v1/places/${place.id}`, undefined, { whole: true });
      const guarded = (work) => async () => { try { await work(); } catch (error) { replace(desk, problem(error)); } };
      const open = (place) => guarded(async () => { const { members, etag } = await got(place); edit(members, etag); });
      replace(list, h('div', { class: 'tools' }, h('button', { type: 'button', class: 'primary', on: { click: () => edit(null) } }, 'New place')),
        all.length === 0 ? empty('There is no place yet. The first one is usually “home”.') : h('ul', { class: 'rows' }, all.map((place) => h('li', { class: 'row' },
          h('div', { class: 'who' }, h('strong', {}, place.name || place.id), h('span', { class: 'hint' }, `${place.latitude.toFixed(5)}, ${place.longitude.toFixed(5)}, ${place.radius} m${place.managedBy === 'web' ? '' : ` · stands in home.json:${place.managedBy.slice(5)}`}`)),
          place.managedBy === 'web' ? [
            h('button', { type: 'button', 'aria-label': `Edit: ${place.name || place.id}`, on: { click: open(place) } }, 'Edit'),
            h('button', {
              type: 'button', class: 'danger', 'aria-label': `Remove: ${place.name || place.id}`, on: {
                click: guarded(async () => {
                  if (!await ask('Remove this place?', place.name || place.id, 'Remove')) return;
                  const { etag } = await got(place);
                  await call('DELETE', path`/api/v1/places/${place.id}`, undefined, { headers: { 'If-Match': etag } });
                  draw();
                }),
              },
            }, 'Remove')] : copyButton('places', place, guarded, draw)))));
      const first = all.find((one) => one.id === wanted && one.managedBy === 'web');
      wanted = null;
      if (first) await open(first)();
    } catch (error) { replace(list, problem(error, draw)); }
  }
  draw();
  return { element: h('div', {}, list, desk), leave: close };
}

// Settings

function password() {
  const old = field('Password', { type: 'password', autocomplete: 'current-password', required: true, maxlength: 256 });
  const next = field('New password', { type: 'password', autocomplete: 'new-password', required: true, maxlength: 256, hint: 'At least 12 characters. You are signed out everywhere else.' });
  return form([old, next], 'Change the password', async () => {
    const { csrf } = await call('PUT', '/api/v1/me/password', { old: old.value, new: next.value });
    useSession(csrf, () => location.assign('/ui/sign-in?ended=1'));
    old.value = next.value = '';
    say('The password is another one now.');
  }, { account: session.account }).element;
}

function email() {
  const place = h('div', {});
  function draw() {
    const address = field('Address', { type: 'email', autocomplete: 'email', required: true, maxlength: 254, hint: 'A link that is mailed there has to be used first.' });
    const proof = field('Your password now', { type: 'password', autocomplete: 'current-password', required: true, maxlength: 256 });
    const { element } = form([address, proof], 'Mail a link', async () => {
      await call('PUT', '/api/v1/me/email', { email: address.value.trim(), password: proof.value });
      replace(place, h('p', { role: 'status' }, 'A link is on its way. Open it within an hour.'));
    }, { account: session.account });
    const forget = async () => { try { await call('DELETE', '/api/v1/me/email'); session.email = null; draw(); } catch (error) { replace(place, problem(error, draw)); } };
    replace(place, session.email ? [h('p', {}, `If you forget the password, a link is mailed to ${session.email}.`), h('button', { type: 'button', on: { click: forget } }, 'Forget this address')]
      : [h('p', {}, 'If you forget the password, a link can be mailed to you.'), element]);
  }
  draw();
  return place;
}

function secondFactor() {
  const place = h('div', {});
  function draw() {
    if (session.totp) {
      const proof = field('Password', { type: 'password', autocomplete: 'current-password', required: true });
      replace(place, h('p', {}, 'Signing in asks for a code as well.'), form([proof], 'Turn it off', async () => {
        await call('DELETE', '/api/v1/me/totp', { password: proof.value });
        session.totp = false;
        draw();
      }, { account: session.account }).element);
      return;
    }
    replace(place, h('button', {
      type: 'button', on: {
        click: async () => {
          try {
            const { secret, uri } = await call('POST', '/api/v1/me/totp');
            const code = field('Code', { inputmode: 'numeric', autocomplete: 'one-time-code', required: true, hint: 'The six digits that your authenticator shows now.' });
            replace(place, h('p', {}, 'Type this into an authenticator, or ', h('a', { href: uri }, 'open it there'), ':'), h('p', { class: 'code' }, secret), form([code], 'Turn it on', async () => {
              const { recoveryCodes } = await call('PUT', '/api/v1/me/totp', { code: code.value.trim() });
              session.totp = true;
              replace(place, h('p', {}, 'Keep these. Each opens your account once when you have lost the authenticator:'), h('pre', { class: 'code' }, recoveryCodes.join('\n')));
            }).element);
          } catch (error) { replace(place, problem(error)); }
        },
      },
    }, 'Ask for a code when signing in'));
  }
  draw();
  return place;
}

function file() {
  const place = h('div', {});
  async function draw() {
    try {
      const { problems } = await call('GET', '/api/v1/problems');
      replace(place, problems.length === 0 ? h('p', {}, 'Nothing is wrong in the file.') : h('ul', { class: 'changes' }, problems.map((one) => h('li', {}, h('span', {}, `home.json:${one.line}:${one.column}: ${one.reason}`), h('p', { class: 'hint' }, one.hint || one.code)))),
        may('owner') && h('button', { type: 'button', on: { click: async () => { try { await call('POST', '/api/v1/reload'); say('The file was read again.'); draw(); } catch (error) { place.append(problem(error)); } } } }, 'Read the file again'));
    } catch (error) { replace(place, problem(error, draw)); }
  }
  draw();
  return place;
}

const DISK = ['storage', 'diskLow', 'diskFull', 'thinned'];

function links() {
  const disk = live.notices.filter((one) => DISK.includes(one.kind));
  return h('dl', { class: 'facts' }, may('member') && [h('dt', {}, 'Disk'), h('dd', {}, disk.map((one) => one.text).join('; ') || 'has room')], [['Radio', live.radio], ['Backend', live.backend], ['Broker', live.broker]].filter(([, one]) => one).map(([name, one]) =>
    [h('dt', {}, name), h('dd', {}, `${{ works: 'works', lost: 'does not work', starting: 'is being tried' }[one.state] || one.state}${one.text ? `: ${one.text}` : ''}${one.simulated ? ' (simulated)' : ''}`)]),
  live.uplink && [h('dt', {}, 'Network'), h('dd', {}, `${live.uplink.text} (checked ${ago(live.uplink.since)})`)]);
}

export function settings(_, address) {
  const state = h('div', {}, links());
  const stop = listen((event) => { if (['link', 'notice', 'all'].includes(event.type)) replace(state, links()); });
  return {
    element: h('div', { class: 'narrow' }, arrival(address), h('p', {}, `You are ${session.account}, ${session.role}.`), h('h2', {}, 'State'), state,
      may('member') && [h('h2', {}, 'The file'), file()], may('owner') && [h('h2', {}, 'Accounts'), accounts()],
      h('h2', {}, 'Password'), password(), session.mail && [h('h2', {}, 'Links by mail'), email()], h('h2', {}, 'Second factor'), secondFactor(), h('h2', {}, 'Passkeys'), passkeyCard(),
      session.issuer && [h('h2', {}, 'Signing in elsewhere'), issuerCard()],
      may('owner') && h('p', {}, h('a', { class: 'button', href: '/ui/welcome' }, 'Go on with the set-up'))),
    leave: stop,
  };
}

export function about() {
  return {
    element: h('div', { class: 'narrow' }, h('p', {}, `${app.name} runs on Luna, a toolkit for Bluetooth LE trackers. Keys and positions stay on this machine; nothing is asked of a server that its file does not name.`),
      h('h2', {}, 'Licences'), h('ul', {}, h('li', {}, 'Luna itself: see the file LICENSE of its package.'),
        h('li', {}, 'Leaflet, © 2010–2019 Vladimir Agafonkin, © 2010–2011 CloudMade: BSD-2-Clause.'),
        h('li', {}, 'Leaflet.markercluster, © 2012–2017 David Leaver: MIT.'), h('li', {}, 'Chart.js, © 2014–2022 Chart.js contributors: MIT.'))),
  };
}
