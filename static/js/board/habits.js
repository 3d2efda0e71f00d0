// What the server does for a player without being asked: kept with the account, for every table and every browser.

import { ask, send } from "./post.js";

export class Habits {
  constructor(address) {
    this.address = address;
  }

  read() {
    return ask(this.address);
  }

  /** Change some of them; the answer is all of them. */
  change(some) {
    return send(this.address, JSON.stringify(some), "", "PATCH");
  }
}
