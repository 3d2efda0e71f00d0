// The two seats beside the board: who sits there, the score, pips, whose turn it is, and whether they are there.

export class Seats {
  constructor(places, { client, say, watching }) {
    Object.assign(this, { places, client, say, watching });
  }

  show() {
    const { snapshot, presence, terms, me, isOver } = this.client;
    ["white", "black"].forEach((side, index) => {
      const seat = this.places[side];
      write(seat.querySelector(".seat__points"), String(snapshot.score[index]));
      const pips = seat.querySelector(".seat__pips");
      pips.hidden = terms.shows_pips === false;
      write(pips, this.say("pips", { n: snapshot.pips[index] }));
      const acts = !isOver && snapshot.owing.includes(side);
      seat.classList.toggle("is-acting", acts);
      seat.querySelector(".seat__turn").hidden = !acts;
      if (side === me) write(seat.querySelector(".seat__turn"), this.say("turn.mine"));
      this.tellHere(seat.querySelector(".seat__here"), side, presence[side]);
    });
    this.watching.hidden = !presence.watching;
    write(this.watching, this.say.count("watching", presence.watching));
  }

  // One's own presence needs no word, and who plays over days is not expected at the board.
  tellHere(box, side, isHere) {
    const { me, isOver } = this.client;
    box.hidden = side === me || isOver;
    box.classList.toggle("is-away", !isHere);
    write(box, this.say(isHere ? "here.yes" : "here.no"));
  }
}

function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
