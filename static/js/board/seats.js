// The two seats beside the board: name, score, pips, whose turn it is, and presence.

// From this time a turn on, the match is played over days.
const SLOW_MS = 3_600_000;

/** A score as the page shows it (R55). */
export const capped = (score, { rules }) => score.map((points) => Math.min(points, rules.length || points));

export class Seats {
  constructor(places, { client, say, watching }) {
    Object.assign(this, { places, client, say, watching });
  }

  show() {
    const { snapshot, presence, terms, me, isOver, acting } = this.client;
    ["white", "black"].forEach((side, index) => {
      const seat = this.places[side];
      write(seat.querySelector(".seat__points"), String(capped(snapshot.score, terms)[index]));
      seat.querySelector(".seat__pips").hidden = terms.shows_pips === false;
      const acts = !isOver && acting.includes(side);
      seat.classList.toggle("is-acting", acts);
      seat.querySelector(".seat__turn").hidden = !acts;
      if (side === me) write(seat.querySelector(".seat__turn"), this.say("turn.mine"));
      this.tellHere(seat.querySelector(".seat__here"), side, presence[side]);
    });
    this.watching.hidden = !presence.watching;
    write(this.watching, this.say.count("watching", presence.watching));
  }

  /** Write the pip counts of the board that is shown. */
  count(pips) {
    for (const side of ["white", "black"]) {
      write(this.places[side].querySelector(".seat__pips"), this.say("pips", { n: pips[side] }));
    }
  }

  // The viewer's own presence is not shown, nor absence in a match over days.
  tellHere(box, side, isHere) {
    const { me, isOver, terms } = this.client;
    const isSlow = (terms.control?.delay ?? 0) >= SLOW_MS;
    box.hidden = side === me || isOver || (isSlow && !isHere);
    box.classList.toggle("is-away", !isHere);
    write(box, this.say(isHere ? "here.yes" : "here.no"));
  }
}

function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
