// The dialog of the table's preferences, loaded when it is opened.

export class LazyPreferencesDialog {
  /** `prefs` are changed at each choice; `automaticUrl` is the address of the account's automatic acts, if any. */
  constructor(prefs, translate, automaticUrl = null) {
    Object.assign(this, { prefs, translate, automaticUrl });
  }

  async open() {
    const { PreferencesDialog } = await import("./prefs_dialog.js");
    this.dialog ??= new PreferencesDialog(this.prefs, this.translate, this.automaticUrl);
    this.dialog.open();
  }
}
