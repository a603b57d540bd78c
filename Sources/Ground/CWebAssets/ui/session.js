// Who looks at the console, and what they may do.

import { call, useSession } from './api.js';

const RANKS = ['viewer', 'operator', 'admin'];

export const session = { account: null, role: null, issuers: [], setupNeeded: false, recordsUsage: false, change: null };

/** Asks the server who this is. */
export async function loadSession(signedOut) {
  const answer = await call('GET', '/v1/session');
  take(answer, signedOut);
  return session.account !== null;
}

function take(answer, signedOut) {
  session.account = answer.signedIn === false ? null : answer.account || null;
  session.role = session.account ? answer.role || 'viewer' : null;
  session.issuers = answer.issuers || [];
  session.setupNeeded = answer.setupNeeded === true;
  session.recordsUsage = answer.recordsUsage === true;
  session.change = answer.change ?? null;
  useSession(session.account ? answer.csrf : null, signedOut);
}

/** Whether they may do what a role may. */
export function may(role) {
  return RANKS.indexOf(session.role) >= RANKS.indexOf(role);
}
