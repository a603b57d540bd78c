// Where somebody is signed in, and the end of that.

import { h, replace } from './dom.js';
import { call, path } from './api.js';
import { problem } from './notice.js';
import { ago, moment } from './text.js';

/** The sessions of an account, or one's own: an element, and what asks for them. */
export function sessionList(account = null) {
  const element = h('div', {});

  async function load() {
    try {
      const { sessions } = await call('GET', account === null ? '/v1/sessions' : `/v1/sessions?${new URLSearchParams({ account })}`);
      replace(element, sessions.length > 0 ? h('ul', { class: 'rows' }, sessions.map(row)) : h('p', { class: 'hint' }, 'Nowhere.'));
    } catch (error) {
      replace(element, problem(error, load));
    }
  }

  function row(one) {
    return h('li', { class: 'row' },
      h('span', { class: 'who' }, h('strong', {}, one.current ? 'This browser' : one.agent || one.address || 'A browser'),
        h('span', { class: 'hint' }, `since ${moment(one.createdAt)}, used ${ago(one.seenAt)}${one.address ? `, from ${one.address}` : ''}`)),
      !one.current && h('button', { type: 'button', on: { click: () => end(one) } }, 'End'));
  }

  async function end(one) {
    try { await call('DELETE', path`/v1/sessions/${one.id}`); } catch (error) { element.prepend(problem(error)); return; }
    load();
  }

  return { element, load };
}
