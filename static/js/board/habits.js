// What the server does automatically for a player; stored with the account, for all tables and browsers.

import { ask, send } from "./post.js";

export class Habits {
  constructor(address) {
    this.address = address;
  }

  read() {
    return ask(this.address);
  }

  /** Change some of them; returns all. */
  change(some) {
    return send(this.address, JSON.stringify(some), "", "PATCH");
  }
}
