/* A form is sent only once. The page asks before typed text is lost (<form data-guard>). */

import { toast } from "./toast.js";

const ANSWER_MS = 15000;

export function guardForms() {
  document.addEventListener("submit", (event) => {
    // htmx sends its forms itself and has already prevented this event.
    if (event.defaultPrevented) return;
    if (event.target.dataset.sent) {
      event.preventDefault();
      return;
    }
    if (!navigator.onLine && event.target.method === "post" && !event.target.dataset.reached) {
      event.preventDefault();
      sendIfReachable(event.target, event.submitter);
      return;
    }
    const question = event.submitter?.dataset.confirm;
    if (question && !window.confirm(question)) {
      event.preventDefault();
      return;
    }
    markSent(event.target, event.submitter);
  });

  // Enter in a field with <input data-enter="#button"> clicks that button.
  document.addEventListener("keydown", (event) => {
    const button = event.key === "Enter" && !event.isComposing && event.target.dataset?.enter;
    if (!button) return;
    event.preventDefault();
    document.querySelector(button).click();
  });

  // A choice made while a request is under way survives the answer (<div data-keeps> around the choices).
  let chosen = null;
  document.addEventListener("htmx:beforeSwap", ({ detail: { target } }) => {
    chosen = target.matches("[data-keeps]") ? target.querySelector(":checked") : null;
  });
  // At once, so that it does not undo a later choice.
  document.addEventListener("htmx:afterSwap", ({ target }) => {
    if (chosen && target.matches("[data-keeps]")) keep(chosen, target);
  });

  // The back button restores the page with its forms marked as sent.
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) document.querySelectorAll("form[data-sent]").forEach(markUnsent);
  });

  watchFolds();

  document.addEventListener("input", (event) => {
    const form = event.target.closest?.("form[data-guard]");
    if (form) form.dataset.dirty = "true";
  });
  document.addEventListener("htmx:afterRequest", (event) => {
    if (event.detail.successful) delete event.target.closest?.("form")?.dataset.dirty;
  });
  window.addEventListener("beforeunload", (event) => {
    if (document.querySelector("form[data-dirty]:not([data-sent])")) event.preventDefault();
  });
}

// Folded fields (<details class="fold">): the summary of their values beside the heading is replaced when one changes, and an invalid
// field opens its fold. Without this script the server alone checks such forms.
function watchFolds() {
  for (const fold of document.querySelectorAll("form[novalidate] .fold")) fold.closest("form").noValidate = false;
  document.addEventListener("input", ({ target }) => {
    const told = target.closest?.(".fold")?.querySelector(".fold__told");
    if (!told) return;
    told.textContent = told.dataset.changed;
    told.classList.remove("muted");
  });
  const open = ({ target }) => {
    for (let fold = target.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
  };
  document.addEventListener("invalid", open, { capture: true });
}

function keep(chosen, list) {
  const same = [...list.querySelectorAll("input")].find((each) => each.value === chosen.value);
  if (same) same.checked = true;
  else list.append(chosen.closest("label"));
}

// Sending a form offline would replace the page, and typed text, by the browser's error page. A server on this machine is reachable
// even without a network.
async function sendIfReachable(form, button) {
  try {
    await fetch(location.href, { method: "HEAD", cache: "no-store" });
  } catch {
    toast(document.querySelector("#toasts").dataset.offline, { error: true, kind: "offline" });
    return;
  }
  form.dataset.reached = "true";
  form.requestSubmit(button ?? undefined);
  delete form.dataset.reached;
}

function markSent(form, button) {
  // Forms of dialogs stay on the page.
  if (form.method === "dialog") return;
  form.dataset.sent = "true";
  button?.setAttribute("aria-busy", "true");
  // If no answer comes, the form can be sent again.
  setTimeout(() => markUnsent(form), ANSWER_MS);
}

function markUnsent(form) {
  delete form.dataset.sent;
  form.querySelectorAll("[aria-busy]").forEach((button) => button.removeAttribute("aria-busy"));
}
