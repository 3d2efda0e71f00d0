/* The theme buttons change the page without leaving it; without this file they send their form. */

// Requests are sent one after the other, so that the last choice wins.
let sent = Promise.resolve();

export function chooseTheme() {
  document.addEventListener("submit", (event) => {
    const button = event.submitter;
    if (!button || button.name !== "theme" || !button.closest(".segments")) return;
    event.preventDefault();
    const form = event.target;
    applyTheme(button);
    const body = new FormData(form, button);
    sent = sent.then(() => send(form, button, body));
  });
}

async function send(form, button, body) {
  try {
    const answer = await fetch(form.action, { method: "POST", body, redirect: "manual" });
    if (answer.type !== "opaqueredirect" && !answer.ok) throw new Error(`theme: ${answer.status}`);
  } catch {
    // Sent as a form, whose answer shows the error.
    form.append(buildHiddenField(button));
    form.submit();
  }
}

function applyTheme(button) {
  document.documentElement.dataset.theme = button.value;
  for (const each of button.closest(".segments").children) {
    each.setAttribute("aria-pressed", String(each === button));
  }
  const scheme = button.value === "auto" ? "light dark" : button.value;
  document.querySelector("meta[name=color-scheme]")?.setAttribute("content", scheme);
}

function buildHiddenField(button) {
  const field = document.createElement("input");
  field.type = "hidden";
  field.name = button.name;
  field.value = button.value;
  return field;
}
