// The dialog of the table's preferences, loaded when it is opened.

export class Wishes {
  /** `prefs` are changed at each choice; `say` has the texts; `habits` is the address of the account's own, if any. */
  constructor(prefs, say, habits = null) {
    Object.assign(this, { prefs, say, habits });
  }

  async open() {
    const { WishesDialog } = await import("./wishes_dialog.js");
    this.dialog ??= new WishesDialog(this.prefs, this.say, this.habits);
    this.dialog.open();
  }
}
