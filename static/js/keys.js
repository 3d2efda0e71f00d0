/* Keyboard shortcuts: data-key="c" on a button or link, not while text is typed. A digit goes into the field of the next score.
   The dialog #keys lists them. Letters can be switched off there, against accidents and for speech input. */

const OFF = "barpoint.keys.off";
const SCORE = ".match__entry input[name=score]";

const dialog = document.querySelector("#keys");
const isOn = dialog?.querySelector("[data-keys-on]");

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  // A score has no letters, so shortcuts work in its field.
  const typing = event.target.closest("input:not([name=score]), textarea, select, [contenteditable]");
  if (typing || document.querySelector("dialog[open]")) return;
  if (/^\d$/.test(event.key)) {
    if (!event.target.matches(SCORE)) document.querySelector(SCORE)?.focus();
    return;
  }
  if (isOn && !isOn.checked && event.key !== "?") return;
  const button = [...document.querySelectorAll("[data-key]")].find((each) => each.dataset.key === event.key.toLowerCase());
  if (!button) return;
  event.preventDefault();
  button.click();
});

if (dialog) {
  isOn.checked = !areLettersOff();
  isOn.addEventListener("change", () => storeChoice(!isOn.checked));
  // Listed each time, because the buttons change during the event.
  document.addEventListener("click", ({ target }) => target.closest?.("[data-dialog='#keys']") && listShortcuts(), { capture: true });
}

function listShortcuts() {
  const found = new Map();
  for (const each of document.querySelectorAll("[data-key]")) {
    if (!found.has(each.dataset.key)) found.set(each.dataset.key, getLabel(each));
  }
  dialog.querySelector("[data-keys]").replaceChildren(...[...found].map(([key, text]) => buildRow(key, text)));
}

function getLabel(element) {
  const copy = element.cloneNode(true);
  copy.querySelectorAll("kbd").forEach((each) => each.remove());
  return copy.textContent.trim().replace(/\s+/g, " ");
}

function buildRow(key, text) {
  const row = document.createElement("div");
  const term = document.createElement("dt");
  const kbd = document.createElement("kbd");
  const description = document.createElement("dd");
  kbd.textContent = key;
  description.textContent = text;
  term.append(kbd);
  row.append(term, description);
  return row;
}

function areLettersOff() {
  try {
    return localStorage.getItem(OFF) !== null;
  } catch {
    return false;
  }
}

function storeChoice(isOff) {
  try {
    if (isOff) localStorage.setItem(OFF, "");
    else localStorage.removeItem(OFF);
  } catch {
    // Storage is blocked: the choice holds for this page only.
  }
}
