/* <button name="everyone" data-tick-all="Tick all" data-tick-none="Tick none">: ticks every box of its form, or none. Without
   this file it sends the form for everyone. */

const BUTTON = "button[data-tick-all]";

export function tickAll() {
  for (const button of document.querySelectorAll(BUTTON)) {
    button.type = "button";
    updateLabel(button);
  }
  document.addEventListener("click", (event) => {
    const button = event.target.closest?.(BUTTON);
    if (!button) return;
    const boxes = boxesOf(button);
    const wanted = !boxes.every((box) => box.checked);
    for (const box of boxes) box.checked = wanted;
    updateLabel(button);
  });
  document.addEventListener("change", (event) => {
    const button = event.target.form?.querySelector(BUTTON);
    if (button) updateLabel(button);
  });
  // The back button restores the ticks after the page is loaded.
  window.addEventListener("pageshow", () => document.querySelectorAll(BUTTON).forEach(updateLabel));
}

function boxesOf(button) {
  return [...button.form.elements].filter((each) => each.type === "checkbox");
}

function updateLabel(button) {
  const isFull = boxesOf(button).every((box) => box.checked);
  button.textContent = isFull ? button.dataset.tickNone : button.dataset.tickAll;
}
