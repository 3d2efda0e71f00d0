// A guided game: the box beside the board explains the possible acts, each with its rule.

import { BAR, hitsBlot, opponentOf } from "./position.js";
import { TEXTS, gettext } from "./texts.js";

Object.assign(TEXTS, {
  "guide.opening": gettext("Each of you rolls one die. The higher number begins, and plays both dice."),
  "guide.aim": gettext("Bring all your checkers home to the points 1 to 6, then take them off. Whoever is first wins."),
  "guide.next": gettext("The next game begins as the first one did. The points you have won stay yours."),
  "guide.wait": gettext("{name} is playing. Look at what moves where: the other side moves the opposite way."),
  "guide.roll": gettext("Your turn. Roll; nobody can choose what comes up."),
  "guide.double": gettext("Your turn. Before you roll you may double: the other side plays on for {value} points, or gives the game up. If you are not clearly ahead, just roll."),
  "guide.take": gettext("{name} asks to double. If you take, the game is worth {value} and only you may double next."),
  "guide.drop": gettext("If you drop, the other side wins the game as it stands now. Take if you would win at least one such game in four."),
  "guide.answers": gettext("You have doubled. {name} takes, or drops and loses the game."),
  "guide.resigned": gettext("{name} offers to give the game up. Decline only if you could still win more: a gammon or a backgammon."),
  "guide.move": gettext("You rolled {dice}. Each die moves a checker so many points towards home, from high numbers to low; one checker may use both. Tap a checker to see where it may go."),
  "guide.doubles": gettext("Equal dice are played four times: four moves of {die}."),
  "guide.blocked": gettext("The other side holds these points with two checkers or more, so you may not land there: {points}."),
  "guide.hit": gettext("A checker stands alone here, and you can hit it: {points}. It has to start again from the bar."),
  "guide.only": gettext("Only one move is legal now, so it has to be this one."),
  "guide.bar": gettext("You have a checker on the bar. It must come in before any other checker moves."),
  "guide.no-entry": gettext("No checker can come in from the bar, so your turn is over."),
  "guide.dance": gettext("Neither number can be played, so your turn is over."),
  "guide.bear-off": gettext("All your checkers are home: now each die takes one off its point."),
  "guide.confirm": gettext("That is a whole play. Confirm it, or undo it and look for another."),
  "guide.over": gettext("That was a whole match. The exercises in help are about what is hardest at first."),
});

const HOME = 6;
// The roll is shown before it can be played.
const SETTLE_MS = 150;

export class Guide {
  /** `box` has the address of the rules in `data-rules`. */
  constructor(page, box) {
    Object.assign(this, { page, box, shown: "" });
    this.list = box.querySelector("ul");
    page.guide = this;
    const { table } = page;
    const handleIntent = table.onIntent;
    table.onIntent = (intent) => {
      handleIntent(intent);
      if (intent.type === "changed") this.show();
    };
    for (const name of ["frame", "change", "sent"]) page.client.addEventListener(name, () => this.show());
    this.show();
  }

  /** Show the current topic; a text that is already shown is not written again. */
  show() {
    clearTimeout(this.timer);
    const { client, table } = this.page;
    const { phase, turn } = client.snapshot;
    if (phase === "to-play" && turn === client.me && !client.isOver && !table.turn) {
      this.timer = setTimeout(() => this.show(), SETTLE_MS);
      return;
    }
    const lines = listLessons(this.page);
    const shown = JSON.stringify(lines);
    this.box.hidden = lines.length === 0;
    if (shown === this.shown) return;
    this.shown = shown;
    this.list.replaceChildren(...lines.map((line) => this.createItem(line)));
  }

  createItem([key, values, rule]) {
    const item = document.createElement("li");
    item.dataset.lesson = key;
    item.textContent = this.page.translate(`guide.${key}`, values);
    if (rule) {
      const link = document.createElement("a");
      link.href = `${this.box.dataset.rules}#${rule}`;
      link.target = "_blank";
      link.textContent = rule;
      item.append(" ", link);
    }
    return item;
  }
}

/** The current lessons: [key, values, rule] for each line. */
export function listLessons({ client, names, table }) {
  const { me, snapshot } = client;
  const name = names[opponentOf(me)];
  if (client.isOver) return [["over", {}, "R55"]];
  if (snapshot.status !== "live" && snapshot.status !== "waiting") return [];
  switch (snapshot.phase) {
    case "opening":
      return snapshot.results.length ? [["next", {}, ""]] : [["opening", {}, "R09"], ["aim", {}, "R40"]];
    case "to-roll":
      return snapshot.turn === me ? listRollLessons(client) : [["wait", { name }, "R11"]];
    case "to-play":
      return snapshot.turn === me ? listPlayLessons(table, snapshot) : [["wait", { name }, "R11"]];
    case "doubled":
      return listAnswerLessons(client, name);
    case "resigning":
      return [["resigned", { name }, "R42"]];
    default:
      return [];
  }
}

function listRollLessons({ you, snapshot }) {
  if (!you?.may.includes("double")) return [["roll", {}, "R65"]];
  return [["double", { value: snapshot.cube.value * 2 }, "R45"]];
}

function listAnswerLessons({ me, snapshot }, name) {
  const { value, offered } = snapshot.cube;
  if (!snapshot.owing.includes(me)) return [["answers", { name }, "R46"]];
  return [
    ["take", { name, value: offered ?? value * 2 }, "R47"],
    ["drop", {}, "R46"],
  ];
}

function listPlayLessons({ turn }, snapshot) {
  if (!turn) return [];
  const { position, side, edges, dice } = turn;
  const mine = position[side];
  const isIn = mine[BAR] === 0;
  if (turn.isDance) return [isIn ? ["dance", {}, "R23"] : ["no-entry", {}, "R28"]];
  if (turn.isComplete) return [["confirm", {}, "R64"]];
  const found = [chooseMoveLesson(mine, isIn, snapshot)];
  if (turn.made.length === 0 && dice[0] === dice[1]) found.push(["doubles", { die: dice[0] }, "R18"]);
  const blocked = listBlockedPoints(turn);
  if (blocked.length) found.push(["blocked", { points: blocked.join(", ") }, "R14"]);
  const blots = [...new Set(edges.map((edge) => edge[1]))].filter((target) => hitsBlot(position, side, target));
  if (blots.length) found.push(["hit", { points: blots.join(", ") }, "R25"]);
  if (edges.length === 1) found.push(["only", {}, "R19"]);
  return found;
}

function chooseMoveLesson(mine, isIn, { dice }) {
  if (!isIn) return ["bar", {}, "R26"];
  if (mine.every((number, point) => point <= HOME || number === 0)) return ["bear-off", {}, "R32"];
  return ["move", { dice }, "R12"];
}

/** The points that the dice left would lead to and that the opponent holds. */
export function listBlockedPoints({ position, side, dice, used }) {
  const theirs = position[opponentOf(side)];
  const sources = position[side][BAR] ? [BAR] : [...position[side].keys()].filter((point) => point > 0 && position[side][point]);
  const unusedDice = dice.filter((_, index) => !used[index]);
  const targets = sources.flatMap((source) => unusedDice.map((die) => source - die));
  const held = targets.filter((target) => target > 0 && theirs[BAR - target] > 1);
  return [...new Set(held)].sort((a, b) => b - a);
}
