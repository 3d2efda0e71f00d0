/* <button data-copy="#field" data-copied="Copied"> copies the field's text to the clipboard and shows the word "Copied".
   With data-share="Title" the device's share dialog is tried first. */

const SAID_FOR = 2500;

export function copyTexts() {
  document.addEventListener("click", async (event) => {
    const button = event.target.closest?.("[data-copy]");
    const field = button && document.querySelector(button.dataset.copy);
    if (!field || (await share(button, field))) return;
    if (await copy(field)) confirmCopied(button);
    // The browser refuses: the text is selected, ready for the keyboard or a long press.
    else selectText(field);
  });
}

async function share(button, field) {
  if (!button.dataset.share || !navigator.share) return false;
  try {
    await navigator.share({ title: button.dataset.share, text: button.dataset.share, url: field.value });
  } catch (error) {
    // A share dialog that was closed counts as done; if the device cannot share, the text is copied.
    return error.name === "AbortError";
  }
  return true;
}

async function copy(field) {
  try {
    // Browsers have this only over HTTPS and on localhost; a club's laptop is often neither.
    await navigator.clipboard.writeText(field.value ?? field.textContent);
    return true;
  } catch {
    selectText(field);
    return document.execCommand("copy");
  }
}

function selectText(field) {
  field.focus();
  field.select?.();
}

function confirmCopied(button) {
  const words = button.dataset.words ?? button.textContent;
  button.dataset.words = words;
  button.setAttribute("aria-live", "polite");
  button.textContent = button.dataset.copied;
  button.focus();
  clearTimeout(button.copyTimer);
  button.copyTimer = setTimeout(() => (button.textContent = words), SAID_FOR);
}
