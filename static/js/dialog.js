/* <button data-dialog="#id"> opens <dialog id="id">; the browser keeps the focus inside and returns it afterwards. */

export function openDialogs() {
  document.addEventListener("click", (event) => {
    const opener = event.target.closest?.("[data-dialog]");
    const dialog = opener && document.querySelector(opener.dataset.dialog);
    if (dialog instanceof HTMLDialogElement) {
      event.preventDefault();
      dialog.showModal();
      dialog.addEventListener("close", () => returnFocus(opener), { once: true });
      return;
    }
    if (event.target.closest?.("[data-dialog-close]")) {
      event.preventDefault();
      event.target.closest("dialog")?.close();
      return;
    }
    // A click on the backdrop.
    if (event.target instanceof HTMLDialogElement && isOutside(event.target, event)) event.target.close();
  });
}

// The button that opened the dialog may have been replaced since, or be hidden in a menu that has closed: the focus goes to its
// replacement, or to the menu.
function returnFocus(opener) {
  if (!opener.isConnected) {
    const same = [...document.querySelectorAll("[data-dialog]")].filter((each) => each.dataset.dialog === opener.dataset.dialog);
    (same.find((each) => each.textContent === opener.textContent) ?? same[0])?.focus();
    return;
  }
  const menu = opener.closest("details.menu:not([open])");
  if (menu) menu.querySelector("summary").focus();
}

function isOutside(dialog, { clientX, clientY }) {
  const box = dialog.getBoundingClientRect();
  return clientX < box.left || clientX > box.right || clientY < box.top || clientY > box.bottom;
}
