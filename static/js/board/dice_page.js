// The page that recomputes every roll of a match, from the published document or from a file of it.

import { Checker, computeDigest } from "./dice_check.js";
import { TEXTS, createTranslator, gettext, pgettext } from "./texts.js";

Object.assign(TEXTS, {
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
const translate = createTranslator();
const SLICE_MS = 12;

/** Let the page repaint. */
const yieldToBrowser = () => new Promise((resolve) => setTimeout(resolve, 0));

class DiceCheck {
  constructor(log) {
    this.log = log;
    this.names = log.match === data.match ? data.names : log.parties;
    this.rolls = byId("rolls");
    this.problems = [];
    this.firstProblem = null;
  }

  /** Check all rolls, unless another document is chosen in the mean time. */
  async run(isLatest) {
    const { log } = this;
    this.rolls.replaceChildren();
    byId("rolls-card").hidden = false;
    byId("rolls-count").textContent = "";
    this.showProgress(0);
    const checker = new Checker(log.match, log.parties);
    const remainingSets = [...log.epochs];
    let sliceStart = performance.now();
    for (const [index, roll] of log.rolls.entries()) {
      while (remainingSets.length && remainingSets[0].first <= index + 1) this.addSetProblems(checker.beginSet(remainingSets.shift()));
      this.addRow(checker.checkRoll(roll), roll);
      if (performance.now() - sliceStart > SLICE_MS) {
        this.showProgress(index + 1);
        await yieldToBrowser();
        if (!isLatest()) return;
        sliceStart = performance.now();
      }
    }
    for (const set of remainingSets) this.addSetProblems(checker.beginSet(set));
    this.showProgress(log.rolls.length);
    this.showConclusion(checker.notes.map(({ n, why }) => translate("note.early", { n, why: why || translate("note.silent") })));
  }

  addSetProblems(problems) {
    this.problems.push(...problems);
    if (problems.length) this.firstProblem ??= { why: problems[0][0] };
  }

  addRow(result, roll) {
    const row = document.createElement("tr");
    const isGood = result.problems.length === 0;
    const thrower = roll.roller === null ? translate("roller.opening") : this.names[roll.roller];
    const verdict = isGood ? translate("state.holds") : result.problems.map(([why]) => translate(`why.${why}`)).join(", ");
    row.append(
      createCell(String(result.number), "num"),
      createCell(thrower),
      createCell(result.dice.join("-"), "num"),
      this.createLabelCell(result),
      createCell(`${isGood ? "✓" : "✗"} ${verdict}`, isGood ? "dice-good" : "dice-bad"),
    );
    this.rolls.append(row);
    if (!isGood) {
      this.problems.push(...result.problems);
      this.firstProblem ??= { n: result.number, why: result.problems[0][0] };
    }
  }

  // The reason is known only for matches of this site; the document does not contain it.
  createLabelCell({ label, number }) {
    const box = createCell(translate(`label.${label}`));
    const reason = this.log.match === data.match ? data.reasons[number] : undefined;
    if (reason) {
      const why = document.createElement("span");
      why.className = "dice-why";
      why.textContent = translate(`reason.${reason}`);
      box.append(why);
    }
    return box;
  }

  showProgress(done) {
    const all = this.log.rolls.length;
    const bar = byId("progress");
    const words = byId("progress-words");
    bar.hidden = words.hidden = done >= all;
    bar.max = all || 1;
    bar.value = done;
    words.textContent = translate("progress", { done, all });
  }

  showConclusion(notes) {
    const { firstProblem, log } = this;
    const finish = (words, state) => showVerdict([words, ...notes].join(" "), state);
    byId("rolls-count").textContent = String(log.rolls.length);
    if (firstProblem?.n) return finish(translate("verdict.wrong", { n: firstProblem.n, why: translate(`why.${firstProblem.why}`) }), "wrong");
    if (firstProblem) return finish(translate("verdict.promise", { why: translate(`why.${firstProblem.why}`) }), "wrong");
    if (log.digest !== computeDigest(log)) return finish(translate("verdict.digest"), "wrong");
    const words = log.rolls.length ? translate("verdict.holds", { n: log.rolls.length }) : translate("verdict.none");
    return finish(log.match === data.match ? words : `${translate("file.other", { match: log.match })} ${words}`, "holds");
  }
}

function createCell(text, name = "") {
  const element = document.createElement("td");
  element.className = name;
  element.textContent = text;
  return element;
}

function showVerdict(words, state) {
  const verdict = byId("verdict");
  if (!verdict) return;
  verdict.textContent = words;
  verdict.dataset.state = state;
}

let latestCheck = 0;

// A chosen document replaces one that is still being loaded or checked.
function startCheck() {
  latestCheck += 1;
  const thisCheck = latestCheck;
  return () => thisCheck === latestCheck;
}

async function checkText(text, isLatest) {
  try {
    const log = JSON.parse(text);
    const isOurs = log.format === "barpoint-dice" && log.version === 1 && log.scheme === "bgdice/v1";
    if (!isOurs || !Array.isArray(log.rolls)) throw new Error(translate("file.format"));
    await new DiceCheck(log).run(isLatest);
  } catch (error) {
    showVerdict(translate("file.bad", { why: error.message }), "wrong");
  }
}

async function checkPublished() {
  const isLatest = startCheck();
  showVerdict("", "running");
  try {
    const response = await fetch(data.url, { credentials: "same-origin" });
    if (!response.ok) throw new Error(String(response.status));
    const text = await response.text();
    if (isLatest()) await checkText(text, isLatest);
  } catch {
    if (isLatest()) showVerdict(translate("fetch.failed"), "wrong");
  }
}

byId("file").addEventListener("change", async ({ target }) => {
  const [file] = target.files;
  if (file) await checkText(await file.text(), startCheck());
});
if (data.url) checkPublished();
