// The two seats beside the board: name, score, pips, whose turn it is, and presence.

// From this time a turn on, the match is played over days.
const SLOW_MS = 3_600_000;

/** A score as the page shows it (R55). */
export const capScore = (score, { rules }) => score.map((points) => Math.min(points, rules.length || points));

export class Seats {
  constructor(seats, { client, translate, watching }) {
    Object.assign(this, { seats, client, translate, watching });
  }

  render() {
    const { snapshot, presence, terms, me, isOver, sidesToAct } = this.client;
    ["white", "black"].forEach((side, index) => {
      const seat = this.seats[side];
      setText(seat.querySelector(".seat__points"), String(capScore(snapshot.score, terms)[index]));
      seat.querySelector(".seat__pips").hidden = terms.shows_pips === false;
      const isActing = !isOver && sidesToAct.includes(side);
      seat.classList.toggle("is-acting", isActing);
      seat.querySelector(".seat__turn").hidden = !isActing;
      if (side === me) setText(seat.querySelector(".seat__turn"), this.translate("turn.mine"));
      this.renderPresence(seat.querySelector(".seat__here"), side, presence[side]);
    });
    this.watching.hidden = !presence.watching;
    setText(this.watching, this.translate.plural("watching", presence.watching));
  }

  showPips(pips) {
    for (const side of ["white", "black"]) {
      setText(this.seats[side].querySelector(".seat__pips"), this.translate("pips", { n: pips[side] }));
    }
  }

  // The viewer's own presence is not shown, nor absence in a match over days.
  renderPresence(box, side, isPresent) {
    const { me, isOver, terms } = this.client;
    const isSlow = (terms.control?.delay ?? 0) >= SLOW_MS;
    box.hidden = side === me || isOver || (isSlow && !isPresent);
    box.classList.toggle("is-away", !isPresent);
    setText(box, this.translate(isPresent ? "here.yes" : "here.no"));
  }
}

function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
