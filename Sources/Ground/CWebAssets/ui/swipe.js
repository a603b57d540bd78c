// Rows that one pushes to the left: a bit shows their buttons, all the way does what the last of them does.

const SOME = 56;
const ALL = 220;

/** Lets a row be pushed. */
export function swipes(row, whole) {
  let from = null;
  const shift = (pixels) => { row.style.setProperty('--shift', `${pixels}px`); };
  row.addEventListener('pointerdown', (event) => { if (event.pointerType !== 'mouse') from = { x: event.clientX, y: event.clientY }; });
  row.addEventListener('pointermove', (event) => {
    if (!from) return;
    const [dx, dy] = [event.clientX - from.x, event.clientY - from.y];
    if (Math.abs(dy) > Math.abs(dx)) return;
    shift(Math.max(-ALL, Math.min(0, dx)));
  });
  row.addEventListener('pointerup', (event) => {
    if (!from) return;
    const dx = event.clientX - from.x;
    from = null;
    shift(0);
    row.classList.toggle('open', dx < -SOME);
    if (dx <= -ALL) whole();
  });
  row.addEventListener('pointercancel', () => { from = null; shift(0); });
}
