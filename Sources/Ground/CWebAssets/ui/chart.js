// Lines over time and bars, each with a table of the same numbers.

import { h, load } from './dom.js';
import { moment, timesOf } from './text.js';

async function library() {
  await load('/ui/assets/libraries/chart.js', 'The charts could not be loaded.');
  return globalThis.Chart;
}

function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

// As many as a widget has parts: six, and the others.
const KINDS = ['--accent', '--ok', '--warn', '--bad', '--unknown', '--violet', '--teal'];
// Parts whose names say how something is.
const STATES = { __proto__: null, online: '--ok', late: '--warn', offline: '--bad', never: '--unknown', unknown: '--unknown' };

function ticks(most) {
  return { color: colour('--soft'), maxTicksLimit: most, maxRotation: 0 };
}

function axes(isTime) {
  return {
    x: { ticks: ticks(isTime ? 4 : 6), grid: { display: false } },
    y: { beginAtZero: true, ticks: ticks(5), grid: { color: colour('--line') } },
  };
}

/** A figure with a picture, and a table of its numbers for those who do not see it. */
async function figure(title, heads, rows, configuration) {
  const Chart = await library();
  const canvas = h('canvas', { role: 'img', 'aria-label': `${title}: the table below has the numbers` });
  const table = h('table', {}, h('thead', {}, h('tr', {}, heads.map((head) => h('th', { scope: 'col' }, head)))),
    h('tbody', {}, rows.map((row) => h('tr', {}, row.map((cell) => h('td', {}, String(cell)))))));
  const element = h('figure', { class: 'chart' }, h('figcaption', {}, title), h('div', { class: 'canvas' }, canvas),
    h('details', {}, h('summary', {}, 'Table'), h('div', { class: 'scrolls', tabindex: '0', role: 'region', 'aria-label': `Table of ${title}` }, table)));
  const chart = new Chart(canvas, { ...configuration, options: { animation: false, responsive: true, maintainAspectRatio: false, ...configuration.options } });
  return { element, end: () => chart.destroy() };
}

/** A chart of one number over time; `points` are {time, value}, oldest first, a missing value is a gap. */
export function lineChart(title, unit, points) {
  return seriesChart(unit ? `${title} (${unit})` : title, [{ name: title, points }]);
}

/** Numbers over the same times: [{name, points: [{time, value}]}], as lines or bars. */
export function seriesChart(title, series, kind = 'line') {
  const times = (series[0]?.points || []).map((one) => one.time);
  return figure(title, ['Time', ...series.map((one) => one.name)],
    times.map((time, index) => [moment(time), ...series.map((one) => one.points[index]?.value ?? '')]), {
      type: kind,
      data: {
        labels: timesOf(times),
        datasets: series.map(({ name, points }, index) => ({
          label: name, data: points.map((one) => one.value), borderColor: colour(KINDS[index % KINDS.length]), backgroundColor: colour(KINDS[index % KINDS.length]),
          borderWidth: 2, borderDash: index === 0 ? [] : [4 * index, 4], pointRadius: points.length < 40 ? 2 : 0,
        })),
      },
      options: { plugins: { legend: { display: series.length > 1, labels: { color: colour('--ink') } } }, scales: axes(true) },
    });
}

/** A colour for each part: that of what its name says, else one that no other part has. */
function coloursOf(names) {
  const free = KINDS.filter((kind) => !names.some((name) => STATES[name] === kind));
  let next = 0;
  return names.map((name) => colour(STATES[name] || free[next++ % free.length]));
}

/** Shares of a whole: [{name, value}]. */
export function partsChart(title, parts) {
  return figure(title, ['', 'Number'], parts.map((one) => [one.name, one.value]), {
    type: 'doughnut',
    data: {
      labels: parts.map((one) => one.name),
      datasets: [{ data: parts.map((one) => one.value), backgroundColor: coloursOf(parts.map((one) => one.name)), borderColor: colour('--paper') }],
    },
    options: { plugins: { legend: { position: 'right', labels: { color: colour('--ink'), boxWidth: 12 } } } },
  });
}
