// Screens and controls of somebody's own: NAME.js in the folder that the file names gets an element and a context. What it
// does wrong stays in its element.

import { h, replace } from '../dom.js';
import { problem } from '../notice.js';
import { app, word } from './app.js';
import { find, listen, live, perform } from './live.js';

let tries = 0;

/** What goes wrong in there is shown in its place. */
function broken(element, kind, error, again) {
  const name = kind.slice(4);
  replace(element, problem({
    message: `“${kind}” cannot be shown: ${error?.message || error}`,
    hint: app.webRoot ? `${name}.js in server.webRoot has to export mount(element, context).` : `Say in server.webRoot of the file where ${name}.js lies.`,
  }, again));
}

/** A screen or a control: {element, update(), leave()}. Of a control, `tracker` is its id and `property` what it shows. */
export function own(kind, { tracker = null, property = null, config = {} } = {}) {
  const element = h('div', { class: 'own' });
  const listeners = new Set();
  let stop = () => {};
  let leave = null;
  let isOver = false;
  let wasThere = false;

  // Copies: what is changed in there changes nothing here.
  const copy = (value) => (value === undefined ? null : structuredClone(value));
  const context = {
    kind, property, config: copy(config),
    get tracker() { return tracker === null ? null : copy(find(tracker)); },
    get trackers() { return copy(live.trackers); },
    get value() { return property === null ? null : copy(find(tracker)?.properties[property]); },
    perform: (action, value, id = tracker) => perform(id, action, value),
    set: (value) => perform(tracker, `set:${property}`, value),
    listen(listener) { listeners.add(listener); return () => listeners.delete(listener); },
    string: word,
  };

  function guarded(work, again) { try { return work(); } catch (error) { broken(element, kind, error, again); return null; } }

  function tell(event) {
    // It has been replaced by another one, and nobody said so.
    if (wasThere && !element.isConnected) { end(); return; }
    for (const listener of [...listeners]) guarded(() => listener(copy(event)), begin);
  }

  function end() {
    isOver = true;
    stop();
    listeners.clear();
    if (typeof leave === 'function') guarded(leave, null);
    leave = null;
  }

  async function begin() {
    end();
    isOver = false;
    replace(element);
    const name = kind.slice(4);
    try {
      if (!/^[\w-]+$/.test(name)) throw new Error('it has no name of a file');
      // What a browser could not load, it does not ask for again under the same address.
      const made = await import(`/ui/web/${name}.js${tries > 0 ? `?${tries}` : ''}`);
      if (isOver) return;
      if (typeof made.mount !== 'function') throw new Error('it exports no mount');
      wasThere = element.isConnected;
      stop = listen(tell);
      const left = await made.mount(element, context);
      if (isOver) { if (typeof left === 'function') left(); } else leave = left;
      wasThere ||= element.isConnected;
    } catch (error) {
      if (isOver) return;
      tries += 1;
      broken(element, kind, error, begin);
    }
  }

  begin();
  return { element, leave: end, update() {} };
}
