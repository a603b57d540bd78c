// Forms: a labelled box for each value, one button that says when it is busy.

import { h, newID, replace } from './dom.js';
import { tell } from './notice.js';

/** A labelled box. `input` has the attributes of the element; `kind` is input, textarea or select. */
export function field(label, { kind = 'input', hint = null, options = null, ...attributes }) {
  const id = newID('field');
  const described = hint ? `${id}-hint` : null;
  const box = h(kind, { id, 'aria-describedby': described, ...attributes },
    options && options.map(([value, text]) => h('option', { value, selected: value === attributes.value }, text)));
  const element = h('div', { class: 'field' }, h('label', { for: id }, label), box,
    hint && h('p', { class: 'hint', id: described }, hint));
  return { element, box, get value() { return box.value; }, set value(text) { box.value = text; } };
}

/** Says beside a box what is wrong with what is in it. */
export function blame({ element, box }, text) {
  const id = newID('wrong');
  box.setAttribute('aria-invalid', 'true');
  box.setAttribute('aria-describedby', `${box.getAttribute('aria-describedby') || ''} ${id}`.trim());
  element.append(h('p', { class: 'wrong', id }, text));
  const folded = box.closest('details');
  if (folded) folded.open = true;
}

/** Takes back what was said beside the boxes of a form. */
export function forgive(form) {
  for (const text of form.querySelectorAll('.wrong')) text.remove();
  for (const box of form.querySelectorAll('[aria-invalid]')) {
    box.removeAttribute('aria-invalid');
    const rest = box.getAttribute('aria-describedby').split(' ').filter((id) => !id.startsWith('wrong-')).join(' ');
    if (rest) box.setAttribute('aria-describedby', rest); else box.removeAttribute('aria-describedby');
  }
}

/** A form that calls `submit` once at a time, and says what went wrong with it. */
export function form(fields, button, submit, { buttons = [], account = null, ...attributes } = {}) {
  const place = h('div', {});
  const send = h('button', { type: 'submit', class: 'primary' }, button);
  const element = h('form', {
    ...attributes, novalidate: true, on: {
      submit: async (event) => {
        event.preventDefault();
        if (send.disabled) return;
        send.disabled = true;
        send.setAttribute('aria-busy', 'true');
        replace(place);
        try {
          await submit();
        } catch (error) {
          tell(place, error);
          const wrong = fields.find((one) => one.name && one.name === error.members?.field);
          if (wrong) wrong.box.focus();
        } finally {
          send.disabled = false;
          send.removeAttribute('aria-busy');
        }
      },
    },
  },
  // For the keepers of passwords, who want to know whose it is.
  account && h('input', { type: 'text', autocomplete: 'username', value: account, hidden: true, readonly: true }),
  fields.map((one) => one.element), place, h('div', { class: 'buttons' }, buttons, send));
  return { element, place, send };
}
