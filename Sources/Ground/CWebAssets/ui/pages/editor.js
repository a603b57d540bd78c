// The edit of a gateway. Somebody else may edit it at the same time: what both have changed is shown with three values,
// and the person chooses.

import { h, replace } from '../dom.js';
import { call, path } from '../api.js';
import { position } from '../badge.js';
import { field, form } from '../form.js';
import { ask } from '../notice.js';
import { degrees, placeBoxes } from '../placebox.js';
import { timed } from '../usage.js';

const UNSAVED = 'What you changed is not saved.';

const TEXTS = [['name', 'Name', 80], ['site', 'Site', 80], ['manufacturer', 'Manufacturer', 80]];

function written(record) {
  const place = record.place || {};
  return {
    name: record.name || '', site: record.site || '', manufacturer: record.manufacturer || '', tags: (record.tags || []).join(' '),
    note: record.note || '', placeText: place.text || '', latitude: degrees(place.latitude), longitude: degrees(place.longitude),
  };
}

/** A value as the page shows it: tags beside each other, a place by its words and its position. */
function text(value) {
  const parts = value && typeof value === 'object' && !Array.isArray(value) ? [value.text, position(value)] : [value].flat();
  return parts.filter((one) => one !== null && one !== undefined && one !== '').join(Array.isArray(value) ? ' ' : ', ') || 'nothing';
}

/** What two people have changed, with the three values of each field; `take` puts theirs into the box of a field. */
export function conflictView(fields, take) {
  return h('section', { class: 'conflicts' }, h('h2', {}, 'Somebody else has changed the same'),
    Object.entries(fields || {}).map(([name, three]) => h('div', { class: 'conflict' }, h('h3', {}, name),
      h('dl', { class: 'facts' }, h('dt', {}, 'It was'), h('dd', {}, text(three.base)), h('dt', {}, 'They wrote'), h('dd', {}, text(three.theirs)),
        h('dt', {}, 'You wrote'), h('dd', {}, text(three.yours))),
      h('button', { type: 'button', on: { click: (event) => { take(name); event.target.closest('.conflict').remove(); } } }, 'Take theirs'))),
    h('p', { class: 'hint' }, 'Save changes keeps what is yours in the fields that are left.'));
}

/**
 * The edit of what a page shows, in its place. `make({ saved, cancelled })` gives its form; `keep` takes what was saved
 * and shows the page again, as `draw` does when nothing was.
 */
export function editing(element, { make, keep, draw }) {
  let edit = null;
  const isDirty = () => Boolean(edit?.isDirty());
  const end = () => { edit?.end?.(); edit = null; };
  return {
    end,
    isOn: () => edit !== null,
    /** Why one should not leave the page now. */
    asks: () => (isDirty() ? UNSAVED : null),
    begin() {
      edit = make({
        saved: (...what) => { end(); keep(...what); },
        cancelled: async () => {
          if (isDirty() && !await ask('Leave the edit?', UNSAVED, 'Leave')) return;
          end();
          draw();
        },
      });
      replace(element, edit.element);
      edit.focus();
    },
  };
}

export function editor(record, { saved, cancelled }) {
  let base = record;
  let before = written(base);
  const boxes = Object.fromEntries(TEXTS.map(([name, label, most]) => [name, field(label, { value: before[name], maxlength: most, 'data-focus': name === 'name' })]));
  boxes.tags = field('Tags', { value: before.tags, hint: 'Small letters, digits, hyphens and underscores; a blank between two.' });
  boxes.placeText = field('Place', { value: before.placeText, maxlength: 200 });
  const position = placeBoxes(base.place, 'Degrees from -90 to 90; leave both empty for none.');
  let below;
  [boxes.latitude, boxes.longitude, below] = position.fields;
  boxes.note = field('Note', { kind: 'textarea', value: before.note, maxlength: 2000, rows: 4 });
  const fields = Object.entries(boxes).map(([name, one]) => Object.assign(one, { name }));
  const conflicts = h('div', {});
  // What fills the boxes stands beside them.
  const help = [{ element: h('div', { class: 'buttons' }, position.buttons) }, below];
  const shown = fields.flatMap((one) => (one === boxes.longitude ? [one, ...help] : [one]));

  const now = () => Object.fromEntries(fields.map((one) => [one.name, String(one.value).trim()]));
  const isDirty = () => { const values = now(); return Object.keys(values).some((name) => values[name] !== String(before[name])); };

  function changes() {
    const values = now();
    const body = {};
    const differs = (name) => values[name] !== String(before[name]);
    for (const name of ['name', 'site', 'manufacturer', 'note']) if (differs(name)) body[name] = values[name] || null;
    if (differs('tags')) body.tags = values.tags.split(/[\s,]+/).filter(Boolean);
    if (differs('placeText') || differs('latitude') || differs('longitude')) body.place = place(values);
    return body;
  }

  function place(values) {
    const where = position.value();
    if (!where) return values.placeText ? { text: values.placeText } : null;
    return { ...where, text: values.placeText || undefined };
  }

  const { element } = form(shown, 'Save changes', async () => {
    const body = changes();
    if (Object.keys(body).length === 0) { saved(base, false); return; }
    try {
      const next = await timed('gateway', 'save', () => call('PATCH', path`/v1/gateways/${base.id}`, { ...body, revision: base.revision }));
      replace(conflicts);
      saved(next.gateway || next, Boolean(next.merged && (next.merged === true || next.merged.length > 0)));
    } catch (error) {
      if (error.code !== 'revisionConflict') throw error;
      showConflicts(error.members);
      throw error;
    }
  }, { buttons: [h('button', { type: 'button', on: { click: () => cancelled() } }, 'Cancel')] });

  function showConflicts({ conflicts: fields, gateway }) {
    const [theirs, values] = [written(gateway), now()];
    const take = (name) => {
      const box = boxes[name === 'place' ? 'placeText' : name];
      if (box) box.value = theirs[name === 'place' ? 'placeText' : name];
      if (name === 'place') position.show(gateway.place);
    };
    // What was not touched here is as they have it now: what they did there would be undone by what it was.
    for (const name of ['name', 'site', 'manufacturer', 'tags', 'note', 'place']) {
      const parts = name === 'place' ? ['placeText', 'latitude', 'longitude'] : [name];
      if (parts.every((part) => values[part] === before[part])) take(name);
    }
    replace(conflicts, conflictView(fields, take));
    // What they changed elsewhere is the base from now on; what is typed stays.
    base = gateway;
    before = theirs;
  }

  return { element: h('div', { class: 'narrow' }, h('h2', {}, 'Edit'), conflicts, element), isDirty, end: position.end, focus: () => boxes.name.box.focus() };
}
