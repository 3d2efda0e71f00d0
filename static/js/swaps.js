/* When htmx replaces a part of the page, typed text, choices, open folds and the focus are carried over to the new part. A toast
   names each field that is not there any more, with the text that was typed.
   Each form has a hidden field "expects": the match, player or draw that the page showed. Its old value is carried over with the
   text, so that the server refuses the form if these have changed, and says how; a field that the answer marks as wrong itself
   takes the new value. The error message beside a field stays until its text is changed.
   Live updates wait for the answer to a form: they would remove the form, and those requested before it may be older. They are
   requested again afterwards. */

import { toast } from "./toast.js";

// Menus are left out: the page does not reload a part while a menu in it is open (live.js).
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
  document.addEventListener("htmx:afterSwap", ({ target, detail }) => {
    // A form may be sent before htmx has processed it by itself. The element whose request this was is left out:
    // its class has changed, so htmx would set it up again and forget the request that waits for the end of this one.
    const isOwn = target === detail.requestConfig?.elt;
    for (const part of isOwn ? target.children : [target]) htmx.process(part);
    if (before) restore(target);
  });
  // The same for what has come beside the part that was requested, such as the button that takes a result back.
  document.addEventListener("htmx:oobAfterSwap", ({ detail: { target } }) => target.isConnected && htmx.process(target));
}

/** Delay live updates until a form that is being sent has its answer. */
export function orderNews() {
  const sent = new Set();
  const asked = new Map();
  const missed = new Set();
  document.addEventListener("htmx:beforeSend", ({ detail: { elt, xhr, requestConfig } }) => {
    if (requestConfig.verb !== "get") {
      sent.add(xhr);
      xhr.addEventListener("loadend", () => sent.delete(xhr) && answered());
    } else if (elt.matches("[data-live]")) {
      asked.set(xhr, elt);
      xhr.addEventListener("loadend", () => asked.delete(xhr));
    }
  });
  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    const part = asked.get(detail.xhr);
    if (!part || (!sent.size && !detail.xhr.isOld)) return;
    detail.shouldSwap = false;
    missed.add(part);
    if (!sent.size) askAgain();
  });

  function answered() {
    for (const [xhr, part] of asked) {
      xhr.isOld = true;
      // Replaced by the answer.
      if (!part.isConnected) missed.add(part);
    }
    if (!sent.size) askAgain();
  }

  function askAgain() {
    for (const part of missed) {
      const present = part.isConnected ? part : document.getElementById(part.id);
      if (present) htmx.trigger(present, "live");
    }
    missed.clear();
  }
}

/** True if the value of a field differs from the one that the server sent. */
export function isTyped(field) {
  if (field.matches("[type=hidden], [type=submit]")) return false;
  if (field.matches("[type=checkbox], [type=radio]")) return field.checked !== field.defaultChecked;
  if (field.localName === "select") return selected(field, "selected") !== selected(field, "defaultSelected");
  return field.value !== field.defaultValue;
}

/** True if any field of the page does. */
export function hasTypedFields() {
  return listFields().some(isTyped);
}

/** True if a field shows an error, and was not emptied since. */
export function isRefused(field) {
  return field.matches("[aria-invalid][aria-describedby]") && (field.value !== "" || field === document.activeElement);
}

function listFields() {
  return [...document.querySelectorAll("input, textarea, select")];
}

function selected(list, which) {
  const found = [...list.options].filter((each) => each[which]).map((each) => each.value);
  return (found.length ? found : [list.options[0]?.value]).join("\n");
}

// Nothing is carried over into the answer to a search or a link, nor into the form that was just sent.
function collect({ elt, verb }) {
  const isAsked = verb === "get" && elt.matches("a, button, form, input, select, textarea");
  const sent = elt.closest("form");
  const fields = isAsked ? [] : listFields().filter(({ type }) => type !== "password");
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
  reportLost(lost);
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

// A field with typed text keeps the focus. Otherwise it goes to the field with autofocus in the answer, at once.
function refocus(swapped) {
  const { focus } = before;
  const next = swapped.querySelector?.("[autofocus]");
  const fresh = focus && !focus.field.isConnected ? find(focus) : null;
  if (fresh && (focus.isElsewhere || (!next && document.activeElement === document.body))) {
    fresh.focus({ preventScroll: true });
    if (focus.start !== null && focus.start !== undefined) fresh.setSelectionRange(focus.start, focus.end);
  } else if (next && !focus?.isElsewhere) next.focus({ preventScroll: true });
  // htmx would focus it once more, a moment later, when the viewer may be elsewhere.
  next?.removeAttribute("autofocus");
}

function reportLost(lost) {
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

// The key of an element, equal for its replacement: the id; or the form and name of a field; or the address of a link; or the row of a
// fold.
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
