// The screen of garden.json: how wet every pot is, and a button that waters it.

export function mount(element, context) {
  function draw() {
    element.replaceChildren(...context.trackers.map((plant) => {
      const button = document.createElement('button');
      button.textContent = `Water ${plant.name}`;
      button.addEventListener('click', () => context.perform('water', null, plant.id));
      const line = document.createElement('p');
      line.append(`${plant.name}: ${plant.properties.moisture?.value ?? 'unknown'} % wet `, button);
      return line;
    }));
  }
  draw();
  context.listen(draw);
}
