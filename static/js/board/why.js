// Asks the server why a play is refused, and shows its rule, with the nearest legal plays.

import "./late_words.js";
import { ask } from "./post.js";
import { OFF } from "./position.js";
import { pointName } from "./say.js";
import { toast } from "../toast.js";

const SHOWN = 2;

/** Ask about a refused play, and show the answer. For a tap that led nowhere only in a guided game. */
export async function why(page, intent) {
  const play = attempted(page.table.turn, intent, Boolean(page.guide));
  if (!play) return;
  const { client, say } = page;
  let problem;
  try {
    // Nothing is shown if the play is legal.
    await ask(`${client.api}judge/?play=${encodeURIComponent(play)}`);
    return;
  } catch (refused) {
    problem = refused;
  }
  if (problem.status !== 409) return;
  const { title, context = {} } = problem.body;
  const plays = (context.nearest ?? []).slice(0, SHOWN).join(", ");
  const words = plays ? `${title} ${say("why.nearest", { plays })}` : title;
  tell(page, words, problem.body, { kind: "why" });
}

/** Show it, with a link to the rule or to the help page, which opens in a new tab because the match goes on. */
export function tell({ say }, text, { help, context }, options) {
  const words = context?.rule ? say("why.rule", { rule: context.rule }) : say("line.why");
  toast(text, { ...options, more: help && { href: help, words } });
}

/** A refused play: the typed text, or the steps so far and the refused one; after a mere tap only if `isGuided`. */
export function attempted(turn, { typed, source, target }, isGuided) {
  if (typed) return typed;
  if (!turn) return "";
  if (target === null) {
    const isStuck = isGuided && !turn.isComplete && turn.position[turn.side][source] > 0;
    return isStuck ? steps([[source, Math.max(OFF, source - turn.active)]]) : "";
  }
  return steps(target > source ? [[source, target]] : [...turn.steps, [source, target]]);
}

function steps(pairs) {
  return pairs.map((pair) => pair.map(pointName).join("/")).join(" ");
}
