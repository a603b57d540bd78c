// A screen of one's own: all rooms with their warmth, and a button each. What is shown is text, never markup.

export function mount(element, context) {
  const { property, step } = context.config;
  const list = document.createElement('ul');
  element.append(list);

  function draw() {
    list.replaceChildren(...context.trackers.map((tracker) => {
      const warmth = tracker.properties[property]?.value;
      const row = document.createElement('li');
      const button = document.createElement('button');
      button.textContent = `${context.string('warmer')}: ${tracker.name}`;
      button.addEventListener('click', () => context.perform(`set:${property}`, (warmth ?? 20) + step, tracker.id));
      row.append(`${tracker.name}: ${warmth === undefined || warmth === null ? 'not known' : `${warmth} °C`} `, button);
      return row;
    }));
  }

  draw();
  context.listen((event) => { if (event.type === 'all' || event.property === property) draw(); });
}
