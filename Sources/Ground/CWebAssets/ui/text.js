// How times and numbers are written, in the language and the zone of who looks.

const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'long' });
const CLOCK = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const SHORT = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' });
const MOMENT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const UNITS = [['day', 86_400], ['hour', 3600], ['minute', 60]];

/** How long ago a time of the server is. */
export function ago(text, now = Date.now()) {
  const seconds = (Date.parse(text) - now) / 1000;
  if (Number.isNaN(seconds)) return 'at an unknown time';
  for (const [unit, size] of UNITS) {
    if (Math.abs(seconds) >= size) return RELATIVE.format(Math.trunc(seconds / size), unit);
  }
  return 'just now';
}

/** A time of the server in full. */
export function moment(text) {
  const time = new Date(text);
  return Number.isNaN(time.valueOf()) ? String(text) : MOMENT.format(time);
}

/** The time of day of a time of the server. */
export function timeOfDay(text) {
  return CLOCK.format(new Date(text));
}

/** How times of the server are told apart, oldest first: by the time of day, over more than a day by the date as well. */
export function timesOf(texts) {
  const isLong = Date.parse(texts.at(-1)) - Date.parse(texts[0]) > 86_400_000;
  return texts.map((text) => (isLong ? SHORT : CLOCK).format(new Date(text)));
}

/** The day of a time, as a box for dates has it. */
export function dayOf(time) {
  const date = new Date(time);
  return new Date(date - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}

/** The end of a day of a box for dates, as the server takes times. */
export function endOf(day) {
  return new Date(`${day}T23:59:59`).toISOString();
}

/** The time of day of now. */
export function clock() {
  return CLOCK.format(new Date());
}

/** A number of seconds in words. */
export function duration(seconds) {
  const units = [['d', 86_400], ['h', 3600], ['min', 60], ['s', 1]];
  let rest = Math.max(0, Math.round(seconds));
  const parts = [];
  for (const [unit, size] of units) {
    if (rest >= size || (unit === 's' && parts.length === 0)) parts.push(`${Math.floor(rest / size)} ${unit}`);
    rest %= size;
    if (parts.length === 2) break;
  }
  return parts.join(' ');
}

/** The first sign of a name, which may be of two units. */
export const initial = (name) => (Array.from(name)[0] || '').toUpperCase();

/** A number and what it counts. */
export function count(number, one, many = `${one}s`) {
  return `${number.toLocaleString()} ${number === 1 ? one : many}`;
}
