// What the server does automatically for a player; stored with the account, for all tables and browsers.

import { getJson, sendJson } from "./api.js";

export class AutomaticActs {
  constructor(address) {
    this.address = address;
  }

  load() {
    return getJson(this.address);
  }

  /** Change some of them; returns all. */
  update(changes) {
    return sendJson(this.address, JSON.stringify(changes), "", "PATCH");
  }
}
