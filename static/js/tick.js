/* <button name="everyone" data-tick-all="Tick all" data-tick-none="Tick none">: by itself it sends its form for
   everyone; here it learns to tick every box of the form, or none, and leaves the sending to the other button. */

const BUTTON = "button[data-tick-all]";

export function tickAll() {
  for (const button of document.querySelectorAll(BUTTON)) {
    button.type = "button";
    sayWhich(button);
  }
  document.addEventListener("click", (event) => {
    const button = event.target.closest?.(BUTTON);
    if (!button) return;
    const boxes = boxesOf(button);
    const wanted = !boxes.every((box) => box.checked);
    for (const box of boxes) box.checked = wanted;
    sayWhich(button);
  });
  document.addEventListener("change", (event) => {
    const button = event.target.form?.querySelector(BUTTON);
    if (button) sayWhich(button);
  });
  // Back in the history the browser puts the ticks back after the page is there.
  window.addEventListener("pageshow", () => document.querySelectorAll(BUTTON).forEach(sayWhich));
}

function boxesOf(button) {
  return [...button.form.elements].filter((each) => each.type === "checkbox");
}

function sayWhich(button) {
  const isFull = boxesOf(button).every((box) => box.checked);
  button.textContent = isFull ? button.dataset.tickNone : button.dataset.tickAll;
}
