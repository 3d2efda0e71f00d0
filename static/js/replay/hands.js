// Keys and gestures of a replay: the arrow keys, Home and End step, Space plays, a swipe across the board steps.

const FAR_ENOUGH = 40;
const STEPS = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" };
// Elements that use these keys themselves: nearly every control uses Space.
const TYPED = "textarea, select, dialog[open], [contenteditable], .tabletop__places";
const TAKEN = { step: `${TYPED}, input`, space: `${TYPED}, input:not([type=range]), button, a, summary` };

export function stepByKeys(scrubber, toggle) {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const step = STEPS[event.key];
    if (!step && event.key !== " ") return;
    if (event.target.closest?.(step ? TAKEN.step : TAKEN.space)) return;
    event.preventDefault();
    if (step) scrubber.step(step);
    else if (!event.repeat) toggle();
  });
}

export function stepBySwipe(element, scrubber) {
  let start = null;
  // A click on the board must not take the focus, and with it the keys.
  element.addEventListener("mousedown", (event) => event.preventDefault());
  element.addEventListener("pointerdown", (event) => {
    start = event.isPrimary ? { x: event.clientX, y: event.clientY } : null;
  });
  element.addEventListener("pointercancel", () => (start = null));
  element.addEventListener("pointerup", (event) => {
    if (!start) return;
    const [across, down] = [event.clientX - start.x, event.clientY - start.y];
    start = null;
    if (Math.abs(across) >= FAR_ENOUGH && Math.abs(across) > 2 * Math.abs(down)) scrubber.step(across < 0 ? "on" : "back");
  });
}
