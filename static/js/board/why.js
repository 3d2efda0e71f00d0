// Why a play may not be made: the server is asked, and answers by its rule, with legal plays near it.

import "./late_words.js";
import { ask } from "./post.js";
import { OFF } from "./position.js";
import { pointName } from "./say.js";
import { toast } from "../toast.js";

const SHOWN = 2;

/** Ask about a refused play, and say the answer; a tap that led nowhere is explained only to whoever is being guided. */
export async function why(page, intent) {
  const play = attempted(page.table.turn, intent, Boolean(page.guide));
  if (!play) return;
  const { client, say } = page;
  let problem;
  try {
    // What is legal after all says nothing.
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

/** Say it, with a link to the rule or to where help explains it: in a tab of its own, for the match goes on. */
export function tell({ say }, text, { help, context }, options) {
  const words = context?.rule ? say("why.rule", { rule: context.rule }) : say("line.why");
  toast(text, { ...options, more: help && { href: help, words } });
}

/** A refused play: as it was typed, or the steps made so far and the one that was tried; of a mere tap only if `isGuided`. */
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
