// The only door to the server. Errors are its problem documents (RFC 9457), with a cause and a remedy.

import { offline, online } from './connection.js';
import { duration } from './text.js';

/** What went wrong with a request. */
export class Problem extends Error {
  constructor(status, members = {}) {
    // What is in the way of a change, or of a server that is busy or full, the detail alone says only to programs.
    const parts = ([409, 429].includes(status) || status >= 500) && members.detail ? [members.title?.replace(/\.$/, ''), members.detail].filter(Boolean) : [members.detail || members.title];
    super(parts.join(': ') || `The server answered ${status}.`);
    this.status = status;
    this.code = members.code || 'unknown';
    this.hint = members.hint || null;
    this.members = members;
    /** Seconds after which the server wants to be asked again, where it says so. */
    this.wait = null;
    /** An element that helps, where a page knows one. */
    this.help = null;
  }

  /** Whether the server was not reached: nothing is known about what became of the request. */
  get isOffline() { return this.status === 0; }
}

let csrf = null;
let header = 'Luna-CSRF';
let onSignedOut = () => {};

/** What unsafe requests of this session carry, and in which header. */
export function useSession(token, signedOut, name = header) {
  csrf = token;
  header = name;
  onSignedOut = signedOut;
}

/** Asks the server; gives what it answers as an object, and its ETag as `etag` where it is asked for. */
export async function call(method, path, body = undefined, { whole = false, ...how } = {}) {
  const response = await ask(method, path, body, how);
  const members = await read(response);
  return whole ? { members, etag: response.headers.get('ETag') } : members;
}

/** Asks the server for a file. */
export async function download(method, path, body) {
  return (await ask(method, path, body, { headers: { Accept: '*/*' } })).blob();
}

function cutOff() {
  return new Problem(0, {
    code: 'network', detail: 'The server cannot be reached.',
    hint: 'Nothing that you typed is lost. Try again when the server is back, which this page notices by itself.',
  });
}

async function ask(method, path, body, { signal, headers = {}, type = 'application/json' } = {}) {
  const sent = { Accept: 'application/json', ...headers };
  if (csrf && method !== 'GET') sent[header] = csrf;
  if (body !== undefined) sent['Content-Type'] = type;
  let response;
  try {
    response = await fetch(path, {
      method, headers: sent, signal, credentials: 'same-origin', redirect: 'error', cache: 'no-store',
      body: body === undefined || body instanceof Uint8Array ? body : JSON.stringify(body),
    });
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    offline();
    throw cutOff();
  }
  const members = response.ok ? null : await read(response);
  if (response.status >= 502 && !members?.code) {
    // So speaks what stands before the server, and does not reach it.
    offline();
    throw cutOff();
  }
  online();
  if (response.ok) return response;
  if (response.status === 401 && csrf) {
    // Told once: who signs in anew with a wrong password is refused, too, and reads why.
    csrf = null;
    onSignedOut();
  }
  const problem = new Problem(response.status, members);
  // Seconds, as this server says it (RFC 9110, 10.2.3).
  problem.wait = Number.parseInt(response.headers.get('Retry-After'), 10) || null;
  if (problem.wait) problem.hint ??= `Try again in ${duration(problem.wait)}.`;
  throw problem;
}

async function read(response) {
  let text;
  try {
    text = await response.text();
  } catch (error) {
    // Half an answer is none, be it that nobody wants it any more or that the network was cut.
    if (error.name === 'AbortError') throw error;
    offline();
    throw cutOff();
  }
  if (text === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    if (response.ok) throw cutOff();
    return { detail: `The server answered ${response.status} without a reason.` };
  }
}

/** A path with its parts escaped. */
export function path(strings, ...parts) {
  return strings.reduce((text, next, index) => text + encodeURIComponent(parts[index - 1]) + next);
}
