/* What somebody has typed, chosen, opened or focused survives when htmx exchanges the part of the page around it: it is put into
   what takes its place. Fields whose place is gone are named in a toast with what was typed.
   A form whose match, player or draw has changed meanwhile (its hidden field "expects") keeps the old value, so that the server
   refuses it and says what has changed; where the answer has marked the field itself, the server has said so already.
   What was wrong with a field stands beside it until its text is changed. */

import { toast } from "./toast.js";

// A menu is no fold: news wait until it is closed (live.js).
const FOLDS = "details:not(.menu)";
// Folds that were opened or closed by hand, by their keys.
const folds = new Map();

let before = null;

export function keepWork() {
  document.addEventListener("click", ({ target }) => {
    const fold = target.closest?.(`${FOLDS} > summary`)?.parentElement;
    if (fold) folds.set(keyOf(fold), !fold.open);
  });
  document.addEventListener("htmx:beforeSwap", ({ detail }) => (before = collect(detail.requestConfig)));
  document.addEventListener("htmx:afterSwap", ({ target }) => before && restore(target));
}

/** Whether a field holds something that the server did not put there. */
export function isTyped(field) {
  if (field.matches("[type=hidden], [type=password], button, [type=submit]")) return false;
  if (field.matches("[type=checkbox], [type=radio]")) return field.checked !== field.defaultChecked;
  if (field.localName === "select") return selected(field, "selected") !== selected(field, "defaultSelected");
  return field.value !== field.defaultValue;
}

/** Whether a field says why it was refused, and is not given up: emptied, it holds nothing. */
export function isRefused(field) {
  return field.matches("[aria-invalid][aria-describedby]") && (field.value !== "" || field === document.activeElement);
}

function selected(list, which) {
  const found = [...list.options].filter((each) => each[which]).map((each) => each.value);
  return (found.length ? found : [list.options[0]?.value]).join("\n");
}

// A search or a link that was pressed brings its fields as it wants them. What a form has just sent is the answer's to show.
function collect({ elt, verb }) {
  const isAsked = verb === "get" && elt.matches("a, button, form, input, select, textarea");
  const sent = elt.closest("form");
  const fields = isAsked ? [] : [...document.querySelectorAll("input, textarea, select")];
  const typed = fields.filter((each) => each.form !== sent && (isTyped(each) || isRefused(each))).map(stateOf);
  const focused = document.activeElement;
  const isElsewhere = typed.some(({ field }) => field === focused);
  const focus = focused === document.body ? null : { ...stateOf(focused), isElsewhere };
  return { typed, focus, seen: new Set(document.querySelectorAll(FOLDS)) };
}

function stateOf(field) {
  const { value, checked, selectionStart: start, selectionEnd: end } = field;
  const chosen = field.localName === "select" ? selected(field, "selected").split("\n") : null;
  const error = isRefused(field) ? document.getElementById(field.getAttribute("aria-describedby")) : null;
  const expects = field.form?.elements.expects?.value;
  return { field, key: keyOf(field), value, checked, chosen, start, end, expects, error };
}

function restore(swapped) {
  const lost = [];
  for (const state of before.typed) {
    if (state.field.isConnected) continue;
    const fresh = find(state);
    if (fresh?.localName === state.field.localName) fill(fresh, state);
    else lost.push(state);
  }
  for (const fold of document.querySelectorAll(FOLDS)) {
    if (!before.seen.has(fold)) fold.open = folds.get(keyOf(fold)) ?? fold.open;
  }
  refocus(swapped);
  report(lost);
  before.typed = before.typed.filter(({ field }) => field.isConnected);
}

function fill(fresh, { field, value, checked, chosen, expects, error }) {
  if (field.type === "file") fresh.replaceWith(field);
  else if (chosen) for (const option of fresh.options) option.selected = chosen.includes(option.value);
  else if (fresh.matches("[type=checkbox], [type=radio]")) fresh.checked = checked;
  else fresh.value = value;
  if (fresh.matches("[aria-invalid]")) return;
  const now = fresh.form?.elements.expects;
  if (now && expects) now.value = expects;
  if (error) putBack(error, fresh);
}

function putBack(error, field) {
  if (document.getElementById(error.id)) error.id = `${error.id}-${field.id}`;
  field.setAttribute("aria-invalid", "true");
  field.setAttribute("aria-describedby", error.id);
  field.closest("li, .field, form").append(error);
}

// Whoever types elsewhere goes on there. Else the answer says which field is next, before anybody types on.
function refocus(swapped) {
  const { focus } = before;
  const next = swapped.querySelector?.("[autofocus]");
  const fresh = focus && !focus.field.isConnected ? find(focus) : null;
  if (fresh && (focus.isElsewhere || (!next && document.activeElement === document.body))) {
    take(fresh);
    if (focus.start !== null && focus.start !== undefined) fresh.setSelectionRange(focus.start, focus.end);
  } else if (next && !focus?.isElsewhere) take(next);
  // htmx would still focus it a moment later.
  if (focus?.isElsewhere) next?.removeAttribute("autofocus");
}

// Whoever types quickly presses Enter before htmx has come round to the form.
function take(field) {
  htmx.process(field.form ?? field);
  field.focus({ preventScroll: true });
}

function report(lost) {
  const words = document.querySelector("#toasts")?.dataset.lost;
  for (const { field, value } of lost) {
    if (!words || !value || field.matches("[type=checkbox], [type=radio], select")) continue;
    const name = field.getAttribute("aria-label") ?? field.labels[0]?.textContent ?? "";
    toast(words.replace("{field}", () => name.trim().replace(/\s+/g, " ")).replace("{typed}", () => value), { error: true });
  }
}

function find({ field, key }) {
  if (field.id) return document.getElementById(field.id);
  return [...document.querySelectorAll(field.localName)].find((each) => keyOf(each) === key);
}

// Two elements are the same to a reader if they have the same key: an id, or a form's field, or a link, or a fold of its row.
function keyOf(element) {
  if (element.id) return element.id;
  const { form, name = "", value, localName } = element;
  if (form && localName !== "a") {
    const about = form.querySelectorAll("[type=hidden]:not([name=csrfmiddlewaretoken], [name=expects])");
    const choice = element.matches("[type=checkbox], [type=radio], button") ? value : "";
    return [form.getAttribute("action"), ...[...about].map((each) => each.value), name, choice].join("\n");
  }
  const words = element.localName === "details" ? element.querySelector("summary")?.textContent : element.textContent;
  const row = element.closest("li, tr")?.querySelector("a[href]")?.getAttribute("href");
  return [localName, element.getAttribute("href") ?? row ?? element.closest("[id]")?.id, words?.trim()].join("\n");
}
