/* Forms with files check the limits of their address before they are sent (<form data-most-bytes data-most-file>). */

const MB = 1_000_000;

export function checkSizes() {
  document.addEventListener("change", ({ target }) => {
    if (target.type === "file" && target.form?.dataset.mostBytes) check(target.form);
  });
  document.addEventListener("input", ({ target }) => {
    if (target.form?.querySelector(".size-error")) check(target.form);
  });
  // In the capture phase, before forms.js marks the form as sent.
  document.addEventListener(
    "submit",
    (event) => {
      const input = event.target.dataset.mostBytes && check(event.target);
      if (!input) return;
      event.preventDefault();
      input.focus();
    },
    { capture: true },
  );
}

/** Show an error beside the input whose files are too large, and return the input; undefined if none is. */
function check(form) {
  form.querySelectorAll(".size-error").forEach((error) => error.remove());
  form.querySelectorAll("[type=file]").forEach((input) => input.removeAttribute("aria-invalid"));
  const inputs = [...form.querySelectorAll("[type=file]")];
  const files = inputs.flatMap((input) => [...input.files].map((file) => ({ file, input })));
  const large = files.find(({ file }) => file.size > Number(form.dataset.mostFile));
  if (large) return showError(large.input, formatError(form.dataset.fileTooLarge, large.file.size, large.file.name));
  const texts = [...form.elements].filter((each) => each.name && each.type !== "file");
  const size =
    files.reduce((sum, { file }) => sum + file.size, 0) +
    texts.reduce((sum, each) => sum + new TextEncoder().encode(each.value).length, 0);
  if (size <= Number(form.dataset.mostBytes)) return undefined;
  files.sort((one, other) => other.file.size - one.file.size);
  return showError(files[0]?.input ?? inputs[0], formatError(form.dataset.tooLarge, size));
}

function formatError(words, size, name = "") {
  const shown = `${Math.ceil(size / (MB / 10)) / 10} MB`.replace(".", separator());
  return words.replace("{size}", () => shown).replace("{name}", () => name);
}

function separator() {
  return (1.1).toLocaleString(document.documentElement.lang).charAt(1);
}

function showError(input, words) {
  const error = document.createElement("p");
  error.className = "field__error size-error";
  error.setAttribute("role", "alert");
  error.textContent = words;
  input.after(error);
  input.setAttribute("aria-invalid", "true");
  return input;
}
