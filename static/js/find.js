/* The search field in the header: "/" focuses it, the arrow keys move through the results, Escape closes them.
   Without this file the form leads to the search page. */

export function findAnywhere() {
  const form = document.querySelector(".site-find");
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    const field = [...document.querySelectorAll("main input[type=search], .site-find input")].find(isShown);
    if (!field) return;
    event.preventDefault();
    field.focus();
    field.select();
  });
  if (!form) return;
  form.addEventListener("keydown", (event) => {
    if (event.key === "Escape") close(form);
    if (event.key === "ArrowDown" || event.key === "ArrowUp") step(form, event);
  });
  form.addEventListener("focusin", () => form.classList.add("site-find--open"));
  document.addEventListener("click", (event) => form.contains(event.target) || shut(form));
  document.addEventListener("focusin", (event) => form.contains(event.target) || shut(form));
}

function step(form, event) {
  const places = [form.querySelector("input"), ...form.querySelectorAll(".site-find__panel a")];
  const next = places.indexOf(document.activeElement) + (event.key === "ArrowDown" ? 1 : -1);
  if (!places[next]) return;
  event.preventDefault();
  places[next].focus();
}

function close(form) {
  shut(form);
  const field = form.querySelector("input");
  if (document.activeElement === field) field.blur();
  else field.focus({ preventScroll: true });
  shut(form);
}

function shut(form) {
  form.classList.remove("site-find--open");
}

function isTyping(element) {
  // On the desk the focus rests in an empty field for the next score.
  if (element.matches?.("input[name=score]") && !element.value) return false;
  return element.closest?.("input, textarea, select, [contenteditable]");
}

function isShown(element) {
  return element.offsetParent !== null;
}
