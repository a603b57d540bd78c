// Rows that one pushes to the left: a bit shows their buttons, all the way does what the last of them does.

const SOME = 56;
const ALL = 220;

/** Lets a row be pushed. Where it goes meanwhile, when the page is drawn anew under the finger, does not matter. */
export function swipes(row, whole) {
  const shift = (pixels) => { row.style.setProperty('--shift', `${pixels}px`); };
  row.addEventListener('pointerdown', (from) => {
    if (from.pointerType === 'mouse') return;
    const end = new AbortController();
    const on = (name, act) => document.addEventListener(name, (event) => {
      if (event.pointerId === from.pointerId) act(event.clientX - from.clientX, event.clientY - from.clientY);
    }, { signal: end.signal });
    const ends = () => { end.abort(); shift(0); };
    on('pointermove', (dx, dy) => { if (Math.abs(dy) <= Math.abs(dx)) shift(Math.max(-ALL, Math.min(0, dx))); });
    on('pointerup', (dx) => {
      ends();
      if (!row.isConnected) return;
      row.classList.toggle('open', dx < -SOME);
      if (dx <= -ALL) whole();
    });
    on('pointercancel', ends);
  });
}
