/* Short messages at the foot of the page. They wait while they are read: under the pointer, in focus. */

const LINGER = 6000;

export function keepToasts() {
  const shelf = document.querySelector("#toasts");
  if (!shelf) return;
  shelf.querySelectorAll(".toast").forEach(settle);
  document.addEventListener("htmx:sendError", () => toast(shelf.dataset.offline, { error: true, kind: "offline" }));
  document.addEventListener("allauth.error", () => toast(shelf.dataset.passkey, { error: true }));
  document.addEventListener("htmx:responseError", (event) => {
    toast(sentence(event.detail.xhr) ?? shelf.dataset.refused, { error: true });
  });
}

/** Say it; *more* is a link {href, words} to where it is explained. Of one *kind* only the latest stands there. */
export function toast(text, { error = false, more, kind = "" } = {}) {
  const shelf = document.querySelector("#toasts");
  if (!shelf) return;
  if (kind) shelf.querySelectorAll(`[data-kind="${kind}"]`).forEach((old) => old.remove());
  const box = document.createElement("div");
  if (kind) box.dataset.kind = kind;
  box.className = error ? "toast toast--error" : "toast";
  const words = document.createElement("p");
  words.className = "toast__text";
  words.textContent = text;
  if (more) {
    const link = document.createElement("a");
    link.href = more.href;
    link.target = "_blank";
    link.textContent = more.words;
    words.append(" ", link);
  }
  box.append(words);
  shelf.append(box);
  settle(box);
}

function settle(box) {
  const close = document.createElement("button");
  close.type = "button";
  close.className = "toast__close";
  close.textContent = document.querySelector("#toasts").dataset.close;
  close.addEventListener("click", () => leave(box));
  box.append(close);
  // A refusal stays until it is answered.
  if (!box.classList.contains("toast--error")) wait(box);
}

function wait(box) {
  setTimeout(() => {
    if (box.matches(":hover, :focus-within")) wait(box);
    else leave(box);
  }, LINGER);
}

function leave(box) {
  box.dataset.leaving = "";
  setTimeout(() => box.remove(), 220);
}

function sentence(request) {
  const isText = request.getResponseHeader("Content-Type")?.startsWith("text/plain");
  return isText && request.responseText ? request.responseText : undefined;
}
