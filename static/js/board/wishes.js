// The dialog in which the table is made one's own, fetched when it is asked for.

export class Wishes {
  /** `prefs` are changed as one chooses; `say` has the words; `habits` is where the account's are asked for, if any. */
  constructor(prefs, say, habits = null) {
    Object.assign(this, { prefs, say, habits });
  }

  async open() {
    const { WishesDialog } = await import("./wishes_dialog.js");
    this.dialog ??= new WishesDialog(this.prefs, this.say, this.habits);
    this.dialog.open();
  }
}
