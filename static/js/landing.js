// Highlights for a moment what a live update has changed: a result in a list or a bracket, a line of the story, a score
// under a board. The style sheet respects prefers-reduced-motion.

const SELECTOR = [
  ".matches > .match--decided",
  ".story > li",
  ".sheet-svg .p.decided",
  ".tile__score",
  ".pips-words > span:first-child",
].join();

// The length of the animation. An update during this time replaces the element, and the new one is highlighted, too.
const HIGHLIGHT_MS = 1200;

let before = null;
// When each text appeared.
const landed = new Map();

/** Compare the page before and after each update. */
export function watchLandings() {
  document.addEventListener("htmx:beforeSwap", () => (before ??= new Set(found().map(key))));
  document.addEventListener("htmx:afterRequest", highlightNew);
}

function highlightNew() {
  if (!before) return;
  const now = Date.now();
  for (const each of found()) {
    const words = key(each);
    if (!before.has(words)) landed.set(words, now);
    if (now - landed.get(words) < HIGHLIGHT_MS) each.classList.add("is-landed");
  }
  before = null;
}

function found() {
  return [...document.querySelectorAll(SELECTOR)];
}

// The text identifies an element, since its position changes with every result; a score needs its player and board, too.
function key(each) {
  const board = each.closest("[data-board]")?.dataset.board ?? "";
  const player = each.closest(".tile__side")?.querySelector(".tile__name").textContent ?? "";
  return `${board} ${player} ${each.textContent}`.replace(/\s+/g, " ").trim();
}
