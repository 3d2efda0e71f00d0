// A key presses the button that says so: data-key="c". Where somebody types words, it is a letter.

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  // A score has no letters: the key works while the cursor waits in its field.
  const typing = event.target.closest("input:not([name=score]), textarea, select, [contenteditable]");
  if (typing || document.querySelector("dialog[open]")) return;
  const button = [...document.querySelectorAll("[data-key]")].find((each) => each.dataset.key === event.key.toLowerCase());
  if (!button) return;
  event.preventDefault();
  button.click();
});
