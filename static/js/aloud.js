// A wall screen reads each call aloud once, with the browser's speech synthesis (templates/venue/wall/_picture.html).
//
// Browsers allow speech only after a touch or a key. Until then a hint is shown, and the calls of the last minute are queued.

const SAID = "barpoint.said";
const MOST_STORED = 100;
const PATIENCE_MS = 60_000;
const hint = document.getElementById("mute");

let refused = [];

/** Read new calls aloud: elements with `lang`, and `data-say` as the key of the call. */
export function readCalls(calls) {
  if (!window.speechSynthesis) return;
  const said = loadKeys();
  for (const call of calls.filter(({ dataset }) => !said.includes(dataset.say))) {
    said.push(call.dataset.say);
    speak({ words: call.textContent.trim(), lang: call.lang, at: Date.now() });
  }
  storeKeys(said.slice(-MOST_STORED));
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

function readRefused() {
  hint.hidden = true;
  const calls = refused.filter(({ at }) => Date.now() - at < PATIENCE_MS);
  refused = [];
  calls.forEach(speak);
}

// The keys survive a reload, so that no call is read twice.
function loadKeys() {
  try {
    return JSON.parse(localStorage.getItem(SAID)) ?? [];
  } catch {
    return [];
  }
}

function storeKeys(said) {
  try {
    localStorage.setItem(SAID, JSON.stringify(said));
  } catch {
    // Storage is blocked: a call may be read again after a reload.
  }
}

document.addEventListener("pointerdown", readRefused);
document.addEventListener("keydown", readRefused);
