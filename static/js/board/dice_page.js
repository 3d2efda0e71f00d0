// The page that recomputes every roll of a match, from the published document or from a file of it.

import { Checker, digest } from "./dice_check.js";
import { WORDS, gettext, pgettext, speaker } from "./words.js";

Object.assign(WORDS, {
  "label.strict": pgettext("dice", "strict"),
  "label.sealed": pgettext("dice", "sealed"),
  "label.weaker": pgettext("dice", "weaker"),
  "reason.asked": gettext("both were at the board: the other share came when the roll was asked for"),
  "reason.opening": gettext("an opening roll: nobody has anything to decide before it"),
  "reason.no-double": gettext("no double could matter, so knowing the roll would have helped nobody"),
  "reason.correspondence": gettext("played by correspondence: the share was left with the last move"),
  "reason.bot": gettext("the bot belongs to the server, and so does its share"),
  "reason.ahead": gettext("one of the two was away, or a program left its share beforehand"),
  "reason.silent": gettext("one of the two gave no secret share"),
  "roller.opening": gettext("opening"),
  "state.holds": gettext("correct"),
  "state.wrong": gettext("wrong"),
  "progress": gettext("{done} of {all} rolls checked"),
  "verdict.holds": gettext("Every roll is correct: {n} rolls were recomputed from their shares, and each matches the one that was played."),
  "verdict.wrong": gettext("Something is wrong. The first problem: roll {n}, {why}."),
  "verdict.promise": gettext("Something is wrong: a promise does not match what was shown ({why})."),
  "verdict.digest": gettext("The rolls are correct, but the document does not match its digest: it was changed along the way."),
  "verdict.none": gettext("No roll was made in this match."),
  "note.early": gettext("New chains were begun at roll {n}, before the old ones were used up: {why}."),
  "note.silent": gettext("no reason was given"),
  "file.bad": gettext("This file is not a dice document: {why}"),
  "file.format": gettext("it is not called barpoint-dice, version 1, of the scheme bgdice/v1."),
  "file.other": gettext("This is the document of match {match}."),
  "fetch.failed": gettext("The document could not be fetched. Choose the file you downloaded instead."),
  "why.epoch-order": gettext("a set of chains begins at the wrong roll"),
  "why.wrong-commitment": gettext("a chain is not the one that was promised"),
  "why.equal-heads": gettext("two parties gave the same chain"),
  "why.wrong-number": gettext("rolls are missing or appear twice"),
  "why.tie-kept": gettext("a tie was not rolled again"),
  "why.chain-used-up": gettext("the chains were used up"),
  "why.wrong-link": gettext("a share does not lead to the promise"),
  "why.repeated-share": gettext("a share was used twice"),
  "why.equal-shares": gettext("two shares are equal"),
  "why.wrong-dice": gettext("the shares make other dice"),
});

const byId = (id) => document.getElementById(id);
const data = JSON.parse(byId("dice-data").textContent);
const say = speaker();
const SLICE_MS = 12;

/** Let the page repaint. */
const breathe = () => new Promise((resolve) => setTimeout(resolve, 0));

class DiceCheck {
  constructor(log) {
    this.log = log;
    this.names = log.match === data.match ? data.names : log.parties;
    this.rolls = byId("rolls");
    this.problems = [];
    this.first = null;
  }

  /** Check all rolls, unless another document is chosen in the mean time. */
  async run(isLatest) {
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
        if (!isLatest()) return;
        since = performance.now();
      }
    }
    for (const set of waiting) this.promises(checker.enter(set));
    this.tellProgress(log.rolls.length);
    this.conclude(checker.notes.map(({ n, why }) => say("note.early", { n, why: why || say("note.silent") })));
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

  // The reason is known only for matches of this site; the document does not contain it.
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

  conclude(notes) {
    const { first, log } = this;
    const end = (words, state) => tell([words, ...notes].join(" "), state);
    byId("rolls-count").textContent = String(log.rolls.length);
    if (first?.n) return end(say("verdict.wrong", { n: first.n, why: say(`why.${first.why}`) }), "wrong");
    if (first) return end(say("verdict.promise", { why: say(`why.${first.why}`) }), "wrong");
    if (log.digest !== digest(log)) return end(say("verdict.digest"), "wrong");
    const words = log.rolls.length ? say("verdict.holds", { n: log.rolls.length }) : say("verdict.none");
    return end(log.match === data.match ? words : `${say("file.other", { match: log.match })} ${words}`, "holds");
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

let asked = 0;

// A chosen document replaces one that is still being loaded or checked.
function begin() {
  asked += 1;
  const mine = asked;
  return () => mine === asked;
}

async function check(text, isLatest) {
  try {
    const log = JSON.parse(text);
    const isOurs = log.format === "barpoint-dice" && log.version === 1 && log.scheme === "bgdice/v1";
    if (!isOurs || !Array.isArray(log.rolls)) throw new Error(say("file.format"));
    await new DiceCheck(log).run(isLatest);
  } catch (error) {
    tell(say("file.bad", { why: error.message }), "wrong");
  }
}

async function checkPublished() {
  const isLatest = begin();
  tell("", "running");
  try {
    const answer = await fetch(data.url, { credentials: "same-origin" });
    if (!answer.ok) throw new Error(String(answer.status));
    const text = await answer.text();
    if (isLatest()) await check(text, isLatest);
  } catch {
    if (isLatest()) tell(say("fetch.failed"), "wrong");
  }
}

byId("file").addEventListener("change", async ({ target }) => {
  const [file] = target.files;
  if (file) await check(await file.text(), begin());
});
if (data.url) checkPublished();
