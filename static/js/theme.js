/* The theme buttons send their form either way; with a script the page changes without being left. */

// One after the other: what was pressed last is what is kept.
let sent = Promise.resolve();

export function chooseTheme() {
  document.addEventListener("submit", (event) => {
    const button = event.submitter;
    if (!button || button.name !== "theme" || !button.closest(".segments")) return;
    event.preventDefault();
    const form = event.target;
    wear(button);
    const body = new FormData(form, button);
    sent = sent.then(() => send(form, button, body));
  });
}

async function send(form, button, body) {
  try {
    const answer = await fetch(form.action, { method: "POST", body, redirect: "manual" });
    if (answer.type !== "opaqueredirect" && !answer.ok) throw new Error(`theme: ${answer.status}`);
  } catch {
    // Sent the long way, so that whatever went wrong is said in words.
    form.append(hidden(button));
    form.submit();
  }
}

function wear(button) {
  document.documentElement.dataset.theme = button.value;
  for (const each of button.closest(".segments").children) {
    each.setAttribute("aria-pressed", String(each === button));
  }
  const scheme = button.value === "auto" ? "light dark" : button.value;
  document.querySelector("meta[name=color-scheme]")?.setAttribute("content", scheme);
}

function hidden(button) {
  const field = document.createElement("input");
  field.type = "hidden";
  field.name = button.name;
  field.value = button.value;
  return field;
}
