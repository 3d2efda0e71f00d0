/* A result in two taps: the winner, then the loser's points. On touch screens the names are buttons (desk-rows.css), instead of the
   field. Live updates wait while the points are shown, so that nothing moves under the finger. */

let shown = null;
// The part whose update was delayed.
let missed = null;

document.addEventListener("click", ({ target }) => {
  const winner = target.closest?.("[data-won]");
  if (winner) return winner === shown?.winner ? hidePoints() : showPoints(winner);
  const points = target.closest?.(".match__points button");
  if (points) enter(Number(points.textContent));
  else if (shown && !shown.row.contains(target)) hidePoints();
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || !shown) return;
  const { winner } = shown;
  hidePoints();
  winner.focus();
});

document.addEventListener("htmx:oobBeforeSwap", ({ detail }) => {
  if (!shown || !detail.target.contains(shown.row)) return;
  detail.shouldSwap = false;
  missed = detail.target.closest("[data-live]");
});

function showPoints(winner) {
  hidePoints();
  const row = document.createElement("div");
  const question = document.createElement("span");
  row.className = "match__points";
  row.setAttribute("role", "group");
  row.setAttribute("aria-label", winner.dataset.asks);
  question.textContent = winner.dataset.asks;
  question.setAttribute("aria-hidden", "true");
  row.append(question, ...Array.from({ length: Number(winner.form.dataset.length) }, (_, points) => button(points)));
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
  // The answer is newer than the delayed update.
  missed = null;
  hidePoints();
  form.requestSubmit();
}

function hidePoints() {
  if (!shown) return;
  const { winner, row } = shown;
  shown = null;
  winner.setAttribute("aria-expanded", "false");
  row.remove();
  if (missed) htmx.trigger(missed, "live");
  missed = null;
}
