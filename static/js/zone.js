/* <select data-guess-zone>: the owner of a new club is most likely in its time zone. */

export function guessZone() {
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  for (const select of document.querySelectorAll("select[data-guess-zone]")) {
    // A zone was chosen before this file was loaded.
    const isChosen = !select.selectedOptions[0].defaultSelected;
    if (!isChosen && [...select.options].some((option) => option.value === zone)) select.value = zone;
  }
}
