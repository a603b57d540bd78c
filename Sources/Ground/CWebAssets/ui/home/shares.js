// Contact cards, trackers of one's own that others see for a time, and theirs that are seen here; with what ending a
// share cannot take back, before there is one. For owners.

import { h, newID, replace } from '../dom.js';
import { call, path } from '../api.js';
import { decodeBy, readFile } from '../camera.js';
import { field, form } from '../form.js';
import { ask, empty, problem, say, skeleton } from '../notice.js';
import { dayOf, endOf, moment } from '../text.js';
import { live, loadAll } from './live.js';

const RIGHTS = { see: 'see', status: 'read its battery and state', ring: 'ring' };
const STATES = { live: 'until', ended: 'ended; was until', expired: 'over since' };
const DAY = 86_400_000;

/** What a share gives. */
export const rightsOf = (one) => one.rights.map((word) => RIGHTS[word] || word).join(', ');
/** Whether it holds, and until when. */
export const stateOf = (one) => `${STATES[one.state] || one.state} ${moment(one.until)}`;
/** Where its reports are, which are none of this home's then. */
const elsewhere = (one) => (one.otherBackend && one.state === 'live' ? ` · seen nearby only: its reports are at ${one.otherBackend}, which this home does not ask` : '');
/** For a file: what begins with a hyphen is an option where it is typed. */
const plain = (text) => text.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-/, '') || 'share';
const fileOf = (one) => h('a', { class: 'button', href: path`/api/v1/shares/${one.id}/envelope`, download: `${plain(`${one.name || 'tracker'}-${one.contact}`)}.lunashare` },
  one.state === 'ended' ? 'Save the file that ends it' : 'Save the file', h('span', { class: 'unseen' }, `: ${one.name} for ${one.contact}`));
/** Where it is short enough, the same as a code, which the other one takes as a picture. */
const codeOf = (one) => one.picture && h('a', { class: 'button', href: path`/api/v1/shares/${one.id}/picture`, target: '_blank', rel: 'noopener' }, 'Show its code', h('span', { class: 'unseen' }, `: ${one.name} for ${one.contact}`));
/** The day that many days from now, as a box for dates has it. */
const day = (days) => dayOf(Date.now() + days * DAY);

/** A box to tick: {element, box}. */
function tick(text, change = () => {}) {
  const box = h('input', { type: 'checkbox', on: { change } });
  return { element: h('p', {}, h('label', {}, box, text)), box };
}

function ownCard(card, draw) {
  const name = field('Your name', { value: card?.name || '', maxlength: 64, required: true, autocomplete: 'off', hint: 'It stands on the card, for whoever gets it.' });
  const { element } = form([name], card ? 'Change the name' : 'Make a card', async () => {
    await call('PUT', '/api/v1/card', { name: name.value.trim() });
    say('The card is made.');
    draw();
  });
  if (!card) return [h('p', {}, 'To share trackers, both sides need the card of the other: a public key and a name.'), element];
  const place = h('div', {});
  const renew = async () => {
    try {
      if (!await ask('Make another key?', 'Everybody has to get the new card and to compare its code, and nothing that was sealed for the old one can be opened.', 'Make another key')) return;
      await call('PUT', '/api/v1/card', { new: true });
      draw();
    } catch (error) { replace(place, problem(error)); }
  };
  return [h('p', {}, 'Give this to people with whom you share trackers. Nothing in it is secret.'),
    h('img', { class: 'label', src: `/api/v1/card/picture?${encodeURIComponent(card.text)}`, alt: `QR code of the card of ${card.name}` }),
    h('p', { class: 'code' }, card.text), h('p', {}, 'Read this to them, not by mail, so that they know that the card is yours:'), h('p', { class: 'code' }, card.code),
    h('details', {}, h('summary', {}, 'Another name or key'), element, h('button', { type: 'button', class: 'danger', on: { click: renew } }, 'Make another key'), place)];
}

function people(cards, guarded) {
  const name = field('What you call them', { maxlength: 64, autocomplete: 'off', hint: 'Empty for the name on the card.' });
  const text = field('Their card', { kind: 'textarea', rows: 3, maxlength: 2000, autocomplete: 'off', spellcheck: 'false', autocapitalize: 'none', hint: 'The line that begins with LUNACARD:1:.' });
  const picture = field('Or a picture of it', { type: 'file', accept: 'image/*' });
  const email = field('Where shares are mailed to', { type: 'email', maxlength: 254, autocomplete: 'off', hint: 'Empty where you send them yourself.' });
  const { element } = form([text, picture, name, email], 'Add them', guarded.plain(async () => {
    const add = (card) => call('POST', '/api/v1/cards', { ...card, name: name.value.trim() || undefined, email: email.value.trim() || undefined });
    // What the browser cannot read, the home reads, and has added it then.
    decodeBy((data) => add({ picture: data }));
    const found = picture.box.files.length > 0 ? await readFile(picture.box.files[0]) : text.value.trim();
    if (typeof found === 'string') await add({ text: found });
    say('They are added. Compare the code with them.');
  }));
  const compare = (one) => guarded(async () => {
    if (!await ask(`Does ${one.name} read this code?`, `${one.code}. Let them read it from their own card, not by mail.`, 'It is the same')) return false;
    return call('PUT', path`/api/v1/cards/${one.code}`, { compared: true });
  });
  const remove = (one) => guarded(async () => {
    if (!await ask(`Remove ${one.name}?`, 'Nothing more is taken from them. What you share with them stays so until its end.', 'Remove')) return false;
    return call('DELETE', path`/api/v1/cards/${one.code}`);
  });
  return [cards.length === 0 ? empty('Nobody’s card is here yet.') : h('ul', { class: 'rows' }, cards.map((one) => h('li', { class: 'row' },
    h('div', { class: 'who' }, h('strong', {}, one.name), h('span', { class: 'hint' }, `${one.code} · ${one.compared ? 'compared' : 'not compared yet'}`)),
    !one.compared && h('button', { type: 'button', 'aria-label': `Compare the code: ${one.name}`, on: { click: compare(one) } }, 'Compare the code'),
    h('button', { type: 'button', class: 'danger', 'aria-label': `Remove: ${one.name}`, on: { click: remove(one) } }, 'Remove')))),
  h('h3', {}, 'Add somebody'), element];
}

/** The form of a new share. Its button works once what ending cannot do was read. */
function newShare(cards, ending, wanted, done) {
  const mine = live.trackers.filter((one) => one.device && !one.sharedUntil);
  if (cards.length === 0 || mine.length === 0) return empty(mine.length === 0 ? 'No tracker is yours to share.' : 'Add the card of somebody first.');
  const tracker = field('Tracker', { kind: 'select', options: mine.map((one) => [one.id, one.name]), value: wanted });
  const card = field('With', { kind: 'select', options: cards.map((one) => [one.code, one.name]) });
  const until = field('Until the end of', { type: 'date', required: true, min: day(0), max: day(398), value: day(30) });
  const past = field('And the days before now', { type: 'number', min: 0, max: 399, value: 0, hint: 'They then also read where it was on so many days.' });
  const renew = tick('Make it anew every 20 days and mail it to them, until that is turned off');
  const [status, ring] = [tick('They also read its battery and state, and could forge them'), tick('They also make it sound; while they do, your own commands may have to wait')];
  const warning = newID('ending');
  const read = tick('I have read what ending cannot do', look);
  const anyway = tick('Nobody has compared the code of this card: share all the same', look);
  const rights = { element: h('fieldset', {}, h('legend', {}, 'They see where it is. They could also imitate it, and report wrong places'), status.element, ring.element) };
  const limits = { element: h('div', { id: warning, class: 'problem' }, h('div', {}, ending.map((text) => h('p', {}, text)))) };
  const { element, send } = form([tracker, card, until, past, renew, rights, limits, read, anyway], 'Share it', async () => {
    if (!until.value) throw new Error('Say until when.');
    done(await call('POST', '/api/v1/shares', {
      tracker: tracker.value, card: card.value, until: endOf(until.value), uncompared: anyway.box.checked, past: Number(past.value) || 0, renew: !renew.element.hidden && renew.box.checked,
      rights: ['see', status.box.checked && 'status', ring.box.checked && 'ring'].filter(Boolean),
    }));
  });
  function look() {
    const chosen = cards.find((one) => one.code === card.value);
    const isCompared = chosen?.compared;
    renew.element.hidden = !chosen?.mail;
    anyway.element.hidden = isCompared;
    send.disabled = !read.box.checked || !(isCompared || anyway.box.checked);
  }
  card.box.addEventListener('change', () => { anyway.box.checked = false; look(); });
  send.setAttribute('aria-describedby', warning);
  look();
  return element;
}

function given(shares, guarded, show) {
  const change = (one, method, title, text, yes, body) => guarded(async () => {
    if (!await ask(title, text, yes)) return false;
    const { etag } = await call('GET', path`/api/v1/shares/${one.id}`, undefined, { whole: true });
    show(await call(method, path`/api/v1/shares/${one.id}`, body, { headers: { 'If-Match': etag } }));
    return true;
  });
  const renew = (one) => change(one, 'PUT', `Share ${one.name} for another 30 days?`, `${one.contact} gets a new file, which takes the place of the one before. Not to renew it is the way in which a share really ends.`, 'Renew it', {});
  const mail = (one) => guarded(async () => {
    const { etag } = await call('GET', path`/api/v1/shares/${one.id}`, undefined, { whole: true });
    await call('PUT', path`/api/v1/shares/${one.id}`, { renew: !one.renew }, { headers: { 'If-Match': etag } });
  });
  const end = (one) => change(one, 'DELETE', `End sharing ${one.name} with ${one.contact}?`, shares.ending[0], 'End it');
  return shares.given.length === 0 ? empty('You share no tracker.') : h('ul', { class: 'rows' }, shares.given.map((one) => h('li', { class: 'row' },
    h('div', { class: 'who' }, h('strong', {}, `${one.name || 'A tracker that is gone'} with ${one.contact}`), h('span', { class: 'hint' }, `${rightsOf(one)} · ${stateOf(one)}${one.renew ? ' · made anew and mailed every 20 days' : ''}`)),
    one.state !== 'expired' && [fileOf(one), codeOf(one)],
    one.state !== 'ended' && one.name && h('button', { type: 'button', 'aria-label': `Renew: ${one.name} for ${one.contact}`, on: { click: renew(one) } }, 'Renew'),
    one.state !== 'ended' && one.name && h('button', { type: 'button', 'aria-label': `${one.renew ? 'Mail no more' : 'Mail anew'}: ${one.name} for ${one.contact}`, on: { click: mail(one) } }, one.renew ? 'Mail no more' : 'Mail anew'),
    one.state === 'live' && h('button', { type: 'button', class: 'danger', 'aria-label': `End: ${one.name} for ${one.contact}`, on: { click: end(one) } }, 'End'))));
}

function received(shares, guarded) {
  const file = field('File', { type: 'file', accept: '.lunashare,application/octet-stream,image/png,image/jpeg', hint: 'What somebody has sent you, or a picture of its code: it gives you a tracker for a time, makes that longer, or ends it.' });
  const { element } = form([file], 'Take it', guarded.plain(async () => {
    const [one] = file.box.files;
    if (!one) throw new Error('Choose the file.');
    if (one.size > 4 << 20) throw new Error('It is too large: a share, or a picture of its code, has 4 MiB at most.');
    const taken = await call('POST', '/api/v1/shares/import', new Uint8Array(await one.arrayBuffer()), { type: 'application/octet-stream' });
    await loadAll();
    say(taken.state === 'ended' ? 'This share has ended.' : `${taken.name} is among the trackers now.`);
  }));
  return [shares.received.length === 0 ? empty('Nobody shares a tracker with you.') : h('ul', { class: 'rows' }, shares.received.map((one) => h('li', { class: 'row' },
    h('div', { class: 'who' }, h('strong', {}, one.name || 'A tracker'), h('span', { class: 'hint' }, `${one.contact ? `from ${one.contact}` : 'from somebody who is no contact'} · ${rightsOf(one)} · ${stateOf(one)}${elsewhere(one)}`))))), h('h3', {}, 'Take a share'), element];
}

export function shares(_, address) {
  const place = h('div', {}, skeleton(4));
  const told = h('div', { role: 'status' });

  /** Does something, and shows what is there then; `false` where nothing was done. */
  const guarded = (work) => async () => {
    try {
      replace(told);
      if (await work() !== false) draw();
    } catch (error) { replace(told, problem(error)); }
  };
  /** The same for a form, which says itself what went wrong. */
  guarded.plain = (work) => async () => { replace(told); await work(); draw(); };

  /** What is to be sent. */
  function show(share) {
    replace(told, h('p', {}, `This file is for ${share.contact} alone. Send it by any way.`), fileOf(share), codeOf(share));
    told.querySelector('a').focus();
  }

  async function draw() {
    try {
      const [card, { cards }, all] = await Promise.all([
        call('GET', '/api/v1/card').catch((error) => { if (error.status === 404) return null; throw error; }), call('GET', '/api/v1/cards'), call('GET', '/api/v1/shares')]);
      replace(place, h('h2', {}, 'Your trackers that others see'), given(all, guarded, show),
        card && [h('h3', {}, 'Share a tracker'), newShare(cards, all.ending, address.searchParams.get('tracker'), async (share) => { await draw(); show(share); })],
        h('h2', {}, 'Trackers of others'), card ? received(all, guarded) : empty('Make a card first: others share with its owner.'),
        h('h2', {}, 'Your card'), ownCard(card, draw), card && [h('h2', {}, 'Cards of others'), people(cards, guarded)]);
    } catch (error) { replace(place, problem(error, draw)); }
  }
  draw();
  return { element: h('div', { class: 'narrow' }, told, place) };
}
