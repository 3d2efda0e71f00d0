/* <button data-dialog="#id"> opens <dialog id="id">; the browser keeps focus inside and gives it back. */

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
    // A press on the veil, outside the box itself.
    if (event.target instanceof HTMLDialogElement && isOutside(event.target, event)) event.target.close();
  });
}

// A menu closes while its dialog is open; what opened the dialog is then out of sight and cannot be given the focus.
function returnFocus(opener) {
  const menu = opener.closest("details.menu:not([open])");
  if (menu) menu.querySelector("summary").focus();
}

function isOutside(dialog, { clientX, clientY }) {
  const box = dialog.getBoundingClientRect();
  return clientX < box.left || clientX > box.right || clientY < box.top || clientY > box.bottom;
}
