// Asks the server why a play is refused, and shows its rule, with the nearest legal plays.

import "./late_texts.js";
import { getJson } from "./api.js";
import { OFF } from "./position.js";
import { formatPoint } from "./play_texts.js";
import { toast } from "../toast.js";

const MAX_PLAYS = 2;

/** Ask about a refused play, and show the answer. For a tap that led nowhere only in a guided game. */
export async function explainRefusal(page, intent) {
  const play = describeAttempt(page.table.turn, intent, Boolean(page.guide));
  if (!play) return;
  const { client, translate } = page;
  let problem;
  try {
    // Nothing is shown if the play is legal.
    await getJson(`${client.api}judge/?play=${encodeURIComponent(play)}`);
    return;
  } catch (refused) {
    problem = refused;
  }
  if (problem.status !== 409) return;
  const { title, context = {} } = problem.body;
  const plays = (context.nearest ?? []).slice(0, MAX_PLAYS).join(", ");
  const words = plays ? `${title} ${translate("why.nearest", { plays })}` : title;
  showMessage(page, words, problem.body, { kind: "why" });
}

/** Show it, with a link to the rule or to the help page, which opens in a new tab because the match goes on. */
export function showMessage({ translate }, text, { help, context }, options) {
  const words = context?.rule ? translate("why.rule", { rule: context.rule }) : translate("line.why");
  toast(text, { ...options, more: help && { href: help, words } });
}

/** A refused play: the typed text, or the steps so far and the refused one; after a mere tap only if `isGuided`. */
export function describeAttempt(turn, { typed, source, target }, isGuided) {
  if (typed) return typed;
  if (!turn) return "";
  if (target === null) {
    const isStuck = isGuided && !turn.isComplete && turn.position[turn.side][source] > 0;
    return isStuck ? formatSteps([[source, Math.max(OFF, source - turn.activeDie)]]) : "";
  }
  return formatSteps(target > source ? [[source, target]] : [...turn.steps, [source, target]]);
}

function formatSteps(pairs) {
  return pairs.map((pair) => pair.map(formatPoint).join("/")).join(" ");
}
