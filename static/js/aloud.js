// A screen says each call once, by the browser's own speech (templates/venue/wall/_picture.html).
//
// Browsers let a page speak once it has been touched: until then the screen says what to do, and keeps the calls of this minute.

const SAID = "barpoint.said";
const MOST_KEPT = 100;
const PATIENCE_MS = 60_000;
const hint = document.getElementById("mute");

let refused = [];

/** Say the calls that were not said yet: elements with `lang` and `data-say`, which names the call. */
export function say(calls) {
  if (!window.speechSynthesis) return;
  const said = recall();
  for (const call of calls.filter(({ dataset }) => !said.includes(dataset.say))) {
    said.push(call.dataset.say);
    speak({ words: call.textContent.trim(), lang: call.lang, at: Date.now() });
  }
  keep(said.slice(-MOST_KEPT));
}

function speak(call) {
  const utterance = new SpeechSynthesisUtterance(call.words);
  utterance.lang = call.lang;
  utterance.rate = 0.9;
  utterance.addEventListener("error", ({ error }) => {
    if (error !== "not-allowed") return;
    refused.push(call);
    hint.hidden = false;
  });
  speechSynthesis.speak(utterance);
}

function touched() {
  hint.hidden = true;
  const calls = refused.filter(({ at }) => Date.now() - at < PATIENCE_MS);
  refused = [];
  calls.forEach(speak);
}

// What was said stays said after the screen is loaded again.
function recall() {
  try {
    return JSON.parse(localStorage.getItem(SAID)) ?? [];
  } catch {
    return [];
  }
}

function keep(said) {
  try {
    localStorage.setItem(SAID, JSON.stringify(said));
  } catch {
    // Without a store a call may be said again after loading.
  }
}

document.addEventListener("pointerdown", touched);
document.addEventListener("keydown", touched);
