/* Rows of matches by keyboard: Tab goes from score to score, the arrows up and down from row to row, and from a score the right
   arrow leads to what else its row has: links, buttons, the menu of its table. Without this script Tab stops at each of them. */

const ROW = ".match--desk";
const SCORE = ".match__entry:not(.match__entry--late) input[name=score]";
const CONTROL = "a[href], button, summary, input:not([type=hidden])";

for (const change of ["htmx:afterSwap", "htmx:oobAfterSwap"]) document.addEventListener(change, leaveOut);
leaveOut();

// The match in the address is in view. Otherwise, back from an act or with other matches chosen, the page is scrolled to where
// it was.
const PLACE = `barpoint.place.${location.pathname}`;
addEventListener("pagehide", () => sessionStorage.setItem(PLACE, scrollY));
const came = document.referrer.startsWith(location.origin) ? new URL(document.referrer).pathname : "";
const target = document.querySelector(`${ROW}:target`);
if (target) target.scrollIntoView({ block: "center" });
else if (came === location.pathname || came.includes("/acts/")) scrollTo(0, Number(sessionStorage.getItem(PLACE)));

document.addEventListener("keydown", (event) => {
  const row = event.target.closest?.(ROW);
  if (!row || event.ctrlKey || event.metaKey || event.altKey || event.target.closest(".menu[open], .match__points")) return;
  const next = findNext(row, event);
  if (!next) return;
  event.preventDefault();
  next.focus();
  if (next.matches(SCORE)) next.select();
});

function findNext(row, { key, target }) {
  if (key === "ArrowDown") return step(row, 1);
  if (key === "ArrowUp") return step(row, -1);
  if (key === "ArrowRight") return beside(row, target, 1);
  if (key === "ArrowLeft") return beside(row, target, -1);
  return null;
}

// Only in rows with a field for the score; Tab also reaches the entries of an open menu, and the acts of a row that needs one.
function leaveOut() {
  for (const score of document.querySelectorAll(SCORE)) {
    for (const each of controls(score.closest(ROW))) if (each !== score && !each.closest(".match__need")) each.tabIndex = -1;
  }
}

function controls(row) {
  const found = [...row.querySelectorAll(CONTROL)].filter((each) => !each.closest(".menu__panel, .match__points"));
  const score = row.querySelector(SCORE);
  return score ? [score, ...found.filter((each) => each !== score)] : found;
}

function step(row, by) {
  const rows = [...document.querySelectorAll(ROW)].filter((each) => controls(each).length);
  const next = rows[rows.indexOf(row) + by];
  return next && controls(next)[0];
}

// In a field the arrows move the cursor, until it is at the end.
function beside(row, here, by) {
  if (here.matches("input") && (by < 0 || here.selectionEnd < here.value.length)) return null;
  const seen = controls(row).filter((each) => each.checkVisibility());
  return seen[seen.indexOf(here) + by];
}
