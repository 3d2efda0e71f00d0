/* <button data-copy="#field" data-copied="Copied"> puts what the field holds on the clipboard and says so.
   With data-share="What it is" the device's own way of sharing is asked first, where it has one. */

const SAID_FOR = 2500;

export function copyTexts() {
  document.addEventListener("click", async (event) => {
    const button = event.target.closest?.("[data-copy]");
    const field = button && document.querySelector(button.dataset.copy);
    if (!field || (await share(button, field))) return;
    if (await copy(field)) say(button);
    // Where the browser refuses, the text stays marked: the keyboard or a long press copies it.
    else mark(field);
  });
}

async function share(button, field) {
  if (!button.dataset.share || !navigator.share) return false;
  try {
    await navigator.share({ title: button.dataset.share, text: button.dataset.share, url: field.value });
  } catch (error) {
    // Who closes the list of ways wants none of them; what the device cannot share is copied.
    return error.name === "AbortError";
  }
  return true;
}

async function copy(field) {
  try {
    // Browsers offer this on https and on localhost alone; a club's laptop is often neither.
    await navigator.clipboard.writeText(field.value ?? field.textContent);
    return true;
  } catch {
    mark(field);
    return document.execCommand("copy");
  }
}

function mark(field) {
  field.focus();
  field.select?.();
}

function say(button) {
  const words = button.dataset.words ?? button.textContent;
  button.dataset.words = words;
  button.setAttribute("aria-live", "polite");
  button.textContent = button.dataset.copied;
  button.focus();
  clearTimeout(button.copyTimer);
  button.copyTimer = setTimeout(() => (button.textContent = words), SAID_FOR);
}
