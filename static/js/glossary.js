/* The glossary's field: typing filters the terms, the arrow keys move through them, Enter opens the first, Escape
   shows all. Without this file the form searches all of help. */

const form = document.querySelector("[data-filter]");
const field = form.querySelector("input");
const status = form.querySelector("[role=status]");
const terms = [...document.querySelectorAll("[data-term]")];
const letters = [...document.querySelectorAll("[data-letter]")];

function plain(words) {
  return words.toLowerCase().normalize("NFKD").replace(/\p{M}/gu, "");
}

function filter() {
  const asked = plain(field.value.trim());
  for (const term of terms) term.hidden = !plain(term.dataset.term).includes(asked);
  for (const letter of letters) letter.hidden = !letter.querySelector("[data-term]:not([hidden])");
  status.textContent = asked && !shown().length ? status.dataset.none : "";
}

function shown() {
  return terms.filter((term) => !term.hidden).map((term) => term.querySelector("a"));
}

function walk(event) {
  if (event.key === "Escape" && field.value) {
    event.preventDefault();
    field.value = "";
    filter();
    field.focus();
  }
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  const places = [field, ...shown()];
  const next = places[places.indexOf(document.activeElement) + step];
  if (!places.includes(document.activeElement) || !next) return;
  event.preventDefault();
  next.focus();
}

field.addEventListener("input", filter);
form.addEventListener("submit", (event) => {
  const [first] = shown();
  if (!field.value.trim() || !first) return;
  event.preventDefault();
  first.click();
  first.focus();
});
document.addEventListener("keydown", walk);
// The browser may have restored the text of the last visit.
filter();
