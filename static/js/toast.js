/* Short messages at the foot of the page. They stay while the pointer or the focus is on them. */

const SHOWN_MS = 6000;

export function keepToasts() {
  const container = document.querySelector("#toasts");
  if (!container) return;
  container.querySelectorAll(".toast").forEach(addCloseButton);
  document.addEventListener("htmx:sendError", () => toast(container.dataset.offline, { error: true, kind: "offline" }));
  document.addEventListener("allauth.error", () => toast(container.dataset.passkey, { error: true }));
  document.addEventListener("htmx:responseError", (event) => {
    toast(readError(event.detail.xhr) ?? container.dataset.refused, { error: true });
  });
}

/** Show a message; *more* is a link {href, words} to an explanation. A new one replaces the last of its *kind*. */
export function toast(text, { error = false, more, kind = "" } = {}) {
  const container = document.querySelector("#toasts");
  if (!container) return;
  if (kind) container.querySelectorAll(`[data-kind="${kind}"]`).forEach((old) => old.remove());
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
  container.append(box);
  addCloseButton(box);
}

function addCloseButton(box) {
  const close = document.createElement("button");
  close.type = "button";
  close.className = "toast__close";
  close.textContent = document.querySelector("#toasts").dataset.close;
  close.addEventListener("click", () => remove(box));
  box.append(close);
  // An error stays until it is closed.
  if (!box.classList.contains("toast--error")) removeLater(box);
}

function removeLater(box) {
  setTimeout(() => {
    if (box.matches(":hover, :focus-within")) removeLater(box);
    else remove(box);
  }, SHOWN_MS);
}

function remove(box) {
  box.dataset.leaving = "";
  setTimeout(() => box.remove(), 220);
}

function readError(request) {
  const isText = request.getResponseHeader("Content-Type")?.startsWith("text/plain");
  return isText && request.responseText ? request.responseText : undefined;
}
