// Elements are made here and nowhere else. Text is only ever text: nothing reads markup, so what a gateway,
// a label or a person has written cannot become a script.

/** An element with attributes and children; `on` holds listeners, a null attribute is left out. */
export function h(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

/** The same in SVG. */
export function svg(name, attributes = {}, ...children) {
  return fill(document.createElementNS('http://www.w3.org/2000/svg', name), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === 'on') {
      for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
    } else if (name === 'value' || name === 'checked' || name === 'disabled' || name === 'selected') {
      element[name] = value;
    } else {
      element.setAttribute(name, value === true ? '' : value);
    }
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** Puts children in the place of those that an element has. */
export function replace(element, ...children) {
  const wanted = children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false)
    .map((child) => (child instanceof Node ? child : document.createTextNode(child)));
  const staying = new Set(wanted);
  for (const node of [...element.childNodes]) if (!staying.has(node)) node.remove();
  let at = element.firstChild;
  // What stays is not touched: whoever types into it would be cut off.
  for (const node of wanted) if (node === at) at = at.nextSibling; else element.insertBefore(node, at);
  return element;
}

let last = 0;

/** A name for an element that another one points to. */
export function newID(prefix) {
  last += 1;
  return `${prefix}-${last}`;
}

const libraries = new Map();

/** Loads a library that is no module, once for all who want it: whoever comes while it is on its way waits for it, too. */
export function load(source, problem) {
  if (!libraries.has(source)) {
    libraries.set(source, new Promise((resolve, reject) => {
      const failed = () => { libraries.delete(source); element.remove(); reject(new Error(problem)); };
      const element = h('script', { src: source, on: { load: resolve, error: failed } });
      document.head.append(element);
    }));
  }
  return libraries.get(source);
}

const SHAPES = {
  gateway: 'M4 14h16v6H4zM8 17h.01M12 14V9M8.5 7.5a5 5 0 0 1 7 0M6 5a8.5 8.5 0 0 1 12 0',
  dashboard: 'M4 4h7v7H4zM13 4h7v7h-7zM4 13h16v7H4z',
  map: 'M9 4L3 6v14l6-2 6 2 6-2V4l-6 2zM9 4v14M15 6v14',
  history: 'M4 12a8 8 0 1 0 3-6.2M4 4v4h4M12 8v4l3 2',
  people: 'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM3 20a6 6 0 0 1 12 0M16 4.5a3.5 3.5 0 0 1 0 6M17.5 14a6 6 0 0 1 3.5 6',
  me: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 20a8 8 0 0 1 16 0',
  settings: 'M4 7h10M18 7h2M4 17h2M10 17h10M16 5v4M8 15v4',
  device: 'M7 3h10v18H7zM11 18h2',
  add: 'M12 5v14M5 12h14',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16 16l5 5',
  eye: 'M2 12s4-7 10-7 10 7 10 7-4 7-10 7-10-7-10-7zM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6z',
  edit: 'M4 20l1-4L16 5l3 3L8 19zM14 7l3 3',
  remove: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13',
  back: 'M15 5l-7 7 7 7',
  ok: 'M5 13l4 4L19 7',
  warn: 'M12 4l9 16H3zM12 10v4M12 17h.01',
  bad: 'M6 6l12 12M18 6L6 18',
  unknown: 'M9 9a3 3 0 1 1 4 2.8c-.8.4-1 .9-1 2.2M12 17h.01',
  refresh: 'M20 12a8 8 0 1 1-2.5-5.8M20 4v4h-4',
  about: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 11v6M12 8h.01',
};

/** A picture that says nothing by itself: what it means stands beside it, or in the name of its button. */
export function icon(name) {
  return svg('svg', { class: 'icon', viewBox: '0 0 24 24', 'aria-hidden': 'true', focusable: 'false' },
    svg('path', { d: SHAPES[name] }));
}
