// Offering to give up: which levels are open, what each costs, and the command.

/** Let the page's dialog do that; without one nobody here may resign. */
export function bindResignation(page) {
  const form = document.getElementById("resign-form");
  if (!form) return;
  const dialog = form.closest("dialog");
  const { client } = page;
  // This comes after the page: somebody may have opened the dialog and chosen by then.
  let chosen = dialog.open ? form.elements.level.value : null;
  form.addEventListener("change", ({ target }) => (chosen = target.value));
  // What the dialog has chosen is a choice too: what becomes possible later does not change it.
  const offer = () => {
    offerLevels(page, form, chosen);
    chosen ??= form.elements.level.value || null;
  };
  document.getElementById("resign-open").addEventListener("click", () => {
    chosen = null;
    offer();
    tell();
  });
  // What may be lost can become known, or change, while somebody thinks about it.
  client.addEventListener("change", () => dialog.open && isKnown(client) && offer());
  // One command at a time: while another is on its way this one would be lost.
  const button = dialog.querySelector("[value=resign]");
  const tell = () => (button.disabled = Boolean(client.pending) || !form.elements.level.value);
  for (const name of ["sent", "change", "refused"]) client.addEventListener(name, tell);
  form.addEventListener("change", tell);
  tell();
  form.addEventListener("submit", (event) => {
    if (event.submitter?.value !== "resign") return;
    const { value } = form.elements.level;
    page.command({ type: "resign", level: value === "match" ? value : Number(value) });
    // On a phone one had to leave the board for the button; what comes of it is seen there.
    document.getElementById("match").scrollIntoView({ block: "nearest" });
  });
}

// In the opponent's turn only the match can be given up; in one's own the server says what can.
const isKnown = ({ you, isMine }) => you !== null || !isMine;

function offerLevels({ client, say }, form, chosen) {
  const levels = client.you?.resign_levels ?? ["match"];
  const { cube } = client.snapshot;
  // While nobody has turned the cube nothing counts more than once, where that is agreed (R47, Jacoby).
  const most = client.terms.rules.jacoby && cube.owner === null ? 1 : Infinity;
  for (const label of form.querySelectorAll("[data-level]")) {
    const { level } = label.dataset;
    label.hidden = !levels.map(String).includes(level) || Number(level) > most;
    const points = label.querySelector("[data-points]");
    if (points) points.textContent = `(${say.count("points", Number(level) * cube.value)})`;
  }
  const open = [...form.querySelectorAll("label:not([hidden]) input")];
  const wanted = chosen ?? (isKnown(client) ? open[0].value : null);
  // None, where what was chosen is possible no more.
  for (const input of form.elements.level) input.checked = input.value === wanted && open.includes(input);
}
