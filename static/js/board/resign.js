// Offers to resign: the available levels, their cost, and the command.

/** Set up the dialog of the page; without one the viewer cannot resign. */
export function bindResignation(page) {
  const form = document.getElementById("resign-form");
  if (!form) return;
  const dialog = form.closest("dialog");
  const { client } = page;
  // Loaded after the page: the dialog may already be open, with a choice.
  let chosen = dialog.open ? form.elements.level.value : null;
  form.addEventListener("change", ({ target }) => (chosen = target.value));
  // The preselected level counts as a choice: levels that become available later do not change it.
  const updateLevels = () => {
    showLevels(page, form, chosen);
    chosen ??= form.elements.level.value || null;
  };
  document.getElementById("resign-open").addEventListener("click", () => {
    chosen = null;
    updateLevels();
    updateButton();
  });
  // What a resignation costs can change while the dialog is open.
  client.addEventListener("change", () => dialog.open && areLevelsKnown(client) && updateLevels());
  // One command at a time: during another this one would be lost.
  const button = dialog.querySelector("[value=resign]");
  const updateButton = () => (button.disabled = Boolean(client.pending) || !form.elements.level.value);
  for (const name of ["sent", "change", "refused"]) client.addEventListener(name, updateButton);
  form.addEventListener("change", updateButton);
  updateButton();
  form.addEventListener("submit", (event) => {
    if (event.submitter?.value !== "resign") return;
    const { value } = form.elements.level;
    page.sendCommand({ type: "resign", level: value === "match" ? value : Number(value) });
    // On a phone the button is far from the board, where the result is shown.
    document.getElementById("match").scrollIntoView({ block: "nearest" });
  });
}

// In the opponent's turn only the match can be resigned; in the player's turn the server sends the levels.
const areLevelsKnown = ({ you, isMine }) => you !== null || !isMine;

function showLevels({ client, translate }, form, chosen) {
  const levels = client.you?.resign_levels ?? ["match"];
  const { cube } = client.snapshot;
  // With the Jacoby rule gammons count only after a double (R47).
  const maxLevel = client.terms.rules.jacoby && cube.owner === null ? 1 : Infinity;
  for (const label of form.querySelectorAll("[data-level]")) {
    const { level } = label.dataset;
    label.hidden = !levels.map(String).includes(level) || Number(level) > maxLevel;
    const points = label.querySelector("[data-points]");
    if (points) points.textContent = `(${translate.plural("points", Number(level) * cube.value)})`;
  }
  const open = [...form.querySelectorAll("label:not([hidden]) input")];
  // The opponent has no say when the whole match is resigned.
  const hasGame = open.some(({ value }) => value !== "match");
  form.querySelector("[data-resign-game]").hidden = !hasGame;
  form.querySelector("[data-resign-match]").hidden = hasGame;
  const selected = chosen ?? (areLevelsKnown(client) ? open[0].value : null);
  // None if the chosen level is no longer possible.
  for (const input of form.elements.level) input.checked = input.value === selected && open.includes(input);
}
