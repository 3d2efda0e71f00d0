// <form data-passes="28">: removed after so many seconds, when the act is no longer possible.

function watch() {
  for (const part of document.querySelectorAll("[data-passes]:not([data-watched])")) {
    part.dataset.watched = "";
    setTimeout(() => part.remove(), 1000 * Number(part.dataset.passes));
  }
}

document.addEventListener("htmx:oobAfterSwap", watch);
watch();
