/* A result in two taps: who won, then the loser's points. A finger has the names as buttons (desk-rows.css); keys and mice have the field.
   News wait while the points are shown: nothing moves under the finger. */

let shown = null;
// The part of the page for which news have come meanwhile.
let missed = null;

document.addEventListener("click", ({ target }) => {
  const winner = target.closest?.("[data-won]");
  if (winner) return winner === shown?.winner ? put() : show(winner);
  const points = target.closest?.(".match__points button");
  if (points) enter(Number(points.textContent));
  else if (shown && !shown.row.contains(target)) put();
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || !shown) return;
  const { winner } = shown;
  put();
  winner.focus();
});

document.addEventListener("htmx:oobBeforeSwap", ({ detail }) => {
  if (!shown || !detail.target.contains(shown.row)) return;
  detail.shouldSwap = false;
  missed = detail.target.closest("[data-live]");
});

function show(winner) {
  put();
  const row = document.createElement("div");
  const asked = document.createElement("span");
  row.className = "match__points";
  row.setAttribute("role", "group");
  row.setAttribute("aria-label", winner.dataset.asks);
  asked.textContent = winner.dataset.asks;
  asked.setAttribute("aria-hidden", "true");
  row.append(asked, ...Array.from({ length: Number(winner.form.dataset.length) }, (_, points) => button(points)));
  winner.form.append(row);
  winner.setAttribute("aria-expanded", "true");
  shown = { winner, row };
}

function button(points) {
  const made = document.createElement("button");
  made.type = "button";
  made.className = "button num";
  made.textContent = points;
  return made;
}

function enter(points) {
  const { form, dataset } = shown.winner;
  const length = form.dataset.length;
  form.elements.score.value = dataset.won === "a" ? `${length} ${points}` : `${points} ${length}`;
  // The answer is newer than what was missed.
  missed = null;
  put();
  form.requestSubmit();
}

function put() {
  if (!shown) return;
  const { winner, row } = shown;
  shown = null;
  winner.setAttribute("aria-expanded", "false");
  row.remove();
  if (missed) htmx.trigger(missed, "live");
  missed = null;
}
