/* A form is sent once, and is not lost by accident (<form data-guard="Question">). */

import { toast } from "./toast.js";

const PATIENCE = 15000;

export function guardForms() {
  document.addEventListener("submit", (event) => {
    // htmx sends its own forms and has already said so.
    if (event.defaultPrevented) return;
    if (event.target.dataset.sent) {
      event.preventDefault();
      return;
    }
    if (!navigator.onLine && event.target.method === "post" && !event.target.dataset.reached) {
      event.preventDefault();
      reach(event.target, event.submitter);
      return;
    }
    const question = event.submitter?.dataset.confirm;
    if (question && !window.confirm(question)) {
      event.preventDefault();
      return;
    }
    markSent(event.target, event.submitter);
  });

  // Enter in a field that has a button of its own (<input data-enter="#button">) presses that one.
  document.addEventListener("keydown", (event) => {
    const button = event.key === "Enter" && !event.isComposing && event.target.dataset?.enter;
    if (!button) return;
    event.preventDefault();
    document.querySelector(button).click();
  });

  // What is chosen while an answer is on its way stays chosen (<div data-keeps> around choices).
  let chosen = null;
  document.addEventListener("htmx:beforeSwap", ({ detail: { target } }) => {
    chosen = target.matches("[data-keeps]") ? target.querySelector(":checked") : null;
  });
  // As soon as the new choices stand there: what is chosen among them from now on counts.
  document.addEventListener("htmx:afterSwap", ({ target }) => {
    if (chosen && target.matches("[data-keeps]")) keep(chosen, target);
  });

  // Back in the history brings the page as it was left: let its forms be sent again.
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) document.querySelectorAll("form[data-sent]").forEach(markFresh);
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

// Fields that are folded away (<details class="fold">): what is said of them beside their heading holds until one changes, and
// what is wrong among them is shown. Where nothing can open them, their form is checked by the server alone.
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

// A page of the browser's in place of this one would lose what was typed. A server on this machine is there without network.
async function reach(form, button) {
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
  // Dialog forms and downloads do not leave the page.
  if (form.method === "dialog" || form.dataset.stays !== undefined) return;
  form.dataset.sent = "true";
  button?.setAttribute("aria-busy", "true");
  // An answer that never came must not close the form for good.
  setTimeout(() => markFresh(form), PATIENCE);
}

function markFresh(form) {
  delete form.dataset.sent;
  form.querySelectorAll("[aria-busy]").forEach((button) => button.removeAttribute("aria-busy"));
}
