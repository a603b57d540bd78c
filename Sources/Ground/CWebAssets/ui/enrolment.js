// How a gateway comes to its token by a code, and what helps where it has a record already.

import { h } from './dom.js';
import { call, path } from './api.js';
import { nameOf } from './badge.js';
import { problem, say } from './notice.js';
import { go } from './router.js';
import { moment } from './text.js';

/** What to do on a gateway with the code that an answer of the server has. */
export function codeSteps({ code, expiresAt }) {
  return h('div', {}, h('p', {}, 'Run this on the gateway. It asks for the code, which works once:'),
    h('p', { class: 'code' }, `luna finder enroll --backend ${location.origin}`), h('p', { class: 'code one-time' }, code),
    expiresAt && h('p', { class: 'hint' }, `The code is good until ${moment(expiresAt)}, and is not shown again.`));
}

/** Where a refusal names the gateway that has the label or the name: the way there, or the undo of its removal. */
export function helpWith({ code, members }) {
  const gateway = members?.gateway;
  if (!gateway) return null;
  const address = path`/ui/gateways/${gateway.id}`;
  if (code !== 'wasRemoved' || !members.change) return h('a', { class: 'button', href: address }, `To ${nameOf(gateway)}`);
  return h('button', {
    type: 'button', on: {
      click: async ({ currentTarget }) => {
        currentTarget.disabled = true;
        try {
          await call('POST', path`/v1/changes/${members.change}/undo`);
          await go(address);
          say(`${nameOf(gateway)} is back.`);
        } catch (error) {
          currentTarget.closest('.problem').replaceWith(problem(error));
        }
      },
    },
  }, 'Undo the removal');
}
