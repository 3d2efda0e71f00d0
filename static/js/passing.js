// <form data-passes="28">: what can be done for so many seconds more goes when they are over.

function watch() {
  for (const part of document.querySelectorAll("[data-passes]:not([data-watched])")) {
    part.dataset.watched = "";
    setTimeout(() => part.remove(), 1000 * Number(part.dataset.passes));
  }
}

document.addEventListener("htmx:oobAfterSwap", watch);
watch();
