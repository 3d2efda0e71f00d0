// What news have changed on an open page is lit for a moment: a result in a list or a bracket, a line of the story, a
// score under a board. The style sheet says how, and that nothing moves for those who ask for none.

const LANDS = [
  ".matches > .match--decided",
  ".story > li",
  ".sheet-svg .p.decided",
  ".tile__score",
  ".pips-words > span:first-child",
].join();

// As long as the animation takes: news that come meanwhile bring the part anew, and it is lit there.
const LIT_MS = 1200;

let before = null;
// By what it says: when it came.
const landed = new Map();

/** Compare the page before and after each part that is exchanged. */
export function watchLandings() {
  document.addEventListener("htmx:beforeSwap", () => (before ??= new Set(found().map(key))));
  document.addEventListener("htmx:afterRequest", light);
}

function light() {
  if (!before) return;
  const now = Date.now();
  for (const each of found()) {
    const words = key(each);
    if (!before.has(words)) landed.set(words, now);
    if (now - landed.get(words) < LIT_MS) each.classList.add("is-landed");
  }
  before = null;
}

function found() {
  return [...document.querySelectorAll(LANDS)];
}

// Said by its words: where it stands changes with every result. A score is its player's, at their board.
function key(each) {
  const board = each.closest("[data-board]")?.dataset.board ?? "";
  const player = each.closest(".tile__side")?.querySelector(".tile__name").textContent ?? "";
  return `${board} ${player} ${each.textContent}`.replace(/\s+/g, " ").trim();
}
