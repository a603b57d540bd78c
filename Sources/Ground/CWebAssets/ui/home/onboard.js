// Makes a tracker one's own: by its code, typed, from a picture or the camera; and says how far it is, and what helps.

import { h, replace } from '../dom.js';
import { call, path } from '../api.js';
import { cameraProblem, decodeBy, openCamera, readFile } from '../camera.js';
import { field, form } from '../form.js';
import { problem, say } from '../notice.js';
import { listen } from './live.js';

/** What each step is, in words. */
const STEPS = {
  begun: 'Beginning', listening: 'Listening for the tracker', locked: 'The tracker wants its button pressed', connecting: 'Connecting', agreeing: 'Agreeing on keys',
  finishing: 'Finishing', resolving: 'Asking the tracker whether it has taken the keys', asking: 'Asking the tracker who it is', done: 'Done', failed: 'It did not work', interrupted: 'Interrupted',
};
const ENDS = ['done', 'failed', 'interrupted', 'expired'];
const CLOSER = 'Hold the tracker close to the box, away from metal, and try again.';

/** What to do about each reason. */
const HELP = {
  notFound: 'Hold the tracker close to the box. Press its button, or take its battery out and put it in again: it answers for two minutes.',
  notConnectable: 'Press its button, or take its battery out and put it in again, and try again.', ambiguous: 'Take other new trackers away from the box, and try again.',
  wrongCode: 'Compare the code with the one on the tracker or its box. Each sign counts.', codeNeeded: 'Press the button of the tracker, and try again.',
  keyed: 'Its owner has to give it up first: a reset, as its manual says, does that too.', locked: 'Press the button of the tracker, and try again.',
  unreachable: CLOSER, unresolved: 'It may have taken the keys. Hold it close to the box, and try again with the same code.', notOffered: 'This is another device. Compare the code.',
  refused: 'Press the button of the tracker, and try again.', adapter: 'Look in Settings for what is wrong with the radio.', store: 'Look in Settings for what is wrong with the disk.', stopped: 'Begin anew when the home runs again.',
};

export function onboard() {
  const seeing = h('div', {});
  const report = h('div', { role: 'status' });
  let camera = null;
  let command = null;
  let isGone = false;
  let timer = null;

  function close() {
    camera?.stop();
    camera = null;
    replace(seeing);
  }

  function help(error) { return { message: error.message, hint: HELP[error.code] || error.hint }; }

  function show(row) {
    if (isGone) return;
    const steps = row.steps || [];
    const isOver = ENDS.includes(row.state);
    const said = h('ol', { class: 'changes' }, (steps.length > 0 ? steps : [row]).map((one) => h('li', {}, STEPS[one.state] || one.state)));
    if (!isOver) { replace(report, said); return; }
    clearInterval(timer);
    command = null;
    if (row.state === 'done') {
      replace(report, said, h('p', {}, 'The tracker is yours.'), h('a', { class: 'button', href: row.tracker ? path`/ui/trackers/${row.tracker}` : '/ui/' }, 'To the tracker'));
      report.querySelector('a').focus();
    } else {
      replace(report, said, problem({ message: row.detail || 'It did not work.', hint: HELP[steps.at(-1)?.code || row.code] || CLOSER }));
    }
  }

  async function look() {
    if (!command) return;
    try { show(await call('GET', path`/api/v1/commands/${command}`)); } catch (error) { if (!error.isOffline) replace(report, problem(error, look)); }
  }

  async function begin(code) {
    close();
    // A picture that the home has read has begun it already.
    const { commandId } = typeof code === 'string' ? await call('POST', '/api/v1/onboard', { code }) : code;
    command = commandId;
    show({ state: 'begun' });
    clearInterval(timer);
    timer = setInterval(look, 1000);
    look();
  }

  function see() {
    close();
    const place = h('div', {});
    camera = openCamera({
      found: async (text) => { try { await begin(text); } catch (error) { replace(place, problem(help(error))); } },
      again: () => say('That code was read already.'),
      failed: (error) => { close(); replace(seeing, problem(error, see)); },
    });
    replace(seeing, camera.element, place, h('div', { class: 'buttons' }, h('button', { type: 'button', on: { click: close } }, 'Close the camera')));
  }

  decodeBy(async (picture) => {
    try { return await call('POST', '/api/v1/onboard', { picture }); } catch (error) {
      if (error.code === 'code') return null;
      throw error;
    }
  });
  const why = cameraProblem();
  const file = h('input', {
    type: 'file', accept: 'image/*', 'aria-label': 'Picture of the code', class: 'unseen', tabindex: '-1', on: {
      change: async () => {
        const place = h('div', {});
        close();
        replace(seeing, place);
        try { await begin(await readFile(file.files[0])); } catch (error) { replace(place, problem(help(error))); }
        file.value = '';
      },
    },
  });
  const code = field('Code', { kind: 'textarea', rows: 2, autocomplete: 'off', spellcheck: 'false', autocapitalize: 'characters', required: true, 'data-focus': true, maxlength: 2000, hint: 'The line that begins with LUNA1:, as it stands on the tracker or in its box.' });
  const { element } = form([code], 'Make it mine', async () => {
    if (code.value.trim() === '') throw new Error('Type the code, or show it to the camera.');
    try { await begin(code.value.trim()); } catch (error) { throw Object.assign(error, { hint: HELP[error.code] || error.hint }); }
  });
  const stop = listen((event) => { if (event.type === 'command' && event.command?.id === command) look(); });
  return {
    element: h('div', { class: 'narrow' }, h('div', { class: 'buttons' }, file, h('button', { type: 'button', on: { click: () => file.click() } }, 'Picture file'),
      !why && h('button', { type: 'button', on: { click: see } }, 'Camera')), why && h('p', { class: 'hint' }, why), seeing, element, report),
    leave: () => { isGone = true; stop(); close(); clearInterval(timer); },
  };
}
