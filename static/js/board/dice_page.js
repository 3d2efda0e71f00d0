// The page that makes every roll of a match again, from the published document or from a file of it.

import { Checker, digest } from "./dice_check.js";
import { speaker } from "./words.js";

const byId = (id) => document.getElementById(id);
const data = JSON.parse(byId("dice-data").textContent);
const say = speaker(data.words);
const SLICE_MS = 12;

/** Give the page a moment to paint. */
const breathe = () => new Promise((resolve) => setTimeout(resolve, 0));

class DiceCheck {
  constructor(log) {
    this.log = log;
    this.names = log.match === data.match ? data.names : log.parties;
    this.rolls = byId("rolls");
    this.problems = [];
    this.first = null;
  }

  async run() {
    const { log } = this;
    this.rolls.replaceChildren();
    byId("rolls-card").hidden = false;
    byId("rolls-count").textContent = "";
    this.tellProgress(0);
    const checker = new Checker(log.match, log.parties);
    const waiting = [...log.epochs];
    let since = performance.now();
    for (const [index, roll] of log.rolls.entries()) {
      while (waiting.length && waiting[0].first <= index + 1) this.promises(checker.enter(waiting.shift()));
      this.show(checker.roll(roll), roll);
      if (performance.now() - since > SLICE_MS) {
        this.tellProgress(index + 1);
        await breathe();
        since = performance.now();
      }
    }
    for (const set of waiting) this.promises(checker.enter(set));
    this.tellProgress(log.rolls.length);
    this.conclude();
  }

  promises(found) {
    this.problems.push(...found);
    if (found.length) this.first ??= { why: found[0][0] };
  }

  show(found, roll) {
    const row = document.createElement("tr");
    const isGood = found.problems.length === 0;
    const thrower = roll.roller === null ? say("roller.opening") : this.names[roll.roller];
    const verdict = isGood ? say("state.holds") : found.problems.map(([why]) => say(`why.${why}`)).join(", ");
    row.append(
      cell(String(found.number), "num"),
      cell(thrower),
      cell(found.dice.join("-"), "num"),
      this.label(found),
      cell(`${isGood ? "✓" : "✗"} ${verdict}`, isGood ? "dice-good" : "dice-bad"),
    );
    this.rolls.append(row);
    if (!isGood) {
      this.problems.push(...found.problems);
      this.first ??= { n: found.number, why: found.problems[0][0] };
    }
  }

  // Why it went this way is known of our own matches alone: the document does not say it.
  label({ label, number }) {
    const box = cell(say(`label.${label}`));
    const reason = this.log.match === data.match ? data.reasons[number] : undefined;
    if (reason) {
      const why = document.createElement("span");
      why.className = "dice-why";
      why.textContent = say(`reason.${reason}`);
      box.append(why);
    }
    return box;
  }

  tellProgress(done) {
    const all = this.log.rolls.length;
    const bar = byId("progress");
    const words = byId("progress-words");
    bar.hidden = words.hidden = done >= all;
    bar.max = all || 1;
    bar.value = done;
    words.textContent = say("progress", { done, all });
  }

  conclude() {
    const { first, log } = this;
    byId("rolls-count").textContent = String(log.rolls.length);
    if (first?.n) return tell(say("verdict.wrong", { n: first.n, why: say(`why.${first.why}`) }), "wrong");
    if (first) return tell(say("verdict.promise", { why: say(`why.${first.why}`) }), "wrong");
    if (log.digest !== digest(log)) return tell(say("verdict.digest"), "wrong");
    const words = log.rolls.length ? say("verdict.holds", { n: log.rolls.length }) : say("verdict.none");
    return tell(log.match === data.match ? words : `${say("file.other", { match: log.match })} ${words}`, "holds");
  }
}

function cell(text, name = "") {
  const element = document.createElement("td");
  element.className = name;
  element.textContent = text;
  return element;
}

function tell(words, state) {
  const verdict = byId("verdict");
  if (!verdict) return;
  verdict.textContent = words;
  verdict.dataset.state = state;
}

async function check(text) {
  try {
    const log = JSON.parse(text);
    if (log.format !== "barpoint-dice" || log.version !== 1 || !Array.isArray(log.rolls)) throw new Error(say("file.format"));
    await new DiceCheck(log).run();
  } catch (error) {
    tell(say("file.bad", { why: error.message }), "wrong");
  }
}

async function checkPublished() {
  tell("", "running");
  try {
    const answer = await fetch(data.url, { credentials: "same-origin" });
    if (!answer.ok) throw new Error(String(answer.status));
    await check(await answer.text());
  } catch {
    tell(say("fetch.failed"), "wrong");
  }
}

byId("file").addEventListener("change", async ({ target }) => {
  const [file] = target.files;
  if (file) await check(await file.text());
});
if (data.url) checkPublished();
