// A control of one's own: a number with a bar. What `extras` say comes as `config`.

export function mount(element, context) {
  const box = document.createElement('input');
  const bar = document.createElement('meter');
  box.type = 'number';
  [bar.min, bar.max, box.min, box.max] = [context.config.least, context.config.most, context.config.least, context.config.most];
  for (const one of [box, bar]) one.setAttribute('aria-label', `Warmth of ${context.tracker.name}`);
  box.addEventListener('change', () => context.set(Number(box.value)));
  element.append(box, ' ', bar);

  function draw() {
    const value = context.value?.value ?? context.config.least;
    if (document.activeElement !== box) box.value = value;
    bar.value = value;
  }

  draw();
  context.listen((event) => { if (event.type === 'all' || event.property === context.property) draw(); });
}
