// Where the widgets of a dashboard are, and what becomes of them when one is added, dropped or removed. The server has
// the same machine (DashboardLayout); the vectors of the tests are for both.

export const ROWS = 8;
const WIDTHS = { small: 1, medium: 2 };

const key = (row, column) => row * 8 + column;
const slotsOf = ({ size, row, column }) => Array.from({ length: WIDTHS[size] }, (_, step) => key(row, column + step));
const inOrder = (widgets) => [...widgets].sort((a, b) => key(a.row, a.column) - key(b.row, b.column));

/** A layout: {columns, widgets: [{name, size, row, column}], lastUsed: {row, column}}. */
export class Layout {
  #before = null;

  constructor({ columns, widgets = [], lastUsed = { row: 0, column: 0 } }) {
    this.columns = columns;
    this.widgets = inOrder(widgets);
    this.lastUsed = lastUsed;
  }

  /** What is kept at the server. */
  get json() {
    return { columns: this.columns, widgets: this.widgets, lastUsed: this.lastUsed };
  }

  /** Adds a widget at the free slot nearest to the one used last: done, full, or nothing where it is there. */
  add(name, size) {
    if (this.widgets.some((one) => one.name === name)) return 'nothing';
    const slot = this.#nearestFree(size, this.lastUsed, this.widgets);
    if (!slot) return 'full';
    this.#change([...this.widgets, { name, size, ...slot }], slot);
    return 'done';
  }

  /** Drops a widget: it moves, changes places with one of its size, or pushes those of another size away. */
  drop(name, { row, column }) {
    const before = this.widgets.find((one) => one.name === name);
    if (!before) return 'nothing';
    const moved = { ...before, row, column: before.size === 'small' ? column : column - (column % 2) };
    if (!this.#isPlace(moved) || (moved.row === before.row && moved.column === before.column)) return 'nothing';
    const wanted = new Set(slotsOf(moved));
    const others = this.widgets.filter((one) => one.name !== name);
    const inTheWay = others.filter((one) => slotsOf(one).some((slot) => wanted.has(slot)));
    const rest = [...others.filter((one) => !inTheWay.includes(one)), moved];
    for (const widget of inTheWay) {
      const home = widget.size === moved.size ? before : this.#nearestFree(widget.size, widget, rest);
      if (!home) return 'nothing';
      rest.push({ ...widget, row: home.row, column: home.column });
    }
    this.#change(rest, { row: moved.row, column: moved.column });
    return 'done';
  }

  /** Puts a widget back into the library. */
  remove(name) {
    if (!this.widgets.some((one) => one.name === name)) return 'nothing';
    this.#change(this.widgets.filter((one) => one.name !== name), this.lastUsed);
    return 'done';
  }

  /** Takes the last step back, once. */
  undo() {
    if (!this.#before) return 'nothing';
    [this.widgets, this.lastUsed] = this.#before;
    this.#before = null;
    return 'done';
  }

  get canUndo() { return this.#before !== null; }

  #change(widgets, lastUsed) {
    this.#before = [this.widgets, this.lastUsed];
    this.widgets = inOrder(widgets);
    this.lastUsed = { row: lastUsed.row, column: lastUsed.column };
  }

  #isPlace({ size, row, column }) {
    return row >= 0 && row < ROWS && column >= 0 && column < this.columns && (size === 'small' || column % 2 === 0);
  }

  #nearestFree(size, to, widgets) {
    const taken = new Set(widgets.flatMap(slotsOf));
    let best = null;
    for (let row = 0; row < ROWS; row += 1) {
      for (let column = 0; column < this.columns; column += WIDTHS[size]) {
        if (slotsOf({ size, row, column }).some((slot) => taken.has(slot))) continue;
        const distance = Math.abs(row - to.row) + Math.abs(column - to.column);
        if (!best || distance < best.distance) best = { row, column, distance };
      }
    }
    return best && { row: best.row, column: best.column };
  }
}
