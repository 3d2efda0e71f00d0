// Why a play may not be made: the server is asked, and answers by its rule, with legal plays near it.

import { ask } from "./post.js";

const SHOWN = 2;

/** Ask about a refused play, and say the answer; a tap that led nowhere is explained only to whoever is being guided. */
export async function why(page, { play, isTap }) {
  if (isTap && !page.guide) return;
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
  const { title, help, context = {} } = problem.body;
  const plays = (context.nearest ?? []).slice(0, SHOWN).join(", ");
  const words = plays ? `${title} ${say("why.nearest", { plays })}` : title;
  const { toast } = await import("../toast.js");
  const link = context.rule ? say("why.rule", { rule: context.rule }) : say("line.why");
  toast(words, { more: help && { href: help, words: link }, kind: "why" });
}
