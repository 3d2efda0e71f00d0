/* A key presses the button or link that says so: data-key="c". Where somebody types words, it is a letter. A digit goes into the
   field of the next score. The dialog #keys lists what there is; there letters can be switched off, for whoever presses them by
   accident or speaks them. */

const OFF = "barpoint.keys.off";
const SCORE = ".match__entry input[name=score]";

const dialog = document.querySelector("#keys");
const isOn = dialog?.querySelector("[data-keys-on]");

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  // A score has no letters: the key works while the cursor waits in its field.
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
  isOn.checked = !stored();
  isOn.addEventListener("change", () => store(!isOn.checked));
  // Before it opens: what can be done changes with the evening.
  document.addEventListener("click", ({ target }) => target.closest?.("[data-dialog='#keys']") && list(), { capture: true });
}

function list() {
  const found = new Map();
  for (const each of document.querySelectorAll("[data-key]")) {
    if (!found.has(each.dataset.key)) found.set(each.dataset.key, words(each));
  }
  dialog.querySelector("[data-keys]").replaceChildren(...[...found].map(([key, text]) => line(key, text)));
}

function words(element) {
  const copy = element.cloneNode(true);
  copy.querySelectorAll("kbd").forEach((each) => each.remove());
  return copy.textContent.trim().replace(/\s+/g, " ");
}

function line(key, text) {
  const row = document.createElement("div");
  const term = document.createElement("dt");
  const kbd = document.createElement("kbd");
  const told = document.createElement("dd");
  kbd.textContent = key;
  told.textContent = text;
  term.append(kbd);
  row.append(term, told);
  return row;
}

function stored() {
  try {
    return localStorage.getItem(OFF) !== null;
  } catch {
    return false;
  }
}

function store(isOff) {
  try {
    if (isOff) localStorage.setItem(OFF, "");
    else localStorage.removeItem(OFF);
  } catch {
    // A forbidden store: it holds for this page.
  }
}
